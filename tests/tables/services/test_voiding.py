import pytest

from casino.core.approvals import approval_approve
from casino.core.errors import RoleMissing
from casino.core.models import LogEntry, Role
from tables import beliefs
from tables.engine.errors import NeedsOpeners
from tables.engine.poker import entering
from tables.errors import HandNotInPlay, PotStillCarried, ReasonMissing
from tables.models import Event, Hand
from tables.services import expiring, floor, moving, settling, voiding
from tests.core.cast import person
from tests.tables.dealing_cast import (
    clock_to,
    dealt,
    move,
    player,
    seated,
    table,
    three_card_table,
)  # fmt: skip
from wallets import controlling, ledger
from wallets import services as wallets
from wallets.models import Purpose
from wallets.proving import ledger_check
from wallets.reconciling import reconcile

pytestmark = pytest.mark.django_db(transaction=True)


def chips(at) -> list[int]:
    accounts = [seat.account_id for seat in at.seats.order_by("number")]
    balances = wallets.balances_of(account_ids=accounts)
    return [balances[account] for account in accounts]


def test_everyone_gets_back_what_he_put_in_folded_or_not():
    at = table()
    seated(at, *(player(f"p{n}") for n in range(3)))
    hand = dealt(at)
    move(at, name="raise", to_minor=2_000)
    move(at, name="call")
    move(at, name="fold")
    voiding.hand_void(table_id=at.pk, hand_id=hand.pk, reason="a card was seen")
    assert chips(at) == [10_000] * 3
    hand.refresh_from_db()
    assert hand.status == "voided"
    assert beliefs.read(at.pk).hand_id is None
    assert '"hand_voided"' in Event.objects.latest("seq").events
    assert LogEntry.objects.filter(kind="hand.voided").exists()
    assert ledger_check().ok


def test_a_voided_banked_round_returns_stakes_and_reserves():
    at = three_card_table()
    alice = player("alice")
    seated(at, alice)
    hand = dealt(at)
    move(at, alice, name="bet", wagers={"ante": 1_000, "pair_plus": 500})
    turn_id = beliefs.read(at.pk).turn_id
    clock_to(at, 400)
    expiring.turn_expire(table_id=at.pk, turn_id=turn_id)
    voiding.hand_void(table_id=at.pk, hand_id=hand.pk, reason="misdeal")
    assert chips(at) == [10_000]
    assert ledger_check().ok


@pytest.mark.parametrize("game", ["ring", "banked"])
def test_a_draining_table_whose_last_hand_is_voided_closes_and_pays_everybody_out(game):
    at = table() if game == "ring" else three_card_table()
    seated(at, player("alice"), player("bob"))
    hand = dealt(at)
    floor.table_drain(table_id=at.pk)
    voiding.hand_void(table_id=at.pk, hand_id=hand.pk, reason="the deck is damaged")
    at.refresh_from_db()
    assert (at.status, at.hand_id, at.seats.count()) == ("closed", None, 0)
    assert ledger_check().ok


def test_a_carried_pot_of_a_draining_table_is_shared_when_its_last_hand_is_voided():
    options = {"limit": "fixed", "small_bet_minor": 100, "ante_minor": 20}
    at = table("gardena_jackpots", options)
    people = [player(f"p{n}") for n in range(3)]
    seated(at, *people)
    first = dealt(at)
    while not beliefs.read(at.pk).finished:
        move(at, name="check")
    settling.hand_settle(table_id=at.pk, hand_id=first.pk)
    second = dealt(at)
    assert second.carry["carry_minor"] == 60
    floor.table_drain(table_id=at.pk)
    voiding.hand_void(table_id=at.pk, hand_id=second.pk, reason="a card was seen")
    at.refresh_from_db()
    assert (at.status, at.carry) == ("closed", None)
    cash = [wallets.player_account(player_id=one.pk, currency="EUR") for one in people]
    assert set(wallets.balances_of(account_ids=cash).values()) == {100_000}
    assert ledger_check().ok


def test_a_hand_is_not_undone_while_its_pot_is_carried_and_books_and_floor_agree_after_it(
    monkeypatch,
):
    monkeypatch.setattr("tables.engine.fairness.shuffle", aces_first)
    options = {"limit": "fixed", "small_bet_minor": 100, "ante_minor": 20}
    at = table("gardena_jackpots", options)
    people = [player(f"p{n}") for n in range(3)]
    seated(at, *people)
    hands = [dealt(at)]
    while not beliefs.read(at.pk).finished:
        move(at, name="check")
    settling.hand_settle(table_id=at.pk, hand_id=hands[0].pk)
    asked = [undoing(hands[0])]
    with pytest.raises(PotStillCarried):
        voiding.hand_reverse(approval_id=asked[0], by=None)
    hands.append(dealt(at))
    while not beliefs.read(at.pk).finished:
        opened_or_folded(at)
    settling.hand_settle(table_id=at.pk, hand_id=hands[1].pk)
    voiding.hand_reverse(approval_id=asked[0], by=None)
    assert sorted(chips(at)) == [9_960, 9_960, 10_080]
    cash = [wallets.player_account(player_id=one.pk, currency="EUR") for one in people]
    assert set(wallets.balances_of(account_ids=cash).values()) == {90_020}
    assert ledger_check().ok
    assert reconcile().ok


