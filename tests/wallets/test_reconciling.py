"""Every day the books are held against themselves and against the tables."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from io import StringIO
from typing import Any

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from casino.core.models import LogEntry
from tests.wallets.conftest import Seated, Table, seated
from wallets import ledger, reconciling, services
from wallets.gaming_day import day_begins, gaming_day
from wallets.models import HousePolicy, Reconciliation
from wallets.reconciling import Floor, reconcile, reconcile_daily

Raw = psycopg.Connection[Any]


@pytest.fixture
def floor(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the tables say, for a test to change."""
    said: dict[str, Any] = {}
    monkeypatch.setattr(reconciling, "PROVIDERS", {"tables": lambda since: Floor(**said)})
    return said


@pytest.fixture
def anna(table: Table) -> Seated:
    return seated(table, cash=1_000, chips=500)


def differing(kept: Reconciliation) -> dict[str, Any]:
    return {name: found for name, found in kept.checks.items() if found}


def test_level_books_and_an_agreeing_floor_are_level(
    table: Table, anna: Seated, floor: dict[str, Any]
) -> None:
    other = seated(table, chips=500)
    services.stakes_hold(hand_id=1, seat_account_ids=[anna.seat, other.seat])
    services.hand_pay(
        hand_id=1, legs_by_account={anna.seat: -200, other.seat: 190, table.rake: 10},
        currency="EUR",
    )  # fmt: skip
    services.stakes_hold(hand_id=2, seat_account_ids=[other.seat])
    ledger.stake(
        services.stake_packed(
            hand_id=3,
            key="s",
            seat_account_id=anna.seat,
            in_play_account_id=table.in_play,
            player_id=anna.player,
            amount_minor=40,
        )
    )
    floor |= {
        "held": {other.seat: 2},
        "in_play_minor": {table.in_play: 40},
        "meters_minor": {table.jackpot: 0},
        "settled": {1: {anna.seat: -200, other.seat: 190}},
    }
    kept = reconcile()
    assert (kept.ok, kept.providers, differing(kept)) == (True, ["tables"], {})
    balances = {line["purpose"]: line["minor"] for line in kept.balances}
    assert sum(balances.values()) == 0
    assert (balances["in_play"], balances["rake"], balances["cage"]) == (40, 10, -2_000)


@pytest.mark.parametrize(
    ("says", "check"),
    [
        ({"held": {-1: 7}}, "held seats are those of open hands"),
        ({"in_play_minor": {-1: 5}}, "in play are open rounds and carried pots"),
        ({"meters_minor": {-1: 5}}, "jackpots equal their meters"),
        ({"settled": {9: {-1: 5}}}, "every settled hand moved what it says"),
    ],
)
def test_w_10_what_the_floor_says_otherwise_is_stored_named_and_an_alert(
    anna: Seated, floor: dict[str, Any], says: dict[str, Any], check: str
) -> None:
    floor |= says
    kept = reconcile()
    assert not kept.ok
    ((found, (difference,)),) = differing(kept).items()
    assert found == check
    assert -1 in difference.values()
    alert = LogEntry.objects.get(kind="reconciliation.difference")
    assert (alert.subject, alert.facts) == (f"reconciliation:{kept.pk}", {check: 1})


def test_a_seat_still_held_after_its_hand_is_a_difference(
    anna: Seated, floor: dict[str, Any]
) -> None:
    services.stakes_hold(hand_id=1, seat_account_ids=[anna.seat])
    assert differing(reconcile()) == {
        "held seats are those of open hands": [
            {"account": anna.seat, "books_hand": 1, "floor_hand": None}
        ]
    }


def test_a_forged_balance_is_a_difference(
    table: Table, floor: dict[str, Any], superuser: Raw
) -> None:
    superuser.execute("UPDATE wallets_account SET balance_minor = 5 WHERE id = %s", (table.rake,))
    assert list(differing(reconcile())) == ["accounts equal their legs"]


