"""W-03: money changes its currency only at a rate on record, each currency balancing by itself."""

from __future__ import annotations

import json
from datetime import timedelta
from io import StringIO
from typing import Any

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from casino.core.approvals import approval_get
from casino.core.errors import ApprovalNotOpen, ApprovalSamePerson, RoleMissing
from casino.core.models import Role, User
from tests.wallets.conftest import (
    Seated,
    Table,
    agreed,
    at_once,
    balance,
    day_has_come,
    seated,
    staff,
)
from wallets import controlling, errors, exchanging, ledger, limits, services
from wallets.ledger import Leg, Reference
from wallets.models import ExchangeRate, Transfer
from wallets.proving import ledger_check
from wallets.statements import statement_for

Raw = psycopg.Connection[Any]


@pytest.fixture
def anna(table: Table) -> Seated:
    return seated(table, cash=10_000)


def asked(**terms: Any) -> Any:
    return exchanging.rate_ask(
        **{
            "gives": "EUR", "gets": "PLN", "gives_minor": 10_000, "gets_minor": 42_500,
            "middle_minor": 43_112, "source": "ECB fixing of 27 November",
            "valid_for": timedelta(hours=8), "reason": "rate of the day",
            "by": staff(Role.FINANCE), **terms,
        }
    )  # fmt: skip


def rate(**terms: Any) -> ExchangeRate:
    approval = agreed(asked(**terms))
    return exchanging.rate_set(approval_id=approval, by=staff(Role.FINANCE))


def house(purpose: str, currency: str) -> int:
    return balance(ledger.account_open(purpose=purpose, currency=currency))


def zloty(anna: Seated) -> int:
    return balance(services.player_account(player_id=anna.player, currency="PLN"))


def exchange(
    anna: Seated, at: ExchangeRate, amount: int, key: str = "x", by: User | None = None
) -> ledger.Posted:
    return exchanging.exchange(
        player_id=anna.player,
        rate_id=at.pk,
        given_minor=amount,
        key=key,
        by=by or staff(Role.CAGE),
    )


def test_w_03_an_exchange_is_one_transfer_in_which_each_currency_sums_to_zero(
    anna: Seated,
) -> None:
    at = rate()
    posted = exchange(anna, at, 4_001)
    assert (balance(anna.cash), zloty(anna)) == (5_999, 17_004)
    assert (house("exchange", "EUR"), house("exchange", "PLN")) == (4_001, -17_249)
    assert house("spread", "PLN") == 245
    written = Transfer.objects.get(pk=posted.transfer_id)
    assert (written.kind, written.leg_count, written.approval_id) == ("exchange", 5, at.approval_id)
    assert ledger_check().ok


def test_w_03_a_quote_says_what_the_ledger_will_do(anna: Seated) -> None:
    at = rate()
    assert exchanging.rate_now(gives="EUR", gets="PLN") == at
    assert exchanging.rate_now(gives="PLN", gets="EUR") is None
    quote = exchanging.quote(rate=at, given_minor=3)
    exchange(anna, at, quote.given_minor)
    assert (
        (zloty(anna), house("spread", "PLN")) == (quote.gets_minor, quote.spread_minor) == (12, 0)
    )


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    given_minor=st.integers(1, 10**15), gives=st.integers(1, 10**9), gets=st.integers(1, 10**9),
    spread=st.integers(0, 10**6),
)  # fmt: skip
def test_w_03_rounding_never_makes_money(
    given_minor: int, gives: int, gets: int, spread: int
) -> None:
    at = ExchangeRate(pk=1, gives_minor=gives, gets_minor=gets, middle_minor=gets + spread)
    quote = exchanging.quote(rate=at, given_minor=given_minor)
    assert 0 <= given_minor * gets - quote.gets_minor * gives < gives
    assert quote.spread_minor >= 0
    worth = (quote.gets_minor + quote.spread_minor) * gives
    assert 0 <= given_minor * (gets + spread) - worth < gives


def test_w_03_a_currency_without_decimal_places_is_exchanged_in_its_units(anna: Seated) -> None:
    at = rate(gets="JPY", gets_minor=15_900, middle_minor=16_000)
    exchange(anna, at, 1)
    yen = services.player_account(player_id=anna.player, currency="JPY")
    assert balance(yen) == 1
    odd = rate(gets="JPY", gets_minor=1, middle_minor=1)
    with pytest.raises(errors.MalformedTransfer):
        exchange(anna, odd, 9_999, "too little for a yen")


def test_w_03_a_rate_is_agreed_to_by_two_persons_and_used_up_once(anna: Seated) -> None:
    asker = staff(Role.FINANCE)
    approval = asked(by=asker)
    with pytest.raises(ApprovalNotOpen):
        exchanging.rate_set(approval_id=approval.pk, by=asker)
    with pytest.raises(ApprovalSamePerson):
        agreed(approval, asker)
    controlling.DEEDS["exchange.rate"](agreed(approval), staff(Role.FINANCE))
    with pytest.raises(ApprovalNotOpen):
        exchanging.rate_set(approval_id=approval.pk, by=asker)
    assert ExchangeRate.objects.count() == 1


