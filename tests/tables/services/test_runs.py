"""Running it twice at a real table: asked in a window of its own, paid through the ledger."""

import json

import pytest

from tables import beliefs, proofs
from tables.models import Event, Hand, Seat
from tables.services import settling
from tests.tables.dealing_cast import clock_to, dealt, move, player, run_out, seated, table
from wallets.proving import ledger_check

pytestmark = pytest.mark.django_db(transaction=True)
STAKES = {"limit": "no_limit", "big_blind_minor": 100, "runs": 2}


@pytest.fixture
def all_in():
    """Two players all-in before the flop, asked how often the board is dealt."""
    at = table("holdem", STAKES, timing={"run_s": 7, "time_bank_s": 30, "time_outs": 1})
    players = [player("ann"), player("bob")]
    seated(at, *players, chips_minor=5_000)
    dealt(at)
    move(at, name="raise", to_minor=5_000)
    move(at, name="call")
    return at, players


def told(at) -> list[dict]:
    rows = Event.objects.filter(table=at).order_by("seq").values_list("events", flat=True)
    return [event for row in rows for event in json.loads(row)]


def test_all_are_asked_at_once_and_the_ledger_pays_half_a_pot_a_run(all_in):
    at, (ann, bob) = all_in
    belief = beliefs.read(at.pk)
    assert (belief.hand().window, set(belief.hand().waiting)) == ("run", {1, 2})
    move(at, bob, name="run_it", choice=2)
    assert beliefs.read(at.pk).turn_id == belief.turn_id
    move(at, ann, name="run_it", choice=2)
    hand = Hand.objects.get()
    settling.hand_settle(table_id=at.pk, hand_id=hand.pk)
    (pot,) = Hand.objects.get().result["pots"]
    assert [line["amount_minor"] for line in pot["boards"]] == [5_000, 5_000]
    assert ledger_check().ok
    boards = [event["public"] for event in told(at) if event["type"] == "board_dealt"]
    assert [board.get("board_no", 1) for board in boards] == [1, 1, 1, 2, 2, 2]
    opened = [one["card"] for one in proofs.bundle(hand.pk, None)["openings"]]
    assert len(opened) == len(set(opened)) == 2 * 2 + 2 * 5


def test_who_lets_the_time_pass_has_said_once_and_loses_neither_bank_nor_seat(all_in):
    at, _ = all_in
    clock_to(at, 5_000)
    hand = run_out(at)
    assert hand.result["showdown"]
    assert "boards" not in hand.result["pots"][0]
    assert {seat.status for seat in Seat.objects.all()} == {Seat.Status.PLAYING}
    assert {seat.time_outs for seat in Seat.objects.all()} == {0}
    answers = [event["public"] for event in told(at) if event["type"] == "run_answered"]
    assert answers == [{"seat": answers[0]["seat"], "choice": 1, "default": True}]
