"""Money at a table, as stories: ring hands are held and settled, rounds are staked and paid."""

from __future__ import annotations

import pytest

from tests.wallets.conftest import Seated, Table, balance, new_table, seated
from wallets import errors, ledger, services
from wallets.models import Account, Transfer
from wallets.proving import ledger_check

HAND = 4_711


@pytest.fixture
def players(table: Table) -> list[Seated]:
    return [seated(table, cash=100, chips=chips) for chips in (500, 700, 900)]


def at_table(table: Table, players: list[Seated]) -> int:
    accounts = [player.seat for player in players]
    accounts += [table.in_play, table.rake, table.drop]
    return sum(services.balances_of(accounts).values())


def hold(players: list[Seated], hand: int = HAND) -> None:
    services.stakes_hold(hand_id=hand, seat_account_ids=[player.seat for player in players])


def nets(players: list[Seated], table: Table, *of: int, rake: int = 0) -> dict[int, int]:
    return dict(zip((player.seat for player in players), of, strict=True)) | {table.rake: rake}


def stake(player: Seated, table: Table, amount: int, key: str, hand: int = HAND) -> int | None:
    return ledger.stake(
        services.stake_packed(
            hand_id=hand,
            key=key,
            seat_account_id=player.seat,
            in_play_account_id=table.in_play,
            player_id=player.player,
            amount_minor=amount,
        )
    )


def test_a_ring_hand_is_paid_in_one_transfer_and_released(
    table: Table, players: list[Seated]
) -> None:
    before = at_table(table, players)
    hold(players)
    paid = services.hand_pay(
        hand_id=HAND,
        legs_by_account=nets(players, table, -500, 475, 0, rake=25),
        currency="EUR",
        table_id=table.id,
    )
    assert [balance(player.seat) for player in players] == [0, 1_175, 900]
    assert balance(table.rake) == 25
    assert at_table(table, players) == before
    assert not Account.objects.filter(held_by=HAND).exists()
    assert paid.transfer_id is not None
    written = Transfer.objects.get(pk=paid.transfer_id)
    assert (written.key, written.hand_id, written.table_id) == ("hand:4711:settle", HAND, table.id)


def test_a_hand_is_paid_once(table: Table, players: list[Seated]) -> None:
    hold(players)
    shares = nets(players, table, -10, 10, 0)
    first = services.hand_pay(hand_id=HAND, legs_by_account=shares, currency="EUR")
    again = services.hand_pay(hand_id=HAND, legs_by_account=shares, currency="EUR")
    assert again == (first.transfer_id, True)
    with pytest.raises(errors.KeyReused):
        services.hand_pay(
            hand_id=HAND, legs_by_account=nets(players, table, -20, 20, 0), currency="EUR"
        )
    assert balance(players[0].seat) == 490


def test_paying_again_does_not_release_the_next_hand(table: Table, players: list[Seated]) -> None:
    hold(players)
    shares = nets(players, table, -10, 10, 0)
    services.hand_pay(hand_id=HAND, legs_by_account=shares, currency="EUR")
    hold(players, HAND + 1)
    services.hand_pay(hand_id=HAND, legs_by_account=shares, currency="EUR")
    assert Account.objects.filter(held_by=HAND + 1).count() == 3


def test_a_hand_in_which_nobody_won_only_releases(table: Table, players: list[Seated]) -> None:
    hold(players)
    paid = services.hand_pay(
        hand_id=HAND, legs_by_account=nets(players, table, 0, 0, 0), currency="EUR"
    )
    assert paid == (None, False)
    assert not Account.objects.filter(held_by=HAND).exists()


def test_chips_in_play_are_not_taken_away(table: Table, players: list[Seated]) -> None:
    hold(players)
    with pytest.raises(errors.AccountHeld) as caught:
        services.cash_out(player_id=players[0].player, seat_account_id=players[0].seat, key="run")
    assert caught.value.hand_id == HAND
    services.buy_in(
        player_id=players[0].player,
        seat_account_id=players[0].seat,
        amount_minor=100,
        key="top-up",
    )
    assert balance(players[0].seat) == 600


def test_a_seat_is_held_by_one_hand(table: Table, players: list[Seated]) -> None:
    hold(players)
    hold(players)
    with pytest.raises(errors.AccountHeld):
        hold(players[:1], HAND + 1)
    assert Account.objects.filter(held_by=HAND).count() == 3


def test_only_seats_are_held(table: Table, players: list[Seated]) -> None:
    for account in (players[0].cash, table.bank, 999_999_999):
        with pytest.raises(errors.UnknownAccount):
            services.stakes_hold(hand_id=HAND, seat_account_ids=[players[0].seat, account])
    assert not Account.objects.filter(held_by=HAND).exists()


def test_a_voided_hand_is_released_and_cannot_be_paid(table: Table, players: list[Seated]) -> None:
    hold(players)
    assert services.hand_void(hand_id=HAND) == 3
    assert services.hand_void(hand_id=HAND) == 0
    with pytest.raises(errors.AccountNotHeld):
        services.hand_pay(
            hand_id=HAND, legs_by_account=nets(players, table, -10, 10, 0), currency="EUR"
        )
    assert [balance(player.seat) for player in players] == [500, 700, 900]