def test_without_tables_to_ask_only_the_books_are_checked(
    anna: Seated, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reconciling, "PROVIDERS", {})
    kept = reconcile()
    assert (kept.ok, kept.providers) == (True, [])
    assert set(kept.checks) == {"trial balance is zero", "accounts equal their legs"}


def test_each_gaming_day_is_reconciled_once_by_itself_when_it_has_ended(
    anna: Seated, floor: dict[str, Any]
) -> None:
    today = gaming_day(timezone.now())
    reconcile()  # by hand as often as one likes, and not instead
    kept = reconcile_daily()
    assert kept is not None
    assert kept.gaming_day == today - timedelta(days=1)
    assert reconcile_daily() is None
    assert Reconciliation.objects.count() == 2


def test_the_whole_ended_day_and_those_the_house_slept_through_are_compared(
    anna: Seated, floor: dict[str, Any], monkeypatch: pytest.MonkeyPatch, superuser: Raw
) -> None:
    asked: list[datetime] = []

    def provider(since: datetime) -> Floor:
        asked.append(since)
        return Floor()

    monkeypatch.setattr(reconciling, "PROVIDERS", {"tables": provider})
    today = gaming_day(timezone.now())
    reconcile_daily()
    superuser.execute("UPDATE wallets_reconciliation SET gaming_day = gaming_day - 3")
    reconcile_daily()
    assert asked == [day_begins(today - timedelta(days=days)) for days in (1, 3)]


def test_a_settlement_of_a_hand_that_the_tables_did_not_settle_is_a_difference(
    table: Table, anna: Seated, floor: dict[str, Any]
) -> None:
    floor["settled"] = {}
    services.stakes_hold(hand_id=1, seat_account_ids=[anna.seat])
    posted = services.hand_pay(
        hand_id=1, legs_by_account={anna.seat: -10, table.rake: 10}, currency="EUR"
    )
    assert differing(reconcile(day=gaming_day(timezone.now()) - timedelta(days=1))) == {
        "every settlement is of a settled hand": [{"hand": 1, "transfer": posted.transfer_id}]
    }


def test_the_command_shows_it_and_fails_on_a_difference(
    anna: Seated, floor: dict[str, Any]
) -> None:
    out = StringIO()
    call_command("reconcile", stdout=out)
    assert json.loads(out.getvalue())["ok"] is True
    floor["held"] = {anna.seat: 4}
    with pytest.raises(CommandError, match="found differences"):
        call_command("reconcile", stdout=StringIO())


def test_a_reconciliation_stays_as_it_was_found(
    anna: Seated, floor: dict[str, Any], owner: Raw
) -> None:
    reconcile()
    with pytest.raises(psycopg.Error) as caught:
        owner.execute("UPDATE wallets_reconciliation SET ok = true")
    assert caught.value.sqlstate == "LG001"


def test_a_gaming_day_begins_when_the_house_says(transactional_db: None) -> None:
    HousePolicy.objects.update(gaming_day_starts="06:00", time_zone="Europe/Warsaw")
    try:
        before = datetime(2026, 3, 1, 4, 59, 59, tzinfo=UTC)  # 05:59:59 in Warsaw
        assert gaming_day(before) == date(2026, 2, 28)
        assert gaming_day(before + timedelta(seconds=1)) == date(2026, 3, 1)
        assert day_begins(date(2026, 3, 1)) == before + timedelta(seconds=1)
        # The night the clocks go forward: that gaming day has 23 hours.
        begins, ends = (day_begins(date(2026, 3, day)).astimezone(UTC) for day in (28, 29))
        assert ends - begins == timedelta(hours=23)
    finally:
        HousePolicy.objects.update(gaming_day_starts="06:00", time_zone="UTC")


def test_the_default_policy_is_a_day_from_six(transactional_db: None) -> None:
    now = timezone.now()
    assert day_begins(gaming_day(now)) <= now < day_begins(gaming_day(now) + timedelta(days=1))
