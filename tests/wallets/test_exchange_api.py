"""A player exchanges by himself: quoted, then done at that very rate, where the house lets him."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import transaction
from django.utils import timezone

from tests.wallets.conftest import Seated, Table, seated
from tests.wallets.test_api import client, eur
from tests.wallets.test_exchanging import rate
from wallets import errors, exchanging, ledger
from wallets.models import ExchangeRate

WHERE = "/api/v1/wallet/exchange"


@pytest.fixture
def anna(table: Table) -> Seated:
    return seated(table, cash=10_000)


def asked(anna: Seated, minor: int = 4_000, gets: str = "PLN"):
    return client(anna.player).get(WHERE, {"gives": "EUR", "gets": gets, "given_minor": minor})


def done(anna: Seated, at: int, minor: int, key: str = ""):
    headers = {"Idempotency-Key": key or str(uuid4())}
    body = {"rate": at, "given_minor": minor}
    return client(anna.player).post(WHERE, body, format="json", headers=headers)


def zloty(anna: Seated) -> int:
    purses = client(anna.player).get("/api/v1/wallet").json()["purses"]
    return sum(p["cash"]["amount_minor"] for p in purses if p["currency"] == "PLN")


def test_he_gets_what_he_was_quoted_once_per_key(anna: Seated) -> None:
    at = rate()
    quoted = asked(anna).json()
    assert (quoted["rate"], quoted["gives"]) == (at.pk, eur(4_000))
    assert quoted["gets"] == {"amount_minor": 17_000, "currency": "PLN"}
    first, again = (done(anna, quoted["rate"], 4_000, "one") for _ in range(2))
    assert (first.status_code, first.json()) == (201, again.json())
    assert first.json()["gets"] == quoted["gets"]
    assert zloty(anna) == 17_000


def test_a_pair_without_a_rate_and_a_rate_that_is_none_are_told_apart(anna: Seated) -> None:
    answer = asked(anna, gets="JPY")
    assert (answer.status_code, answer.json()["code"]) == (404, "rate_missing")
    answer = done(anna, 999, 5)
    assert (answer.status_code, answer.json()["code"]) == (409, "rate_not_in_force")


def test_a_rate_that_another_one_has_followed_is_nobodys_to_choose(anna: Seated) -> None:
    before = rate()
    first = done(anna, before.pk, 400, "one")
    now = rate(gets_minor=40_000)
    answer = done(anna, before.pk, 400)
    assert (answer.status_code, answer.json()["code"]) == (409, "rate_not_in_force")
    assert done(anna, before.pk, 400, "one").json() == first.json()
    assert done(anna, now.pk, 400).status_code == 201
    assert zloty(anna) == 1_700 + 1_600


def test_nobody_comes_round_at_the_rates_in_force_with_more_than_he_gave(anna: Seated) -> None:
    rates = [
        rate(),
        rate(gives="PLN", gets="USD", gives_minor=400, gets_minor=100, middle_minor=100),
    ]
    assert asked(anna).status_code == 200
    back = {"gives": "USD", "gets": "EUR", "gives_minor": 100}
    rates.append(rate(**back, gets_minor=95, middle_minor=95))  # 4.25 / 4 * 0.95 > 1
    assert asked(anna).json()["code"] == "rate_missing"
    assert done(anna, rates[0].pk, 400).json()["code"] == "rate_not_in_force"
    rate(**back, gets_minor=94, middle_minor=95)
    assert asked(anna).status_code == 200
    assert done(anna, rates[0].pk, 400).status_code == 201


def test_who_has_not_so_much_is_refused(anna: Seated) -> None:
    answer = done(anna, rate().pk, 10_001)
    assert (answer.status_code, answer.json()["code"]) == (409, "insufficient_funds")
    assert zloty(anna) == 0


def test_a_house_that_exchanges_at_the_counter_alone_does_nothing(anna: Seated, settings) -> None:
    at = rate()
    settings.PLAYERS_EXCHANGE = False
    assert asked(anna).json()["code"] == "rate_missing"
    assert done(anna, at.pk, 4_000).json()["code"] == "rate_not_in_force"


def test_play_money_has_no_rate(anna: Seated) -> None:
    with pytest.raises(errors.PlayMoneyApart):
        rate(gives="XTS", gets="EUR")
    row = ExchangeRate(
        gives_id="EUR", gets_id="XTS", gives_minor=1, gets_minor=1, middle_minor=1, source="none",
        until_at=timezone.now() + timedelta(hours=1), approval_id=1,
    )  # fmt: skip
    with pytest.raises(errors.PlayMoneyApart), ledger.ledger_errors(), transaction.atomic():
        row.save()
    assert exchanging.rate_now(gives="EUR", gets="XTS") is None
