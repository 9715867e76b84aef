"""The console shows the books to those who keep them and lets nobody write in them."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from casino.core.models import LogEntry
from tests.console.cast import once_more
from tests.wallets.conftest import Table, numbers, seated
from wallets.models import (
    Account,
    Currency,
    HousePolicy,
    Leg,
    LimitChange,
    PlayerLimits,
    Transfer,
)

BOOKS = (
    "account", "transfer", "leg", "playerlimits", "depositlimit", "spendlimit", "timelimit",
    "limitchange", "playsession", "housepolicy", "currency", "controlband", "reconciliation",
    "bonusgrant", "bonusweight", "cashthreshold",
)  # fmt: skip


def staff(role: str) -> Client:
    user = get_user_model().objects.create(
        username=f"s{next(numbers)}",
        display_name=f"Staff {next(numbers)}",
        is_staff=True,
        role=role,
    )
    client = Client()
    client.force_login(user)
    return once_more(client)


@pytest.fixture(autouse=True)
def busy(table: Table) -> None:
    seated(table, cash=1_000, chips=500)


@pytest.mark.parametrize("book", BOOKS)
def test_finance_reads_every_book(book: str) -> None:
    assert staff("finance").get(f"/admin/wallets/{book}/").status_code == 200


@pytest.mark.parametrize("rows", [Account, Transfer, Leg, Currency])
def test_a_row_is_shown_without_a_field_to_change(rows: type[Account]) -> None:
    row = rows.objects.first()
    assert row is not None
    page = staff("finance").get(f"/admin/wallets/{rows._meta.model_name}/{row.pk}/change/")
    assert page.status_code == 200
    assert b'name="_save"' not in page.content
    assert b'name="balance_minor"' not in page.content


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("role", ["dealer", "floor", "game_maths"])
def test_other_roles_see_no_books(book: str, role: str) -> None:
    assert staff(role).get(f"/admin/wallets/{book}/").status_code == 403


@pytest.mark.parametrize("book", ["account", "transfer", "leg", "playerlimits", "depositlimit"])
def test_nobody_adds_to_the_books_by_hand(book: str) -> None:
    for role in ("admin", "finance"):
        assert staff(role).get(f"/admin/wallets/{book}/add/").status_code == 403


def test_no_row_is_changed_or_deleted_by_hand() -> None:
    account = Account.objects.filter(purpose="cash").get()
    client = staff("admin")
    path = f"/admin/wallets/account/{account.pk}"
    assert client.post(f"{path}/change/", {"balance_minor": 1}).status_code == 403
    assert client.post(f"{path}/delete/", {"post": "yes"}).status_code == 403
    assert Account.objects.get(pk=account.pk).balance_minor == 1_000


def test_finance_adds_a_currency() -> None:
    answer = staff("finance").post(
        "/admin/wallets/currency/add/", {"code": "CZK", "exponent": 2, "name": "Czech koruna"}
    )
    assert answer.status_code == 302
    assert Currency.objects.get(pk="CZK").exponent == 2


def test_compliance_sets_a_state_with_a_reason_and_finance_cannot() -> None:
    player = PlayerLimits.objects.get()
    form = {"action": "mark_suspended", "_selected_action": [player.pk], "reason": "case 7"}
    staff("finance").post("/admin/wallets/playerlimits/", form)
    player.refresh_from_db()
    assert player.state == "new"
    officer = staff("compliance")
    officer.post("/admin/wallets/playerlimits/", form | {"reason": " "})
    player.refresh_from_db()
    assert player.state == "new"
    officer.post("/admin/wallets/playerlimits/", form)
    player.refresh_from_db()
    assert player.state == "suspended"
    change = LimitChange.objects.get(player_id=player.pk)
    assert (change.after, change.reason) == ("suspended", "case 7")


def test_the_policy_is_changed_by_those_who_protect_and_on_record() -> None:
    form = {
        "dormant_after_days": "400", "gaming_day_starts": "06:00:00", "time_zone": "UTC",
        "unverified_may_play": "on",
    }  # fmt: skip
    assert staff("cage").post("/admin/wallets/housepolicy/1/change/", form).status_code == 403
    staff("compliance").post("/admin/wallets/housepolicy/1/change/", form)
    try:
        assert HousePolicy.objects.get().dormant_after_days == 400
        assert LogEntry.objects.get(kind="policy.changed").facts == {"dormant_after_days": "400"}
    finally:
        HousePolicy.objects.update(dormant_after_days=365)
