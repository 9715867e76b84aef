"""Hands that players flag for the floor."""

import orjson
import pytest

from casino.core.models import LogEntry, Role
from tables.errors import HandNotFound, TooManyFlags
from tables.models import Event, FloorCall, Hand, Table
from tables.services import dealers, flagging
from tests.cast import person
from tests.tables.dealing_cast import dealt, move, played_out, player, seated, table

pytestmark = pytest.mark.django_db


@pytest.fixture
def at() -> Table:
    made = table()
    seated(made, player("ann"), player("bob"), player("cyd"))
    return made


def in_play(at: Table) -> Hand:
    dealt(at)
    at.refresh_from_db()
    return Hand.objects.get(pk=at.hand_id)


def calls_told(at: Table) -> list[str]:
    rows = Event.objects.filter(table=at).order_by("seq").values_list("events", flat=True)
    return [
        one["public"]["why"]
        for row in rows
        for one in orjson.loads(row)
        if one["type"] == "floor_called"
    ]


def test_a_player_flags_a_hand_in_play_and_the_hand_goes_on(at: Table) -> None:
    hand = in_play(at)
    ann = at.seats.get(player__username="ann").player
    call = flagging.hand_flag(hand_id=hand.pk, player=ann)
    assert (call.table_id, call.why, call.hand_id) == (at.pk, "dispute", hand.pk)
    assert calls_told(at) == ["dispute"]
    assert LogEntry.objects.get(kind="hand.flagged").subject == f"hand:{hand.pk}"
    move(at, name="raise", to_minor=600)
    assert played_out(at).pk == hand.pk


def test_the_floor_is_called_once_for_a_hand_also_after_it_has_answered(at: Table) -> None:
    hand = in_play(at)
    ann, bob = (at.seats.get(player__username=name).player for name in ("ann", "bob"))
    first = flagging.hand_flag(hand_id=hand.pk, player=ann)
    assert flagging.hand_flag(hand_id=hand.pk, player=bob) == first
    dealers.floor_answer(call_id=first.pk, by=person("Fred", Role.FLOOR).user)
    again = flagging.hand_flag(hand_id=hand.pk, player=ann)
    assert again == first
    assert again.answered_at is not None
    assert FloorCall.objects.count() == 1


def test_only_who_was_dealt_in_flags_a_hand(at: Table) -> None:
    hand = in_play(at)
    with pytest.raises(HandNotFound):
        flagging.hand_flag(hand_id=hand.pk, player=player("eve"))
    assert calls_told(at) == []


def test_who_has_flagged_hands_that_wait_for_the_floor_flags_no_more_of_them(at: Table) -> None:
    ann, bob = (at.seats.get(player__username=name).player for name in ("ann", "bob"))
    hands = []
    for _ in range(flagging.OPEN_MOST + 1):
        in_play(at)
        hands.append(played_out(at))
    *first, last = hands
    calls = [flagging.hand_flag(hand_id=hand.pk, player=ann) for hand in first]
    with pytest.raises(TooManyFlags):
        flagging.hand_flag(hand_id=last.pk, player=ann)
    assert flagging.hand_flag(hand_id=first[0].pk, player=ann) == calls[0]
    flagging.hand_flag(hand_id=last.pk, player=bob)  # others' calls are not drowned by his
    dealers.floor_answer(call_id=calls[0].pk, by=person("Fred", Role.FLOOR).user)
    in_play(at)
    flagging.hand_flag(hand_id=played_out(at).pk, player=ann)


def test_the_api_flags_a_hand_that_is_over(at: Table) -> None:
    in_play(at)
    hand = played_out(at)
    ida = person("Ida")
    seat = {**hand.seats["1"], "player": ida.user.pk}
    Hand.objects.filter(pk=hand.pk).update(seats={**hand.seats, "1": seat})
    answer = ida.client.post(f"/api/v1/hands/{hand.pk}/flag", {}, format="json")
    assert (answer.status_code, answer.json()["is_answered"]) == (201, False)
    assert answer.json()["hand"] == hand.pk
