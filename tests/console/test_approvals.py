"""The inbox: nobody decides his own, agreeing does it, and what cannot be done stays open."""

import re
from datetime import timedelta
from typing import Any

import pytest

from casino.console import inbox
from casino.core.approvals import approval_ask
from casino.core.models import Approval, LogEntry, Role, User
from tables.models import Hand, Table, TableHour
from tests.cast import CURRENCY, deal, holdem_table, person, settle, three_card_table
from tests.console.cast import console_of, staff
from tests.tables.dealing_cast import run_out
from wallets.controlling import adjustment_ask
from wallets.services import balances_of, player_account

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def finn() -> User:
    return staff(Role.FINANCE, "Finn")


@pytest.fixture
def nora() -> User:
    return staff(Role.FINANCE, "Nora")


def asked(by: User, amount_minor: int = 1_250) -> tuple[Approval, int]:
    account = player_account(player_id=person("Ann").user.pk, currency=CURRENCY)
    request = adjustment_ask(
        account_id=account, amount_minor=amount_minor, reason="chips found", by=by
    )
    return request, account


def test_a_request_is_told_in_words_and_amounts(finn: User, nora: User) -> None:
    request, _ = asked(finn)
    page = console_of(nora).get(f"/admin/approvals/{request.pk}/").content.decode()
    for words in ("chips found", "Finn", "Ann", "1,000.00 EUR", "12.50 EUR", "1,012.50 EUR"):
        assert words in page
    assert "amount_minor" not in page
    inbox = console_of(nora).get("/admin/approvals/").content.decode()
    assert "Correct a balance" in inbox
    assert ">1<" in inbox.replace(" ", "").replace("\n", "")  # the badge of the sidebar


def once_of(page: str) -> str:
    found = re.search(r'name="once" value="([^"]+)"', page)
    assert found is not None
    return found[1]


def test_a_second_click_asks_for_nothing_more_and_agrees_to_nothing_more(
    finn: User, nora: User
) -> None:
    ann = person("Ann").user
    where = f"/admin/players/{ann.pk}/adjust/EUR/"
    client = console_of(finn)
    form = {"way": "give", "amount": "12.50", "why": "Goodwill", "note": "",
            "once": once_of(client.get(where).content.decode())}  # fmt: skip
    for _ in range(2):
        page = client.post(where, form, follow=True).content.decode()
        assert f"as request {Approval.objects.get().pk}" in page
    client.post(where, {**form, "amount": "12.51"})  # gone back to and changed: another request
    asked = Approval.objects.order_by("pk")[0]
    assert Approval.objects.count() == 2
    agree, client = f"/admin/approvals/{asked.pk}/agree/", console_of(nora)
    form = {"note": "", "once": once_of(client.get(agree).content.decode())}
    for _ in range(2):
        assert "Agreed to, and done" in client.post(agree, form, follow=True).content.decode()
    assert client.post(agree, {"note": ""}).status_code == 422
    account = player_account(player_id=ann.pk, currency=CURRENCY)
    assert balances_of([account])[account] == 101_250


def test_nobody_decides_his_own(finn: User) -> None:
    request, _ = asked(finn)
    client = console_of(finn)
    assert "Nothing waits for you" in client.get("/admin/approvals/").content.decode()
    page = client.get(f"/admin/approvals/{request.pk}/").content.decode()
    assert "another person decides" in page
    assert client.post(f"/admin/approvals/{request.pk}/agree/").status_code == 403
    assert client.post(f"/admin/approvals/{request.pk}/refuse/", {"note": ""}).status_code == 302
    assert Approval.objects.get().status == "rejected"  # taken back


def test_agreeing_does_it_and_asks_for_the_password_first(finn: User, nora: User) -> None:
    request, account = asked(finn)
    nora.set_password("a long one 123")
    nora.save()
    client = console_of(nora, stepped_up=False)
    where = f"/admin/approvals/{request.pk}/agree/"
    assert client.post(where, {"note": "counted"}).status_code == 422
    assert Approval.objects.get().status == "asked"
    answer = client.post(where, {"note": "counted", "password": "a long one 123"})
    assert answer.status_code == 302
    after = Approval.objects.get()
    assert (after.status, after.approved_by, after.decision_note) == ("executed", nora, "counted")
    assert balances_of(account_ids=[account])[account] == 101_250


