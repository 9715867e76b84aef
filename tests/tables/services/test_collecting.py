"""Time collection and jackpot drop: what leaves the stacks beside the bets, and when.

docs/rules/poker.md 9.6 and 9.7.
"""

from datetime import timedelta

import pytest

from tables import lobby, selectors
from tables.engine.errors import BadOptions
from tables.errors import TimeFeeOwed
from tables.models import Seat, Table, TableHour
from tables.selectors import database_now
from tables.services import dealing, floor, seating
from tests.tables.dealing_cast import CURRENCY, dealt, move, played_out, player, seated, table
from wallets import services as wallets
from wallets.models import Transfer
from wallets.proving import ledger_check

pytestmark = pytest.mark.django_db
FEE = 600


def balance(account: int) -> int:
    return wallets.balances_of(account_ids=[account])[account]


def stacks_at(at: Table) -> dict[int, int]:
    return {seat.number: balance(seat.account_id) for seat in at.seats.all()}


def due_s_ago(at: Table, seconds: float) -> None:
    due = database_now() - timedelta(seconds=seconds)
    Table.objects.filter(pk=at.pk).update(time_fee_due=due)


@pytest.fixture
def at() -> Table:
    made = table(time_fee_minor=FEE, time_fee_every_s=1800)
    seated(made, player("ann"), player("bob"), player("cyd"))
    return made


def test_the_time_until_the_first_deadline_is_free_and_the_deadline_is_stored(at: Table) -> None:
    dealt(at)
    assert not Transfer.objects.filter(kind="time_collection").exists()
    at.refresh_from_db()
    assert at.time_fee_due is not None
    left_s = (at.time_fee_due - database_now()).total_seconds()
    assert 1790 < left_s <= 1800


def test_every_seat_pays_once_before_the_first_deal_after_a_deadline(at: Table) -> None:
    cyd = at.seats.get(player__username="cyd").player
    seating.seat_sit_out(table_id=at.pk, player=cyd)
    due_s_ago(at, 4000)  # two more deadlines have passed since: nobody pays for a silence
    before = stacks_at(at)
    hand = dealt(at)
    assert {n: before[n] - minor for n, minor in stacks_at(at).items()} == dict.fromkeys(
        before, FEE
    )
    assert balance(at.accounts["rake"]) == 3 * FEE
    assert hand.seats["1"]["stack_minor"] == before[1] - FEE
    played_out(at)
    assert dealing.hand_open(table_id=at.pk, number=2) is not None
    assert balance(at.accounts["rake"]) == 3 * FEE
    assert Transfer.objects.filter(kind="time_collection", hand_id=None).count() == 3
    assert sum(hour.won_minor for hour in TableHour.objects.filter(table=at)) == 3 * FEE
    assert ledger_check().ok


def test_nothing_is_taken_in_mid_hand_nor_while_too_few_are_there_to_deal(at: Table) -> None:
    dealt(at)
    due_s_ago(at, 5)
    played_out(at)
    for name in ("ann", "bob"):
        seating.seat_sit_out(table_id=at.pk, player=at.seats.get(player__username=name).player)
    assert dealing.hand_open(table_id=at.pk, number=2) is None
    assert balance(at.accounts["rake"]) == 0


def test_who_cannot_pay_sits_out_and_pays_before_he_plays_on() -> None:
    at = table(time_fee_minor=FEE)
    poor = player("poor")
    seated(at, player("ann"), player("bob"))
    seated(at, poor, chips_minor=FEE - 100)
    due_s_ago(at, 1)
    dealt(at)
    seat = at.seats.get(player=poor)
    assert (seat.status, seat.owes_time_minor) == (Seat.Status.SITTING_OUT, FEE)
    assert balance(seat.account_id) == FEE - 100
    with pytest.raises(TimeFeeOwed):
        seating.seat_return(table_id=at.pk, player=poor)
    seating.seat_top_up(table_id=at.pk, player=poor, amount_minor=1_000, key="more")
    seating.seat_return(table_id=at.pk, player=poor)
    seat.refresh_from_db()
    assert (seat.status, seat.owes_time_minor) == (Seat.Status.PLAYING, 0)
    assert balance(seat.account_id) == 900
    assert balance(at.accounts["rake"]) == 3 * FEE


def test_it_is_shown_before_one_sits_down(at: Table) -> None:
    dealt(at)
    shown = selectors.table_snapshot(at.pk)["table"]["time_collection"]
    assert (shown["amount_minor"], shown["every_s"]) == (FEE, 1800)
    assert shown["next_at"].endswith("Z")
    (row,) = lobby.tables().rows
    assert row["time_collection"] == shown


def test_a_table_against_the_house_or_a_part_of_a_chip_is_refused() -> None:
    facts = {
        "name": "t", "game": "holdem", "options": {"big_blind_minor": 100}, "currency": CURRENCY,
        "buy_in_least_minor": 1_000, "buy_in_most_minor": 5_000, "max_seats": 6, "chip_minor": 50,
    }  # fmt: skip
    for fee in ({"time_fee_minor": 75}, {"time_fee_minor": 100, "time_fee_every_s": 10}):
        with pytest.raises(BadOptions):
            floor.table_open(**facts, **fee)
    assert floor.table_open(**facts, time_fee_minor=100).time_fee_minor == 100


def test_the_drop_goes_to_the_tables_jackpot_with_the_settlement_itself() -> None:
    drop = {"amount_minor": 50, "from_minor": 400}
    rake = {"basis_points": 500}
    at = table(options={"limit": "no_limit", "big_blind_minor": 100, "drop": drop, "rake": rake})
    ann, bob = player("ann"), player("bob")
    seated(at, ann, bob)
    dealt(at)
    move(at, name="raise", to_minor=300)
    hand = played_out(at)
    assert hand.result is not None
    assert (hand.result["rake_minor"], hand.result["drop_minor"]) == (30, 50)
    assert balance(at.accounts["jackpot"]) == 50
    assert balance(at.accounts["rake"]) == 30
    assert Transfer.objects.get(kind="settle").hand_id == hand.pk
    told = lobby.hands_of(ann.pk).rows[0]
    assert (told["rake_minor"], told["drop_minor"]) == (30, 50)
    assert ledger_check().ok
