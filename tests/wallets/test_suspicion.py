"""AML-02: what looks like an evasion becomes a case, and its player hears nothing of it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

import psycopg
import pytest
from django.utils import timezone

from tests.wallets.conftest import Seated, Table, numbers, seated
from tests.wallets.test_api import client
from wallets import ledger, reporting, services
from wallets.gaming_day import day_begins, gaming_day
from wallets.models import CashCase, CashThreshold, Transfer
from wallets.suspicion import suspicions_open
from wallets.tasks import reconcile

Raw = psycopg.Connection[Any]
LINE = 1_000_000


@pytest.fixture
def anna(table: Table) -> Seated:
    CashThreshold.objects.create(currency_id="EUR", report_over_minor=LINE)
    return seated(table)


def today() -> date:
    return gaming_day(timezone.now())


def cash(anna: Seated, amount: int, raw: Raw, days_ago: int = 0) -> None:
    """Brought, or taken away when it is below zero, so many gaming days ago."""
    pay = services.deposit if amount > 0 else services.withdraw
    posted = pay(
        player_id=anna.player, amount_minor=abs(amount), currency="EUR", actor_id=None,
        key=f"c{next(numbers)}",
    )  # fmt: skip
    if days_ago:
        at = day_begins(today() - timedelta(days=days_ago)) + timedelta(hours=1)
        raw.execute(
            "UPDATE wallets_transfer SET created_at = %s WHERE id = %s", (at, posted.transfer_id)
        )


def cases() -> list[tuple[str, str, int]]:
    return [(case.reason, case.way, case.total_minor) for case in CashCase.objects.order_by("pk")]


def test_aml_02_sums_kept_just_under_the_line_on_several_days_are_a_case(
    anna: Seated, superuser: Raw
) -> None:
    for days_ago in (6, 3):
        cash(anna, 990_000, superuser, days_ago)
    assert suspicions_open(today()) == 0
    cash(anna, 800_000, superuser)
    assert reporting.cases_open() == 0  # no day passes the line
    assert suspicions_open(today()) == 1
    assert suspicions_open(today()) == 0
    assert cases() == [("structuring", "in", 2_780_000)]
    case = CashCase.objects.get()
    assert case.due_on == today() + timedelta(days=30)
    assert case.facts[str(today())] == [800_000]


def test_aml_02_a_day_brought_in_small_sums_counts_by_its_total(
    anna: Seated, superuser: Raw
) -> None:
    for days_ago in (2, 1, 0):
        for _ in range(4):
            cash(anna, 240_000, superuser, days_ago)
    assert suspicions_open(today()) == 1
    assert cases() == [("structuring", "in", 3 * 960_000)]


def test_aml_02_one_day_of_sums_under_the_line_is_structuring_and_over_it(
    anna: Seated, superuser: Raw
) -> None:
    for _ in range(3):
        cash(anna, 1_000_000, superuser)
    assert (reporting.cases_open(), suspicions_open(today())) == (1, 1)
    assert cases() == [("over", "in", 3_000_000), ("structuring", "in", 3_000_000)]


@pytest.mark.parametrize(
    "sums",
    [
        {0: [799_999], 1: [990_000], 2: [990_000]},  # a unit below what is just under
        {0: [990_000], 1: [990_000], 7: [990_000]},  # a day too long ago
        {0: [], 1: [990_000], 2: [990_000], 3: [990_000]},  # nothing on the day itself
        {0: [990_000], 1: [-990_000], 2: [990_000]},  # each way by itself
        {0: [1_000_001], 1: [990_000], 2: [990_000]},  # over the line: reported anyway
    ],
    ids=str,
)
def test_aml_02_fewer_sums_under_the_line_are_no_case(
    anna: Seated, superuser: Raw, sums: Mapping[int, list[int]]
) -> None:
    for days_ago, amounts in sums.items():
        for amount in amounts:
            cash(anna, amount, superuser, days_ago)
    suspicions_open(today())
    assert [case for case in cases() if case[0] == "structuring"] == []


def test_aml_02_a_case_follows_the_days_that_come_after(anna: Seated, superuser: Raw) -> None:
    for days_ago in (3, 2, 1):
        cash(anna, 900_000, superuser, days_ago)
    assert suspicions_open(today() - timedelta(days=1)) == 1
    cash(anna, 900_000, superuser)
    assert suspicions_open(today()) == 0
    assert cases() == [("structuring", "in", 3_600_000)]


def bet(anna: Seated, table: Table, amount: int, hand: int) -> None:
    ledger.stake(
        services.stake_packed(
            hand_id=hand, key=f"s{hand}", seat_account_id=anna.seat, player_id=anna.player,
            in_play_account_id=table.in_play, amount_minor=amount,
        )
    )  # fmt: skip
    services.round_void(hand_id=hand)


@pytest.mark.parametrize(("staked", "found"), [(100_000, 1), (100_001, 0)])
def test_aml_02_money_in_and_out_with_hardly_any_play_is_a_case(
    table: Table, anna: Seated, superuser: Raw, staked: int, found: int
) -> None:
    cash(anna, 500_000, superuser, 1)
    services.buy_in(
        player_id=anna.player, seat_account_id=anna.seat, amount_minor=500_000, key="chips"
    )
    bet(anna, table, staked, hand=1)
    services.cash_out(player_id=anna.player, seat_account_id=anna.seat, key="up")
    cash(anna, -399_999, superuser)
    assert suspicions_open(today()) == 0
    cash(anna, -1, superuser)
    assert suspicions_open(today()) == found
    assert cases() == [("minimal_play", "out", 400_000)][:found]


def pot(loser: Seated, winner: Seated, minor: int) -> None:
    hand = next(numbers)
    services.stakes_hold(hand_id=hand, seat_account_ids=[loser.seat, winner.seat])
    services.hand_pay(
        hand_id=hand, legs_by_account={loser.seat: -minor, winner.seat: minor}, currency="EUR"
    )


@pytest.mark.parametrize(
    ("hands", "back", "found"), [(5, 50_000, 1), (4, 0, 0), (5, 50_001, 0)], ids=str
)
def test_aml_02_chips_that_go_one_way_hand_after_hand_are_a_case(
    table: Table, anna: Seated, hands: int, back: int, found: int
) -> None:
    lender, taker = seated(table, chips=900_000), seated(table, chips=900_000)
    for _ in range(hands):
        pot(lender, taker, 500_000 // hands)
    if back:
        pot(taker, lender, back)
    assert suspicions_open(today()) == found
    for case in CashCase.objects.all():
        assert (case.player_id, case.reason, case.way) == (lender.player, "chip_passing", "table")
        assert case.facts == {"flows": [{"to": taker.player, "minor": 500_000, "hands": 5}]}


def test_aml_02_what_was_lost_is_shared_out_as_it_was_won(table: Table, anna: Seated) -> None:
    lender, taker, other = (seated(table, chips=900_000) for _ in range(3))
    for _ in range(6):
        hand = next(numbers)
        seats = {lender.seat: -100_000, taker.seat: 90_000, other.seat: 10_000}
        services.stakes_hold(hand_id=hand, seat_account_ids=list(seats))
        services.hand_pay(hand_id=hand, legs_by_account=seats, currency="EUR")
    assert suspicions_open(today()) == 1
    assert cases() == [("chip_passing", "table", 540_000)]


def test_aml_02_the_player_sees_no_trace_of_a_suspicion(anna: Seated, superuser: Raw) -> None:
    for days_ago in (2, 1, 0):
        cash(anna, 900_000, superuser, days_ago)
    door = client(anna.player)
    paths = ("wallet", "wallet/statement", "wallet/limits", "wallet/session")
    before = [door.get(f"/api/v1/{path}").content for path in paths]
    assert suspicions_open(today()) == 1
    assert [door.get(f"/api/v1/{path}").content for path in paths[:3]] == before[:3]
    assert b"structuring" not in door.get("/api/v1/wallet/session").content
    assert Transfer.objects.count() == 3


def test_a_day_that_has_ended_is_watched_once(anna: Seated, superuser: Raw) -> None:
    for days_ago in (3, 2, 1):
        cash(anna, 900_000, superuser, days_ago)
    for _ in range(2):
        reconcile()
    assert cases() == [("structuring", "in", 2_700_000)]
