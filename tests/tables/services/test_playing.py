"""What the house gives a hand that is in play: fresh orders, more dice; and pots nobody wins."""

import pytest

from tables import beliefs
from tables.models import Deck, Event, Hand
from tables.services import dealing, floor, seating, settling
from tests.tables.dealing_cast import CURRENCY, dealt, move, player, seated, table
from wallets import services as wallets
from wallets.proving import ledger_check

pytestmark = pytest.mark.django_db(transaction=True)
KING_OF_HEARTS = 4 * 11 + 2


def opened(game: str, options: dict, seats: int):
    at = table(game, options, max_seats=seats)
    players = [player(f"p{n}") for n in range(seats)]
    seated(at, *players, chips_minor=20_000)
    return at, players


def test_a_draw_that_runs_the_deck_out_is_served_from_the_muck_in_a_fresh_order():
    at, _ = opened("triple_draw_27", {"limit": "fixed", "big_blind_minor": 100}, 6)
    dealt(at)
    while not beliefs.read(at.pk).finished:
        hand = beliefs.read(at.pk).hand()
        choices = hand.legal(hand.waiting[0])
        names = [choice["name"] for choice in choices]
        if "draw" in names:
            move(at, name="draw", cards=[0, 1, 2, 3, 4])
        else:
            move(at, name="check" if "check" in names else "call")
    types = "".join(Event.objects.values_list("events", flat=True))
    assert "muck_reshuffled" in types
    settling.hand_settle(table_id=at.pk, hand_id=Hand.objects.get().pk)
    assert ledger_check().ok


def test_dice_are_committed_again_when_a_hand_has_used_them_up(monkeypatch):
    monkeypatch.setattr("tables.rules.DICE_AT_ONCE", 12)
    at, _ = opened("bluff_common", {"ante_minor": 100}, 2)
    hand = dealt(at)
    for _ in range(40):
        if beliefs.read(at.pk).finished:
            break
        play = beliefs.read(at.pk).hand()
        choices = {choice["name"]: choice for choice in play.legal(play.waiting[0])}
        if "challenge" in choices:
            move(at, name="challenge")
        else:
            least = choices["bid"]["least"]
            move(at, name="bid", quantity=least["quantity"], face=least["face"])
    assert beliefs.read(at.pk).finished
    decks = Hand.objects.get(pk=hand.pk).more_decks
    assert len(decks) >= 2
    assert Deck.objects.filter(pk__in=decks, status="dealt").count() == len(decks)
    settling.hand_settle(table_id=at.pk, hand_id=hand.pk)
    assert ledger_check().ok


def test_who_has_less_than_the_ante_is_not_dealt_in_at_liars_dice():
    at = table("bluff_common", {"ante_minor": 200}, max_seats=3)
    seated(at, player("p0"), player("p1"), chips_minor=20_000)
    seated(at, player("short"), chips_minor=199)
    assert set(dealt(at).seats) == {"1", "2"}


def in_play(at) -> int:
    account = at.accounts["in_play"]
    return wallets.balances_of(account_ids=[account])[account]


def passed_out(at) -> Hand:
    """A deal that nobody opens."""
    hand = dealt(at)
    while not beliefs.read(at.pk).finished:
        move(at, name="check")
    settling.hand_settle(table_id=at.pk, hand_id=hand.pk)
    return hand


@pytest.fixture
def jackpots():
    at, players = opened(
        "gardena_jackpots", {"limit": "fixed", "small_bet_minor": 100, "ante_minor": 20}, 3
    )
    return at, players


def test_a_pot_that_nobody_opens_stays_in_play_for_the_next_deal(jackpots):
    at, _ = jackpots
    passed_out(at)
    assert in_play(at) == 60
    assert ledger_check().ok
    second = passed_out(at)
    assert second.carry["carry_minor"] == 60
    assert in_play(at) == 120


def test_a_newcomer_does_not_play_for_a_pot_that_others_left(jackpots):
    at, players = jackpots
    at.max_seats = 4
    at.save(update_fields=["max_seats"])
    passed_out(at)
    late = player("late")
    seated(at, late)
    second = dealt(at)
    dealt_in = {seat["player"] for seat in second.seats.values()}
    assert dealt_in == {who.pk for who in players}


