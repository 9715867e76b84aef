"""Cash over the counter, per player and gaming day, against the reporting threshold."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import psycopg
import pytest
from django.utils import timezone

from casino.core.errors import RoleMissing
from casino.core.models import Role
from tests.wallets.conftest import Seated, Table, seated, staff
from tests.wallets.test_api import client
from wallets import errors, reporting, services
from wallets.gaming_day import day_begins, gaming_day
from wallets.models import CashCase, CashThreshold, Transfer

Raw = psycopg.Connection[Any]
TEN_THOUSAND = 1_000_000


@pytest.fixture
def anna(table: Table) -> Seated:
    CashThreshold.objects.create(currency_id="EUR", report_over_minor=TEN_THOUSAND)
    return seated(table)


def pay_in(anna: Seated, amount: int, key: str) -> None:
    services.deposit(
        player_id=anna.player, amount_minor=amount, currency="EUR", key=key, actor_id=None
    )


def pay_out(anna: Seated, amount: int, key: str) -> None:
    services.withdraw(
        player_id=anna.player, amount_minor=amount, currency="EUR", key=key, actor_id=None
    )


def today() -> Any:
    return gaming_day(timezone.now())


def test_aml_01_ten_thousand_is_not_over_and_a_cent_more_is(anna: Seated) -> None:
    pay_in(anna, 999_000, "a")
    pay_in(anna, 1_000, "b")
    assert reporting.cases_open() == 0
    pay_in(anna, 1, "c")
    assert reporting.cases_open() == 1
    case = CashCase.objects.get()
    assert (case.player_id, case.way, case.total_minor) == (anna.player, "in", 1_000_001)
    assert case.due_on == today() + timedelta(days=15)


def test_aml_01_each_way_is_by_itself(anna: Seated) -> None:
    pay_in(anna, TEN_THOUSAND, "a")
    pay_out(anna, TEN_THOUSAND, "b")
    assert reporting.cases_open() == 0
    pay_in(anna, 1, "c")
    pay_out(anna, 1, "d")
    assert reporting.cases_open() == 2


def test_aml_01_a_new_gaming_day_begins_at_nothing(anna: Seated, superuser: Raw) -> None:
    pay_in(anna, TEN_THOUSAND, "a")
    last_second: datetime = day_begins(today()) - timedelta(seconds=1)
    superuser.execute("UPDATE wallets_transfer SET created_at = %s", (last_second,))
    pay_in(anna, TEN_THOUSAND, "b")
    assert reporting.cases_open() == 0
    assert reporting.cases_open(today() - timedelta(days=1)) == 0
    pay_in(anna, 1, "c")
    assert reporting.cases_open() == 1


def test_aml_03_the_totals_are_the_sum_of_what_crossed_the_counter(
    table: Table, anna: Seated
) -> None:
    pay_in(anna, 500, "a")
    pay_in(anna, 700, "b")
    services.buy_in(player_id=anna.player, seat_account_id=anna.seat, amount_minor=100, key="chips")
    paid, voided = (
        services.withdrawal_request(
            player_id=anna.player, amount_minor=300, currency="EUR", key=key, actor_id=None
        ).transfer_id
        for key in ("paid", "voided")
    )
    assert paid is not None
    assert voided is not None
    services.pending_resolve(
        transfer_id=paid, outcome="post", key="p", actor_id=None, amount_minor=250
    )
    services.pending_resolve(transfer_id=voided, outcome="void", key="v", actor_id=None)
    totals = {total.way: total for total in reporting.cash_totals(today())}
    assert (totals["in"].total_minor, totals["in"].steps, totals["in"].most_minor) == (
        1_200,
        2,
        700,
    )
    assert (totals["out"].total_minor, totals["out"].steps) == (250, 1)


def test_a_case_follows_its_total_until_it_is_closed(anna: Seated) -> None:
    pay_in(anna, TEN_THOUSAND + 1, "a")
    reporting.cases_open()
    pay_in(anna, 9, "b")
    assert reporting.cases_open() == 0
    case = CashCase.objects.get()
    assert case.total_minor == TEN_THOUSAND + 10
    with pytest.raises(RoleMissing):
        reporting.case_close(case_id=case.pk, status="reported", note="x", by=staff(Role.CAGE))
    officer = staff(Role.COMPLIANCE)
    closed = reporting.case_close(
        case_id=case.pk, status="reported", note="sent as 17/26", by=officer
    )
    assert (closed.status, closed.closed_by_id) == ("reported", officer.pk)
    with pytest.raises(errors.CaseNotOpen):
        reporting.case_close(case_id=case.pk, status="dismissed", note="x", by=officer)


def test_aml_02_the_player_is_told_nothing_of_a_case(anna: Seated) -> None:
    pay_in(anna, TEN_THOUSAND + 1, "a")
    reporting.cases_open()
    door = client(anna.player)
    for path in ("wallet", "wallet/statement", "wallet/limits", "wallet/session"):
        assert b"case" not in door.get(f"/api/v1/{path}").content
    assert Transfer.objects.count() == 1


def test_without_a_threshold_there_is_no_case(table: Table) -> None:
    pay_in(seated(table), 10 * TEN_THOUSAND, "a")
    assert reporting.cases_open() == 0
