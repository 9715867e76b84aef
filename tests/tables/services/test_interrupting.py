"""The house rules by itself: finish, restore or refund; and on misdeals by its list."""

import json

import pytest

from casino.core.errors import RoleMissing
from casino.core.models import Role
from tables import beliefs, clock
from tables.errors import HandNotInPlay, UnknownFault
from tables.models import Deck, Event, Hand, Interruption, Table
from tables.services import dealing, expiring, interrupting, settling, voiding
from tests.conftest import superuser
from tests.core.cast import person
from tests.tables.dealing_cast import (
    clock_to,
    dealt,
    move,
    player,
    pulses_at,
    run_out,
    seated,
    table,
)  # fmt: skip
from tests.tables.services.test_blinds import hand_through, joins
from wallets import services as wallets
from wallets.proving import ledger_check

pytestmark = pytest.mark.django_db(transaction=True)


def opened(count: int = 3) -> tuple[Table, Hand]:
    at = table(max_seats=10)
    seated(at, *(player(f"p{n}") for n in range(count)), chips_minor=20_000)
    return at, dealt(at)


def chips(at: Table) -> list[int]:
    accounts = [seat.account_id for seat in at.seats.order_by("number")]
    held = wallets.balances_of(account_ids=accounts)
    return [held[account] for account in accounts]


def rulings(at: Table) -> list[tuple[str, str]]:
    return list(Interruption.objects.filter(table=at).order_by("pk").values_list("code", "verdict"))


def told(at: Table, kind: str) -> list[dict]:
    rows = Event.objects.filter(table=at).order_by("seq").values_list("events", flat=True)
    return [e["public"] for row in rows for e in json.loads(row) if e["type"] == kind]


def test_a_hand_that_cannot_be_read_is_voided_at_once_and_everyone_is_refunded():
    at, hand = opened()
    move(at, name="raise", to_minor=2_000)
    with superuser() as admin:  # nobody else can make a deck unreadable
        admin.execute("DELETE FROM tables_handsecret WHERE deck_id = %s", [hand.deck_id])
    beliefs.forget(at.pk)
    clock_to(at, 5_000)
    clock.do_here(
        lambda t, n: expiring.turn_expire(table_id=t, turn_id=n),
        "expire", at.pk, beliefs.read(at.pk).turn_id,
    )  # fmt: skip
    assert rulings(at) == [("unreadable", "refunded")]
    assert chips(at) == [20_000] * 3
    assert told(at, "hand_voided")[-1]["code"] == "unreadable"
    assert beliefs.read(at.pk).hand_id is None
    assert ledger_check().ok


def test_a_hand_that_can_be_read_goes_on_twice_and_is_voided_when_it_fails_again(monkeypatch):
    at, _ = opened()

    def fails(t: int, n: int) -> None:
        raise ValueError("a fault of the house")

    for verdicts in (["restored"], ["restored"] * 2, ["restored", "restored", "refunded"]):
        clock.do_here(fails, "expire", at.pk, beliefs.read(at.pk).turn_id)
        assert [verdict for _, verdict in rulings(at)] == verdicts
    assert chips(at) == [20_000] * 3
    assert ledger_check().ok


def test_a_hand_that_is_over_is_never_voided_whatever_fails():
    at, hand = opened()
    run_out(at)

    def fails(t: int, n: int) -> None:
        raise ValueError("the books are shut")

    for _ in range(5):
        clock.do_here(fails, "settle", at.pk, hand.pk)
    assert rulings(at) == [("unpaid", "waits")]
    assert settling.hand_settle(table_id=at.pk, hand_id=hand.pk)
    assert ledger_check().ok


def test_a_silence_of_the_house_is_stored_as_restored_for_every_hand_it_held():
    at, hand = opened()
    quiet = table(name="quiet")
    pulses_at(10_000)
    assert clock.pulse("clock") == 1
    assert rulings(at) == [("house_silent", "restored")]
    assert Interruption.objects.get().hand_id == hand.pk
    assert not rulings(quiet)


