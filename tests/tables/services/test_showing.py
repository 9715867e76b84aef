"""The window at the end of a hand at a real table: paid already, and silence costs nothing."""

import pytest

from tables import beliefs, proofs
from tables.models import Hand, Seat
from tables.services import settling
from tests.tables.dealing_cast import clock_to, dealt, move, player, run_out, seated, table
from tests.tables.services.test_runs import told
from wallets.proving import ledger_check

pytestmark = pytest.mark.django_db(transaction=True)
STAKES = {"limit": "no_limit", "big_blind_minor": 100, "show_window": True, "rabbit": True}


def folded():
    at = table("holdem", STAKES, timing={"show_s": 3, "time_outs": 1})
    seated(at, player("ann"), player("bob"), chips_minor=5_000)
    dealt(at)
    move(at, name="raise", to_minor=300)
    move(at, name="fold")
    return at


def test_the_winner_is_asked_before_the_hand_is_settled_and_shows_one_card():
    at = folded()
    belief = beliefs.read(at.pk)
    assert (belief.hand().window, belief.finished) == ("show", False)
    assert not settling.hand_settle(table_id=at.pk, hand_id=belief.hand_id)
    move(at, name="show", cards=[1])
    hand = Hand.objects.get()
    assert settling.hand_settle(table_id=at.pk, hand_id=hand.pk)
    assert ledger_check().ok
    openings = proofs.bundle(hand.pk, None)["openings"]
    shown = {event["type"]: event["public"] for event in told(at)}
    assert len(openings) == len(shown["cards_shown"]["cards"]) + len(shown["rabbit_shown"]["cards"])
    assert {one["to"] for one in openings} == {"all"}


def test_silence_shows_nothing_and_costs_neither_clock_nor_seat():
    at = folded()
    clock_to(at, 5_000)
    hand = run_out(at)
    assert sorted(hand.result["nets_minor"].values()) == [-100, 100]
    assert {seat.time_outs for seat in Seat.objects.all()} == {0}
    assert {seat.status for seat in Seat.objects.all()} == {Seat.Status.PLAYING}
    assert [e["public"]["default"] for e in told(at) if e["type"] == "hand_mucked"] == [True]
