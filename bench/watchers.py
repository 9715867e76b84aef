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
import re
import time
from statistics import median
from typing import Any
from uuid import uuid4

import orjson
import uvloop
import websockets

from bench.common.houses import (
    cpu_by_part,
    memory_kb,
    opened,
    percentile,
    player_seated,
    player_ticket,
    process_tree,
    socket_url,
    table_made,
    watcher_tickets,
)
from casino.house.supervisor import House

PLAYERS = 4
EVENTS_PER_S = 5.0
TOGETHER = 20  # sockets that are opened at a time
OPTIONS = {"limit": "fixed", "big_blind_minor": 100, "small_bet_minor": 100}
TIMING = {"action_s": 30, "pause_s": 0}
BAR_P99_MS, BAR_SOCKET_KB, BAR_TABLE_KB = 300, 60, 20
FRAME = re.compile(r'^\{"type":"events","table":\d+,"seq":(\d+),')
TURN = re.compile(r'"turn_id":(\d+)')


class Gallery:
    """The players and those who watch them."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.sent: dict[int, float] = {}  # turn -> when its action was sent
        self.waits_ms: list[float] = []
        self.seqs: list[set[int]] = []  # of each watcher, what he was told
        self.measuring = False
        self.tasks: list[asyncio.Task[None]] = []

    async def play(self, table_id: int, ticket: str) -> None:
        async with websockets.connect(f"{self.url}{table_id}?ticket={ticket}") as socket:
            seat = 0
            async for text in socket:
                message = orjson.loads(text)
                turn: dict[str, Any] | None = None
                match message["type"]:
                    case "hello":
                        seat = message["you"]["seat"]
                        await socket.send('{"type":"subscribe"}')
                    case "snapshot":
                        turn = message["state"]["hand"] and message["state"]["hand"]["turn"]
                    case "events":
                        last = message["events"][-1]
                        turn = last["public"] if last["type"] == "turn_opened" else None
                if turn is None or turn["seats"] != [seat]:
                    continue
                await asyncio.sleep(1 / EVENTS_PER_S)
                name = "call" if turn["call_minor"] else "check"
                act = {
                    "type": "act",
                    "action_id": str(uuid4()),
                    "turn_id": turn["turn_id"],
                    "action": {"name": name},
                }
                self.sent[turn["turn_id"]] = time.perf_counter()
                await socket.send(orjson.dumps(act).decode())

    async def watch(self, table_id: int, ticket: str, ready: asyncio.Event) -> None:
        seqs: set[int] = set()
        self.seqs.append(seqs)
        address = f"{self.url}{table_id}?ticket={ticket}"
        async with websockets.connect(address, max_queue=None) as socket:
            await socket.send('{"type":"subscribe"}')
            turn = 0
            async for text in socket:
                at = time.perf_counter()
                assert isinstance(text, str)
                ready.set()
                frame = FRAME.match(text)
                if frame is None or not self.measuring:
                    continue
                seqs.add(int(frame.group(1)))
                if turn in self.sent:
                    self.waits_ms.append(1000 * (at - self.sent[turn]))
                opened_turn = TURN.search(text)
                turn = 0 if opened_turn is None else int(opened_turn.group(1))

    async def admit(self, tables: list[int]) -> None:
        """Open a display of each of these tables; return when all have seen something."""
        gate = asyncio.Semaphore(TOGETHER)

        async def one(table_id: int) -> None:
            async with gate:
                ready = asyncio.Event()
                ticket = await asyncio.to_thread(watcher_ticket, table_id)
                self.tasks.append(asyncio.create_task(self.watch(table_id, ticket, ready)))
                await ready.wait()

        await asyncio.gather(*(one(table_id) for table_id in tables))

    async def leave(self) -> None:
        for task in self.tasks:
            if task.done():
                task.result()
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        self.tasks, self.seqs = [], []


def watcher_ticket(table_id: int) -> str:
    return watcher_tickets("bench-watcher", [table_id])[table_id][0]


def web_kb(house: House) -> int:
    return memory_kb(process_tree(house.pids("web")))


async def run(
    house: House, names: list[str], busy: int, idle: list[int], watchers: int, seconds: float
) -> dict[str, Any]:
    gallery = Gallery(socket_url(house))
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
    tickets = [await asyncio.to_thread(player_ticket, name, busy) for name in names]
    players = [asyncio.create_task(gallery.play(busy, ticket)) for ticket in tickets]
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
    gallery.tasks += players
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
