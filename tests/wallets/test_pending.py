"""Two phases: money set aside is posted or voided, once."""

from __future__ import annotations

from typing import Any, Literal

import psycopg
import pytest

from tests.wallets.conftest import Seated, Table, balance, seated
from wallets import errors, ledger, services
from wallets.ledger import Leg
from wallets.proving import ledger_check
from wallets.selectors import wallet

Raw = psycopg.Connection[Any]


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
    return services.pending_resolve(transfer_id=transfer_id, outcome=outcome, key=key, actor_id=5)


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


def in_part(transfer_id: int, amount: int | None, key: str = "r") -> ledger.Posted:
    return services.pending_resolve(
        transfer_id=transfer_id, outcome="post", key=key, actor_id=5, amount_minor=amount
    )


def test_a_part_is_paid_out_and_the_rest_given_back(anna: Seated) -> None:
    asked = request(anna)
    first = in_part(asked, 100)
    assert in_part(asked, 100) == (first.transfer_id, True)
    (purse,) = wallet(anna.player)
    assert (purse.cash_minor, purse.pending_minor) == (900, 0)
    assert balance(services.cage_account(currency="EUR")) == -900
    with pytest.raises(errors.KeyReused):
        in_part(asked, 150)
    with pytest.raises(errors.AlreadyResolved):
        in_part(asked, 150, key="again")
    assert ledger_check().ok


@pytest.mark.parametrize("amount", [0, -5, 300, 301])
def test_a_part_is_less_than_all_and_more_than_nothing(anna: Seated, amount: int) -> None:
    asked = request(anna)
    with pytest.raises(errors.MalformedTransfer):
        in_part(asked, amount)
    in_part(asked, None)


def test_of_an_intent_with_several_targets_no_part_is_posted(anna: Seated, table: Table) -> None:
    pending = ledger.account_open(purpose="pending", currency="EUR", player_id=anna.player)
    cage = services.cage_account(currency="EUR")
    asked = ledger.pend(
        key="split",
        kind="withdrawal",
        legs=[Leg(anna.cash, -100), Leg(pending, 100)],
        intent=[Leg(pending, -100), Leg(cage, 60), Leg(table.bank, 40)],
    )
    assert asked.transfer_id is not None
    with pytest.raises(errors.MalformedTransfer):
        ledger.resolve(key="r", transfer_id=asked.transfer_id, outcome="post", amount_minor=50)


def test_after_its_time_a_pending_transfer_can_only_be_voided(anna: Seated, superuser: Raw) -> None:
    def ask(key: str, ttl_s: int | None) -> int:
        asked = services.deposit_request(
            player_id=anna.player, amount_minor=50, currency="EUR", key=key, actor_id=None,
            ttl_s=ttl_s,
        )  # fmt: skip
        assert asked.transfer_id is not None
        return asked.transfer_id

    for_ever, in_time, late = ask("a", None), ask("b", 3_600), ask("c", 3_600)
    assert services.pending_expire() == 0
    superuser.execute(
        "UPDATE wallets_transfer SET created_at = created_at - interval '61 min' WHERE id = %s",
        (late,),
    )
    with pytest.raises(errors.PendingExpired):
        services.pending_resolve(transfer_id=late, outcome="post", key="late", actor_id=None)
    assert services.pending_expire() == 1
    assert services.pending_expire() == 0
    with pytest.raises(errors.AlreadyResolved):
        services.pending_resolve(transfer_id=late, outcome="post", key="later", actor_id=None)
    services.pending_resolve(transfer_id=in_time, outcome="post", key="x", actor_id=None)
    services.pending_resolve(transfer_id=for_ever, outcome="post", key="y", actor_id=None)
    assert balance(anna.cash) == 1_100
    assert ledger_check().ok


def test_plp_12_a_deposit_cannot_be_played_with_before_it_is_confirmed(
    anna: Seated, table: Table
) -> None:
    services.deposit_request(
        player_id=anna.player, amount_minor=5_000, currency="EUR", key="d", actor_id=None
    )
    with pytest.raises(errors.InsufficientFunds):
        services.buy_in(
            player_id=anna.player, seat_account_id=anna.seat, amount_minor=1_001, key="b"
        )


def test_plp_09_nothing_leads_from_a_withdrawal_back_to_play_but_the_houses_void(
    anna: Seated,
) -> None:
    """No verb of a player's takes a requested withdrawal back; only staff resolve it."""
    request(anna, 1_000)
    with pytest.raises(errors.InsufficientFunds):
        services.buy_in(player_id=anna.player, seat_account_id=anna.seat, amount_minor=1, key="b")