def test_what_cannot_be_done_leaves_the_request_open(finn: User, nora: User) -> None:
    request, account = asked(finn, -200_000)
    answer = console_of(nora).post(f"/admin/approvals/{request.pk}/agree/", {"note": ""})
    assert answer.status_code == 422
    assert Approval.objects.get().status == "asked"
    assert not LogEntry.objects.filter(kind="approval.approved").exists()
    assert balances_of(account_ids=[account])[account] == 100_000


def test_another_role_may_look_and_not_decide(finn: User) -> None:
    request, _ = asked(finn)
    client = console_of(staff(Role.FLOOR))
    assert client.get(f"/admin/approvals/{request.pk}/").status_code == 200
    assert client.post(f"/admin/approvals/{request.pk}/refuse/").status_code == 403


def played() -> tuple[Table, Hand, Any]:
    table = three_card_table()
    ann = person("Ann")
    ann.sits(table)
    deal(table)
    turn = ann.sees(table)["hand"]["turn"]["turn_id"]
    bet = {"name": "bet", "wagers": {"ante": 1_000}}
    assert ann.client.act(table, turn, bet).status_code == 200
    hand = run_out(table)
    settle(table, hand)
    hand.refresh_from_db()
    return table, hand, ann


def test_a_settled_hand_is_undone_by_two_and_given_back_in_the_hours_figures() -> None:
    table, hand, ann = played()
    before = TableHour.objects.get(table=table)
    assert (before.hands, before.won_minor) == (1, hand.result["bank_minor"])
    fay, max_ = staff(Role.FLOOR, "Fay"), staff(Role.PIT_MANAGER, "Max")
    client = console_of(fay)
    preview = client.get(f"/admin/hands/{hand.pk}/undo/").content.decode()
    assert "Table bank" in preview
    assert client.post(
        f"/admin/hands/{hand.pk}/undo/", {"reason": "wrong paytable"}
    ).status_code == 302  # fmt: skip
    request = Approval.objects.get(kind="hand.void")
    agreed = console_of(max_).post(f"/admin/approvals/{request.pk}/agree/", {"note": ""})
    assert agreed.status_code == 302
    after = TableHour.objects.get(table=table)
    assert (after.hands, after.voided, after.won_minor, after.staked_minor) == (0, 1, 0, 0)
    page = client.get(f"/admin/hands/{hand.pk}/").content.decode()
    assert "Undone" in page
    assert ann.cash_minor() == 100_000 - 10_000 + 1_000


def test_a_request_that_ran_out_waits_for_nobody(finn: User, nora: User) -> None:
    request = approval_ask(
        kind="wallet.adjustment", subject="account:1", payload={}, reason="x", by=finn,
        open_for=timedelta(seconds=-1),
    )  # fmt: skip
    client = console_of(nora)
    assert "Nothing waits for you" in client.get("/admin/approvals/").content.decode()
    answer = client.post(f"/admin/approvals/{request.pk}/agree/")
    assert answer.status_code == 422
    assert "expired at" in answer.content.decode()


def test_who_works_in_a_pit_sees_what_is_about_it_and_what_is_about_none() -> None:
    asks, opened = staff(Role.FLOOR, "Fay"), {}
    for pit in ("West", "East"):
        table = holdem_table(f"T {pit}", pit=pit)
        for name in ("Ann", "Bob"):
            person(f"{name} {pit}").sits(table)
        hand = deal(table)
        opened[pit] = approval_ask(
            kind="hand.void", subject=f"hand:{hand.pk}", payload={"hand": hand.pk},
            reason="misdeal", by=asks,
        )  # fmt: skip
        opened[f"paytable {pit}"] = approval_ask(
            kind="paytable.activation", subject="paytable:1",
            payload={"paytable": 1, "tables": [table.pk]}, reason="margin", by=asks,
        )  # fmt: skip
    money = approval_ask(
        kind="exchange.rate", subject="rate:EUR-USD", payload={}, reason="new rate", by=asks
    )
    max_ = staff(Role.PIT_MANAGER, "Max")
    max_.pits = ["West"]
    max_.save()
    assert set(inbox.open_requests(max_)) == {opened["West"], opened["paytable West"], money}
    assert set(inbox.waiting(max_)) == {opened["West"]}
    client = console_of(max_)
    other = opened["East"]
    assert client.get(f"/admin/approvals/{opened['West'].pk}/").status_code == 200
    for page in ("", "agree/", "refuse/"):
        assert client.get(f"/admin/approvals/{other.pk}/{page}").status_code == 404
    asks.pits = ["West"]
    asks.save()
    assert console_of(asks).get(f"/admin/approvals/{other.pk}/").status_code == 200  # his own
