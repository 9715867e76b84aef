"""`python -m tests.simulation`: the house's services, in the order and with the faults of a seed.

Processes, their deaths, a broker and pushes that lose and repeat things, commits that fail, players
who keep silent and a house that does: all in one process on a PostgreSQL of its own, with a law
looked at after every step. What it finds comes again from its seed.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

# Rows that are read in no order come as they lie, unless somebody moves them. The rest is for
# speed: nothing here outlives its server.
SETTINGS = ("autovacuum = off", "track_counts = off", "synchronous_commit = off")
HANDS_A_RUN = 1000  # a run ends with the whole books proven; a longer one has larger books


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation")
    parser.add_argument("--hands", type=int, default=2_000, help="how many to settle (2000)")
    parser.add_argument(
        "--seed", default="0", help="a run that broke a law comes again from its own"
    )
    parser.add_argument("--tables", type=int, default=8, help="of the floor (8)")
    parser.add_argument("--seconds", type=float, default=86_400.0, help="stop then")
    parser.add_argument("--bug", help="plant one, to see it found")
    parser.add_argument("--processes", type=int, default=1, help="each with its own database (1)")
    parser.add_argument("--report", type=Path, help="where to write the JSON report")
    options = parser.parse_args(arguments)
    if os.environ.get("PYTHONHASHSEED") != "0":  # sets of words in one order, whatever the process
        command = [sys.executable, "-m", "tests.simulation", *arguments]
        os.execve(sys.executable, command, {**os.environ, "PYTHONHASHSEED": "0"})
    share = partial(_share, options)
    if options.processes == 1:
        parts = [share(0)]
    else:
        with multiprocessing.get_context("spawn").Pool(options.processes) as pool:
            parts = pool.map(share, range(options.processes))
    report = joined([run for part in parts for run in part])
    text = json.dumps(report, indent=2)
    if options.report:
        options.report.write_text(text + "\n", encoding="utf-8")
    print(text)
    return 0 if report["ok"] else 1


def _share(options: argparse.Namespace, nth: int) -> list[dict[str, Any]]:
    """Every so-manieth run, until the hands are played, the time is over or a law is broken."""
    from tests.plugin import servers  # starts them, before settings are read

    import django  # isort: skip

    django.setup()
    import psycopg
    from django.core.management import call_command
    from django.db import connection

    from tests.simulation.runs import run

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
    turns = range(nth, -(-options.hands // HANDS_A_RUN), options.processes)
    for turn in turns:
        seed = options.seed if turn == 0 else f"{options.seed}.{turn}"
        found.append(
            run(
                seed, hands=min(HANDS_A_RUN, options.hands), tables=options.tables, bug=options.bug,
                seconds_most=max(1.0, end - time.monotonic()), **urls,
            )
        )  # fmt: skip
        _tell(found)
        if not found[-1]["ok"] or time.monotonic() > end:
            break
    return found


def _tell(found: list[dict[str, Any]]) -> None:
    hands, seconds = (sum(one[name] for one in found) for name in ("hands", "seconds"))
    print(f"{hands} hands in {seconds:.0f} s", file=sys.stderr, flush=True)


def joined(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """One report of many runs; of those that broke a law, each in full."""
    added = (
        "hands", "voided", "seconds", "simulated_seconds", "time_outs", "decisions", "pushed",
        "silences", "deaths", "failures", "deadlocks", "waits", "turns",
    )  # fmt: skip
    report: dict[str, Any] = {name: round(sum(one[name] for one in runs), 1) for name in added}
    for name in ("families", "games", "tasks", "refused"):
        sums: dict[str, int] = {}
        for one in runs:
            for what, count in one[name].items():
                sums[what] = sums.get(what, 0) + count
        report[name] = dict(sorted(sums.items()))
    broken = [one for one in runs if not one["ok"]]
    return {
        "ok": not broken,
        "runs": len(runs),
        "hands_a_minute_of_one_process": round(60 * report["hands"] / max(report["seconds"], 0.1)),
        **report,
        "digests": [one["digest"][:12] for one in runs],
        "violations": [
            {name: one[name] for name in ("seed", "violation", "hands")} for one in broken
        ],
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
