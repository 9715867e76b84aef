from typing import ClassVar

import django.contrib.postgres.functions
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("core", "0009_bound")]

    operations: ClassVar = [
        migrations.AddField(
            model_name="webhookmessage",
            name="uuid",
            field=models.UUIDField(
                db_default=django.contrib.postgres.functions.RandomUUID(),
                editable=False,
                unique=True,
            ),
        ),
    ]
