"""Each closed list of seeds asks for the newest silence, however many there have been."""

from django.db import migrations, models

BY_END = models.Index(fields=["ended"], name="silence_by_end")
# An index whose making was broken off bears the name and is of no use: it is made anew.
NONE = "DROP INDEX CONCURRENTLY IF EXISTS silence_by_end"


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("tables", "0038_seeds_after_a_silence")]

    operations = [
        migrations.RunSQL(NONE, migrations.RunSQL.noop),
        migrations.RunSQL(
            "CREATE INDEX CONCURRENTLY silence_by_end ON tables_clocksheld (ended)",
            "DROP INDEX CONCURRENTLY silence_by_end",
            state_operations=[migrations.AddIndex("clocksheld", BY_END)],
        ),
    ]
