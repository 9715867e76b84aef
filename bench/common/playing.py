"""The players' side of a bench: programs that sit at tables of limit hold'em and watch them."""

import asyncio
import time
from typing import Any
from uuid import uuid4

import orjson
import websockets

# A socket may say 40 things at once and 20 a second; who says more is shown out.
BURST, PER_SECOND = 30, 18.0


class Load:
    """The players' side: sends the next action as soon as its own seat is asked."""

    def __init__(self) -> None:
        self.sent: dict[tuple[int, int], float] = {}  # (table, turn) -> when its action was sent
        self.due: dict[tuple[int, int], float] = {}  # (table, seat) -> up to when it has spoken
        self.own_ms: list[float] = []
        self.screen_ms: list[float] = []
        self.refused = 0
        self.cpu_s: dict[str, float] = {}
        self.measuring = False

    async def play(self, url: str, table_id: int, ticket: str, **line: Any) -> None:
        """Until the line ends. line: how it is kept, in the words of websockets' connect."""
        async with websockets.connect(f"{url}{table_id}?ticket={ticket}", **line) as socket:
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
        await self.pace(table_id, seat)
        act = {
            "type": "act",
            "action_id": str(uuid4()),
            "turn_id": turn["turn_id"],
            "action": {"name": name},
        }
        self.sent[table_id, turn["turn_id"]] = time.perf_counter()
        await socket.send(orjson.dumps(act).decode())
        return table_id, turn["turn_id"]

    async def pace(self, table_id: int, seat: int) -> None:
        """Wait as long as the house asks everybody to who says a lot."""
        now = time.perf_counter()
        spoken = max(self.due.get((table_id, seat), 0.0), now - BURST / PER_SECOND)
        self.due[table_id, seat] = spoken + 1 / PER_SECOND
        if self.due[table_id, seat] > now:
            await asyncio.sleep(self.due[table_id, seat] - now)

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
