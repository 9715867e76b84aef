"""Undoing a settled hand: nobody falls below zero, what is gone is owed."""

from __future__ import annotations

import pytest

from tests.wallets.conftest import Seated, Table, agreed, balance, seated, staff
from wallets import controlling, errors, ledger, services
from wallets.ledger import Posted
from wallets.proving import ledger_check
from wallets.selectors import reversal_preview, wallet

HAND = 31


@pytest.fixture
def players(table: Table) -> tuple[Seated, Seated]:
    return seated(table, cash=100, chips=500), seated(table, cash=100, chips=500)


@pytest.fixture
def paid(table: Table, players: tuple[Seated, Seated]) -> None:
    winner, loser = players
    services.stakes_hold(hand_id=HAND, seat_account_ids=[winner.seat, loser.seat])
    services.hand_pay(
        hand_id=HAND,
        legs_by_account={winner.seat: 380, loser.seat: -400, table.rake: 20},
        currency="EUR",
    )


def approved(hand: int = HAND) -> int:
    return agreed(controlling.reversal_ask(hand_id=hand, reason="exposed card", by=staff()))


def reverse(hand: int = HAND) -> Posted:
    return controlling.hand_reverse(approval_id=approved(hand), by=None)


def owed(player: Seated) -> int:
    (purse,) = wallet(player.player)
    return purse.owed_minor


def test_winnings_still_at_the_table_go_back(
    table: Table, players: tuple[Seated, Seated], paid: None
) -> None:
    winner, loser = players
    preview = reversal_preview(HAND)
    assert {(line.purpose, line.player_id, line.amount_minor) for line in preview} == {
        ("seat", winner.player, -380),
        ("cash", loser.player, 400),
        ("rake", None, -20),
    }
    reverse()
    assert (balance(winner.seat), balance(loser.cash), balance(table.rake)) == (500, 500, 0)


def test_then_cash_is_taken_and_the_rest_is_owed(
    table: Table, players: tuple[Seated, Seated], paid: None
) -> None:
    winner, _ = players
    services.cash_out(player_id=winner.player, seat_account_id=winner.seat, key="leave")
    services.withdraw(
        player_id=winner.player, amount_minor=900, currency="EUR", key="home", actor_id=None
    )
    reverse()
    assert (balance(winner.seat), balance(winner.cash), owed(winner)) == (0, 0, 300)
    assert ledger_check().ok


def test_chips_in_another_hand_are_left_there(
    table: Table, players: tuple[Seated, Seated], paid: None
) -> None:
    winner, _ = players
    services.stakes_hold(hand_id=HAND + 1, seat_account_ids=[winner.seat])
    reverse()
    assert (balance(winner.seat), balance(winner.cash), owed(winner)) == (880, 0, 280)


def test_rake_that_was_swept_comes_from_adjustments(
    table: Table, players: tuple[Seated, Seated], paid: None
) -> None:
    services.sweep(account_id=table.rake, amount_minor=15, key="sweep", actor_id=None)
    reverse()
    adjustments = ledger.account_open(purpose="adjustments", currency="EUR")
    assert (balance(table.rake), balance(adjustments)) == (0, -15)


def test_a_round_is_undone_with_its_stakes(table: Table, players: tuple[Seated, Seated]) -> None:
    anna, _ = players
    ledger.stake(
        services.stake_packed(
            hand_id=HAND,
            key="s",
            seat_account_id=anna.seat,
            in_play_account_id=table.in_play,
            player_id=anna.player,
            amount_minor=100,
        )
    )
    with pytest.raises(errors.HandNotSettled):
        reverse()
    services.round_pay(
        hand_id=HAND,
        in_play_account_id=table.in_play,
        returned={},
        bank_account_id=table.bank,
        staked_total=100,
    )
    reverse()
    assert (balance(anna.cash), balance(table.bank), balance(table.in_play)) == (200, 0, 0)


def test_a_hand_is_reversed_once(table: Table, players: tuple[Seated, Seated], paid: None) -> None:
    approval = approved()
    first = controlling.hand_reverse(approval_id=approval, by=None)
    assert controlling.hand_reverse(approval_id=approval, by=None) == (first.transfer_id, True)
    with pytest.raises(errors.KeyReused):
        reverse()
    assert balance(table.rake) == 0


def test_what_is_owed_is_paid_back_and_never_more(
    table: Table, players: tuple[Seated, Seated], paid: None
) -> None:
    winner, _ = players
    services.cash_out(player_id=winner.player, seat_account_id=winner.seat, key="leave")
    services.withdraw(
        player_id=winner.player, amount_minor=900, currency="EUR", key="home", actor_id=None
    )
    reverse()

    def repay(amount: int, key: str) -> Posted:
        return services.receivable_repay(
            player_id=winner.player, amount_minor=amount, currency="EUR", key=key, actor_id=None
        )

    with pytest.raises(errors.InsufficientFunds):
        repay(100, "early")
    services.deposit(
        player_id=winner.player, amount_minor=1_000, currency="EUR", key="d", actor_id=None
    )
    repay(100, "first")
    assert owed(winner) == 200
    with pytest.raises(errors.OwesLess) as caught:
        repay(201, "too much")
    assert caught.value.owed_minor == 200
    repay(200, "rest")
    assert (owed(winner), balance(winner.cash)) == (0, 700)
    assert ledger_check().ok
