"""Cards are opened as they are shown to who asks for it: his own to him, the rest to everybody."""

from typing import Any

import orjson
import pytest

from casino.core.models import User
from casino.core.tickets import ticket_issue
from tables import selectors
from tables.engine.cards import CARD_TEXT
from tables.hub import hub
from tables.models import Hand, Table
from tables.threads import in_thread
from tests.tables.cut_cast import Giver, bundle, dealt_with_seeds, first_roots, problems, went_on
from tests.tables.dealing_cast import move, played_out, player, seated, table
from tests.tables.sockets import Socket

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
async def rooms():
    hub.start(rows=lambda table_id, seq: in_thread(selectors.pushes_since, table_id, seq))
    yield hub
    await hub.stop()


@pytest.fixture
def at() -> Table:
    made = table(reveal_ms=30_000, positions={"button": 1})
    givers = [Giver(player(name)) for name in ("alice", "bob")]
    seated(made, *(giver.user for giver in givers))
    first_roots(made)
    dealt_with_seeds(made, givers)
    return made


async def comes(at: Table, user: User, **wish: Any) -> Socket:
    ticket = await in_thread(ticket_issue, table_id=at.pk, role="player", user_id=user.pk)
    socket = Socket(f"/ws/v1/tables/{at.pk}?ticket={ticket}")
    assert await socket.connect()
    await socket.say(orjson.dumps({"type": "subscribe", **wish}).decode())
    return socket


async def heard(socket: Socket, until_seq: int) -> list[dict[str, Any]]:
    """Everything a socket was told up to the frame or snapshot of a seq, and what came with it."""
    await socket.say('{"type":"ping"}')
    told, seq, is_asked = [], 0, True
    while True:
        message = orjson.loads((await socket.hear())["text"])
        told.append(message)
        if message["type"] in ("events", "snapshot"):
            seq = message["seq"]
        if message["type"] == "pong":
            is_asked = False
            if seq >= until_seq:
                return told
        if not is_asked and seq >= until_seq:
            await socket.say('{"type":"ping"}')
            is_asked = True


def opened_in(told: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [one for message in told if message["type"] == "openings" for one in message["openings"]]


async def test_what_was_opened_on_the_way_is_the_proof_and_holds(at: Table, rooms: Any) -> None:
    alice = await in_thread(lambda: at.seats.select_related("player").get(number=1).player)
    dave, erin = [await in_thread(player, name) for name in ("dave", "erin")]
    hers, watching = await comes(at, alice, openings=True), await comes(at, dave, openings=True)
    plain = await comes(at, erin)
    assert await in_thread(went_on, at)
    seq = await in_thread(lambda: Table.objects.get(pk=at.pk).seq)
    at_the_deal = opened_in(await heard(hers, seq))
    assert [one["to"] for one in at_the_deal] == ["you", "you"]
    assert opened_in(await heard(watching, seq)) == []
    hand = await in_thread(played_out, at)
    seq = await in_thread(lambda: Table.objects.get(pk=at.pk).seq)
    whole, public = await in_thread(bundle, hand.pk, alice), await in_thread(bundle, hand.pk)
    mine = at_the_deal + opened_in(await heard(hers, seq))
    everybodys = opened_in(await heard(watching, seq))
    shown = [{**one, "to": ""} for one in mine]
    assert shown == [{**one, "to": ""} for one in whole["openings"]]
    assert everybodys == public["openings"]
    assert {one["to"] for one in everybodys} == {"all"}
    assert len(everybodys) >= 5
    assert await in_thread(problems, {**whole, "openings": mine}) == []
    assert await in_thread(problems, {**public, "openings": everybodys}) == []
    assert opened_in(await heard(plain, seq)) == []
    for socket in (hers, watching, plain):
        await socket.leave()


async def test_who_comes_later_is_told_all_that_was_opened_before(at: Table, rooms: Any) -> None:
    assert await in_thread(went_on, at)
    bob = await in_thread(lambda: at.seats.select_related("player").get(number=2).player)
    for name in ("call", "check"):
        await in_thread(move, at, name=name)
    seq = await in_thread(lambda: Table.objects.get(pk=at.pk).seq)
    his = await comes(at, bob, openings=True)
    told = opened_in(await heard(his, seq))
    hand = await in_thread(Hand.objects.get)
    assert told == (await in_thread(bundle, hand.pk, bob))["openings"]
    assert [one["to"] for one in told] == ["you"] * 2 + ["all"] * 3
    shown = {CARD_TEXT[one["card"]] for one in told if one["to"] == "all"}
    belief = await in_thread(selectors.table_snapshot, at.pk)
    assert shown == set(belief["hand"]["view"]["board"])
    await his.leave()


async def test_a_wish_that_is_none_is_refused(at: Table, rooms: Any) -> None:
    socket = await comes(at, await in_thread(player, "dave"), openings="yes")
    told = [orjson.loads((await socket.hear())["text"]) for _ in range(2)]
    assert told[1]["type"] == "refused"
    await socket.leave()
