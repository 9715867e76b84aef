"""What must be brought back, and what is bought when a hand is over."""

import pytest
from django.utils import timezone

from tables.errors import BuyInOutOfRange
from tables.models import Departure, Seat
from tables.services import seating
from tests.tables.dealing_cast import dealt, played_out, player, seated, table
from wallets import services as wallets
from wallets.proving import ledger_check

pytestmark = pytest.mark.django_db(transaction=True)


def sits(at, who, chips_minor: int, key: str) -> Seat:
    return seating.seat_take(
        table_id=at.pk, player=who, seat=None, buy_in_minor=chips_minor, key=key
    )


def chips(seat: Seat) -> int:
    return wallets.balances_of(account_ids=[seat.account_id])[seat.account_id]


def test_who_comes_back_within_the_window_brings_what_he_left_with():
    at = table(timing={"rathole_s": 3_600})
    ann = player("ann", 500_000)
    sits(at, ann, 50_000, "one")
    seating.seat_leave(table_id=at.pk, player=ann)
    with pytest.raises(BuyInOutOfRange) as refused:
        sits(at, ann, 10_000, "two")
    assert refused.value.least_minor == 50_000
    sits(at, ann, 60_000, "three")
    assert ledger_check().ok


def test_he_may_bring_it_back_also_when_it_is_more_than_the_tables_most():
    at = table(timing={"rathole_s": 3_600})
    ann = player("ann", 500_000)
    Departure.objects.create(table=at, player=ann, at=timezone.now(), chips_minor=150_000)
    assert chips(sits(at, ann, 150_000, "one")) == 150_000


def test_after_the_window_and_without_one_he_brings_what_he_likes():
    at = table(timing={"rathole_s": 3_600})
    ann = player("ann", 500_000)
    sits(at, ann, 50_000, "one")
    seating.seat_leave(table_id=at.pk, player=ann)
    Departure.objects.update(at=timezone.now().replace(year=2020))
    assert sits(at, ann, 10_000, "two")
    other = table(name="free")
    sits(other, ann, 50_000, "three")
    seating.seat_leave(table_id=other.pk, player=ann)
    assert sits(other, ann, 10_000, "four")
    assert not Departure.objects.filter(table=other).exists()


def test_chips_are_made_up_once_when_the_hand_is_over():
    at = table()
    ann, bob = player("ann"), player("bob")
    seated(at, ann, bob, chips_minor=10_000)
    dealt(at)
    seating.seat_choose(table_id=at.pk, player=ann, tops_up_to_minor=30_000)
    assert chips(at.seats.get(player=ann)) <= 10_000
    played_out(at)
    assert chips(at.seats.get(player=ann)) == 30_000
    dealt(at)
    hand = played_out(at)
    net = hand.result["nets_minor"]["1"]
    assert chips(at.seats.get(player=ann)) == 30_000 + net  # nothing is bought again
    assert ledger_check().ok


def test_a_wish_that_the_wallet_cannot_pay_falls_and_is_told():
    at = table()
    ann, bob = player("ann", 10_000), player("bob")
    seated(at, ann, bob, chips_minor=10_000)
    hand = dealt(at)
    seating.seat_choose(table_id=at.pk, player=ann, tops_up_to_minor=100_000)
    settled = played_out(at)
    assert settled.pk == hand.pk
    seat = at.seats.get(player=ann)
    assert seat.tops_up_to_minor is None
    assert chips(seat) == 10_000 + settled.result["nets_minor"]["1"]
    assert ledger_check().ok
