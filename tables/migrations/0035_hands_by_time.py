"""Hands of a day are walked in their own order, however many came after them."""

from django.db import migrations, models

# An index whose making was broken off bears the name and is of no use: it is made anew.
NONE = "DROP INDEX CONCURRENTLY IF EXISTS hand_begun"
CREATE = "CREATE INDEX CONCURRENTLY hand_begun ON tables_hand (started_at, id)"
BRIN = (
    "CREATE INDEX CONCURRENTLY hand_started ON tables_hand USING brin (started_at)"
    " WITH (pages_per_range = 32, autosummarize = on)"
)
BEGUN = models.Index(fields=["started_at", "id"], name="hand_begun")


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("tables", "0034_hands_dealt_before")]

    operations = [
        migrations.RunSQL(NONE, migrations.RunSQL.noop),
        migrations.RunSQL(
            CREATE,
            "DROP INDEX CONCURRENTLY hand_begun",
            state_operations=[migrations.AddIndex("hand", BEGUN)],
        ),
        migrations.RunSQL(
            "DROP INDEX CONCURRENTLY IF EXISTS hand_started",
            BRIN,
            state_operations=[migrations.RemoveIndex("hand", "hand_started")],
        ),
    ]
