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
from uuid import uuid4

import orjson
import uvloop
import websockets

from bench.common.houses import (
    cpu_by_part,
    opened,
    percentile,
    player_seated,
    socket_url,
    table_made,
    watcher_tickets,
)
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


class Load:
    """The players' side: sends the next action as soon as its own seat is asked."""

    def __init__(self) -> None:
        self.sent: dict[tuple[int, int], float] = {}  # (table, turn) -> when its action was sent
        self.own_ms: list[float] = []
        self.screen_ms: list[float] = []
        self.refused = 0
        self.cpu_s: dict[str, float] = {}
        self.measuring = False

    async def play(self, url: str, table_id: int, ticket: str) -> None:
        async with websockets.connect(f"{url}{table_id}?ticket={ticket}") as socket:
            seat = 0
            mine: tuple[int, int] | None = None
            async for text in socket:
                message = orjson.loads(text)
                match message["type"]:
                    case "hello":
                        seat = message["you"]["seat"]
                        await socket.send('{"type":"subscribe"}')
                    case "snapshot":
                        hand = message["state"]["hand"]
                        mine = await self.answer(socket, table_id, seat, hand and hand["turn"])
                    case "events":
                        if mine is not None and message["events"][0]["type"] != "clocks_held":
                            self.note(self.own_ms, mine)
                            mine = None
                        last = message["events"][-1]
                        turn = last["public"] if last["type"] == "turn_opened" else None
                        mine = await self.answer(socket, table_id, seat, turn) or mine
                    case "refused":
                        self.refused += 1

    async def answer(
        self, socket: Any, table_id: int, seat: int, turn: dict[str, Any] | None
    ) -> tuple[int, int] | None:
        if turn is None or turn["seats"] != [seat]:
            return None
        # Bet and raise as long as the limit allows: many actions a hand, as in a lively game.
        if turn.get("most_to_minor"):
            name = "raise" if turn["call_minor"] or turn.get("window") == "preflop" else "bet"
        else:
            name = "call" if turn["call_minor"] else "check"
        act = {
            "type": "act",
            "action_id": str(uuid4()),
            "turn_id": turn["turn_id"],
            "action": {"name": name},
        }
        self.sent[table_id, turn["turn_id"]] = time.perf_counter()
        await socket.send(orjson.dumps(act).decode())
        return table_id, turn["turn_id"]

    async def watch(self, url: str, table_id: int, ticket: str) -> None:
        """A display: how long after the click its frame is there."""
        async with websockets.connect(f"{url}{table_id}?ticket={ticket}") as socket:
            await socket.send('{"type":"subscribe"}')
            turn_id: int | None = None
            async for text in socket:
                message = orjson.loads(text)
                if message["type"] == "events":
                    if turn_id is not None:
                        self.note(self.screen_ms, (table_id, turn_id))
                    last = message["events"][-1]
                    opened = last["type"] == "turn_opened"
                    turn_id = last["public"]["turn_id"] if opened else None

    def note(self, into: list[float], key: tuple[int, int]) -> None:
        sent = self.sent.get(key)
        if self.measuring and sent is not None:
            into.append(1000 * (time.perf_counter() - sent))


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
