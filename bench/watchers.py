"""A thousand watchers of one table, and what a socket and a table cost that are idle.

Four players act some five times a second; each of a thousand displays, half on either of two web
processes, must get every event. Counted from the moment in which an action is sent to the moment
in which a display has its frame. Memory is what the web processes hold for themselves alone:
before and after so many idle sockets of one table, and again with one more of each of many tables.
Prints one JSON object.
"""

import argparse
import asyncio
import json
import os
import time
from statistics import median
from typing import Any

import uvloop

from bench.common.gallery import TOGETHER, Gallery, web_kb
from bench.common.houses import (
    cpu_by_part,
    opened,
    percentile,
    player_seated,
    socket_url,
    table_made,
)
from casino.house.supervisor import House

PLAYERS = 4
EVENTS_PER_S = 5.0
OPTIONS = {"limit": "fixed", "big_blind_minor": 100, "small_bet_minor": 100}
TIMING = {"action_s": 30, "pause_s": 0}
BAR_P99_MS, BAR_SOCKET_KB, BAR_TABLE_KB = 300, 60, 20


async def run(
    house: House, names: list[str], busy: int, idle: list[int], watchers: int, seconds: float
) -> dict[str, Any]:
    gallery = Gallery(socket_url(house), lambda: 1 / EVENTS_PER_S)
    await gallery.admit([idle[0]] * 2 * TOGETHER)  # what is loaded once is loaded now
    await gallery.leave()
    before_kb = web_kb(house)
    await gallery.admit([idle[0]] * len(idle))
    await asyncio.sleep(3)
    sockets_kb = web_kb(house) - before_kb
    await gallery.admit(idle)  # beside those: freed memory would hide what is taken anew
    await asyncio.sleep(3)
    tables_kb = web_kb(house) - before_kb - sockets_kb
    await gallery.leave()
    await gallery.admit([busy] * watchers)
    for name in names:
        await gallery.seat(name, busy)
    await asyncio.sleep(3)
    spent, began = cpu_by_part(house), time.perf_counter()
    gallery.measuring = True
    await asyncio.sleep(seconds)
    gallery.measuring = False
    elapsed = time.perf_counter() - began
    web_cores = (cpu_by_part(house)["web"] - spent["web"]) / elapsed
    await asyncio.sleep(1)
    told = gallery.seqs
    every = set.union(*told)
    # The first and the last may have come just before or after the measuring began or ended.
    inner = every - {min(every), max(every)}
    missed = sum(len(inner - seqs) for seqs in told)
    await gallery.leave()
    waits = gallery.waits_ms
    socket_kb = sockets_kb / len(idle)
    return {
        "watchers": watchers,
        "events_per_s": round(len(every) / elapsed, 1),
        "frames": len(waits),
        "frames_missed": missed,
        "action_to_watcher_ms": {
            "p50": round(median(waits), 1), "p99": percentile(waits, 0.99),
            "most": round(max(waits), 1),
        },
        "bar_p99_ms": BAR_P99_MS,
        "web_cores": round(web_cores, 2),
        "idle": len(idle),
        "kb_per_idle_socket": round(socket_kb, 1),
        "bar_socket_kb": BAR_SOCKET_KB,
        "kb_per_idle_table": round(tables_kb / len(idle) - socket_kb, 1),
        "bar_table_kb": BAR_TABLE_KB,
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--watchers", type=int, default=1000)
    parser.add_argument("--idle", type=int, default=200, help="idle sockets, and idle tables")
    parser.add_argument("--seconds", type=float, default=20)
    options = parser.parse_args()
    with opened() as house:
        ring = {"options": OPTIONS, "timing": TIMING, "min_players": PLAYERS}
        busy = table_made("bench watched", "holdem", PLAYERS, **ring)
        names = [f"bench-{place}" for place in range(PLAYERS)]
        for name in names:
            player_seated(name, busy)
        idle = [
            table_made(f"bench idle {number}", "holdem", PLAYERS, **ring)
            for number in range(options.idle)
        ]
        found = uvloop.run(run(house, names, busy, idle, options.watchers, options.seconds))
        print(
            json.dumps(
                {"bench": "watchers", **found,
                 "load": round(os.getloadavg()[0], 1), "cores": os.cpu_count()}
            )
        )  # fmt: skip


if __name__ == "__main__":
    main()
