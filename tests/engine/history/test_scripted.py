"""A deck that is asked for comes out so, in every game."""

from __future__ import annotations

from random import Random

import pytest

from tables.engine.cards import card_texts
from tables.engine.errors import ScriptNotPossible
from tables.engine.games.three_card_poker import THREE_CARD_POKER
from tables.engine.history.scripted import banked_deck, ring_deck, ring_places
from tables.engine.history.scripts import read_script
from tables.engine.poker.hand import PokerHand, start
from tables.engine.poker.vocabulary import DECKS, CallSpit, Draw
from tables.engine.protocol import SeatIn
from tests.engine.poker.playing import RING_GAMES, ring_game, shuffled, table_options

SEED = bytes(range(32))
QUIET = ("check", "call", "stand_pat", "bring_in", "pass", "refuse")


def opened(game_id: str, seats: int = 3, deck: list[int] | None = None) -> PokerHand:
    game = ring_game(game_id)
    seats = max(game.least_seats, min(seats, game.most_seats))
    cards = deck or shuffled(game, Random(1))
    players = [SeatIn(seat, 1_000) for seat in range(1, seats + 1)]
    hand, _ = start(game, players, table_options(game), cards, button=1, die=1)
    return hand


def to_the_end(hand: PokerHand) -> None:
    """Nobody folds, bets or draws."""
    while not hand.over:
        assert hand.window != "reshuffle"
        seat = hand.waiting[0]
        legal = {action["name"]: action for action in hand.legal(seat)}
        name = next((name for name in QUIET if name in legal), None)
        if name is None:
            hand.expire()
            continue
        hand.act(seat, {"name": name})


@pytest.mark.parametrize("game_id", RING_GAMES)
def test_every_card_lies_where_it_was_said_to_come(game_id):
    hand = opened(game_id)
    changes = any(not isinstance(step, (Draw, CallSpit)) for step in hand.game.steps)
    places = ring_places(hand.game, hand.numbers, len(hand.deck))
    first = {number: hand.down[at] + hand.up[at] for at, number in enumerate(hand.numbers)}
    assert changes
    for number, positions in first.items():
        assert sorted(positions) == sorted(places.hands[number])[: len(positions)]
    if all(step.word in ("deal", "bet") for step in hand.game.steps) and not hand.game.kill:
        to_the_end(hand)
        for at, number in enumerate(hand.numbers):
            assert sorted(hand.down[at] + hand.up[at]) == sorted(places.hands[number])
        assert hand.board == places.board


@pytest.mark.parametrize(
    ("game_id", "wish"),
    [
        ("holdem", {"hand": "a straight flush"}),
        ("holdem", {"hand": "royal flush"}),
        ("holdem", {"hand": "full house", "ranks": "KQ"}),
        ("omaha8", {"hand": "four of a kind"}),
        ("omaha8", {"hand": "low", "side": "low"}),
        ("short_deck", {"hand": "flush"}),
        ("stud", {"hand": "straight", "ranks": "5"}),
        ("razz", {"hand": "low", "ranks": "5432A"}),
        ("triple_draw_27", {"hand": "low", "ranks": "75432"}),
        ("badugi", {"hand": "badugi", "ranks": "432A"}),
        ("gardena_jackpots", {"hand": "five of a kind"}),
        ("anaconda", {"hand": "quads"}),
        ("binglao", {"hand": "trips"}),
    ],
)
def test_a_class_that_is_asked_for_is_dealt(game_id, wish):
    hand = opened(game_id)
    script = read_script({"seats": {"2": wish}})
    deck = ring_deck(hand, script, SEED)
    assert sorted(deck) == sorted(hand.deck)
    again = opened(game_id)
    assert ring_deck(again, script, SEED) == deck  # a function of its seed


def test_exact_cards_a_board_and_what_a_draw_receives():
    script = read_script(
        {"seats": {"1": {"cards": "As Ah"}, "3": {"cards": ["Kd"]}}, "board": "2c 3c 4c"}
    )
    hand = opened("holdem")
    places = ring_places(hand.game, hand.numbers, 52)
    deck = ring_deck(hand, script, SEED)
    assert card_texts([deck[at] for at in places.hands[1]]) == ["As", "Ah"]
    assert card_texts([deck[places.hands[3][0]]]) == ["Kd"]
    assert card_texts([deck[at] for at in places.board[:3]]) == ["2c", "3c", "4c"]
    draw = opened("five_card_draw")
    after = ring_places(draw.game, draw.numbers, 52).after
    assert card_texts([ring_deck(draw, read_script({"next": ["Qs"]}), SEED)[after]]) == ["Qs"]


@pytest.mark.parametrize(
    ("game_id", "script"),
    [
        ("holdem", {"seats": {"9": {"hand": "pair"}}}),
        ("holdem", {"seats": {"1": {"cards": "As Ah Ad"}}}),
        ("holdem", {"seats": {"1": {"hand": "badugi"}}}),
        ("holdem", {"seats": {"1": {"hand": "pair", "side": "low"}}}),
        ("holdem", {"seats": {"1": {"dice": [6]}}}),
        ("holdem", {"dealer": {"hand": "pair"}}),
        ("short_deck", {"board": ["2c"]}),
        ("holdem", {"board": "2c 3c 4c 5c 6c 7c"}),
        ("holdem", {"next": [f"{rank}{suit}" for suit in "cdhs" for rank in "23456789TJQKA"][:42]}),
    ],
)
def test_what_no_deal_can_bring_is_refused(game_id, script):
    with pytest.raises(ScriptNotPossible):
        ring_deck(opened(game_id), read_script(script), SEED)


@pytest.mark.parametrize("packets", [True, False])
def test_three_card_poker_deals_spots_and_the_dealer_as_asked(packets):
    script = read_script(
        {"seats": {"2": {"hand": "mini royal"}}, "dealer": {"hand": "pair", "ranks": "Q"}}
    )
    deck = banked_deck(THREE_CARD_POKER, packets, [1, 2], script, SEED)
    assert sorted(deck) == sorted(DECKS["52"])
    dealer = deck[6:9] if packets else deck[2:9:3]
    assert sum(text[0] == "Q" for text in card_texts(dealer)) == 2


def test_a_script_ends_with_the_deck_at_three_card_poker_too():
    cards = [f"{rank}{suit}" for suit in "cdhs" for rank in "23456789TJQKA"]
    with pytest.raises(ScriptNotPossible):
        banked_deck(THREE_CARD_POKER, True, [1], read_script({"next": cards[:47]}), SEED)