def test_a_carried_pot_is_shared_when_too_few_are_left_to_play_for_it(jackpots):
    at, players = jackpots
    passed_out(at)
    for who in players[1:]:
        seating.seat_sit_out(table_id=at.pk, player=who)
    number = beliefs.read(at.pk).hand_number + 1
    assert dealing.hand_open(table_id=at.pk, number=number) is None
    assert in_play(at) == 0
    stacks = wallets.balances_of(account_ids=[seat.account_id for seat in at.seats.all()])
    assert set(stacks.values()) == {20_000}
    assert ledger_check().ok


def test_a_carried_pot_reaches_players_who_have_all_left(jackpots):
    at, players = jackpots
    passed_out(at)
    for who in players:
        seating.seat_leave(table_id=at.pk, player=who)
    number = beliefs.read(at.pk).hand_number + 1
    assert dealing.hand_open(table_id=at.pk, number=number) is None
    assert in_play(at) == 0
    cash = [wallets.player_account(player_id=p.pk, currency=CURRENCY) for p in players]
    assert set(wallets.balances_of(account_ids=cash).values()) == {100_000}
    assert ledger_check().ok


def test_a_carried_pot_is_shared_when_the_table_closes(jackpots):
    at, players = jackpots
    passed_out(at)
    floor.table_close(table_id=at.pk)
    assert in_play(at) == 0
    cash = [wallets.player_account(player_id=p.pk, currency=CURRENCY) for p in players]
    assert set(wallets.balances_of(account_ids=cash).values()) == {100_000}


def test_a_rest_below_a_chip_does_not_stay_behind_when_a_carried_pot_is_shared(jackpots):
    at, players = jackpots
    passed_out(at)
    at.refresh_from_db()
    at.chip_minor = 25  # as of stacks that a correction has left with less than a chip over
    at.save(update_fields=["chip_minor"])
    floor.table_close(table_id=at.pk)
    assert in_play(at) == 0
    assert cash_of(players) == [100_015, 100_005, 99_980]
    assert ledger_check().ok


def test_a_die_is_rolled_from_the_committed_deck_before_anyone_bets():
    at, _ = opened("binglao", {"big_blind_minor": 100}, 4)
    hand = dealt(at)
    deck = beliefs.deck_open(hand.deck_id)
    first = Event.objects.get(hand_id=hand.pk).events
    assert f'"die_rolled","public":{{"die":{deck[52] + 1}' in first
    assert first.index("die_rolled") < first.index("blind_posted")


def test_the_button_moves_by_the_dead_button_rule():
    at, _ = opened("holdem", {"limit": "fixed", "big_blind_minor": 100}, 4)
    dealt(at)
    at.refresh_from_db()
    first = at.positions
    while not beliefs.read(at.pk).finished:
        move(at, name="fold")
    settling.hand_settle(table_id=at.pk, hand_id=Hand.objects.get().pk)
    gone = at.seats.get(number=first["big"]).player
    seating.seat_leave(table_id=at.pk, player=gone)
    dealt(at)
    at.refresh_from_db()
    # Who left was the big blind: nobody posts the small one, and the big one moves on.
    assert at.positions["small"] == first["big"]
    assert at.positions["posts"] == [{"seat": at.positions["big"], "kind": "big"}]
    assert at.positions["button"] == first["small"]


def played_passively(at):
    while not beliefs.read(at.pk).finished:
        play = beliefs.read(at.pk).hand()
        names = [choice["name"] for choice in play.legal(play.waiting[0])]
        move(at, name="check" if "check" in names else "call")


def killed(monkeypatch, seats):
    """A table whose deal is killed on the flop; all are in the pot."""
    at, who = opened("holdem+kill_card", {"limit": "no_limit", "big_blind_minor": 100}, seats)
    deck = [card for card in range(52) if card != KING_OF_HEARTS]
    deck.insert(2 * seats + 1, KING_OF_HEARTS)  # hole cards and a burn before it
    with monkeypatch.context() as fixed:
        fixed.setattr("tables.engine.fairness.shuffle", lambda cards, seed: list(deck))
        hand = dealt(at)
        played_passively(at)
        settling.hand_settle(table_id=at.pk, hand_id=hand.pk)
    at.refresh_from_db()
    assert in_play(at) == seats * 100
    return at, who


def played_for_again(at):
    again = dealt(at)
    played_passively(at)
    settling.hand_settle(table_id=at.pk, hand_id=again.pk)
    at.refresh_from_db()
    assert in_play(at) == (at.carry["carry_minor"] if at.carry else 0)
    assert ledger_check().ok
    return again


