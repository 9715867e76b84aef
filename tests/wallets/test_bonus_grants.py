"""docs/rules/banked.md 8.5: of one player's grants each gets what it staked, ended or not."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import psycopg
import pytest
from django.utils import timezone

from casino.core.errors import ApprovalNotOpen
from casino.core.models import Role
from tests.wallets.conftest import Seated, Table, agreed, at_once, balance, seated, staff
from tests.wallets.test_bonuses import fund, give, parts, pay, stake
from wallets import bonuses, controlling, errors, ledger, services
from wallets.models import BonusGrant, ControlBand, Leg, Transfer
from wallets.proving import ledger_check

Raw = psycopg.Connection[Any]


@pytest.fixture
def anna(table: Table) -> Seated:
    return seated(table, cash=100, chips=300)


def house() -> int:
    return balance(ledger.account_open(purpose="adjustments", currency="EUR"))


def give_up(anna: Seated, grant: BonusGrant) -> None:
    bonuses.bonus_forfeit(player_id=anna.player, grant_id=grant.pk)


def undo(hand: int) -> None:
    asked = controlling.reversal_ask(hand_id=hand, reason="misdeal", by=staff())
    controlling.hand_reverse(approval_id=agreed(asked), by=None)


def test_a_new_grant_gets_nothing_of_what_an_ended_one_had_at_stake(
    table: Table, anna: Seated
) -> None:
    old = give(anna, funds="bonus_first")
    stake(anna, table, 200)
    give_up(anna, old)
    give(anna, 50)
    pay(anna, table, 200, 500)
    assert (parts(anna), balance(anna.cash)) == ((300, 50), 100)
    assert house() == 500 - 200 - 50
    after = Transfer.objects.get(kind="bonus_forfeited")
    assert (after.hand_id, after.key) == (1, f"bonus:{old.pk}:after:{after.pk - 1}")
    assert ledger_check().ok


def test_what_a_won_grant_has_still_at_stake_is_the_players_own(table: Table, anna: Seated) -> None:
    give(anna, funds="bonus_first", wager_minor=100)
    stake(anna, table, 100, hand=1)
    stake(anna, table, 100, hand=2)
    pay(anna, table, 100, 0, hand=1)
    assert bonuses.bonuses_due() == 1
    give(anna, 70)
    pay(anna, table, 100, 260, hand=2)
    assert (parts(anna), balance(anna.cash)) == ((300, 70), 360)
    assert ledger_check().ok


def test_two_grants_in_one_round_get_back_what_each_staked(table: Table, anna: Seated) -> None:
    old = give(anna, 100, funds="bonus_first")
    stake(anna, table, 100)
    give_up(anna, old)
    new = give(anna, 60, funds="bonus_first")
    stake(anna, table, 200)
    assert parts(anna) == (160, 0)
    had = house()
    pay(anna, table, 300, 601)  # 100 : 60 : 140, the odd unit his own
    assert (parts(anna), house() - had) == ((160 + 281, 120), 200)
    assert [part.amount_minor for part in new.parts.order_by("pk")] == [-60, 120]
    assert ledger_check().ok


def test_a_bet_taken_back_is_of_the_newest_grant_first(table: Table, anna: Seated) -> None:
    old = give(anna, 100, funds="cash_first")
    stake(anna, table, 400)
    give_up(anna, old)
    give(anna, 60, funds="cash_first")
    stake(anna, table, 60)
    had = house()
    stake(anna, table, -70)
    assert (parts(anna), house() - had) == ((0, 60), 10)
    stake(anna, table, -390, key="rest")
    assert (parts(anna), house() - had) == ((300, 60), 100)
    stake(anna, table, -390, key="rest")
    assert (parts(anna), balance(table.in_play)) == ((300, 60), 0)
    with pytest.raises(errors.StakesDiffer):
        stake(anna, table, -1)
    assert ledger_check().ok


def test_a_void_gives_each_grant_its_own(table: Table, anna: Seated) -> None:
    old = give(anna, 100, funds="bonus_first")
    stake(anna, table, 100)
    give_up(anna, old)
    give(anna, 60, funds="bonus_first")
    stake(anna, table, 60)
    had = house()
    for _ in range(2):
        services.round_void(hand_id=1)
    assert (parts(anna), house() - had) == ((300, 60), 100)
    assert ledger_check().ok


@pytest.mark.parametrize("returned", [0, 260])
def test_undoing_a_round_leaves_a_later_grant_alone(
    table: Table, anna: Seated, returned: int
) -> None:
    old = give(anna, 200, funds="bonus_first")
    stake(anna, table, 200)
    pay(anna, table, 200, returned)
    give_up(anna, old)
    give(anna, 60)
    undo(1)
    assert (parts(anna), balance(anna.cash)) == ((300, 60), 100)
    assert (house(), balance(table.bank)) == (-60, 0)  # the old 200 came back
    assert ledger_check().ok


def test_undoing_a_round_takes_from_the_cash_what_its_grant_has_won(
    table: Table, anna: Seated
) -> None:
    give(anna, 200, funds="bonus_first", wager_minor=200)
    stake(anna, table, 200)
    pay(anna, table, 200, 300)
    bonuses.bonuses_due()
    assert balance(anna.cash) == 400
    services.withdraw(
        player_id=anna.player, amount_minor=350, currency="EUR", key="out", actor_id=None
    )
    give(anna, 60)
    undo(1)
    owed = ledger.account_open(purpose="receivable", currency="EUR", player_id=anna.player)
    assert (parts(anna), balance(anna.cash), balance(owed)) == ((300, 60), 0, -50)
    assert ledger_check().ok


def test_seat_and_bonus_do_not_owe_from_the_same_cash_twice(table: Table, anna: Seated) -> None:
    give(anna, 100, funds="bonus_first", most_bet_minor=1_000)
    stake(anna, table, 200)
    pay(anna, table, 200, 600)
    assert parts(anna) == (500, 300)
    stake(anna, table, 800, hand=2)
    pay(anna, table, 800, 0, hand=2)
    undo(1)
    owed = ledger.account_open(purpose="receivable", currency="EUR", player_id=anna.player)
    assert (parts(anna), balance(anna.cash), balance(owed)) == ((0, 0), 0, -300)
    assert ledger_check().ok


def test_bets_made_before_a_grant_do_not_count_towards_it(table: Table, anna: Seated) -> None:
    old = give(anna, 100)
    stake(anna, table, 50)
    give_up(anna, old)
    new = give(anna, 60)
    stake(anna, table, 20)
    pay(anna, table, 70, 0)
    assert (bonuses.wagered(old), bonuses.wagered(new)) == (0, 20)


def test_a_part_of_a_unit_does_not_count_towards_a_grant(table: Table, anna: Seated) -> None:
    grant = give(anna)
    stake(anna, table, 240)
    pay(anna, table, 240, 0, weight_bp=333)  # 7.992
    assert bonuses.wagered(grant) == 7


def test_each_grant_keeps_its_own_whatever_comes_first(table: Table) -> None:
    """A round is paid, another voided, a bet taken back, while a grant ends and a new one is given.

    Whatever wins the race, the new grant holds its own amount and no other unit."""
    for turn in range(4):
        anna = seated(table, chips=300)
        old = give(anna, 90, funds="bonus_first")
        first = 100 * turn + 11
        for hand in (first, first + 1, first + 2):
            stake(anna, table, 30, hand=hand)
        packed = services.stake_packed(
            hand_id=first + 2, key=f"back{turn}", seat_account_id=anna.seat,
            in_play_account_id=table.in_play, player_id=anna.player, amount_minor=-30,
            bonus_account_id=fund(anna),
        )  # fmt: skip

        def change(anna: Seated = anna, old: BonusGrant = old) -> None:
            give_up(anna, old)
            give(anna, 40)

        answers = at_once(
            [
                change,
                lambda anna=anna, hand=first: pay(anna, table, 30, 70, hand=hand),
                lambda hand=first + 1: services.round_void(hand_id=hand),
                lambda packed=packed: ledger.stake(packed),
            ],
            threads=4,
        )
        assert not [answer for answer in answers if isinstance(answer, Exception)]
        assert (parts(anna), balance(table.in_play)) == ((300, 40), 0)
    assert ledger_check().ok


def test_the_books_miss_a_part_that_was_taken_out(
    table: Table, anna: Seated, superuser: Raw
) -> None:
    give(anna, funds="bonus_first")
    posted = stake(anna, table, 50)
    superuser.execute("UPDATE wallets_bonuspart SET amount_minor = -49")
    assert ledger_check().faults == {"bonus_leg_that_no_grant_explains": [posted]}


def test_whose_money_is_at_stake_is_never_rewritten(table: Table, anna: Seated, owner: Raw) -> None:
    give(anna, funds="bonus_first")
    stake(anna, table, 50)
    for deed in ("UPDATE wallets_bonuspart SET hand_id = 2", "DELETE FROM wallets_bonuspart"):
        with pytest.raises(psycopg.Error) as caught:
            owner.execute(deed)
        assert caught.value.sqlstate == "LG001"
    assert Leg.objects.filter(transfer__kind="stake").count() == 2


def test_neither_code_nor_database_lets_one_person_give_what_need_not_be_staked(
    table: Table, anna: Seated
) -> None:
    terms = {
        "player_id": anna.player, "currency": "EUR", "amount_minor": 200, "wager_minor": 199,
        "funds": "cash_first", "expires_at": timezone.now() + timedelta(days=1),
        "by": staff(Role.FINANCE),
    }  # fmt: skip
    with pytest.raises(errors.BonusNeedsAnother):
        bonuses.bonus_grant(key="alone", **terms)
    asked = bonuses.bonus_ask(reason="a gift", **terms)
    said = asked.payload["terms"]
    for key, facts in (("alone", said), (f"approval:{asked.pk}:bonus", said)):
        with pytest.raises(errors.BonusNeedsAnother):  # nobody has agreed yet
            bonuses.granted(key, anna.player, "EUR", facts, terms["by"])
    approval = agreed(asked)
    controlling.bonus_agreed(approval_id=approval, by=None)
    with pytest.raises(ApprovalNotOpen):
        controlling.bonus_agreed(approval_id=approval, by=None)


def test_a_house_with_bands_bounds_what_one_person_gives(table: Table, anna: Seated) -> None:
    ControlBand.objects.create(deed="bonus", role="finance", currency_id="EUR", most_minor=150)
    with pytest.raises(errors.BonusNeedsAnother):
        give(anna, 151)
    give(anna, 150)
