"""The bank holds the worst case of every round: a bet beyond it is refused."""

from typing import Any

import pytest
from django.db import connection

from tables import jobs
from tables.engine.banked.errors import PayoutTooLarge
from tables.errors import BankTooShort
from tables.models import Table
from tables.services import settling
from tests.tables.dealing_cast import (
    THREE_CARD,
    dealt,
    move,
    player,
    run_out,
    seated,
    table,
    three_card_table,
)
from wallets import services as wallets
from wallets.errors import BankCannotCover

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "send", lambda *task: True)


def held(at: Table, purpose: str) -> int:
    account = at.accounts[purpose]
    return wallets.balances_of(account_ids=[account])[account]


def covered(at: Table) -> int | None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT amount_minor FROM wallets_cover WHERE account_id = %s", [at.accounts["bank"]]
        )
        row = cursor.fetchone()
    return None if row is None else int(row[0])


def bet(at: Table, who: Any, **wagers: int) -> None:
    move(at, who, name="bet", wagers=wagers)


def test_the_bank_holds_what_the_bets_can_cost() -> None:
    at, ann, bob = three_card_table(), player("ann"), player("bob")
    seated(at, ann, bob)
    hand = dealt(at)
    bet(at, ann, ante=100)
    assert covered(at) == 700
    bet(at, bob, pair_plus=200)
    assert covered(at) == 700 + 40 * 200
    move(at, ann, name="clear")
    assert covered(at) == 40 * 200
    run_out(at)
    settling.hand_settle(table_id=at.pk, hand_id=hand.pk)
    assert covered(at) is None


def test_a_bet_beyond_the_bank_is_refused_with_what_is_possible() -> None:
    at, ann = three_card_table(float_minor=41_000), player("ann")
    seated(at, ann)
    dealt(at)
    with pytest.raises(BankTooShort) as refused:
        bet(at, ann, ante=300, pair_plus=1_500)
    error = refused.value
    assert (error.worst_case_minor, error.bank_minor) == (62_100, 41_000)
    assert error.possible == {"ante": 0, "pair_plus": 900}
    assert held(at, "in_play") == 0
    bet(at, ann, ante=300, pair_plus=error.possible["pair_plus"])
    assert covered(at) == 300 * 7 + 900 * 40
    assert held(at, "in_play") == 1_500


def test_what_others_have_bet_counts() -> None:
    at, ann, bob = three_card_table(float_minor=41_000), player("ann"), player("bob")
    seated(at, ann, bob)
    dealt(at)
    bet(at, ann, pair_plus=800)
    with pytest.raises(BankTooShort) as refused:
        bet(at, bob, pair_plus=800)
    assert refused.value.possible == {"pair_plus": 200}
    bet(at, ann, pair_plus=100)
    bet(at, bob, pair_plus=800)


def test_a_lower_bet_is_taken_though_the_bank_is_short_by_now() -> None:
    at, ann = three_card_table(float_minor=40_000), player("ann")
    seated(at, ann)
    dealt(at)
    bet(at, ann, pair_plus=1_000)
    bank = at.accounts["bank"]
    with pytest.raises(BankCannotCover):
        wallets.table_float(bank_account_id=bank, amount_minor=-1, key="out", actor_id=None)
    bet(at, ann, pair_plus=900)
    wallets.table_float(bank_account_id=bank, amount_minor=-4_000, key="out", actor_id=None)
    with pytest.raises(BankTooShort):
        bet(at, ann, pair_plus=1_000)
    bet(at, ann, pair_plus=800)


def test_what_moves_no_chips_is_covered_too() -> None:
    at, ann = three_card_table(float_minor=50_000), player("ann")
    seated(at, ann)
    dealt(at)
    bet(at, ann, ante=100, pair_plus=100, six_card=0)
    with pytest.raises(BankTooShort):
        bet(at, ann, ante=100, six_card=100)
    assert covered(at) == 700 + 4_000


def test_announced_maxima_are_kept_at_the_bet() -> None:
    options = {**THREE_CARD, "most_spot_minor": 30_000, "most_round_minor": 50_000}
    at = three_card_table()
    Table.objects.filter(pk=at.pk).update(options=options)
    ann, bob = player("ann"), player("bob")
    seated(at, ann, bob)
    dealt(at)
    with pytest.raises(PayoutTooLarge) as refused:
        bet(at, ann, ante=100, pair_plus=800)
    assert (refused.value.scope, refused.value.possible["pair_plus"]) == ("spot", 700)
    bet(at, ann, ante=100, pair_plus=700)
    with pytest.raises(PayoutTooLarge) as refused:
        bet(at, bob, ante=100, pair_plus=700)
    assert (refused.value.scope, refused.value.possible["pair_plus"]) == ("round", 500)


def test_a_table_between_players_needs_no_bank() -> None:
    at = table()
    seated(at, player("ann"), player("bob"))
    dealt(at)
    move(at, name="fold")
    assert covered(at) is None
