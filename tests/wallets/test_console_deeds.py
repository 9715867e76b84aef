"""What staff ask for in the console, and that a second person is what carries it out."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone

from casino.core.approvals import approval_approve
from casino.core.log import browser
from casino.core.models import Approval, LogEntry, Role
from tests.console.cast import once_more
from tests.wallets.conftest import Seated, Table, balance, new_player, numbers, seated
from tests.wallets.conftest import staff as person
from wallets import bonuses, controlling, limits, services
from wallets.models import BonusGrant, BonusWeight, DepositLimit, PlayerLimits, Transfer


def staff(role: str) -> Client:
    n = next(numbers)
    user = get_user_model().objects.create(
        username=f"s{n}", display_name=f"Staff {n}", is_staff=True, role=role
    )
    client = Client()
    client.force_login(user)
    return once_more(client)


@pytest.fixture
def anna(table: Table) -> Seated:
    return seated(table, cash=1_000, chips=500)


def do(client: Client, book: str, action: str, rows: list[int], **form: Any) -> str:
    answer = client.post(
        f"/admin/wallets/{book}/", {"action": action, "_selected_action": rows, **form},
        follow=True,
    )  # fmt: skip
    assert answer.status_code == 200
    return answer.content.decode()


def carried_out(role: Role = Role.ADMIN) -> None:
    """A second person agrees to the one request there is, at his own browser, and it is done."""
    asked = Approval.objects.get(status=Approval.Status.ASKED)
    second = person(role)
    here = browser.set("b" * 32)
    approval_approve(approval_id=asked.pk, by=second)
    browser.reset(here)
    controlling.DEEDS[asked.kind](asked.pk, second)


def test_an_adjustment_is_asked_for_in_the_console_and_done_by_a_second_person(
    anna: Seated,
) -> None:
    page = do(
        staff("cage"), "account", "ask_adjustment", [anna.cash],
        amount_minor="-150", reason="counted wrong",
    )  # fmt: skip
    assert "another person agrees to it or not" in page
    assert balance(anna.cash) == 1_000
    carried_out()
    assert balance(anna.cash) == 850
    assert Transfer.objects.get(kind="adjustment").reason == "counted wrong"


@pytest.mark.parametrize(("amount", "reason"), [("1.5", "x"), ("", "x"), ("50", " "), ("0", "x")])
def test_an_adjustment_needs_a_whole_amount_and_a_reason(
    anna: Seated, amount: str, reason: str
) -> None:
    do(
        staff("cage"), "account", "ask_adjustment", [anna.cash],
        amount_minor=amount, reason=reason,
    )  # fmt: skip
    assert not Approval.objects.exists()


def test_an_adjustment_that_is_sent_twice_is_asked_for_once(anna: Seated) -> None:
    client = staff("cage")
    shown = client.get("/admin/wallets/account/").content.decode()
    once = re.search(r'name="once" value="([^"]+)"', shown)
    assert once is not None
    form = {"amount_minor": "-150", "reason": "counted wrong", "once": once[1]}
    pages = [do(client, "account", "ask_adjustment", [anna.cash], **form) for _ in range(2)]
    asked = Approval.objects.get()
    assert all(f"asked for as approval {asked.pk}" in page for page in pages)
    do(client, "account", "ask_adjustment", [anna.cash], **{**form, "amount_minor": "-151"})
    do(client, "account", "ask_adjustment", [anna.seat], **form)
    assert Approval.objects.count() == 3


def test_surveillance_looks_and_asks_for_nothing(anna: Seated) -> None:
    do(
        staff("surveillance"), "account", "ask_adjustment", [anna.cash],
        amount_minor="5", reason="x",
    )  # fmt: skip
    assert not Approval.objects.exists()


def test_a_hand_is_asked_to_be_undone_with_what_would_be_owed(table: Table, anna: Seated) -> None:
    bob = seated(table, chips=100)
    services.stakes_hold(hand_id=5, seat_account_ids=[anna.seat, bob.seat])
    posted = services.hand_pay(
        hand_id=5, legs_by_account={anna.seat: 100, bob.seat: -100}, currency="EUR"
    )
    services.cash_out(player_id=anna.player, seat_account_id=anna.seat, key="home")
    services.withdraw(
        player_id=anna.player, amount_minor=1_560, currency="EUR", key="gone", actor_id=None
    )
    assert posted.transfer_id is not None
    page = do(staff("finance"), "transfer", "ask_reversal", [posted.transfer_id], reason="misdeal")
    assert "would owe 60" in page
    carried_out()
    cash = services.player_account(player_id=bob.player, currency="EUR")
    assert balance(cash) == 100


def test_only_a_settlement_is_undone(anna: Seated) -> None:
    deposit = Transfer.objects.filter(kind="deposit").earliest("pk").pk
    assert "not settled" in do(
        staff("finance"), "transfer", "ask_reversal", [deposit], reason="misdeal"
    )
    assert not Approval.objects.exists()


def test_a_looser_limit_counts_at_once_when_two_agree(anna: Seated) -> None:
    facts: dict[str, Any] = {"player_id": anna.player, "currency": "EUR", "window_days": 1}
    limits.deposit_limit_set(**facts, most_minor=100)
    limits.deposit_limit_set(**facts, most_minor=5_000)
    limit = DepositLimit.objects.get()
    assert limits.limit_in_force(limit, timezone.now()) == 100
    do(staff("compliance"), "depositlimit", "ask_override", [limit.pk], reason="he has asked")
    carried_out(Role.COMPLIANCE)
    limit.refresh_from_db()
    assert limits.limit_in_force(limit, timezone.now()) == 5_000


def test_a_suspended_account_is_opened_by_two(anna: Seated) -> None:
    row = PlayerLimits.objects.get(player_id=anna.player)
    do(staff("compliance"), "playerlimits", "mark_suspended", [row.pk], reason="papers")
    do(staff("compliance"), "playerlimits", "mark_verified", [row.pk], reason="papers came")
    row.refresh_from_db()
    assert row.state == "suspended"  # not by one alone
    do(staff("compliance"), "playerlimits", "ask_unblock", [row.pk], reason="papers came")
    carried_out(Role.COMPLIANCE)
    row.refresh_from_db()
    assert row.state == "verified"


def bonus_form(player: int, **changes: Any) -> dict[str, Any]:
    until = timezone.now() + timedelta(days=3)
    return {
        "player": player, "currency": "EUR", "amount_minor": "2000", "wager_minor": "20000",
        "most_bet_minor": "", "funds": "cash_first", "expires_at_0": f"{until:%Y-%m-%d}",
        "expires_at_1": "12:00:00", "reason": "welcome", "once": str(uuid4()), **changes,
    }  # fmt: skip


def test_finance_gives_a_bonus_once_however_often_it_is_sent(anna: Seated) -> None:
    client, form = staff("finance"), bonus_form(anna.player)
    page = client.get("/admin/wallets/bonusgrant/add/")
    assert page.status_code == 200
    assert b'name="wager_minor"' in page.content
    sent = [client.post("/admin/wallets/bonusgrant/add/", form).status_code for _ in range(2)]
    assert sent == [302, 200]  # the second click is told that he has one
    grant = BonusGrant.objects.get()
    shown = staff("cage").get(f"/admin/wallets/bonusgrant/{grant.pk}/change/")
    assert shown.status_code == 200
    assert b'name="_save"' not in shown.content
    assert (grant.amount_minor, grant.wager_minor, grant.status) == (2_000, 20_000, "active")
    fund = bonuses.fund_of(player_id=anna.player, currency="EUR")
    assert fund is not None
    assert fund.balance_minor == 2_000
    assert Transfer.objects.get(kind="bonus_grant").reason == "welcome"
    assert LogEntry.objects.filter(kind="bonus.granted").count() == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"amount_minor": "0"},
        {"amount_minor": "-5"},
        {"expires_at_0": "2020-01-01"},
        {"wager_minor": "-1"},
        {"funds": "both"},
        {"reason": ""},
        {"once": "x"},
    ],
)
def test_a_bonus_that_makes_no_sense_is_not_given(anna: Seated, changes: dict[str, Any]) -> None:
    answer = staff("finance").post(
        "/admin/wallets/bonusgrant/add/", bonus_form(anna.player, **changes)
    )
    assert answer.status_code == 200
    assert not BonusGrant.objects.exists()


def test_a_bonus_with_less_to_stake_than_it_is_is_given_by_two(anna: Seated) -> None:
    client, form = staff("finance"), bonus_form(anna.player, wager_minor="1999")
    for _ in range(2):
        sent = client.post("/admin/wallets/bonusgrant/add/", form)
        assert (sent.status_code, sent["location"]) == (302, "/admin/approvals/")
    assert Approval.objects.count() == 1
    assert not BonusGrant.objects.exists()
    asked = Approval.objects.get()
    page = staff("admin").get(f"/admin/approvals/{asked.pk}/")
    assert b"19.99 EUR" in page.content
    carried_out()
    grant = BonusGrant.objects.get()
    assert (grant.amount_minor, grant.wager_minor) == (2_000, 1_999)
    assert grant.granted_by == asked.asked_by_id


def test_a_bonus_is_given_by_finance_alone(table: Table) -> None:
    answer = staff("cage").post("/admin/wallets/bonusgrant/add/", bonus_form(new_player()))
    assert answer.status_code == 403
    assert not BonusGrant.objects.exists()


def test_the_weight_of_a_game_is_set_in_the_console_and_stands_in_the_log(table: Table) -> None:
    form = {"game": "three_card_poker", "weight_bp": "2500"}
    assert staff("cage").post("/admin/wallets/bonusweight/add/", form).status_code == 403
    assert staff("finance").post("/admin/wallets/bonusweight/add/", form).status_code == 302
    assert bonuses.weight_of("three_card_poker") == 2_500
    assert bonuses.weight_of("another") == 10_000
    form["weight_bp"] = "10001"
    staff("finance").post("/admin/wallets/bonusweight/add/", {**form, "game": "another"})
    assert BonusWeight.objects.count() == 1
    assert LogEntry.objects.get(kind="bonus.weight").facts == {"weight_bp": 2_500}
