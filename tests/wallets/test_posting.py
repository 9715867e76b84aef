"""One key, one transfer: repeats, reuse, refusals that leave the key free, and their words."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from django.db import connection, transaction

from tests.wallets.conftest import Seated, Table, balance, new_player, new_table, seated
from wallets import errors, ledger, services
from wallets.ledger import Leg
from wallets.models import Transfer


@pytest.fixture
def anna(table: Table) -> Seated:
    return seated(table, cash=1_000, chips=500)


@pytest.fixture
def cage(table: Table) -> int:
    return services.cage_account(currency="EUR")


def post(anna: Seated, cage: int, **changes: Any) -> ledger.Posted:
    facts: dict[str, Any] = {
        "key": "k",
        "kind": "deposit",
        "legs": [Leg(cage, -10), Leg(anna.cash, 10)],
        "reference": {"hand": 1, "table": 2, "approval": 3, "reason": "because"},
        "actor": 4,
    }
    return ledger.post(**(facts | changes))


def test_w_07_the_same_key_and_content_give_the_same_answer(anna: Seated, cage: int) -> None:
    first = post(anna, cage)
    again = post(anna, cage, legs=[Leg(anna.cash, 10, "EUR"), Leg(cage, -10)])
    assert again == (first.transfer_id, True)
    assert balance(anna.cash) == 1_010


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"kind": "float"}, "kind"),
        ({"reference": {"hand": 9, "table": 2, "approval": 3, "reason": "because"}}, "hand"),
        ({"reference": {"hand": 1, "table": 9, "approval": 3, "reason": "because"}}, "table"),
        ({"reference": {"hand": 1, "table": 2, "reason": "because"}}, "approval"),
        ({"reference": {"hand": 1, "table": 2, "approval": 3}}, "reason"),
        ({"actor": None}, "actor"),
    ],
)
def test_w_07_the_same_key_with_other_content_names_what_differs(
    anna: Seated, cage: int, changes: dict[str, Any], field: str
) -> None:
    first = post(anna, cage)
    with pytest.raises(errors.KeyReused) as caught:
        post(anna, cage, **changes)
    assert (caught.value.key, caught.value.field) == ("k", field)
    assert caught.value.transfer_id == first.transfer_id


def test_the_same_key_with_another_amount_account_or_currency(
    table: Table, anna: Seated, cage: int
) -> None:
    post(anna, cage)
    for legs, field in (
        ([Leg(cage, -20), Leg(anna.cash, 20)], "amount_minor"),
        ([Leg(cage, -10), Leg(anna.seat, 10)], "account"),
        ([Leg(cage, -10, "USD"), Leg(anna.cash, 10)], "currency"),
    ):
        with pytest.raises(errors.KeyReused) as caught:
            post(anna, cage, legs=legs)
        assert caught.value.field == field


def test_a_refused_attempt_leaves_its_key_free(anna: Seated, cage: int) -> None:
    out: dict[str, Any] = {
        "kind": "withdrawal",
        "legs": [Leg(anna.cash, -1_200), Leg(cage, 1_200)],
    }
    with pytest.raises(errors.InsufficientFunds) as caught:
        post(anna, cage, **out)
    assert (caught.value.balance_minor, caught.value.asked_minor) == (1_000, 1_200)
    assert not Transfer.objects.filter(key="k").exists()
    post(anna, cage, key="more", legs=[Leg(cage, -200), Leg(anna.cash, 200)])
    assert not post(anna, cage, **out).replayed
    assert balance(anna.cash) == 0


def test_a_refusal_inside_a_callers_transaction_is_undone_to_its_savepoint(
    anna: Seated, cage: int
) -> None:
    with transaction.atomic():
        with pytest.raises(errors.InsufficientFunds), transaction.atomic():
            post(anna, cage, kind="withdrawal", legs=[Leg(anna.cash, -9_000), Leg(cage, 9_000)])
        post(anna, cage)
    assert balance(anna.cash) == 1_010


@pytest.mark.parametrize(
    ("legs", "rule"),
    [
        ([], errors.MalformedTransfer),
        ([(0, -10)], errors.MalformedTransfer),
        ([(0, -10), (0, 10)], errors.MalformedTransfer),
        ([(0, 0), (1, 0)], errors.MalformedTransfer),
        ([(0, -10), (1, 11)], errors.UnbalancedTransfer),
        ([(0, -10), (2, 10)], errors.UnbalancedTransfer),
        ([(0, -10), (3, 10)], errors.UnknownAccount),
    ],
)
def test_a_transfer_that_is_none_is_refused(
    anna: Seated, cage: int, legs: list[tuple[int, int]], rule: type[errors.WalletError]
) -> None:
    yen = services.cage_account(currency="JPY")
    accounts = (cage, anna.cash, yen, 999_999_999)
    with pytest.raises(rule):
        post(anna, cage, legs=[Leg(accounts[i], amount) for i, amount in legs])
    assert balance(anna.cash) == 1_000


def test_a_leg_names_the_currency_its_account_is_kept_in(anna: Seated, cage: int) -> None:
    with pytest.raises(errors.CurrencyMismatch) as caught:
        post(anna, cage, legs=[Leg(cage, -10, "USD"), Leg(anna.cash, 10, "USD")])
    assert (caught.value.kept_in, caught.value.asked) == ("EUR", "USD")


def test_two_currencies_may_move_in_one_transfer_each_summing_to_zero(
    table: Table, anna: Seated, cage: int
) -> None:
    yen_cage, yen_bank = services.cage_account(currency="JPY"), new_table("JPY").bank
    post(
        anna,
        cage,
        kind="float",
        legs=[Leg(table.bank, -100), Leg(cage, 100), Leg(yen_cage, -160), Leg(yen_bank, 160)],
    )
    assert (balance(table.bank), balance(yen_bank)) == (-100, 160)


@pytest.mark.parametrize("amount", [1.5, "600", True, None, 10.0])
def test_an_amount_is_a_whole_number(anna: Seated, cage: int, amount: Any) -> None:
    with pytest.raises(errors.InvalidAmount):
        post(anna, cage, legs=[Leg(cage, -10), Leg(anna.cash, amount)])


@pytest.mark.parametrize("amount", [-600, 0, 1.5, "1e3", True])
def test_a_verb_moves_a_positive_amount(anna: Seated, amount: Any) -> None:
    facts = {"amount_minor": amount, "currency": "EUR", "key": "v", "actor_id": anna.player}
    for verb in (services.deposit, services.withdraw, services.withdrawal_request):
        with pytest.raises(errors.InvalidAmount):
            verb(player_id=anna.player, **facts)
    with pytest.raises(errors.InvalidAmount):
        services.buy_in(
            player_id=anna.player, seat_account_id=anna.seat, amount_minor=amount, key="v"
        )
    assert not Transfer.objects.filter(key="v").exists()


def test_an_amount_that_json_would_round_is_refused(anna: Seated, cage: int) -> None:
    with pytest.raises(errors.InvalidAmount):
        post(anna, cage, legs=[Leg(cage, -(2**53)), Leg(anna.cash, 2**53)])


def test_an_account_is_opened_once(table: Table) -> None:
    player = new_player()
    first = services.player_account(player_id=player, currency="PLN")
    assert services.player_account(player_id=player, currency="PLN") == first
    assert services.player_account(player_id=player, currency="EUR") != first
    with pytest.raises(errors.UnknownCurrency):
        services.player_account(player_id=player, currency="ZZZ")


def test_a_currency_is_added_without_code(table: Table) -> None:
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO wallets_currency VALUES ('BHD', 3, 'Bahraini dinar')")
    player = new_player()
    services.deposit(player_id=player, amount_minor=1_500, currency="BHD", key="bhd", actor_id=None)
    assert balance(services.player_account(player_id=player, currency="BHD")) == 1_500


def test_nobody_buys_in_from_anothers_cash_or_to_anothers_seat(table: Table, anna: Seated) -> None:
    bea = seated(table, cash=700)
    with pytest.raises(errors.UnknownAccount):
        services.buy_in(
            player_id=bea.player, seat_account_id=anna.seat, amount_minor=100, key="theft"
        )
    with pytest.raises(errors.UnknownAccount):
        services.cash_out(player_id=bea.player, seat_account_id=anna.seat, key="theft")


def test_cashing_out_moves_all_chips_once(anna: Seated) -> None:
    def leave(key: str) -> int:
        return services.cash_out(player_id=anna.player, seat_account_id=anna.seat, key=key)

    assert leave("leave") == 500
    services.buy_in(player_id=anna.player, seat_account_id=anna.seat, amount_minor=200, key="back")
    assert leave("leave") == 500  # the answer of the first time, moved once
    assert balance(anna.seat) == 200
    assert leave("leave again") == 200
    assert leave("with nothing") == 0
    assert balance(anna.cash) == 1_500


def test_float_and_sweep_move_between_table_and_house(table: Table) -> None:
    services.table_float(bank_account_id=table.bank, amount_minor=10_000, key="fill", actor_id=None)
    services.table_float(
        bank_account_id=table.bank, amount_minor=-4_000, key="credit", actor_id=None
    )
    services.sweep(account_id=table.bank, amount_minor=1_000, key="sweep", actor_id=None)
    assert balance(table.bank) == 5_000
    assert balance(services.cage_account(currency="EUR")) == -6_000
    assert balance(ledger.account_open(purpose="revenue", currency="EUR")) == 1_000


def test_every_refusal_survives_pickling(anna: Seated, cage: int) -> None:
    post(anna, cage)
    with pytest.raises(errors.KeyReused) as caught:
        post(anna, cage, actor=None)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.field) == (str(caught.value), "actor")
