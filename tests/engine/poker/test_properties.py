"""What holds in every hand of every ring game, whatever is done."""

from __future__ import annotations

from random import Random

import orjson
import pytest
from hypothesis import given, settings
from hypothesis.strategies import integers

from tables.engine.errors import RuleViolation
from tables.engine.poker.hand import PokerHand, load, start
from tables.engine.poker.vocabulary import PokerGame
from tables.engine.protocol import Event
from tests.engine.poker.playing import RING_GAMES, any_action, played, random_start, ring_game

SEEDS = integers(0, 2**32)
EXAMPLES = settings(max_examples=6, deadline=None, derandomize=True)

every_game = pytest.mark.parametrize("game_id", RING_GAMES)


def as_bytes(events: list[Event]) -> bytes:
    return orjson.dumps([tuple(event) for event in events], option=orjson.OPT_NON_STR_KEYS)


def all_chips(hand: PokerHand) -> int:
    return sum(hand.stacks) + (0 if hand.over else hand.pot())


@every_game
@given(seed=SEEDS)
@EXAMPLES
def test_chips_are_conserved_after_every_action(game_id: str, seed: int) -> None:
    random = Random(seed)
    hand, _, _ = random_start(ring_game(game_id), random)
    brought = sum(stack for _, stack in hand.opening)
    for _ in played(hand, random):
        assert all(stack >= 0 for stack in hand.stacks)
        if not hand.over:
            assert all_chips(hand) == brought
    result = hand.result
    assert result is not None
    assert sum(result["nets_minor"].values()) + result["rake_minor"] + result["carry_minor"] == 0
    assert sum(hand.stacks) + result["rake_minor"] + result["carry_minor"] == brought
    for pot in result["pots"]:
        paid = sum(pot["awards"].values())
        assert paid + pot["rake_minor"] in (pot["amount_minor"], 0)


@every_game
@given(seed=SEEDS)
@EXAMPLES
def test_no_card_is_in_two_places(game_id: str, seed: int) -> None:
    random = Random(seed)
    hand, _, _ = random_start(ring_game(game_id), random)
    for _ in played(hand, random):
        held = [position for place in hand.seats for position in hand.down[place] + hand.up[place]]
        held += hand.board
        assert len(set(held)) == len(held)
        assert len(set(hand.cards(held))) == len(held)


@every_game
@given(seed=SEEDS)
@EXAMPLES
def test_there_is_a_legal_action_until_the_end_and_the_default_is_one(
    game_id: str, seed: int
) -> None:
    random = Random(seed)
    hand, _, _ = random_start(ring_game(game_id), random)
    turn = 0
    while not hand.over:
        assert hand.waiting
        assert hand.window
        assert hand.turn > turn or len(hand.waiting) > 1 or hand.window != "turn"
        turn = hand.turn
        for seat in hand.numbers:
            assert bool(hand.legal(seat)) == (seat in hand.waiting)
        seat = random.choice(hand.waiting)
        assert hand.default_action(seat)["name"] in [c["name"] for c in hand.legal(seat)]
        if random.random() < 0.3:
            hand.expire()
        else:
            hand.act(seat, any_action(hand, seat, random))
    assert hand.waiting == ()
    assert hand.window == ""


@every_game
@given(seed=SEEDS)
@EXAMPLES
def test_a_refused_action_changes_nothing(game_id: str, seed: int) -> None:
    random = Random(seed)
    hand, _, _ = random_start(ring_game(game_id), random)
    bad = (
        {"name": "raise", "to_minor": 10**9},
        {"name": "bet", "to_minor": -5},
        {"name": "raise", "to_minor": "20"},
        {"name": "bet", "to_minor": True},
        {"name": "dance"},
        {"name": None},
        {"name": "draw", "cards": [99]},
        {"name": "draw", "cards": [0, 0]},
        {},
    )
    for _ in played(hand, random):
        before = orjson.dumps(hand.dump())
        for seat in hand.numbers:
            for action in bad:
                with pytest.raises(RuleViolation):
                    hand.act(seat, action)
        with pytest.raises(RuleViolation):
            hand.act(99, {"name": "fold"})
        assert orjson.dumps(hand.dump()) == before


@every_game
@given(seed=SEEDS)
@EXAMPLES
def test_a_hand_goes_on_from_its_stored_state(game_id: str, seed: int) -> None:
    game = ring_game(game_id)
    again = PokerGame.from_json(orjson.loads(orjson.dumps(game.to_json())))
    assert again == game
    random = Random(seed)
    hand, _, options = random_start(game, random)
    stored = orjson.loads(orjson.dumps(hand.options.to_json()))
    copy = hand
    for seat, action, events in played(hand, random):
        if copy is not hand:
            assert copy.act(seat, action) == events
        state = orjson.loads(orjson.dumps(hand.dump()))
        copy = load(again, stored, state, options["deck"])
        assert orjson.dumps(copy.dump()) == orjson.dumps(hand.dump())
        assert copy.view(None) == hand.view(None)


@every_game
@given(seed=SEEDS)
@EXAMPLES
def test_replaying_the_actions_gives_the_same_events_byte_for_byte(game_id: str, seed: int) -> None:
    game = ring_game(game_id)
    random = Random(seed)
    hand, events, setup = random_start(game, random)
    actions = []
    for seat, action, more in played(hand, random):
        actions.append((seat, action))
        events = events + more
    replay, again = start(
        game, setup["seats"], hand.options.to_json(), setup["deck"], button=setup["button"]
    )
    for seat, action in actions:
        again = again + replay.act(seat, action)
    assert as_bytes(again) == as_bytes(events)


@every_game
@given(seed=SEEDS)
@EXAMPLES
def test_nobody_sees_a_hidden_card(game_id: str, seed: int) -> None:
    random = Random(seed)
    hand, events, _ = random_start(ring_game(game_id), random)

    def check(told: list[Event]) -> None:
        hidden = [
            (number, hand.texts(hand.down[place]))
            for place, number in enumerate(hand.numbers)
            if not hand.shown[place]
        ]
        watcher = random.choice(hand.numbers)
        private = [e.private[watcher] for e in told if e.private and watcher in e.private]
        public = [event.public for event in told]
        for viewer, seen in ((None, []), (watcher, private)):
            text = orjson.dumps([hand.view(viewer), public, seen])
            for number, cards in hidden:
                assert number == viewer or not any(f'"{c}"'.encode() in text for c in cards)

    check(events)
    for _, _, more in played(hand, random):
        check(more)
