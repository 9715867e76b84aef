"""Hands of a table, of a day or of all days, are walked in their own order."""

from django.db import migrations, models

# An index whose making was broken off bears the name and is of no use: it is made anew.
NONE = "DROP INDEX CONCURRENTLY IF EXISTS hand_of_table"
CREATE = "CREATE INDEX CONCURRENTLY hand_of_table ON tables_hand (table_id, started_at, id)"
OF_TABLE = models.Index(fields=["table", "started_at", "id"], name="hand_of_table")


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("tables", "0035_hands_by_time")]

    operations = [
        migrations.RunSQL(NONE, migrations.RunSQL.noop),
        migrations.RunSQL(
            CREATE,
            "DROP INDEX CONCURRENTLY hand_of_table",
            state_operations=[migrations.AddIndex("hand", OF_TABLE)],
        ),
    ]