def test_a_voided_hand_leaves_button_and_debts_as_they_were():
    at, _ = opened(4)
    voiding.hand_void(table_id=at.pk, hand_id=Hand.objects.get().pk, reason="x")
    at.refresh_from_db()
    drawn = at.button
    hand = hand_through(at)
    assert hand.button == drawn  # the first button stays where it was drawn
    while hand_through(at) and at.positions["big"] != 2:
        pass
    before = at.positions
    joins(at, "new", 5, posts=True)
    hand = dealt(at)
    assert not at.seats.get(number=5).owes_big
    voiding.hand_void(table_id=at.pk, hand_id=hand.pk, reason="x")
    at.refresh_from_db()
    assert at.positions["big"] == before["big"]
    assert at.seats.get(number=5).owes_big
    again = dealt(at)
    assert (again.button, set(again.seats)) == (hand.button, set(hand.seats))


def test_a_misdeal_before_substantial_action_is_the_same_deal_again():
    at, hand = opened()
    move(at, name="call")
    ruled = interrupting.misdeal_ruled(
        table_id=at.pk, hand_id=hand.pk, fault="seat_skipped", by=person("flora", Role.FLOOR)
    )
    assert ruled == "redeal"
    assert rulings(at) == [("seat_skipped", "redeal")]
    assert chips(at) == [20_000] * 3
    again = dealt(at)
    assert again.button == hand.button


def test_a_misdeal_after_substantial_action_plays_on_and_all_are_told():
    at, hand = opened()
    move(at, name="call")
    move(at, name="fold")
    assert (
        interrupting.misdeal_ruled(table_id=at.pk, hand_id=hand.pk, fault="wrong_count")
        == "plays_on"
    )
    assert told(at, "misdeal_ruled")[-1] == {
        "hand_id": hand.pk, "fault": "wrong_count", "verdict": "plays_on",
    }  # fmt: skip
    assert beliefs.read(at.pk).hand_id == hand.pk


def test_a_fouled_deck_ends_the_hand_at_any_time():
    at, hand = opened()
    move(at, name="call")
    move(at, name="call")
    move(at, name="check")
    ruled = interrupting.misdeal_ruled(table_id=at.pk, hand_id=hand.pk, fault="fouled_deck")
    assert ruled == "void"
    assert chips(at) == [20_000] * 3


def test_who_may_not_rule_and_what_is_no_fault_is_refused():
    at, hand = opened()
    with pytest.raises(RoleMissing):
        interrupting.misdeal_ruled(
            table_id=at.pk, hand_id=hand.pk, fault="seat_skipped", by=person("fin", Role.FINANCE)
        )
    with pytest.raises(UnknownFault):
        interrupting.misdeal_ruled(table_id=at.pk, hand_id=hand.pk, fault="bad luck")
    with pytest.raises(HandNotInPlay):
        interrupting.misdeal_ruled(table_id=at.pk, hand_id=hand.pk + 1, fault="seat_skipped")


def test_a_deck_that_is_fouled_is_replaced_before_anybody_sees_a_card(monkeypatch):
    at = table(max_seats=6)
    seated(at, player("a"), player("b"), chips_minor=20_000)
    real = beliefs.deck_open
    monkeypatch.setattr(beliefs, "deck_open", lambda *deck: [0, *real(*deck)[1:-1], 0])
    assert dealing.hand_open(table_id=at.pk, number=1) is None
    monkeypatch.setattr(beliefs, "deck_open", real)
    assert rulings(at) == [("fouled_deck", "fresh_deck")]
    assert not Hand.objects.exists()
    assert told(at, "misdeal_ruled")[-1]["verdict"] == "fresh_deck"
    hand = dealt(at)
    assert Deck.objects.get(pk=hand.deck_id).status == Deck.Status.DEALT
    assert ledger_check().ok


def test_a_verdict_cannot_be_changed():
    at, hand = opened()
    interrupting.misdeal_ruled(table_id=at.pk, hand_id=hand.pk, fault="card_boxed")
    with pytest.raises(Exception, match="permission denied"):
        Interruption.objects.update(verdict="refunded")
