"""What meets at one moment at a table against the house: bets at the lock, a worker that dies."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import orjson
import pytest
from django.db import OperationalError, connection

from casino.core.models import User
from casino.core.tickets import ticket_issue
from tables import beliefs, jobs, selectors
from tables.hub import Hub, hub
from tables.models import Event, Hand, Table
from tables.services import expiring, settling
from tables.threads import in_thread
from tests.tables.dealing_cast import (
    clock_to,
    dealt,
    move,
    player,
    run_out,
    seated,
    three_card_table,
)
from tests.tables.sockets import Socket
from wallets import services as wallets

pytestmark = pytest.mark.django_db(transaction=True)

GRACE_MS = 250
LATE_CODES = ("too_late", "turn_passed", "bets_closed", "no_hand_in_play")


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "send", lambda *task: True)


@pytest.fixture
async def rooms() -> AsyncIterator[Hub]:
    hub.start(rows=lambda table_id, seq: in_thread(selectors.pushes_since, table_id, seq))
    yield hub
    await hub.stop()


@pytest.fixture
def seven() -> tuple[Table, list[User]]:
    at = three_card_table()
    players = [player(f"player{number}") for number in range(7)]
    seated(at, *players)
    dealt(at)
    return at, players


async def opened(at: Table, who: User) -> Socket:
    ticket = await in_thread(ticket_issue, table_id=at.pk, role="player", user_id=who.pk)
    sock = Socket(f"/ws/v1/tables/{at.pk}?ticket={ticket}")
    assert await sock.connect()
    return sock


async def answered(sock: Socket, action_id: str) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = orjson.loads((await sock.hear())["text"])
        if message.get("action_id") == action_id:
            return message


async def bets_at(sock: Socket, turn_id: int, moment: float, ante: int) -> dict[str, Any]:
    await asyncio.sleep(max(0.0, moment - time.monotonic()))
    action_id = str(uuid4())
    action = {"name": "bet", "wagers": {"ante": ante}}
    said = {"type": "act", "action_id": action_id, "turn_id": turn_id, "action": action}
    await sock.say(orjson.dumps(said).decode())
    return await answered(sock, action_id)


async def closes(at: Table, turn_id: int, moment: float) -> None:
    """The clock finds the window due, again and again until it is closed."""
    await asyncio.sleep(max(0.0, moment - time.monotonic()))
    while not await in_thread(expiring.turn_expire, table_id=at.pk, turn_id=turn_id):
        await asyncio.sleep(0.005)


async def test_seven_sockets_bet_at_the_lock_and_everybody_agrees_which_count(
    seven: tuple[Table, list[User]], rooms: Hub
) -> None:
    at, players = seven
    turn_id = (await in_thread(beliefs.read, at.pk)).turn_id
    sockets = [await opened(at, who) for who in players]
    await in_thread(clock_to, at, -400)
    lock = time.monotonic() + 0.4 + GRACE_MS / 1000
    moments = [lock - 0.025 + 0.050 * number / 6 for number in range(7)]
    betting = [
        bets_at(sock, turn_id, moment, 100 * (number + 1))
        for number, (sock, moment) in enumerate(zip(sockets, moments, strict=True))
    ]
    *answers, _ = await asyncio.gather(*betting, closes(at, turn_id, lock))
    accepted = {
        number + 1: 100 * (number + 1)
        for number, answer in enumerate(answers)
        if answer["type"] == "ack"
    }
    for answer in answers:
        if answer["type"] == "refused":
            assert answer["problem"]["code"] in LATE_CODES
    for sock in sockets:
        await sock.leave()
    await in_thread(agree, at, accepted)


def agree(at: Table, accepted: dict[int, int]) -> None:
    """Acknowledged bets, event rows, the ledger and what is shown are one and the same."""
    rows = Event.objects.filter(table=at).order_by("seq")
    events = [event for row in rows for event in orjson.loads(row.events)]
    types = Counter(event["type"] for event in events)
    assert types["no_more_bets"] == 1
    closed = [event["type"] for event in events].index("no_more_bets")
    placed = {
        event["public"]["seat"]: event["public"]["wagers"]["ante"]
        for event in events[:closed]
        if event["type"] == "bet_placed"
    }
    assert placed == accepted
    assert not [event for event in events[closed:] if event["type"] == "bet_placed"]
    balances = wallets.balances_of(account_ids=[at.accounts["in_play"]])
    hand = Hand.objects.get(table=at)
    settled = hand.status != Hand.Status.OPEN
    reserved = sum(accepted.values()) * (1 if settled else 2)
    assert balances[at.accounts["in_play"]] == reserved
    view = selectors.table_snapshot(at.pk)["hand"]["view"]
    shown = {spot["seat"]: spot["wagers"]["ante"] for spot in view["spots"]}
    assert {seat: ante for seat, ante in shown.items() if ante} == accepted


def test_a_worker_that_dies_between_reveal_and_payment_pays_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at, ann = three_card_table(), player("ann")
    seated(at, ann)
    hand = dealt(at)
    move(at, ann, name="bet", wagers={"ante": 500, "pair_plus": 500})
    clock_to(at, 5_000)
    assert expiring.turn_expire(table_id=at.pk, turn_id=beliefs.read(at.pk).turn_id)
    move(at, ann, name="play")
    over = run_out(at)
    assert over.status == Hand.Status.FINISHED
    before = held(at, ann)

    def die(**_: object) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")

    with monkeypatch.context() as dying:
        dying.setattr(settling, "write", die)
        with pytest.raises(OperationalError):
            settling.hand_settle(table_id=at.pk, hand_id=hand.pk)
    connection.close()
    assert held(at, ann) == before
    assert Hand.objects.get(pk=hand.pk).status == Hand.Status.FINISHED
    assert settling.hand_settle(table_id=at.pk, hand_id=hand.pk)
    assert not settling.hand_settle(table_id=at.pk, hand_id=hand.pk)
    result = over.result
    assert result is not None
    after = held(at, ann)
    assert after["seat"] - before["seat"] == result["returned_minor"]["1"]
    assert after["in_play"] == 0
    assert after["bank"] - before["bank"] == result["bank_minor"]
    shown = selectors.table_snapshot(at.pk)
    assert shown["seats"][0]["stack_minor"] == after["seat"]
    assert shown["last_hand"]["result"] == result


def held(at: Table, who: User) -> dict[str, int]:
    seat = at.seats.get(player=who).account_id
    balances = wallets.balances_of(account_ids=[seat, at.accounts["in_play"], at.accounts["bank"]])
    return {
        "seat": balances[seat],
        "in_play": balances[at.accounts["in_play"]],
        "bank": balances[at.accounts["bank"]],
    }
