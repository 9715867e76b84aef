"""Two phases: money set aside is posted or voided, once."""

from __future__ import annotations

from typing import Literal

import pytest

from tests.wallets.conftest import Seated, Table, balance, seated
from wallets import errors, ledger, services
from wallets.ledger import Leg
from wallets.proving import ledger_check
from wallets.selectors import wallet


@pytest.fixture
def anna(table: Table) -> Seated:
    return seated(table, cash=1_000)


def request(anna: Seated, amount: int = 300) -> int:
    asked = services.withdrawal_request(
        player_id=anna.player, amount_minor=amount, currency="EUR", key="w", actor_id=None
    )
    assert asked.transfer_id is not None
    return asked.transfer_id


def resolve(transfer_id: int, outcome: Literal["post", "void"], key: str = "r") -> ledger.Posted:
    return services.withdrawal_resolve(
        transfer_id=transfer_id, outcome=outcome, key=key, actor_id=5
    )


def test_a_requested_withdrawal_leaves_the_cash_at_once(anna: Seated) -> None:
    request(anna)
    (purse,) = wallet(anna.player)
    assert (purse.cash_minor, purse.pending_minor) == (700, 300)
    with pytest.raises(errors.InsufficientFunds):
        services.withdraw(
            player_id=anna.player, amount_minor=701, currency="EUR", key="x", actor_id=None
        )


def test_posting_pays_it_out(anna: Seated) -> None:
    resolve(request(anna), "post")
    (purse,) = wallet(anna.player)
    assert (purse.cash_minor, purse.pending_minor) == (700, 0)
    assert balance(services.cage_account(currency="EUR")) == -700
    assert ledger_check().ok


def test_voiding_gives_it_back(anna: Seated) -> None:
    resolve(request(anna), "void")
    assert balance(anna.cash) == 1_000


@pytest.mark.parametrize("first", ["post", "void"])
@pytest.mark.parametrize("then", ["post", "void"])
def test_it_is_resolved_once(
    anna: Seated, first: Literal["post", "void"], then: Literal["post", "void"]
) -> None:
    pending = request(anna)
    done = resolve(pending, first)
    assert resolve(pending, first) == (done.transfer_id, True)
    with pytest.raises(errors.AlreadyResolved) as caught:
        resolve(pending, then, key="other")
    assert caught.value.outcome == first


def test_only_a_pending_transfer_is_resolved(anna: Seated) -> None:
    paid_in = services.deposit(
        player_id=anna.player, amount_minor=5, currency="EUR", key="d", actor_id=None
    )
    assert paid_in.transfer_id is not None
    for transfer_id in (paid_in.transfer_id, 999_999_999):
        with pytest.raises(errors.NotPending):
            resolve(transfer_id, "void")


def test_a_request_asked_again_is_one_request(anna: Seated) -> None:
    assert request(anna) == request(anna)
    with pytest.raises(errors.KeyReused):
        request(anna, 301)
    assert balance(anna.cash) == 700


def test_the_intent_takes_out_what_the_legs_put_in(anna: Seated) -> None:
    pending = ledger.account_open(purpose="pending", currency="EUR", player_id=anna.player)
    cage = services.cage_account(currency="EUR")
    for intent in (
        [Leg(pending, -299), Leg(cage, 299)],
        [Leg(cage, -300), Leg(anna.cash, 300)],
        [Leg(pending, -300), Leg(cage, 301)],
    ):
        with pytest.raises(errors.UnbalancedTransfer):
            ledger.pend(
                key="odd",
                kind="withdrawal",
                legs=[Leg(anna.cash, -300), Leg(pending, 300)],
                intent=intent,
            )