def test_a_hand_whose_carried_pot_was_shared_is_undone_with_the_shares():
    options = {"limit": "fixed", "small_bet_minor": 100, "ante_minor": 20}
    at = table("gardena_jackpots", options)
    people = [player(f"p{n}") for n in range(3)]
    seated(at, *people)
    hands = []
    for _ in range(2):
        hands.append(dealt(at))
        while not beliefs.read(at.pk).finished:
            move(at, name="check")
        settling.hand_settle(table_id=at.pk, hand_id=hands[-1].pk)
    third = dealt(at)
    voiding.hand_void(table_id=at.pk, hand_id=third.pk, reason="a card was seen")
    floor.table_close(table_id=at.pk)
    cash = [wallets.player_account(player_id=one.pk, currency="EUR") for one in people]
    assert set(wallets.balances_of(account_ids=cash).values()) == {100_000}
    for hand in reversed(hands):
        voiding.hand_reverse(approval_id=undoing(hand), by=None)
    assert set(wallets.balances_of(account_ids=cash).values()) == {100_000}
    house = ledger.account_open(purpose=Purpose.ADJUSTMENTS, currency="EUR")
    assert wallets.balances_of(account_ids=[house, at.accounts["in_play"]]) == {
        house: 0, at.accounts["in_play"]: 0,
    }  # fmt: skip
    assert ledger_check().ok
    assert reconcile().ok


def opened_or_folded(at) -> None:
    """Who has a pair of aces opens, everybody else checks or folds."""
    play = beliefs.read(at.pk).hand()
    names = [choice["name"] for choice in play.legal(play.waiting[0])]
    try:
        move(at, name="bet" if "bet" in names else "fold")
    except NeedsOpeners:
        move(at, name="check")


def test_what_a_move_costs_after_a_void_is_reckoned_by_the_blinds_before_the_voided_hand():
    at = table(max_seats=6)
    seated(at, *[player(f"p{n}") for n in range(3)])
    dealt(at)
    while not beliefs.read(at.pk).finished:
        move(at, name="fold")
    settling.hand_settle(table_id=at.pk, hand_id=Hand.objects.get().pk)
    hand = dealt(at)
    at.refresh_from_db()
    was = at.positions["big"]
    big = at.seats.get(number=was)
    moving.seat_change(table_id=at.pk, player=big.player, to=5)
    voiding.hand_void(table_id=at.pk, hand_id=hand.pk, reason="a card was seen")
    big.refresh_from_db()
    at.refresh_from_db()
    is_nearer = entering.passed(at.positions["big"], 5, was)
    assert (big.number, big.owes_big) == (5, not is_nearer)


def aces_first(cards, seed) -> list[int]:
    return sorted(cards, reverse=True)


def undoing(hand):
    by, other = person(f"asks{hand.pk}", Role.FINANCE), person(f"agrees{hand.pk}", Role.ADMIN)
    asked = controlling.reversal_ask(hand_id=hand.pk, reason="a card was marked", by=by)
    return approval_approve(approval_id=asked.pk, by=other).pk


def test_a_voided_hand_is_not_settled_and_a_settled_one_not_voided():
    at = table()
    seated(at, player("alice"), player("bob"))
    first = dealt(at)
    move(at, name="fold")
    voiding.hand_void(table_id=at.pk, hand_id=first.pk, reason="misdeal")
    assert not settling.hand_settle(table_id=at.pk, hand_id=first.pk)
    second = dealt(at)
    move(at, name="fold")
    settling.hand_settle(table_id=at.pk, hand_id=second.pk)
    with pytest.raises(HandNotInPlay):
        voiding.hand_void(table_id=at.pk, hand_id=second.pk, reason="too late")


def test_a_void_needs_a_reason_and_a_role():
    at = table()
    seated(at, player("alice"), player("bob"))
    hand = dealt(at)
    with pytest.raises(ReasonMissing):
        voiding.hand_void(table_id=at.pk, hand_id=hand.pk, reason=" ")
    with pytest.raises(RoleMissing):
        voiding.hand_void(
            table_id=at.pk, hand_id=hand.pk, reason="why", by=person("Dora", Role.DEALER)
        )
    assert Hand.objects.get().status == "open"


def test_the_table_deals_on_after_a_void():
    at = table()
    seated(at, player("alice"), player("bob"))
    hand = dealt(at)
    voiding.hand_void(table_id=at.pk, hand_id=hand.pk, reason="misdeal")
    assert dealt(at).number == hand.number + 1
