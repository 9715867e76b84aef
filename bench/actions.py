"""How many actions a second a house takes, and how soon a click is on the screen.

32 players on 8 tables take turns through WebSockets of two web processes, every action goes to
its table's four players and one display, hands are dealt and settled by the workers, and every
commit is on disk (synchronous_commit=on). pgbench (TPC-B, 8 clients) runs before and after on the
same PostgreSQL; if the two differ by more than 15 % the machine was too busy and `valid` is false.
Prints one JSON object.
"""

import argparse
import asyncio
import json
import os
import re
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import uvloop

from bench.common.houses import (
    cpu_by_part,
    opened,
    percentile,
    player_seated,
    socket_url,
    table_made,
    watcher_tickets,
)
from bench.common.playing import Load
from casino.house.places import run_as
from casino.house.supervisor import House

TABLES, PLAYERS = 8, 4
OPTIONS = {"limit": "fixed", "big_blind_minor": 100, "small_bet_minor": 100}
TIMING = {"action_s": 30, "pause_s": 0}
DIFFERENCE_MOST = 0.15


def pgbench(house: House, seconds: int, *, fill: bool = False) -> float:
    """Transactions a second of pgbench's TPC-B with 8 clients; 0 when it only fills."""
    place = house.place
    assert place is not None
    command = [
        str(place.binaries.postgres("pgbench")),
        *("-h", str(place.sockets), "-U", "postgres"),
        *(("-i", "-s", "10", "-q") if fill else ("-c", "8", "-j", "2", "-M", "prepared")),
        *(() if fill else ("-T", str(seconds))),
        "pgbench",
    ]
    done = run_as(place.account, *command)
    if done.returncode:
        raise SystemExit(f"pgbench failed: {done.stderr.strip()}")
    found = re.search(r"tps = ([0-9.]+)", done.stdout)
    return 0.0 if found is None else float(found.group(1))


def furnish() -> list[tuple[int, str, list[str]]]:
    """Players at tables. Returns per table its id, a display's ticket and its players' tickets."""
    made = []
    for number in range(TABLES):
        table_id = table_made(
            f"bench {number}", "holdem", PLAYERS,
            options=OPTIONS, timing=TIMING, min_players=PLAYERS,
        )  # fmt: skip
        tickets = [player_seated(f"bench-{number}-{place}", table_id) for place in range(PLAYERS)]
        made.append((table_id, tickets))
    displays = watcher_tickets("bench-watcher", [table_id for table_id, _ in made])
    return [(table_id, displays[table_id][0], tickets) for table_id, tickets in made]


async def run(
    url: str,
    tables: list[tuple[int, str, list[str]]],
    seconds: float,
    spent: Callable[[], dict[str, float]],
) -> Load:
    load = Load()
    sockets = [
        asyncio.create_task(load.play(url, table_id, ticket))
        for table_id, _, tickets in tables
        for ticket in tickets
    ]
    sockets += [
        asyncio.create_task(load.watch(url, table_id, ticket)) for table_id, ticket, _ in tables
    ]
    await asyncio.sleep(3)
    began = spent()
    load.measuring = True
    await asyncio.sleep(seconds)
    load.measuring = False
    load.cpu_s = {part: after - began[part] for part, after in spent().items()}
    for task in sockets:
        if task.done():
            task.result()
        task.cancel()
    await asyncio.gather(*sockets, return_exceptions=True)
    return load


def summary(load: Load, seconds: float, before: float, after: float) -> dict[str, Any]:
    from django.db import connection

    from wallets.proving import ledger_check

    actions_per_s = len(load.own_ms) / seconds
    reference = (before + after) / 2
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM tables_hand WHERE status = 'settled'")
        (hands,) = cursor.fetchone()
    return {
        "bench": "actions",
        "actions_per_s": round(actions_per_s),
        "pgbench_tps": [round(before), round(after)],
        "share_of_pgbench": round(actions_per_s / reference, 3),
        "click_to_own_delta_ms": {
            "p50": round(median(load.own_ms), 2), "p99": percentile(load.own_ms, 0.99),
        },
        "click_to_display_ms": {
            "p50": round(median(load.screen_ms), 2), "p99": percentile(load.screen_ms, 0.99),
        },
        "cpu_ms_an_action": {
            part: round(1000 * spent / len(load.own_ms), 2) for part, spent in load.cpu_s.items()
        },
        "hands_settled": hands,
        "refused": load.refused,
        "ledger_ok": ledger_check().ok,
        "valid": abs(before - after) <= DIFFERENCE_MOST * max(before, after),
        "cores": os.cpu_count(),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--pgbench-seconds", type=int, default=4)
    options = parser.parse_args()
    with opened() as house:
        place = house.place
        assert place is not None
        createdb = str(place.binaries.postgres("createdb"))
        run_as(place.account, createdb, "-h", str(place.sockets), "-U", "postgres", "pgbench")
        pgbench(house, 0, fill=True)
        tables = furnish()
        before = pgbench(house, options.pgbench_seconds)

        def spent() -> dict[str, float]:
            return cpu_by_part(house) | {"players' program": time.process_time()}

        load = uvloop.run(run(socket_url(house), tables, options.seconds, spent))
        after = pgbench(house, options.pgbench_seconds)
        print(json.dumps(summary(load, options.seconds, before, after)))


if __name__ == "__main__":
    main()
