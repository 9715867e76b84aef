"""A house player against a house that drops lines, forgets answers and says new things."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from random import Random
from typing import Any, cast

import pytest
from websockets.asyncio.server import ServerConnection, serve

from casino.house import players
from casino.house.door import Door
from casino.house.players import Crowd, HousePlayer, Pace, Visit
from tables.engine.fairness import seed_commitment

AT_ONCE = Pace(0.0, (0, 0), (0, 0), (0, 0), (100, 100), (0, 0), 0.0, 0.0)
TABLE = {
    "id": 5,
    "status": "open",
    "game": {"id": "holdem"},
    "max_seats": 6,
    "min_players": 2,
    "seats_taken": 2,
    "chip_minor": 1,
    "buy_in": {"least_minor": 1_000, "most_minor": 9_000},
}
HELLO = {"type": "hello", "you": {"seat": 2, "role": "player"}, "last_seq": 10}
TURN = {"window": "turn", "seats": [2], "call_minor": 0, "deadline": None}
LEFT = {"type": "seat_left", "public": {"seat": 2}}

Script = Callable[[ServerConnection], Awaitable[None]]


class StubDoor:
    """The REST side: every request is done at once."""

    def __init__(self) -> None:
        self.username = self.name = "bruno"
        self.token = "t"
        self.asked: list[str] = []

    async def post(self, path: str, body: Any = None) -> Any:
        self.asked.append(path)
        return {"ticket": f"ticket-{len(self.asked)}"}


def snapshot(seq: int, turn: dict[str, Any] | None = None) -> dict[str, Any]:
    view = {
        "players": [
            {"seat": 2, "bet_minor": 0, "status": "live", "stack_minor": 4_000, "cards": []},
            {"seat": 3, "bet_minor": 0, "status": "live", "stack_minor": 4_000},
        ],
        "board": [],
        "pot_minor": 300,
    }
    state = {
        "seq": seq,
        "table": {"chip_minor": 1, "family": "poker", "stakes": {}},
        "seats": [{"seat": 2, "player": "bruno", "stack_minor": 4_000, "status": "playing"}],
        "hand": None if turn is None else {"game": {"id": "holdem"}, "turn": turn, "view": view},
        "you": {"seat": 2, "dealt_as": 2},
    }
    return {"type": "snapshot", "seq": seq, "state": state}


def events(seq: int, *told: dict[str, Any], prev: int | None = None) -> dict[str, Any]:
    return {"type": "events", "seq": seq, "prev": seq - 1 if prev is None else prev, "events": told}


async def tell(line: ServerConnection, *frames: Any) -> None:
    for frame in frames:
        await line.send(json.dumps(frame))


async def hear(line: ServerConnection) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(await line.recv())
    return message


async def visited(*scripts: Script, pace: Pace = AT_ONCE) -> StubDoor:
    """Play at a house whose connections follow the scripts, one each, till the seat is left."""
    left = list(scripts)

    async def answer(line: ServerConnection) -> None:
        await left.pop(0)(line)

    async with serve(answer, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        crowd = Crowd(f"http://127.0.0.1:{port}", pace, Random(1))
        door = StubDoor()
        visit = Visit(HousePlayer(cast(Door, door), crowd), TABLE)
        async with asyncio.timeout(10):
            await visit.play()
    assert not left
    return door


async def test_a_dropped_line_is_taken_up_where_it_broke() -> None:
    async def first(line: ServerConnection) -> None:
        await tell(line, HELLO)
        assert await hear(line) == {"type": "subscribe"}
        await tell(line, snapshot(10), events(11, {"type": "table_changed", "public": {}}))
        await line.close(4503)

    async def second(line: ServerConnection) -> None:
        await tell(line, HELLO)
        assert await hear(line) == {"type": "subscribe", "from_seq": 11}
        await tell(line, events(12, LEFT))
        await line.wait_closed()

    door = await visited(first, second)
    assert door.asked == ["/tables/5/tickets"] * 2  # a ticket opens one connection


async def test_what_is_not_known_is_passed_over() -> None:
    async def only(line: ServerConnection) -> None:
        await tell(line, HELLO, {"type": "weather"}, {"no": "type"})
        await hear(line)
        await tell(line, snapshot(10), events(11, {"type": "lights_dimmed", "public": {}}))
        await tell(line, events(12, LEFT))
        await line.wait_closed()

    await visited(only)


async def committed_to(line: ServerConnection) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a player says to a cut that takes seeds, and the closed list with it."""
    asked = {"cut": 4, "takes_seeds": True, "purpose": "deal", "deadline": None}
    await tell(line, HELLO)
    await hear(line)
    await tell(line, snapshot(10), events(11, {"type": "roots_published", "public": asked}))
    said = await hear(line)
    listed = {"cut": 4, "commitments": [said["commitment"]]}
    return said, events(12, {"type": "seeds_listed", "public": listed})