@pytest.mark.parametrize(
    "terms",
    [
        {"gets": "EUR"}, {"gets_minor": 0}, {"gives_minor": -1}, {"middle_minor": 42_499},
        {"valid_for": timedelta()}, {"valid_for": timedelta(days=8)}, {"gets": "XXX"},
        {"gets_minor": 4.25},
    ],
    ids=str,
)  # fmt: skip
def test_w_03_what_is_no_rate_is_not_even_asked_for(table: Table, terms: dict[str, Any]) -> None:
    with pytest.raises((errors.InvalidAmount, errors.UnknownCurrency)):
        asked(**terms)


def test_w_03_a_rate_is_in_force_for_its_time_alone(anna: Seated, superuser: Raw) -> None:
    at, by = rate(), staff(Role.CAGE)
    done = exchange(anna, at, 100, by=by)
    for column, moment in (("until_at", "now()"), ("from_at", "now() + interval '1 s'")):
        superuser.execute(
            "UPDATE wallets_exchangerate SET from_at = now() - interval '1 d',"
            " until_at = now() + interval '1 d'"
        )
        superuser.execute(f"UPDATE wallets_exchangerate SET {column} = {moment}")
        with pytest.raises(errors.RateNotInForce):
            exchange(anna, at, 100, "late")
        assert exchange(anna, at, 100, by=by).transfer_id == done.transfer_id
    with pytest.raises(errors.RateNotInForce):
        exchanging.exchange(
            player_id=anna.player, rate_id=at.pk + 99, given_minor=1, key="none",
            by=staff(Role.CAGE),
        )  # fmt: skip


@pytest.mark.parametrize("legs", ["better", "other account", "one sided", "no rate"])
def test_w_03_the_ledger_refuses_an_exchange_at_another_rate(
    anna: Seated, owner: Raw, legs: str
) -> None:
    at = rate(middle_minor=42_500)
    pln = services.player_account(player_id=anna.player, currency="PLN")
    ours = {code: ledger.account_open(purpose="exchange", currency=code) for code in ("EUR", "PLN")}
    cage = services.cage_account(currency="PLN")
    move = [Leg(anna.cash, -100), Leg(ours["EUR"], 100)]
    move += {
        "better": [Leg(ours["PLN"], -426), Leg(pln, 426)],
        "other account": [Leg(cage, -425), Leg(pln, 425)],
        "one sided": [],
        "no rate": [Leg(ours["PLN"], -425), Leg(pln, 425)],
    }[legs]
    reference: Reference = {} if legs == "no rate" else {"approval": at.approval_id}
    with pytest.raises((errors.RateNotInForce, errors.KindNotForThat)):
        ledger.post(key="raw", kind="exchange", legs=move, reference=reference)
    with pytest.raises(psycopg.Error) as caught:
        owner.execute(
            "SELECT ledger_post('raw', 'exchange', %s, %s, NULL)",
            (json.dumps(move), json.dumps(reference)),
        )
    assert caught.value.sqlstate in {"LG038", "LG036"}
    assert (balance(anna.cash), zloty(anna)) == (10_000, 0)


def test_w_03_a_rate_stays_what_was_agreed_to(table: Table, owner: Raw) -> None:
    at = rate()
    for deed, state in (
        ("UPDATE wallets_exchangerate SET gets_minor = 1", "LG001"),
        ("DELETE FROM wallets_exchangerate", "LG001"),
        (
            "INSERT INTO wallets_exchangerate (gives_id, gets_id, gives_minor, gets_minor,"
            " middle_minor, source, until_at, approval_id) SELECT gives_id, gets_id, gives_minor,"
            f" 42501, middle_minor, source, until_at, {at.approval_id} FROM wallets_exchangerate",
            "LG026",
        ),
    ):
        with pytest.raises(psycopg.Error) as caught:
            owner.execute(deed)
        assert caught.value.sqlstate == state


def test_w_03_an_amount_too_large_for_the_other_currency_is_refused_in_words(anna: Seated) -> None:
    at = rate(gives_minor=1, gets_minor=10**15, middle_minor=10**15)
    for amount in (10**4, 2**53, 2**63):
        with pytest.raises(errors.InvalidAmount):
            exchange(anna, at, amount)
    with pytest.raises(errors.InvalidAmount):
        asked(middle_minor=2**63)


