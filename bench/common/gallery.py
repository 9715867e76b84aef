"""Those who watch tables, and players who act for them to see."""

import asyncio
import re
import time
from collections.abc import Callable, Iterable
from typing import Any
from uuid import uuid4

import orjson
import websockets

from bench.common.houses import memory_kb, player_ticket, process_tree, watcher_tickets
from casino.house.supervisor import House

TOGETHER = 20  # sockets that are opened at a time
FRAME = re.compile(r'^\{"type":"events","table":\d+,"seq":(\d+),')
TURN = re.compile(r'"turn_id":(\d+)')


class Gallery:
    """The players and those who watch them."""

    def __init__(self, url: str, think_s: Callable[[], float]) -> None:
        """url: of the tables' sockets, up to a table's number; think_s: before each action."""
        self.url = url
        self.think_s = think_s
        self.sent: dict[tuple[int, int], float] = {}  # (table, turn) -> when its action was sent
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
                await asyncio.sleep(self.think_s())
                name = "call" if turn["call_minor"] else "check"
                act = {
                    "type": "act",
                    "action_id": str(uuid4()),
                    "turn_id": turn["turn_id"],
                    "action": {"name": name},
                }
                self.sent[table_id, turn["turn_id"]] = time.perf_counter()
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
                sent_at = self.sent.get((table_id, turn))
                if sent_at is not None:
                    self.waits_ms.append(1000 * (at - sent_at))
                opened_turn = TURN.search(text)
                turn = 0 if opened_turn is None else int(opened_turn.group(1))

    async def admit(self, tables: Iterable[int]) -> None:
        """Open a display of each of these tables; return when all have seen something."""
        gate = asyncio.Semaphore(TOGETHER)

        async def one(table_id: int) -> None:
            async with gate:
                ready = asyncio.Event()
                ticket = await asyncio.to_thread(watcher_ticket, table_id)
                self.tasks.append(asyncio.create_task(self.watch(table_id, ticket, ready)))
                await ready.wait()

        await asyncio.gather(*(one(table_id) for table_id in tables))

    async def seat(self, name: str, table_id: int) -> None:
        """Let a player who sits there play on."""
        ticket = await asyncio.to_thread(player_ticket, name, table_id)
        self.tasks.append(asyncio.create_task(self.play(table_id, ticket)))

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
