"""W-05 at the tables: bonus money stakes in rounds against the house, and nowhere else."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.utils import timezone

from casino.core.models import LogEntry, Role, User
from tables import beliefs, jobs, selectors
from tables.engine.cards import FULL_DECK, parse_cards
from tables.models import Hand, Table
from tables.services import acting, dealing, expiring, seating, settling, voiding
from tests.conftest import superuser
from tests.tables.dealing_cast import (
    clock_to,
    dealt,
    move,
    player,
    run_out,
    seated,
    table,
    three_card_table,
)
from tests.wallets.conftest import agreed, staff
from wallets import bonuses, controlling, errors, limits, reconciling
from wallets import services as wallets
from wallets.models import BonusGrant, BonusWeight
from wallets.proving import ledger_check

pytestmark = pytest.mark.django_db(transaction=True)

CHIPS = 1_000
# Three spots' worth: pair of nines beats the dealer, who qualifies with a queen.
WINS = ("9c 9d 2h", "Qs 7h 3d")
LOSES = ("2c 5d 9h", "Ks Kd 3d")


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "send", lambda *task: True)


@pytest.fixture
def at() -> Table:
    return three_card_table()


@pytest.fixture
def ann(at: Table) -> User:
    who = player("ann")
    seated(at, who, chips_minor=CHIPS)
    return who


@pytest.fixture
def raw() -> Iterator["psycopg.Connection[tuple[object, ...]]"]:
    with superuser() as admin:
        admin.execute("SET session_replication_role = replica")
        yield admin


def give(who: User, amount: int = 500, **terms: Any) -> BonusGrant:
    number = User.objects.count()
    finance = User.objects.create(
        username=f"f{number}", display_name=f"F{number}", role=Role.FINANCE, is_staff=True
    )
    return bonuses.bonus_grant(
        **{
            "player_id": who.pk,
            "currency": "EUR",
            "amount_minor": amount,
            "wager_minor": 5_000,
            "funds": "cash_first",
            "expires_at": timezone.now() + timedelta(days=7),
            "key": f"g{uuid4()}",
            "by": finance,
            **terms,
        }
    )


def stacked(monkeypatch: pytest.MonkeyPatch, *hands: str) -> None:
    front = parse_cards(" ".join(hands).split())
    deck = front + [card for card in FULL_DECK if card not in front]
    monkeypatch.setattr(beliefs, "deck_open", lambda deck_id, dealing=None: deck)


def bet(at: Table, who: User, ante: int, **wagers: int) -> acting.Acted:
    return move(at, who, name="bet", wagers={"ante": ante, **wagers})


def closed(at: Table) -> None:
    """No more bets."""
    clock_to(at, 1_000)
    assert expiring.turn_expire(table_id=at.pk, turn_id=beliefs.read(at.pk).turn_id)


def parts(at: Table, who: User) -> tuple[int, int]:
    """Chips at the table, and bonus money."""
    seat = at.seats.get(player=who)
    purse = wallets.balances_of(account_ids=[seat.account_id])[seat.account_id]
    fund = bonuses.fund_of(player_id=who.pk, currency="EUR")
    return purse, 0 if fund is None else fund.balance_minor


def stack(at: Table, who: User) -> int:
    (seat,) = (
        one["stack_minor"]
        for one in selectors.table_snapshot(at.pk)["seats"]
        if one["player"] == who.display_name
    )
    return int(seat)


def settled(at: Table, hand: Hand) -> dict[str, Any]:
    assert settling.hand_settle(table_id=at.pk, hand_id=hand.pk)
    hand.refresh_from_db()
    assert hand.result is not None
    return dict(hand.result)


def test_a_seat_stakes_its_chips_first_and_then_the_bonus(
    at: Table, ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    grant = give(ann)
    stacked(monkeypatch, *WINS)
    hand = dealt(at)
    assert stack(at, ann) == CHIPS + 500
    bet(at, ann, 600)  # and 600 in reserve for Play: 1000 of his own, 200 of the bonus
    assert parts(at, ann) == (0, 300)
    closed(at)
    move(at, ann, name="play")
    assert settled(at, hand)["returned_minor"] == {"1": 2_400}
    assert parts(at, ann) == (2_000, 700)  # as staked, 5 : 1
    assert stack(at, ann) == 2_700
    assert bonuses.wagered(grant) == 1_200
    assert ledger_check().ok


def test_the_bonus_is_staked_first_when_the_grant_says_so(
    at: Table, ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    give(ann, funds="bonus_first")
    stacked(monkeypatch, *LOSES)
    hand = dealt(at)
    bet(at, ann, 200)
    assert parts(at, ann) == (CHIPS, 100)
    closed(at)
    move(at, ann, name="play")
    settled(at, hand)
    assert parts(at, ann) == (CHIPS, 100)


def test_a_fold_gives_the_reserved_part_back_to_where_it_came_from(at: Table, ann: User) -> None:
    give(ann, funds="bonus_first")
    hand = dealt(at)
    bet(at, ann, 400)  # 500 of the bonus, 300 of his own
    assert parts(at, ann) == (700, 0)
    closed(at)
    move(at, ann, name="fold")
    assert parts(at, ann) == (1_000, 100)  # what was used last came back first
    settled(at, hand)
    assert stack(at, ann) == 1_100


def test_a_silent_fold_does_too(at: Table, ann: User) -> None:
    give(ann, funds="bonus_first")
    hand = dealt(at)
    bet(at, ann, 400)
    run_out(at)
    assert parts(at, ann) == (1_000, 100)
    settled(at, hand)


def test_a_lower_bet_and_none_at_all_restore_both_parts(at: Table, ann: User) -> None:
    give(ann)
    dealt(at)
    bet(at, ann, 700)
    assert parts(at, ann) == (0, 100)
    bet(at, ann, 600)
    assert parts(at, ann) == (0, 300)
    move(at, ann, name="clear")
    assert parts(at, ann) == (CHIPS, 500)


def test_a_voided_round_restores_the_exact_split(at: Table, ann: User) -> None:
    grant = give(ann)
    hand = dealt(at)
    bet(at, ann, 600, pair_plus=100)
    assert parts(at, ann) == (0, 200)
    voiding.hand_void(table_id=at.pk, hand_id=hand.pk, reason="a card on the floor")
    assert (parts(at, ann), bonuses.wagered(grant)) == ((CHIPS, 500), 0)


def test_who_has_only_a_bonus_left_plays_on_and_who_has_nothing_sits_out(
    at: Table, ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    give(ann, amount=200)
    stacked(monkeypatch, *LOSES)
    hand = dealt(at)
    bet(at, ann, 500)
    closed(at)
    move(at, ann, name="play")
    settled(at, hand)
    assert parts(at, ann) == (0, 200)
    assert at.seats.get(player=ann).status == "playing"
    hand = dealt(at)
    bet(at, ann, 100)
    closed(at)
    move(at, ann, name="play")
    settled(at, hand)
    assert parts(at, ann) == (0, 0)
    assert at.seats.get(player=ann).status == "sitting_out"


def test_leaving_pays_the_chips_out_and_leaves_the_bonus(at: Table, ann: User) -> None:
    give(ann)
    assert seating.seat_leave(table_id=at.pk, player=ann) == CHIPS
    fund = bonuses.fund_of(player_id=ann.pk, currency="EUR")
    assert fund is not None
    assert fund.balance_minor == 500


def test_the_most_bet_of_a_bonus_counts_the_reserve(at: Table, ann: User) -> None:
    give(ann, funds="bonus_first", most_bet_minor=400)
    dealt(at)
    with pytest.raises(errors.BonusBetTooLarge):
        bet(at, ann, 300)
    bet(at, ann, 200)
    assert parts(at, ann) == (CHIPS, 100)


def test_a_bonus_given_during_a_round_plays_from_the_next_one(at: Table, ann: User) -> None:
    hand = dealt(at)
    give(ann, funds="bonus_first")
    bet(at, ann, 100)
    assert parts(at, ann) == (800, 500)
    run_out(at)
    settled(at, hand)
    dealt(at)
    bet(at, ann, 100)
    assert parts(at, ann) == (900, 300)


def test_an_expired_bonus_covers_no_bet(at: Table, ann: User, raw: Any) -> None:
    give(ann)
    dealt(at)
    raw.execute("UPDATE wallets_bonusgrant SET expires_at = now() - interval '1 s'")
    with pytest.raises(errors.InsufficientFunds):
        bet(at, ann, 600)
    bet(at, ann, 500)


def test_a_fold_after_the_end_of_the_bonus_returns_by_the_rule_of_the_bet(
    at: Table, ann: User, raw: Any
) -> None:
    give(ann, funds="bonus_first")
    dealt(at)
    bet(at, ann, 400)
    raw.execute("UPDATE wallets_bonusgrant SET expires_at = now() - interval '1 s'")
    assert bonuses.bonuses_due() == 1
    run_out(at)
    assert parts(at, ann)[0] == 1_000


def test_a_bonus_won_while_a_round_runs_is_the_players_in_that_round_too(
    at: Table, ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    grant = give(ann, 400, funds="bonus_first", wager_minor=400)
    stacked(monkeypatch, *WINS)
    hand = dealt(at)
    bet(at, ann, 200)
    closed(at)
    move(at, ann, name="play")
    settled(at, hand)
    hand = dealt(at)
    bet(at, ann, 200)  # all of it bonus money
    assert bonuses.bonuses_due() == 1
    grant.refresh_from_db()
    assert grant.status == "won"
    cash = wallets.player_account(player_id=ann.pk, currency="EUR")
    before = wallets.balances_of(account_ids=[cash])[cash]
    closed(at)
    move(at, ann, name="play")
    settled(at, hand)
    bonuses.bonuses_due()
    assert wallets.balances_of(account_ids=[cash])[cash] == before + 800
    assert ledger_check().ok


def test_a_round_that_moved_nothing_is_undone_once(
    at: Table, ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    grant = give(ann)
    stacked(monkeypatch, "Qs 7h 3d", "Qd 7s 3h")
    hand = dealt(at)
    bet(at, ann, 100)
    closed(at)
    move(at, ann, name="play")
    assert settled(at, hand)["returned_minor"] == {"1": 200}
    asked = [
        controlling.reversal_ask(hand_id=hand.pk, reason="misdeal", by=staff()) for _ in range(2)
    ]
    voiding.hand_reverse(approval_id=agreed(asked[0]), by=None)
    assert bonuses.wagered(grant) == 0
    with pytest.raises(errors.WalletError):
        voiding.hand_reverse(approval_id=agreed(asked[1]), by=None)
    assert LogEntry.objects.filter(kind="hand.reversed").count() == 1


def test_a_game_counts_as_much_as_its_weight_says(at: Table, ann: User) -> None:
    grant = give(ann)
    BonusWeight.objects.create(game="three_card_poker", weight_bp=1_000)
    hand = dealt(at)
    bet(at, ann, 100)
    closed(at)
    move(at, ann, name="play")
    settled(at, hand)
    assert bonuses.wagered(grant) == 20


def test_one_bonus_at_two_tables_is_spent_once(at: Table, ann: User) -> None:
    other = three_card_table(name="another")
    seating.seat_take(table_id=other.pk, player=ann, seat=None, buy_in_minor=200, key="second")
    give(ann)
    for place in (at, other):
        dealt(place)
    bet(at, ann, 700)
    assert parts(at, ann) == (0, 100)
    with pytest.raises(errors.InsufficientFunds):
        bet(other, ann, 200)  # 400: 200 of his own, and 200 of the 100 that are left
    bet(other, ann, 100)


def test_no_hand_among_players_sees_bonus_money() -> None:
    ring = table()
    ann, bob = player("ann"), player("bob")
    seated(ring, ann, bob, chips_minor=CHIPS)
    give(ann)
    hand = dealing.hand_open(table_id=ring.pk, number=1)
    assert hand is not None
    assert {seat["stack_minor"] for seat in hand.seats.values()} == {CHIPS}
    assert all("bonus" not in seat for seat in hand.seats.values())


def test_limits_bar_a_bet_of_bonus_money_alone(at: Table, ann: User) -> None:
    give(ann, funds="bonus_first")
    hand = dealt(at)
    limits.spend_limit_set(
        player_id=ann.pk, kind="loss", currency="EUR", window_days=1, most_minor=0
    )
    with pytest.raises(errors.LossLimitReached):
        bet(at, ann, 100)
    assert hand.status == "open"


def test_the_books_and_the_floor_agree_on_a_round_with_bonus_money(
    at: Table, ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    give(ann)
    stacked(monkeypatch, *WINS)
    hand = dealt(at)
    bet(at, ann, 600)
    assert reconciling.reconcile().ok
    closed(at)
    move(at, ann, name="play")
    settled(at, hand)
    kept = reconciling.reconcile()
    assert kept.ok, kept.checks