def test_w_03_a_rate_is_in_force_no_longer_than_was_agreed_to(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    approval = agreed(asked(valid_for=timedelta(hours=1)))
    by = staff(Role.FINANCE)
    monkeypatch.setattr(exchanging, "timedelta", lambda seconds: timedelta(days=365))
    with pytest.raises(errors.WalletError, match="agreed"), ledger.ledger_errors():
        exchanging.rate_set(approval_id=approval, by=by)
    assert not ExchangeRate.objects.exists()


def test_w_03_no_limit_is_left_behind_by_an_exchange(anna: Seated) -> None:
    at = rate()
    limits.spend_limit_set(
        player_id=anna.player, kind="loss", currency="EUR", window_days=7, most_minor=500
    )
    with pytest.raises(errors.LimitWouldEnd) as caught:
        exchange(anna, at, 100)
    assert (caught.value.kind, caught.value.currency) == ("loss", "PLN")
    limits.spend_limit_set(
        player_id=anna.player, kind="loss", currency="PLN", window_days=7, most_minor=2_000
    )
    exchange(anna, at, 100)


def test_w_03_a_limit_that_has_ended_neither_lets_an_exchange_pass_nor_stops_one(
    anna: Seated,
) -> None:
    def loss(currency: str, most: int | None) -> None:
        limits.spend_limit_set(
            player_id=anna.player, kind="loss", currency=currency, window_days=7, most_minor=most
        )

    at, by = rate(), staff(Role.CAGE)
    loss("EUR", 500)
    loss("PLN", None)  # a row that says there is none
    with pytest.raises(errors.LimitWouldEnd):
        exchange(anna, at, 100)
    loss("EUR", None)
    day_has_come("wallets_spendlimit")
    exchange(anna, at, 100, by=by)
    loss("EUR", 500)
    assert exchange(anna, at, 100, by=by).replayed  # it was done before there was a limit
    with pytest.raises(errors.LimitWouldEnd):
        exchange(anna, at, 100, "y")
    assert (balance(anna.cash), zloty(anna)) == (9_900, 425)


def test_w_03_who_is_excluded_or_has_not_so_much_exchanges_nothing(anna: Seated) -> None:
    at = rate()
    with pytest.raises(errors.InsufficientFunds):
        exchange(anna, at, 10_001)
    with pytest.raises(RoleMissing):
        exchanging.exchange(
            player_id=anna.player, rate_id=at.pk, given_minor=1, key="d", by=staff(Role.DEALER)
        )
    limits.exclude_self(player_id=anna.player, until=None)
    with pytest.raises(errors.PlayerExcluded):
        exchange(anna, at, 1)


def test_w_03_many_exchanges_at_once_do_what_one_after_the_other_would(anna: Seated) -> None:
    at, back = rate(), rate(gives="PLN", gets="EUR", gives_minor=43_000, gets_minor=9_900,
                            middle_minor=10_000)  # fmt: skip
    exchange(anna, at, 2_000, "some złoty")
    by = staff(Role.CAGE)

    def change(which: ExchangeRate, amount: int, key: str) -> ledger.Posted:
        return exchanging.exchange(
            player_id=anna.player, rate_id=which.pk, given_minor=amount, key=key, by=by
        )

    answers = at_once(
        [lambda n=n: change((at, back)[n % 2], 100, f"k{n // 2}-{n % 2}") for n in range(12)] * 2,
        threads=6,
    )
    assert not [answer for answer in answers if isinstance(answer, Exception)]
    assert (balance(anna.cash), zloty(anna)) == (8_000 - 600 + 6 * 23, 8_500 + 6 * 425 - 600)
    assert ledger_check().ok


def test_w_03_an_exchange_stands_in_the_statement_of_each_currency(anna: Seated) -> None:
    exchange(anna, rate(), 4_000)
    for currency, moved in (("EUR", -4_000), ("PLN", 17_000)):
        now = timezone.now()
        page = statement_for(
            player_id=anna.player, currency=currency, begins=now - timedelta(hours=1), ends=now
        )
        assert [line.amount_minor for line in page.lines if line.kind == "exchange"] == [moved]


def test_w_03_the_books_find_an_exchange_whose_rate_was_altered(
    anna: Seated, superuser: Raw
) -> None:
    posted = exchange(anna, rate(), 4_000)
    superuser.execute("UPDATE wallets_exchangerate SET gets_minor = 42000")
    assert ledger_check().faults == {"exchange_at_no_rate": [posted.transfer_id]}


def test_w_03_a_cashier_quotes_and_exchanges_at_the_counter(anna: Seated) -> None:
    finance, cashier = staff(Role.FINANCE), staff(Role.CAGE)
    player = User.objects.get(pk=anna.player).username

    def said(*words: object) -> str:
        out = StringIO()
        call_command("exchange", *map(str, words), stdout=out)
        return out.getvalue()

    number = said(
        "rate", 10_000, "EUR", 42_500, "PLN", "--middle-minor", 43_000, "--source", "ECB",
        "--by", finance.username,
    ).split("approval ")[1].split(";")[0]  # fmt: skip
    with pytest.raises(CommandError):
        said("quote", 1_000, "EUR", "PLN")
    exchanging.rate_set(approval_id=agreed(approval_get(int(number))), by=None)
    quote = said("quote", 1_000, "EUR", "PLN")
    assert "1000 EUR brings 4250 PLN in minor units, 50 of it kept by the house" in quote
    at = int(quote.split()[1].rstrip(":"))
    for words in ("carried out", "already carried out"):
        assert words in said("do", player, 1_000, at, "--by", cashier.username, "--key", "k")
    assert zloty(anna) == 4_250
