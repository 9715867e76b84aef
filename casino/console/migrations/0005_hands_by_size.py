"""Hands by size in the index's own order, of one table or day too; one without a result has none.

The condition is what every question for a size implies, as `hand_moved` is strict.
"""

from typing import ClassVar

from django.db import migrations

# An index whose making was broken off bears the name and is of no use: it is made anew.
NONE = "DROP INDEX CONCURRENTLY IF EXISTS hand_by_size"
BY_SIZE = (
    "CREATE INDEX CONCURRENTLY hand_by_size ON tables_hand"
    " (hand_moved(result), table_id, started_at, id) WHERE result IS NOT NULL"
)
BEFORE = "CREATE INDEX CONCURRENTLY hand_size ON tables_hand (hand_moved(result), id)"


class Migration(migrations.Migration):
    atomic = False
    dependencies: ClassVar = [
        ("console", "0004_found_quickly"),
        ("tables", "0036_hands_of_a_table"),
    ]

    operations: ClassVar = [
        migrations.RunSQL(NONE, migrations.RunSQL.noop),
        migrations.RunSQL(BY_SIZE, "DROP INDEX CONCURRENTLY hand_by_size"),
        migrations.RunSQL("DROP INDEX CONCURRENTLY IF EXISTS hand_size", BEFORE),
    ]
