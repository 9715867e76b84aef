"""Seeds over real sockets: the house players' own client commits, finds its list and opens."""

from typing import Any

import orjson
import pytest

from casino.core.tickets import ticket_issue
from casino.house.seeds import Seeds
from tables import consumers, selectors
from tables.hub import hub
from tables.models import Cut, Hand
from tables.threads import in_thread
from tests.tables.api.test_documents import validator
from tests.tables.cut_cast import bundle, problems, went_on, window_over
from tests.tables.dealing_cast import dealt, played_out, player, seated, table
from tests.tables.sockets import Socket

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
async def rooms():
    hub.start(rows=lambda table_id, seq: in_thread(selectors.pushes_since, table_id, seq))
    yield hub
    await hub.stop()


@pytest.fixture
def at():
    made = table(reveal_ms=30_000)
    seated(made, *(player(name) for name in ("alice", "bob", "carol")))
    dealt(made)
    played_out(made)
    return made


class Client:
    """A seated player at his socket. says: which messages about seeds leave him."""

    def __init__(self, at, seat, *, says: tuple[str, ...] = ("commit_seed", "open_seed")) -> None:
        self.at, self.seat, self.says = at, seat, ("subscribe", *says)
        self.seeds = Seeds()
        self.heard: list[dict[str, Any]] = []

    async def comes(self) -> "Client":
        ticket = await in_thread(
            ticket_issue, table_id=self.at.pk, role="player", user_id=self.seat.player_id
        )
        self.socket = Socket(f"/ws/v1/tables/{self.at.pk}?ticket={ticket}")
        assert await self.socket.connect()
        await self.say({"type": "subscribe"})
        await self.hears("snapshot")
        return self

    async def say(self, message: dict[str, Any]) -> None:
        if message["type"] in self.says:
            await self.socket.say(orjson.dumps(message).decode())

    async def hears(self, kind: str, type: str = "") -> dict[str, Any]:
        """The next message of a kind, or frame with an event of this type; answers on the way."""
        for _ in range(100):
            message = orjson.loads((await self.socket.hear())["text"])
            self.heard.append(message)
            if message["type"] == "snapshot":
                for answer in self.seeds.read_snapshot(message["state"]):
                    await self.say(answer)
            elif message["type"] == "events":
                for answer in self.seeds.read_events(message, self.seat.number):
                    await self.say(answer)
            types = [event["type"] for event in message.get("events", ())]
            if message["type"] == kind and (not type or type in types):
                return message
        raise AssertionError(f"no {kind} {type}")


async def all_of(at, *, silent: int = 0) -> list[Client]:
    """A client in every seat; the last `silent` of them give no seeds."""
    seats = await in_thread(lambda: list(at.seats.select_related("player").order_by("number")))
    speaking = len(seats) - silent
    clients = [Client(at, seat) for seat in seats[:speaking]]
    clients += [Client(at, seat, says=()) for seat in seats[speaking:]]
    return [await client.comes() for client in clients]


async def test_clients_commit_by_themselves_and_open_what_is_listed(at, rooms) -> None:
    clients = await all_of(at)
    for client in clients:
        receipt = await client.hears("seed_committed")
        assert len(receipt["signature"]) == 128
    hand = await in_thread(dealt, at)
    for client in clients:
        await client.hears("seed_opened")
    assert await in_thread(went_on, at)
    cut = await in_thread(lambda: Cut.objects.get(hand_id=hand.pk))
    assert (cut.mode, len(cut.seeds)) == ("players", 3)
    for client in clients:
        frame = await client.hears("events", "decks_cut")
        told = {event["type"]: event["public"] for event in frame["events"]}
        assert told["decks_cut"]["seeds"] == cut.seeds
        assert told["hand_opened"]["root"] == told["decks_cut"]["root"]
        proof = await in_thread(bundle, hand.pk, client.seat.player)
        assert await in_thread(problems, proof) == []
        await client.socket.leave()


