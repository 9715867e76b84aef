"""How many actions a second a house takes, and how soon a click is on the screen.

32 players on 8 tables take turns through WebSockets of two web processes, every action goes to
its table's four players and one display, hands are dealt and settled by the workers, and every
commit is on disk (synchronous_commit=on). pgbench (TPC-B, 8 clients) runs before and after on the
same PostgreSQL; if the two differ by more than 15 % the machine was too busy and `valid` is false.
Prints one JSON object.
"""

import argparse
import asyncio
import contextlib
import json
import os
import re
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any
from uuid import uuid4

import orjson
import uvloop
import websockets

from casino.house.parts import CLOCK, WEB, WORKERS
from casino.house.places import run_as
from casino.house.supervisor import House

TABLES, PLAYERS = 8, 4
CURRENCY = "EUR"
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
    import django

    django.setup()
    from casino.core.models import User
    from casino.core.tickets import ticket_issue
    from tables.models import Table
    from tables.services import seating
    from wallets import services as wallets

    watcher = User.objects.create_user(username="bench-watcher", display_name="bench watcher")
    made = []
    for number in range(TABLES):
        table = Table.objects.create(
            name=f"bench {number}", game="holdem", options=OPTIONS, timing=TIMING,
            currency=CURRENCY, max_seats=PLAYERS, min_players=PLAYERS, is_house=True,
            buy_in_least_minor=100, buy_in_most_minor=10**9,
        )  # fmt: skip
        accounts = wallets.table_accounts_open(table_id=table.pk, currency=CURRENCY)
        Table.objects.filter(pk=table.pk).update(accounts=accounts)
        tickets = []
        for place in range(PLAYERS):
            name = f"bench-{number}-{place}"
            user = User.objects.create_user(username=name, display_name=name, is_house=True)
            wallets.deposit(
                player_id=user.pk, amount_minor=10**9, currency=CURRENCY, key=name, actor_id=None
            )
            seating.seat_take(
                table_id=table.pk, player=user, seat=None, buy_in_minor=10**9, key=f"sit:{name}"
            )
            tickets.append(ticket_issue(table_id=table.pk, role="player", user_id=user.pk))
        display = ticket_issue(table_id=table.pk, role="display", user_id=watcher.pk)
        made.append((table.pk, display, tickets))
    return made


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


def cpu_s(pids: Iterable[int]) -> float:
    """What these processes and all they have started, the ended ones too, have computed so far."""
    parents: dict[int, list[int]] = {}
    spent: dict[int, int] = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = file.read_text().rpartition(")")[2].split()
            parents.setdefault(int(fields[1]), []).append(int(file.parent.name))
            spent[int(file.parent.name)] = sum(map(int, fields[11:15]))
    total, known = 0, list(pids)
    while known:
        pid = known.pop()
        total += spent.get(pid, 0)
        known += parents.get(pid, [])
    return total / os.sysconf("SC_CLK_TCK")


def cpu_by_part(house: House) -> dict[str, float]:
    parts = {name: cpu_s(house.pids(name)) for name in house.part_names()}
    return parts | {"players' program": time.process_time()}


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 2)


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
    with tempfile.TemporaryDirectory(prefix="croupier-bench-") as folder:
        house = House(
            Path(folder), 0, parts=(*WEB, *WORKERS, CLOCK), environment="demo",
            say=lambda line: None,
        )  # fmt: skip
        try:
            house.start()
            house.wait_ready()
            os.environ["CROUPIER_DATA"] = folder
            os.environ["DJANGO_SETTINGS_MODULE"] = "casino.settings"
            place = house.place
            assert place is not None
            createdb = str(place.binaries.postgres("createdb"))
            run_as(place.account, createdb, "-h", str(place.sockets), "-U", "postgres",
                   "pgbench")  # fmt: skip
            pgbench(house, 0, fill=True)
            tables = furnish()
            before = pgbench(house, options.pgbench_seconds)
            url = house.url.replace("http", "ws", 1) + "/ws/v1/tables/"
            load = uvloop.run(run(url, tables, options.seconds, partial(cpu_by_part, house)))
            after = pgbench(house, options.pgbench_seconds)
            print(json.dumps(summary(load, options.seconds, before, after)))
        except subprocess.SubprocessError as error:
            raise SystemExit(str(error)) from error
        finally:
            house.stop()


if __name__ == "__main__":
    main()
