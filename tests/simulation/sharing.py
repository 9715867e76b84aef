"""What one process of the simulation plays, on servers of its own.

Nothing of the house is imported before they run: settings are read at import.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import time
from typing import Any

# Rows that are read in no order come as they lie, unless somebody moves them. Plans are made while
# tables are empty, and must serve when they are full. The rest is for speed: nothing here outlives
# its server.
SETTINGS = (
    "autovacuum = off", "track_counts = off", "synchronous_commit = off",
    "update_process_title = off", "plan_cache_mode = force_generic_plan", "enable_seqscan = off",
    "enable_hashjoin = off", "enable_mergejoin = off",
)  # fmt: skip
RARELY = (50_000, 20, 100)  # garbage is looked for
HANDS_A_RUN = 1000  # a run ends with the whole books proven; a longer one has larger books


def share(options: argparse.Namespace, nth: int) -> list[dict[str, Any]]:
    """Every so-manieth run, until the hands are played, the time is over or a law is broken."""
    cores = sorted(os.sched_getaffinity(0))
    # Whoever sends a statement waits for its answer: on one core it is handed over at once.
    os.sched_setaffinity(0, {cores[nth % len(cores)]})

    from tests.plugin import servers  # starts them, before settings are read

    import django  # isort: skip

    django.setup()
    import psycopg
    from django.core.management import call_command
    from django.db import connection

    from tests.simulation.results import add
    from tests.simulation.runs import run

    gc.freeze()
    gc.set_threshold(*RARELY)
    connection.settings_dict["USER"] = "owner"
    call_command("migrate", verbosity=0)
    connection.close()
    connection.settings_dict["USER"] = "app"
    name = connection.settings_dict["NAME"]
    urls = {"superuser_url": servers.postgres.superuser_url(name),
            "owner_url": servers.postgres.url("owner", name)}  # fmt: skip
    with psycopg.connect(urls["superuser_url"], autocommit=True) as admin:
        for setting in SETTINGS:
            admin.execute(f"ALTER SYSTEM SET {setting}")
        admin.execute("SELECT pg_reload_conf()")
    end = time.monotonic() + options.seconds
    found: list[dict[str, Any]] = []
    for turn in range(nth, -(-options.hands // HANDS_A_RUN), options.processes):
        seed = options.seed if turn == 0 else f"{options.seed}.{turn}"
        found.append(
            run(
                seed, hands=min(HANDS_A_RUN, options.hands), tables=options.tables, bug=options.bug,
                seconds_most=max(1.0, end - time.monotonic()), **urls,
            )
        )  # fmt: skip
        if options.results:
            add(options.results, found[-1])
        _tell(found)
        if not found[-1]["ok"] or time.monotonic() > end:
            break
    return found


def _tell(found: list[dict[str, Any]]) -> None:
    hands, seconds = (sum(one[name] for one in found) for name in ("hands", "seconds"))
    print(f"{hands} hands in {seconds:.0f} s", file=sys.stderr, flush=True)
    if not found[-1]["ok"]:
        print(f"{found[-1]['seed']}: {found[-1]['violation']}", file=sys.stderr, flush=True)
