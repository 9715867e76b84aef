"""Hands of a day are walked in their own order, however many came after them."""

from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("tables", "0034_hands_dealt_before")]

    operations = [
        AddIndexConcurrently("hand", models.Index(fields=["started_at", "id"], name="hand_begun")),
        RemoveIndexConcurrently("hand", "hand_started"),
    ]