def test_nobody_loses_more_than_he_had_at_the_table(table: Table, players: list[Seated]) -> None:
    hold(players)
    with pytest.raises(errors.InsufficientFunds):
        services.hand_pay(
            hand_id=HAND, legs_by_account=nets(players, table, -501, 501, 0), currency="EUR"
        )
    assert Account.objects.filter(held_by=HAND).count() == 3


def test_w_01_a_banked_round_from_bets_to_payment(table: Table, players: list[Seated]) -> None:
    anna, bea, _ = players
    stake(anna, table, 200, "a1")  # ante 100 and its play stake
    stake(bea, table, 300, "b1")
    stake(bea, table, -100, "b2")  # takes a side bet down
    assert (balance(anna.seat), balance(bea.seat), balance(table.in_play)) == (300, 500, 400)
    paid = services.round_pay(
        hand_id=HAND,
        in_play_account_id=table.in_play,
        returned={anna.seat: 500, bea.seat: 0},
        bank_account_id=table.bank,
        staked_total=400,
        table_id=table.id,
    )
    assert (balance(anna.seat), balance(bea.seat)) == (800, 500)
    assert (balance(table.in_play), balance(table.bank)) == (0, -100)
    again = services.round_pay(
        hand_id=HAND,
        in_play_account_id=table.in_play,
        returned={anna.seat: 500, bea.seat: 0},
        bank_account_id=table.bank,
        staked_total=400,
        table_id=table.id,
    )
    assert again == (paid.transfer_id, True)


def test_a_round_pays_out_what_was_staked_in_it(table: Table, players: list[Seated]) -> None:
    stake(players[0], table, 200, "a1")
    stake(players[1], table, 900 - 200, "other", hand=HAND + 1)
    with pytest.raises(errors.StakesDiffer) as caught:
        services.round_pay(
            hand_id=HAND,
            in_play_account_id=table.in_play,
            returned={players[0].seat: 900},
            bank_account_id=table.bank,
            staked_total=900,
        )
    assert caught.value.staked_minor == 200


def test_a_voided_round_returns_every_stake_once(table: Table, players: list[Seated]) -> None:
    anna, bea, _ = players
    stake(anna, table, 200, "a1")
    stake(bea, table, 300, "b1")
    stake(bea, table, -100, "b2")
    voided = services.round_void(hand_id=HAND)
    assert services.round_void(hand_id=HAND) == (voided.transfer_id, True)
    assert [balance(player.seat) for player in players] == [500, 700, 900]
    assert balance(table.in_play) == 0


def test_w_01_a_round_is_settled_or_voided_never_both(table: Table, players: list[Seated]) -> None:
    def settle(hand: int) -> ledger.Posted:
        return services.round_pay(
            hand_id=hand,
            in_play_account_id=table.in_play,
            returned={},
            bank_account_id=table.bank,
            staked_total=200,
        )

    stake(players[0], table, 200, "a1")
    settle(HAND)
    with pytest.raises(errors.KeyReused) as caught:
        services.round_void(hand_id=HAND)
    assert caught.value.field == "kind"
    stake(players[1], table, 200, "b1", hand=HAND + 1)
    services.round_void(hand_id=HAND + 1)
    with pytest.raises(errors.KeyReused):
        settle(HAND + 1)
    assert balance(table.bank) == 200


def test_a_round_without_stakes_moves_nothing(table: Table) -> None:
    assert services.round_void(hand_id=HAND) == (None, False)
    paid = services.round_pay(
        hand_id=HAND,
        in_play_account_id=table.in_play,
        returned={},
        bank_account_id=table.bank,
        staked_total=0,
    )
    assert paid == (None, False)


def test_a_stake_is_taken_once_per_key(table: Table, players: list[Seated]) -> None:
    first = stake(players[0], table, 200, "a1")
    assert stake(players[0], table, 200, "a1") == first
    assert stake(players[0], table, 0, "a2") is None
    with pytest.raises(errors.KeyReused):
        stake(players[0], table, 300, "a1")
    assert balance(players[0].seat) == 300


def test_a_stake_comes_from_the_players_own_seat(table: Table, players: list[Seated]) -> None:
    anna, bea, _ = players
    with pytest.raises(errors.UnknownAccount):
        stake(Seated(bea.player, bea.cash, anna.seat), table, 200, "theft")


def test_staked_chips_cannot_be_bet_or_carried_away_twice(
    table: Table, players: list[Seated]
) -> None:
    anna = players[0]
    stake(anna, table, 500, "all")
    assert services.cash_out(player_id=anna.player, seat_account_id=anna.seat, key="run") == 0
    with pytest.raises(errors.InsufficientFunds) as caught:
        stake(anna, table, 1, "more")
    assert (caught.value.balance_minor, caught.value.asked_minor) == (0, 1)


def test_the_books_add_up_after_all_of_it(table: Table, players: list[Seated]) -> None:
    hold(players)
    services.hand_pay(
        hand_id=HAND,
        legs_by_account=nets(players, table, -500, 475, 0, rake=25),
        currency="EUR",
    )
    yen = new_table("JPY")
    carol = seated(yen, chips=900, currency="JPY")
    stake(carol, yen, 900, "c1", hand=HAND + 1)
    services.round_void(hand_id=HAND + 1)
    check = ledger_check()
    assert check.ok
    assert check.currencies == {"EUR": 0, "JPY": 0}
