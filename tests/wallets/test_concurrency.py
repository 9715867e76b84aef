"""Many hands in the till at once."""

from __future__ import annotations

from functools import partial

from tests.wallets.conftest import Table, at_once, balance, new_table, seated
from wallets import errors, ledger, services
from wallets.ledger import Leg, Posted
from wallets.models import Transfer
from wallets.proving import ledger_check

HAND = 12


def test_one_key_from_twenty_threads_moves_the_money_once(table: Table) -> None:
    anna = seated(table)
    pay_in = partial(
        services.deposit,
        player_id=anna.player,
        amount_minor=10,
        currency="EUR",
        key="k",
        actor_id=None,
    )
    answers = at_once([pay_in] * 20, threads=20)
    assert [type(answer) for answer in answers] == [Posted] * 20
    assert len({answer.transfer_id for answer in answers}) == 1
    assert [answer.replayed for answer in answers].count(False) == 1
    assert balance(anna.cash) == 10


def test_two_hundred_stakes_against_money_for_fifty(table: Table) -> None:
    anna = seated(table, chips=50)
    stakes = [
        partial(
            ledger.stake,
            services.stake_packed(
                hand_id=HAND,
                key=f"s{n}",
                seat_account_id=anna.seat,
                in_play_account_id=table.in_play,
                player_id=anna.player,
                amount_minor=1,
            ),
        )
        for n in range(200)
    ]
    answers = at_once(stakes, threads=20)
    refused = [answer for answer in answers if isinstance(answer, errors.InsufficientFunds)]
    assert len(refused) == 150
    assert sum(isinstance(answer, int) for answer in answers) == 50
    assert (balance(anna.seat), balance(table.in_play)) == (0, 50)


def test_w_04_opposite_transfers_do_not_deadlock(table: Table) -> None:
    one, two = services.cage_account(currency="EUR"), table.bank

    def move(n: int, source: int, target: int, amount: int) -> Posted:
        return ledger.post(
            key=f"{source}:{n}",
            kind="float",
            legs=[Leg(target, amount), Leg(source, -amount)],
        )

    calls = [
        call
        for n in range(200)
        for call in (partial(move, n, one, two, 10), partial(move, n, two, one, 5))
    ]
    answers = at_once(calls, threads=8)
    assert [answer for answer in answers if not isinstance(answer, Posted)] == []
    assert (balance(one), balance(two)) == (-1_000, 1_000)


def test_w_04_fifty_writers_keep_the_books_level(table: Table) -> None:
    players = [seated(table, cash=1_000) for _ in range(50)]
    other = new_table()

    def play(n: int) -> None:
        player = players[n]
        for hand in (n * 2, n * 2 + 1):
            services.buy_in(
                player_id=player.player,
                seat_account_id=player.seat,
                amount_minor=40,
                key=f"b{hand}",
            )
            ledger.stake(
                services.stake_packed(
                    hand_id=hand,
                    key=f"s{hand}",
                    seat_account_id=player.seat,
                    in_play_account_id=other.in_play,
                    player_id=player.player,
                    amount_minor=20,
                )
            )
            services.round_pay(
                hand_id=hand,
                in_play_account_id=other.in_play,
                returned={player.seat: hand % 3 * 20},
                bank_account_id=other.bank,
                staked_total=20,
            )
            services.cash_out(player_id=player.player, seat_account_id=player.seat, key=f"c{hand}")

    answers = at_once([partial(play, n) for n in range(50)], threads=50)
    assert [answer for answer in answers if answer is not None] == []
    assert balance(other.in_play) == 0
    check = ledger_check()
    assert check.ok, check.as_json()


def test_settling_twice_at_once_pays_once(table: Table) -> None:
    players = [seated(table, chips=100) for _ in range(2)]
    services.stakes_hold(hand_id=HAND, seat_account_ids=[player.seat for player in players])
    pay = partial(
        services.hand_pay,
        hand_id=HAND,
        legs_by_account={players[0].seat: -60, players[1].seat: 60},
        currency="EUR",
    )
    answers = at_once([pay] * 8, threads=8)
    assert sorted(answer.replayed for answer in answers) == [False] + [True] * 7
    assert [balance(player.seat) for player in players] == [40, 160]
    assert Transfer.objects.filter(hand_id=HAND).count() == 1


def test_leaving_twice_at_once_pays_once(table: Table) -> None:
    anna = seated(table, chips=100)
    leave = partial(
        services.cash_out, player_id=anna.player, seat_account_id=anna.seat, key="leave"
    )
    assert at_once([leave] * 8, threads=8) == [100] * 8
    assert balance(anna.cash) == 100


def test_an_account_opened_by_many_at_once_is_one(table: Table) -> None:
    anna = seated(table)
    open_account = partial(services.player_account, player_id=anna.player, currency="PLN")
    assert len(set(at_once([open_account] * 12, threads=12))) == 1


def test_two_resolutions_at_once_resolve_once(table: Table) -> None:
    anna = seated(table, cash=500)
    asked = services.withdrawal_request(
        player_id=anna.player, amount_minor=200, currency="EUR", key="w", actor_id=None
    )
    assert asked.transfer_id is not None
    calls = [
        partial(
            services.pending_resolve,
            transfer_id=asked.transfer_id,
            outcome="post" if n % 2 else "void",
            key=f"r{n}",
            actor_id=None,
        )
        for n in range(8)
    ]
    answers = at_once(calls, threads=8)
    assert sorted(type(answer).__name__ for answer in answers) == ["AlreadyResolved"] * 7 + [
        "Posted"
    ]