def test_who_sits_out_of_a_killed_deal_gives_up_his_claim(monkeypatch):
    at, who = killed(monkeypatch, 3)
    seating.seat_sit_out(table_id=at.pk, player=who[2])
    again = played_for_again(at)
    assert sorted(again.seats) == ["1", "2"]
    assert again.carry["seats"] == [1, 2]
    assert again.carry["pots"] == [[300, [1, 2]]]


def test_who_takes_a_leavers_seat_does_not_take_his_claim(monkeypatch):
    at, who = killed(monkeypatch, 3)
    seating.seat_leave(table_id=at.pk, player=who[2])
    seated(at, player("late"))
    assert at.seats.filter(number=3, status="playing").exists()
    again = played_for_again(at)
    assert sorted(again.seats) == ["1", "2"]


def test_a_killed_deal_goes_to_the_same_seats_again_and_keeps_its_pots(monkeypatch):
    at, _ = opened("holdem+kill_card", {"limit": "no_limit", "big_blind_minor": 100}, 3)
    deck = [card for card in range(52) if card != KING_OF_HEARTS]
    deck.insert(7, KING_OF_HEARTS)  # six hole cards and a burn before it: on the flop
    monkeypatch.setattr("tables.engine.fairness.shuffle", lambda cards, seed: list(deck))
    hand = dealt(at)
    move(at, name="raise", to_minor=20_000)
    move(at, name="call")
    move(at, name="fold")
    assert beliefs.read(at.pk).finished
    settling.hand_settle(table_id=at.pk, hand_id=hand.pk)
    at.refresh_from_db()
    assert in_play(at) == 40_100
    assert at.seats.filter(status="playing").count() == 3
    late = player("late")
    at.max_seats = 4
    at.save(update_fields=["max_seats"])
    seated(at, late)
    monkeypatch.undo()
    again = dealt(at)
    assert len(again.seats) == 2
    assert again.button == hand.button
    while not beliefs.read(at.pk).finished:
        move(at, name="check")
    settling.hand_settle(table_id=at.pk, hand_id=again.pk)
    at.refresh_from_db()
    assert in_play(at) == (40_100 if at.carry else 0)
    assert ledger_check().ok


@pytest.fixture
def killed_and_folded(monkeypatch):
    """Two are all-in for unequal stacks in a deal that is killed, the third has folded a blind."""
    at, who = opened("holdem+kill_card", {"limit": "no_limit", "big_blind_minor": 100}, 3)
    deck = [card for card in range(52) if card != KING_OF_HEARTS]
    deck.insert(7, KING_OF_HEARTS)
    with monkeypatch.context() as fixed:
        fixed.setattr("tables.engine.fairness.shuffle", lambda cards, seed: list(deck))
        hand = dealt(at)
        move(at, name="raise", to_minor=20_000)
        move(at, name="call")
        move(at, name="fold")
        settling.hand_settle(table_id=at.pk, hand_id=hand.pk)
    at.refresh_from_db()
    folded = next(one for one in who if seat_no(at, one) not in at.carry["seats"])
    return at, who, folded


def seat_no(at, one) -> int:
    return at.seats.get(player=one).number


def cash_of(who) -> list[int]:
    accounts = [wallets.player_account(player_id=one.pk, currency=CURRENCY) for one in who]
    balances = wallets.balances_of(account_ids=accounts)
    return [balances[account] for account in accounts]


def test_who_has_folded_a_killed_deal_gets_nothing_of_its_pots_when_the_table_closes(
    killed_and_folded,
):
    at, who, folded = killed_and_folded
    floor.table_close(table_id=at.pk)
    assert in_play(at) == 0
    claiming = [one for one in who if one != folded]
    assert cash_of([folded]) == [99_900]
    assert cash_of(claiming) == [100_050, 100_050]
    assert ledger_check().ok


def test_nor_when_one_who_was_in_leaves_the_other_alone_with_it(killed_and_folded):
    at, who, folded = killed_and_folded
    stays, leaves = (one for one in who if one != folded)
    seating.seat_leave(table_id=at.pk, player=leaves)
    number = beliefs.read(at.pk).hand_number + 1
    assert dealing.hand_open(table_id=at.pk, number=number) is None
    accounts = {seat.player_id: seat.account_id for seat in at.seats.all()}
    chips = wallets.balances_of(account_ids=accounts.values())
    assert chips[accounts[folded.pk]] == 19_900
    assert chips[accounts[stays.pk]] == 40_100
    assert in_play(at) == 0
