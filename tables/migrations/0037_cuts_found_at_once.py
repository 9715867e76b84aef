"""A cut and its seeds are found at once however many there are, and their statements planned once."""

import re
from pathlib import Path

from django.conf import settings
from django.db import migrations, models
from django.db.models import PROTECT

CUTS = Path(__file__).with_name("0018_cuts_in_few_steps.sql")
CHANGED = re.findall(
    r"^CREATE FUNCTION ((?:tables_cut_lock|tables_seed_look)\(.*?^END \$\$;)",
    CUTS.read_text(),
    re.MULTILINE | re.DOTALL,
)

# 0031 took it away with the index of the same column: at most one cut waits for a table's next deal.
# Made anew in any case: an index whose making was broken off bears the name and guards nothing.
NONE_WAITING = "DROP INDEX CONCURRENTLY IF EXISTS cut_one_waiting"
ONE_WAITING = (
    "CREATE UNIQUE INDEX CONCURRENTLY cut_one_waiting ON tables_cut (table_id)"
    " WHERE hand_id IS NULL AND status = 'open'"
)
# Nobody asks for all seeds of a player, but a plan that found one of them by it would walk them all.
BY_PLAYER = "tables_seedcommitment_player_id_07376ae2"

# Each answers with one row. Believed to answer with a thousand, it is planned anew at every call
# where its values are of another width than its columns.
ONE_ROW = "".join(
    f"ALTER FUNCTION {name} ROWS 1;\n"
    for name in (
        "tables_act", "tables_lock", "tables_read", "tables_cut_publish", "tables_seed_commit",
        "tables_seed_open",
    )
)  # fmt: skip

# Events of a deal are roots, seeds and signatures: to compress them takes time and saves no room.
# The columns by which a table is found are never written: what is counted of them stays true, and
# to count them every minute has all plans of that table made anew in somebody's hand.
ROWS = """
ALTER TABLE tables_event SET (toast_tuple_target = 8160);
ALTER TABLE tables_table SET (autovacuum_analyze_threshold = 5000);
"""


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("tables", "0036_hands_of_a_table")]

    operations = [
        migrations.RunSQL(NONE_WAITING, migrations.RunSQL.noop),
        migrations.RunSQL(ONE_WAITING, migrations.RunSQL.noop),
        migrations.RunSQL(
            f"DROP INDEX CONCURRENTLY IF EXISTS {BY_PLAYER}",
            f"CREATE INDEX CONCURRENTLY {BY_PLAYER} ON tables_seedcommitment (player_id)",
            state_operations=[
                migrations.AlterField(
                    "seedcommitment",
                    "player",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                )
            ],
        ),
        # For houses that were opened with these functions as they were before.
        *(
            migrations.RunSQL(f"CREATE OR REPLACE FUNCTION {function}", migrations.RunSQL.noop)
            for function in CHANGED
        ),
        migrations.RunSQL(ONE_ROW + ROWS, migrations.RunSQL.noop),
    ]
