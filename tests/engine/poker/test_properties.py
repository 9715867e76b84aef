"""What holds in every hand of every ring game, whatever is done."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis.strategies import integers

from tables.engine.errors import RuleViolation
from tables.engine.poker.hand import PokerHand, load, start
from tables.engine.poker.vocabulary import PokerGame
from tables.engine.protocol import Event, SeatIn
from tests.engine.poker.playing import (
    RING_GAMES,
    any_action,
    played,
    random_start,
    repeat,
    ring_game,
    shuffled,
    table_options,
)

SEEDS = integers(0, 2**32)
EXAMPLES = settings(max_examples=3, deadline=None, derandomize=True)

MODIFIERS = ("four_before_", "double_", "triple_")
MODIFIED = [
    game_id
    for game_id in RING_GAMES
    if game_id.endswith("+kill_card")
    or any(
        game_id.startswith(modifier) and game_id.removeprefix(modifier) in RING_GAMES
        for modifier in MODIFIERS
    )
]
"""Games made of others by a modifier: one hand each is enough."""

BAD: tuple[dict[str, Any], ...] = (
    {"name": "raise", "to_minor": 10**9},
    {"name": "bet", "to_minor": -5},
    {"name": "raise", "to_minor": "20"},
    {"name": "bet", "to_minor": True},
    {"name": "dance"},
    {"name": None},
    {"name": "draw", "cards": [99]},
    {"name": "draw", "cards": [0, 0]},
    {"name": "discard", "cards": "01"},
    {"name": "declare", "choice": "middle"},
    {"name": "arrange", "cards": [0, 0, 1, 2, 3]},
    {"name": "pass_cards", "cards": [7]},
    {},
)


def as_bytes(events: list[Event]) -> bytes:
    return orjson.dumps([tuple(event) for event in events], option=orjson.OPT_NON_STR_KEYS)


def positions(hand: PokerHand) -> list[int]:
    """Everything that is held or lies on the table."""
    held = [p for place in hand.seats if hand.live[place] for p in hand.down[place]]
    held += [p for place in hand.seats if hand.live[place] for p in hand.up[place]]
    further = [board[hand.rare.kept :] for board in hand.rare.boards] if hand.rare else []
    return held + hand.board + [p for board in further for p in board]


def check_chips_are_conserved_and_no_card_is_in_two_places(game_id: str, seed: int) -> None:
    random = Random(seed)
    hand, _, _ = random_start(ring_game(game_id), random)
    carried = hand.carried
    brought = sum(hand.opening) + carried
    for _ in played(hand, random):
        assert all(stack >= 0 for stack in hand.stacks)
        if hand.ending is None:
            assert sum(hand.stacks) + sum(hand.aside) + hand.pot() == brought
        held = positions(hand)
        assert len(set(held)) == len(held)
        assert len(set(hand.cards(held))) == len(held)
    result = hand.result
    assert result is not None
    kept = result["rake_minor"] + result.get("drop_minor", 0) + result["carry_minor"]
    assert sum(result["nets_minor"].values()) + kept == carried
    assert sum(hand.stacks) + kept == brought
    for pot in result["pots"]:
        paid = sum(pot["awards"].values())
        taken = pot["rake_minor"] + pot.get("drop_minor", 0)
        assert paid + taken == (pot["amount_minor"] if pot["awards"] else 0)


def check_there_is_a_legal_action_until_the_end_and_a_refused_one_changes_nothing(
    game_id: str, seed: int
) -> None:
    random = Random(seed)
    hand, _, _ = random_start(ring_game(game_id), random)
    turn = 0
    while not hand.over:
        if hand.window == "reshuffle":
            assert hand.waiting == ()
            hand.reshuffle(hand.mucked)
            continue
        assert hand.waiting
        assert hand.window
        assert hand.turn > turn or len(hand.waiting) >= 1
        turn = hand.turn
        before = orjson.dumps(hand.dump())
        for seat in hand.numbers:
            assert bool(hand.legal(seat)) == (seat in hand.waiting)
            for action in BAD:
                with pytest.raises(RuleViolation):
                    hand.act(seat, action)
        with pytest.raises(RuleViolation):
            hand.act(99, {"name": "fold"})
        assert orjson.dumps(hand.dump()) == before
        seat = random.choice(hand.waiting)
        assert hand.default_action(seat)["name"] in [c["name"] for c in hand.legal(seat)]
        if random.random() < 0.3:
            hand.expire()
        else:
            hand.act(seat, any_action(hand, seat, random))
    assert hand.waiting == ()
    assert hand.window == ""


def check_a_hand_goes_on_from_its_stored_state_and_replays_byte_for_byte(
    game_id: str, seed: int
) -> None:
    game = ring_game(game_id)
    again = PokerGame.from_json(orjson.loads(orjson.dumps(game.to_json())))
    assert again == game
    random = Random(seed)
    hand, events, setup = random_start(game, random)
    stored = orjson.loads(orjson.dumps(hand.options.to_json()))
    actions = []
    copy = hand
    for seat, action, more in played(hand, random):
        if copy is not hand:
            assert as_bytes(repeat(copy, seat, action)) == as_bytes(more)
        state = orjson.loads(orjson.dumps(hand.dump()))
        copy = load(again, stored, state, setup["deck"])
        assert orjson.dumps(copy.dump()) == orjson.dumps(hand.dump())
        assert copy.view(None) == hand.view(None)
        actions.append((seat, action))
        events = events + more
    replay, told = start(
        again,
        setup["seats"],
        stored,
        setup["deck"],
        **setup["setup"],
    )
    for seat, action in actions:
        told = told + repeat(replay, seat, action)
    assert as_bytes(told) == as_bytes(events)


def check_nobody_sees_a_hidden_card(game_id: str, seed: int) -> None:
    random = Random(seed)
    hand, events, _ = random_start(ring_game(game_id), random)

    def check(told: list[Event]) -> None:
        open_ones = set(hand.openers) if hand.ending is not None else set()
        for seen in hand.rare.seen if hand.rare else ():
            open_ones |= set(seen)
        hidden = [
            (number, hand.texts([p for p in hand.down[place] if p not in open_ones]))
            for place, number in enumerate(hand.numbers)
            if not hand.shown[place]
        ]
        watcher = random.choice(hand.numbers)
        private = [e.private[watcher] for e in told if e.private and watcher in e.private]
        public = [event.public for event in told]
        look, own_look = orjson.dumps([hand.view(None), public]), orjson.dumps(hand.view(watcher))
        for number, cards in hidden:
            for card in cards:
                assert f'"{card}"'.encode() not in look
                assert number == watcher or f'"{card}"'.encode() not in own_look
                assert number == watcher or card not in str(private) or reused(hand, card)

    check(events)
    for _, _, more in played(hand, random):
        check(more)


def reused(hand: PokerHand, card: str) -> bool:
    """Whether a card has gone back into the deck: who threw it away has seen it."""
    return any(card in hand.texts(thrown) for thrown in hand.thrown)


CHECKS = (
    check_chips_are_conserved_and_no_card_is_in_two_places,
    check_there_is_a_legal_action_until_the_end_and_a_refused_one_changes_nothing,
    check_a_hand_goes_on_from_its_stored_state_and_replays_byte_for_byte,
    check_nobody_sees_a_hidden_card,
)


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("game_id", sorted(set(RING_GAMES) - set(MODIFIED)))
@given(seed=SEEDS)
@EXAMPLES
def test_every_hand_keeps_the_law(
    game_id: str, check: Callable[[str, int], None], seed: int
) -> None:
    check(game_id, seed)


@pytest.mark.parametrize("game_id", MODIFIED)
def test_every_hand_of_a_modified_game_keeps_all_laws(game_id: str) -> None:
    for seed, check in enumerate(CHECKS):
        check(game_id, seed)


@pytest.mark.parametrize(
    ("game_id", "most"), [("holdem", 700), ("omaha", 760), ("stud", 700), ("anaconda", 760)]
)
def test_a_full_table_is_stored_in_few_bytes(game_id: str, most: int) -> None:
    game = ring_game(game_id)
    for seed in range(20):
        random = Random(seed)
        seats = [
            SeatIn(number, random.randint(1, 10_000)) for number in range(1, game.most_seats + 1)
        ]
        hand, _ = start(game, seats, table_options(game), shuffled(game, random), button=1)
        for _ in played(hand, random):
            assert hand.over or len(orjson.dumps(hand.dump())) < most
