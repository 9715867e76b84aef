"""What a player sees of his money, and that it is nobody else's."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from rest_framework.test import APIClient

from tests.wallets.conftest import Seated, Table, seated
from wallets import services
from wallets.selectors import statement


@pytest.fixture
def anna(table: Table) -> Seated:
    return seated(table, cash=1_000, chips=500)


def client(player: int) -> APIClient:
    signed_in = APIClient()
    signed_in.force_authenticate(get_user_model().objects.get(pk=player))
    return signed_in


def eur(amount_minor: int) -> dict[str, Any]:
    return {"amount_minor": amount_minor, "currency": "EUR"}


def test_the_wallet_shows_cash_pending_and_chips(table: Table, anna: Seated) -> None:
    services.withdrawal_request(
        player_id=anna.player, amount_minor=300, currency="EUR", key="w", actor_id=None
    )
    answer = client(anna.player).get("/api/v1/wallet")
    assert answer.status_code == 200
    assert answer.json() == {
        "purses": [
            {
                "currency": "EUR",
                "exponent": 2,
                "cash": eur(700),
                "bonus": eur(0),
                "pending": eur(300),
                "owed": eur(0),
                "tables": [{"table": table.id, "chips": eur(500)}],
            }
        ]
    }


def test_the_statement_leads_to_the_balance(table: Table, anna: Seated) -> None:
    lines = client(anna.player).get("/api/v1/wallet/statement").json()["lines"]
    assert [(line["kind"], line["account"]) for line in lines] == [
        ("buy_in", "seat"),
        ("buy_in", "cash"),
        ("deposit", "cash"),
    ]
    assert [line["balance"] for line in lines] == [eur(500), eur(1_000), eur(1_500)]
    assert sum(line["amount"]["amount_minor"] for line in lines) == 1_500
    assert lines[0]["table"] == table.id


def test_pages_follow_each_other_without_gap_or_repeat(anna: Seated) -> None:
    for n in range(7):
        services.deposit(
            player_id=anna.player, amount_minor=n + 1, currency="EUR", key=f"n{n}", actor_id=None
        )
    everything = [line.id for line in statement(anna.player)]
    seen: list[int] = []
    cursor: int | None = None
    player = client(anna.player)
    while True:
        query = {"limit": 3} | ({"cursor": cursor} if cursor else {})
        page = player.get("/api/v1/wallet/statement", query).json()
        seen += [line["id"] for line in page["lines"]]
        services.deposit(
            player_id=anna.player,
            amount_minor=1,
            currency="EUR",
            key=f"meanwhile{len(seen)}",
            actor_id=None,
        )
        if (cursor := page["next"]) is None:
            break
    assert seen == everything


def test_nobody_sees_anothers_money(table: Table, anna: Seated) -> None:
    bea = seated(table)
    player = client(bea.player)
    for query in ("", f"?player={anna.player}", f"?player_id={anna.player}"):
        wallet = player.get(f"/api/v1/wallet{query}").json()
        assert [purse["cash"] for purse in wallet["purses"]] == [eur(0)]
        assert player.get(f"/api/v1/wallet/statement{query}").json() == {
            "lines": [],
            "next": None,
        }


@pytest.mark.parametrize("path", ["/api/v1/wallet", "/api/v1/wallet/statement"])
def test_without_signing_in_there_is_nothing(table: Table, path: str) -> None:
    assert APIClient().get(path).status_code == 401
    assert APIClient().post(path).status_code in {401, 405}


@pytest.mark.parametrize("query", ["cursor=x", "cursor=0", "limit=201", "limit=0", "cursor=1e3"])
def test_a_malformed_page_is_refused(anna: Seated, query: str) -> None:
    answer = client(anna.player).get(f"/api/v1/wallet/statement?{query}")
    assert answer.status_code == 400
    assert answer.json()["code"] == "invalid_request"


def test_a_withdrawal_is_asked_for_once_and_set_aside(anna: Seated) -> None:
    door = client(anna.player)
    body = {"amount_minor": 300, "currency": "EUR"}
    assert door.post("/api/v1/wallet/withdrawals", body, format="json").status_code == 400
    for _ in range(2):
        answer = door.post(
            "/api/v1/wallet/withdrawals", body, format="json", headers={"Idempotency-Key": "w"}
        )
        assert (answer.status_code, answer.json()["pending"]) == (201, eur(300))
    (purse,) = door.get("/api/v1/wallet").json()["purses"]
    assert (purse["cash"], purse["pending"]) == (eur(700), eur(300))
    more = door.post(
        "/api/v1/wallet/withdrawals",
        {"amount_minor": 701, "currency": "EUR"},
        format="json",
        headers={"Idempotency-Key": "x"},
    )
    assert (more.status_code, more.json()["code"]) == (409, "insufficient_funds")


@pytest.mark.parametrize("amount", [-600, 0, "1e3", 1.5, True, None])
def test_an_amount_is_a_positive_whole_number(anna: Seated, amount: Any) -> None:
    answer = client(anna.player).post(
        "/api/v1/wallet/withdrawals",
        {"amount_minor": amount, "currency": "EUR"},
        format="json",
        headers={"Idempotency-Key": "w"},
    )
    assert answer.status_code == 400
