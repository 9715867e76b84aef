"""Three hundred tables and two thousand sockets on one machine.

Two players at each table, who think as long as people do, and displays spread over the tables. The
whole house stands on this machine, and the players' and displays' program beside it. Told: what
each part of the house takes of a core, the memory of the web processes, how long an action takes
to each who sees it, frames a second. Then all sockets break and come back, several times: the
memory must not grow with it.
Prints one JSON object.
"""

import argparse
import asyncio
import json
import os
import random
import time
from itertools import cycle, islice
from statistics import median
from typing import Any

import uvloop

from bench.common.gallery import Gallery, web_kb
from bench.common.houses import (
    cpu_by_part,
    opened,
    percentile,
    player_seated,
    socket_url,
    table_made,
)
from casino.house.supervisor import House

PLAYERS = 2
THINK_S = (1.0, 5.0)
OPTIONS = {"limit": "fixed", "big_blind_minor": 100, "small_bet_minor": 100}
TIMING = {"action_s": 30, "pause_s": 2}
SETTLE_S = 5.0


async def filled(gallery: Gallery, tables: dict[int, list[str]], watchers: int) -> None:
    for table_id, names in tables.items():
        for name in names:
            await gallery.seat(name, table_id)
    await gallery.admit(islice(cycle(tables), watchers))


async def run(
    house: House, tables: dict[int, list[str]], watchers: int, seconds: float, times: int
) -> dict[str, Any]:
    chance = random.Random(1)  # how long one thinks
    gallery = Gallery(socket_url(house), lambda: chance.uniform(*THINK_S))
    await filled(gallery, tables, watchers)
    await asyncio.sleep(SETTLE_S)
    spent, began = cpu_by_part(house), time.perf_counter()
    acted = len(gallery.sent)
    gallery.measuring = True
    await asyncio.sleep(seconds)
    gallery.measuring = False
    elapsed = time.perf_counter() - began
    cores = {part: (now - spent[part]) / elapsed for part, now in cpu_by_part(house).items()}
    acted = len(gallery.sent) - acted
    waits = gallery.waits_ms
    held_kb = [web_kb(house)]
    for _ in range(times):
        await gallery.leave()
        await filled(gallery, tables, watchers)
        await asyncio.sleep(SETTLE_S)
        held_kb.append(web_kb(house))
    await gallery.leave()
    return {
        "tables": len(tables),
        "sockets": watchers + PLAYERS * len(tables),
        "actions_per_s": round(acted / elapsed, 1),
        "frames_to_displays_per_s": round(len(waits) / elapsed, 1),
        "action_to_display_ms": {"p50": round(median(waits), 1), "p99": percentile(waits, 0.99)},
        "cores": {part: round(share, 2) for part, share in cores.items()},
        "web_mb_after_each_coming_back": [round(kb / 1024) for kb in held_kb],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=300)
    parser.add_argument("--sockets", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--times", type=int, default=3, help="how often all sockets come back (3)")
    options = parser.parse_args()
    with opened() as house:
        tables: dict[int, list[str]] = {}
        for number in range(options.tables):
            table_id = table_made(
                f"bench {number}", "holdem", PLAYERS,
                options=OPTIONS, timing=TIMING, min_players=PLAYERS,
            )  # fmt: skip
            tables[table_id] = [f"bench-{number}-{place}" for place in range(PLAYERS)]
            for name in tables[table_id]:
                player_seated(name, table_id)
        watchers = options.sockets - PLAYERS * options.tables
        found = uvloop.run(run(house, tables, watchers, options.seconds, options.times))
        print(
            json.dumps(
                {"bench": "crowded", **found,
                 "load": round(os.getloadavg()[0], 1), "processors": os.cpu_count()}
            )
        )  # fmt: skip


if __name__ == "__main__":
    main()