async def test_a_seed_is_committed_to_at_once_and_opened_late_where_that_is_the_pace() -> None:
    async def only(line: ServerConnection) -> None:
        committed, closed = await committed_to(line)
        began = time.monotonic()
        await tell(line, closed)
        opened = await hear(line)
        assert (opened["type"], opened["cut"]) == ("open_seed", 4)
        assert seed_commitment(bytes.fromhex(opened["seed"])).hex() == committed["commitment"]
        assert time.monotonic() - began >= 0.3
        await tell(line, events(13, LEFT))
        await line.wait_closed()

    await visited(only, pace=replace(AT_ONCE, seed_s=(0.3, 0.3)))


async def test_a_seed_that_a_busy_house_refuses_is_said_again() -> None:
    async def only(line: ServerConnection) -> None:
        committed, closed = await committed_to(line)
        busy = {"type": "seed_refused", "cut": 4, "problem": {"status": 503}}
        await tell(line, busy)
        assert await hear(line) == committed
        await tell(line, closed)
        opened = await hear(line)
        await tell(line, {**busy, "problem": {"status": 409}}, busy)
        assert await hear(line) == opened
        await tell(line, {**busy, "problem": {"status": 409}}, events(13, LEFT))
        await line.wait_closed()

    await visited(only)


async def test_a_missing_frame_is_asked_for() -> None:
    async def only(line: ServerConnection) -> None:
        await tell(line, HELLO)
        await hear(line)
        await tell(line, snapshot(10), events(13, LEFT))
        assert await hear(line) == {"type": "subscribe", "from_seq": 10}
        await tell(line, events(11), events(12), events(13, LEFT))
        await line.wait_closed()

    await visited(only)


async def test_an_action_whose_answer_was_lost_is_sent_again_under_its_id() -> None:
    sent: list[dict[str, Any]] = []
    turn = {"turn_id": 11, **TURN}

    async def first(line: ServerConnection) -> None:
        await tell(line, HELLO)
        await hear(line)
        await tell(line, snapshot(10), events(11, {"type": "turn_opened", "public": turn}))
        await line.close()

    async def playing(line: ServerConnection) -> None:
        await tell(line, HELLO)
        await hear(line)
        await tell(line, snapshot(11, turn))
        sent.append(await hear(line))
        await line.close()

    async def last(line: ServerConnection) -> None:
        await tell(line, HELLO)
        await hear(line)
        await tell(line, snapshot(11, turn))
        sent.append(await hear(line))
        await tell(line, events(12, LEFT))
        await line.wait_closed()

    await visited(first, playing, last)
    assert sent[0] == sent[1]
    assert (sent[0]["type"], sent[0]["turn_id"]) == ("act", 11)


async def test_who_is_refused_chooses_from_what_is_legal() -> None:
    turn = {"turn_id": 11, **TURN}

    async def only(line: ServerConnection) -> None:
        await tell(line, HELLO)
        await hear(line)
        await tell(line, snapshot(11, turn))
        tried = await hear(line)
        legal = [{"name": "fold"}, {"name": "call", "amount_minor": 50}]
        problem = {"code": "cannot_check", "status": 409, "turn_id": 11, "legal_actions": legal}
        await tell(line, {"type": "refused", "action_id": tried["action_id"], "problem": problem})
        again = await hear(line)
        assert again["action"] == {"name": "fold"}
        assert again["action_id"] != tried["action_id"]
        await tell(line, events(12, LEFT))
        await line.wait_closed()

    await visited(only)


async def test_a_silent_line_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "SILENCE_S", 0.3)

    async def silent(line: ServerConnection) -> None:
        await tell(line, HELLO)
        await line.wait_closed()

    async def lively(line: ServerConnection) -> None:
        await tell(line, HELLO)
        await hear(line)
        await tell(line, snapshot(10), events(11, LEFT))
        await line.wait_closed()

    await visited(silent, lively)


@pytest.mark.parametrize(
    ("change", "joins"),
    [
        ({}, True),
        ({"status": "paused"}, False),
        ({"game": {"id": "badugi"}}, True),
        ({"seats_taken": 4}, True),
        ({"seats_taken": 5}, False),
        ({"max_seats": 2, "seats_taken": 1}, True),
        ({"max_seats": 2, "seats_taken": 2}, False),
    ],
)
def test_players_join_any_open_game_and_leave_a_seat(change: dict[str, Any], joins: bool) -> None:
    crowd = Crowd("http://house", AT_ONCE, Random(1))
    assert crowd.may_join({**TABLE, **change}) is joins


def test_players_fill_a_table_before_they_begin_another() -> None:
    crowd = Crowd("http://house", AT_ONCE, Random(1))
    begun, empty, stuck = ({**TABLE, "id": number} for number in (1, 2, 3))
    crowd.here = {1: {"a", "b"}, 3: {"c"}}
    assert min((begun, empty, stuck), key=crowd.need)["id"] == 3
    crowd.here[3].add("d")
    crowd.here[1].add("e")  # half of six: full enough, a seat is left for people
    assert min((begun, empty, stuck), key=crowd.need)["id"] == 3
    crowd.here[3].add("f")
    assert min((begun, empty, stuck), key=crowd.need)["id"] == 2