async def test_a_silent_client_costs_nobody_a_moment(at, rooms) -> None:
    """One who never commits is not on the list, so nobody waits for him."""
    *speaking, silent = await all_of(at, silent=1)
    for client in speaking:
        await client.hears("seed_committed")
    hand = await in_thread(dealt, at)
    for client in speaking:
        await client.hears("seed_opened")
    assert await in_thread(went_on, at)  # long before the window is over
    cut = await in_thread(latest, hand)
    assert (cut.status, len(cut.seeds), cut.mode) == ("dealt", 2, "players")
    await silent.hears("events", "decks_cut")
    assert await in_thread(problems, await in_thread(bundle, hand.pk, silent.seat.player)) == []
    for client in (*speaking, silent):
        await client.socket.leave()


async def test_a_client_that_withholds_twice_is_left_out_and_the_hand_is_dealt(at, rooms) -> None:
    clients = await all_of(at)
    withholding = clients[0]
    withholding.says = ("commit_seed",)
    for client in clients:
        await client.hears("seed_committed")
    hand = await in_thread(dealt, at)
    for client in clients[1:]:
        await client.hears("seed_opened")
    assert await in_thread(window_over, at)
    for client in clients[1:]:
        await client.hears("events", "cut_void")
        assert (await client.hears("standing"))["seeds_barred_until"] is None
        await client.hears("seed_committed")  # asked again, at once
    await withholding.hears("events", "roots_published")
    told = await withholding.hears("standing")  # he, and nobody else, is told until when
    validator("standing").validate(told)
    assert told["seeds_barred_until"] > told["since"]
    fresh = (await in_thread(latest, hand)).number
    await withholding.say({"type": "commit_seed", "cut": fresh, "commitment": "ab" * 32})
    refused = await withholding.hears("seed_refused")
    assert refused["problem"]["code"] == "seeds_not_taken"
    assert await in_thread(went_on, at)
    for client in clients[1:]:
        await client.hears("seed_opened")
    assert await in_thread(went_on, at)
    cuts = await in_thread(lambda: list(Cut.objects.filter(hand_id=hand.pk).order_by("number")))
    assert [(cut.status, cut.reason) for cut in cuts] == [("void", "withheld"), ("dealt", "")]
    row = await in_thread(Hand.objects.get, pk=hand.pk)
    assert row.deck_id is not None
    for client in clients:
        assert await in_thread(problems, await in_thread(bundle, hand.pk, client.seat.player)) == []
        await client.socket.leave()


def latest(hand: Hand) -> Cut:
    return Cut.objects.filter(hand_id=hand.pk).latest("number")


async def test_an_opening_of_something_else_is_refused_over_the_socket(at, rooms) -> None:
    alice, *others = await all_of(at)
    await alice.hears("seed_committed")
    hand = await in_thread(dealt, at)
    cut = await in_thread(latest, hand)
    await alice.say({"type": "open_seed", "cut": cut.number, "seed": "cd" * 32})
    refused = await alice.hears("seed_refused")
    assert refused["problem"]["code"] == "seed_not_listed"
    await alice.say({"type": "open_seed", "cut": cut.number, "seed": "CD"})
    assert (await alice.hears("refused"))["problem"]["code"] == "malformed_message"
    for client in (alice, *others):
        await client.socket.leave()


@pytest.mark.parametrize(
    ("event", "is_told"),
    [
        ({"type": "cut_void", "public": {"cut": 4, "reason": "withheld", "withheld": 1}}, True),
        ({"type": "cut_void", "public": {"cut": 4, "reason": "hand_voided", "withheld": 1}}, False),
        ({"type": "decks_cut", "public": {"cut": 4, "seeds": ["ab" * 32, None]}}, True),
        ({"type": "decks_cut", "public": {"cut": 4, "seeds": [None], "joined": None}}, True),
        ({"type": "decks_cut", "public": {"cut": 4, "seeds": [], "joined": None}}, False),
        ({"type": "decks_cut", "public": {"cut": 4, "seeds": ["ab" * 32], "joined": None}}, False),
    ],
)
def test_a_frame_that_tells_of_a_missing_seed_is_known_by_its_text(event, is_told) -> None:
    """Also the third cut, which is dealt although a seed is missing, bars whose that was."""
    text = orjson.dumps({"type": "events", "events": [event]}).decode()
    assert bool(consumers.SEED_WITHHELD.search(text)) is is_told
