"""Messages for the table's socket: its own with something wrong in them, and none of its own."""

from __future__ import annotations

import json
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from casino.core.tickets import ticket_issue
from tables.threads import in_thread
from tests.fuzz.inputs import ANY, spoilt
from tests.fuzz.parsers import ACTIONS, BODIES
from tests.tables.sockets import Socket

MOST_WALL_S = 20.0
TOO_FAST = 4429
KNOWN = [
    *({"type": "act", "action_id": str(uuid4()), "turn_id": 1, "action": action}
      for action in ACTIONS),
    {"type": "subscribe", "from_seq": 1}, {"type": "subscribe"}, {"type": "ping"},
    {"type": "commit_seed", "cut": 1, "commitment": "ab" * 32},
    {"type": "open_seed", "cut": 1, "seed": "cd" * 32},
]  # fmt: skip


def written(value: Any) -> str:
    return json.dumps(value).encode(errors="replace").decode()


MESSAGES = st.one_of(
    spoilt(KNOWN).map(written), spoilt(KNOWN).map(written), ANY.map(written),
    BODIES.map(lambda body: body.decode("utf-8", "replace")),
)  # fmt: skip


def drawn(count: int) -> list[str]:
    """So many messages, the same each time."""
    found: list[str] = []

    @settings(max_examples=count, deadline=None, database=None, derandomize=True,
              suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(MESSAGES)
    def draw(text: str) -> None:
        found.append(text)

    draw()
    return found


@dataclass
class Talking:
    """One player's socket, opened anew when the house closes it."""

    table_id: int
    user_id: int
    heard: Counter[str] = field(default_factory=Counter)
    closed: Counter[int] = field(default_factory=Counter)
    socket: Socket | None = None

    async def opened(self) -> Socket:
        ticket = await in_thread(
            ticket_issue, table_id=self.table_id, role="player", user_id=self.user_id
        )
        socket = Socket(f"/ws/v1/tables/{self.table_id}?ticket={ticket}")
        assert await socket.connect()
        assert "hello" in (await socket.hear())["text"]
        self.socket = socket
        return socket

    async def say(self, text: str) -> None:
        """The house answers in its own words, closes for one reason alone, and goes on."""
        socket = self.socket or await self.opened()
        began = time.monotonic()
        await socket.say(text)
        await socket.say('{"type": "ping"}')
        while True:
            answer = await socket.hear()
            if answer["type"] == "websocket.close":
                self.closed[answer["code"]] += 1
                assert answer["code"] == TOO_FAST, f"closed with {answer['code']} by {text[:200]}"
                await socket.leave()
                self.socket = None
                break
            kind = json.loads(answer["text"])["type"]
            self.heard[kind] += 1
            if kind == "pong":
                break
        assert time.monotonic() - began < MOST_WALL_S, text[:200]
