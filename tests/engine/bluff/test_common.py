"""Bids over everybody's dice."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tables.engine.bluff import errors
from tables.engine.bluff.hand import BluffHand
from tables.engine.bluff.play import load, start
from tables.engine.bluff.vocabulary import BluffGame
from tables.engine.errors import (
    BadOptions,
    BadSeats,
    BadState,
    HandIsOver,
    MalformedAction,
    NoSuchAction,
    NotInHand,
    NotYourTurn,
    RuleViolation,
)
from tables.engine.games.bluff import BLUFF_COMMON, BLUFF_HAND
from tables.engine.protocol import Event, SeatIn

OPTIONS = {"ante_minor": 100}
SEED_DICE = [1, 1, 3, 4, 6, 3, 3, 2, 5, 5, 6, 6, 1, 2, 4]


def seats(*numbers: int, stack: int = 1000) -> list[SeatIn]:
    return [SeatIn(number, stack) for number in numbers]


def opened(
    dice: list[int], *numbers: int, first: int | None = None, **changes: Any
) -> tuple[BluffHand, list[Event]]:
    return start(
        BLUFF_COMMON,
        seats(*numbers),
        {**OPTIONS, **changes},
        dice,
        first=numbers[0] if first is None else first,
    )


def bid(hand: BluffHand, quantity: int, face: int) -> list[Event]:
    (seat,) = hand.waiting
    return hand.act(seat, {"name": "bid", "quantity": quantity, "face": face})


def challenge(hand: BluffHand) -> list[Event]:
    (seat,) = hand.waiting
    return hand.act(seat, {"name": "challenge"})


def only(events: list[Event], kind: str) -> list[dict[str, Any]]:
    return [event.public for event in events if event.type == kind]


def test_antes_make_the_pot_and_everyone_rolls_in_secret() -> None:
    hand, events = opened(SEED_DICE, 1, 2, 3)
    assert [event.type for event in events] == ["ante_posted"] * 3 + ["dice_rolled"]
    rolled = events[-1]
    assert rolled.public == {"counts": {"1": 5, "2": 5, "3": 5}}
    assert rolled.private == {
        1: {"dice": [1, 1, 3, 4, 6]},
        2: {"dice": [3, 3, 2, 5, 5]},
        3: {"dice": [6, 6, 1, 2, 4]},
    }
    view = hand.view(2)
    assert view["pot_minor"] == 300
    assert [player.get("dice") for player in view["players"]] == [None, [3, 3, 2, 5, 5], None]


def test_a_true_bid_wins_the_challenge_ones_being_wild() -> None:
    hand, _ = opened(SEED_DICE, 1, 2, 3)
    bid(hand, 3, 3)
    bid(hand, 4, 3)
    bid(hand, 6, 3)
    events = challenge(hand)
    shown = only(events, "dice_shown")[0]
    assert shown["count"] == 6
    assert only(events, "challenge_settled") == [
        {"truth": True, "winner": 3, "loser": 1, "words": "six threes bid, 6 there: the bid stands"}
    ]
    assert only(events, "die_lost") == [{"seat": 1, "left": 4}]


def test_a_bid_on_ones_counts_ones_alone() -> None:
    hand, _ = opened(SEED_DICE, 1, 2, 3)
    bid(hand, 4, 1)
    events = challenge(hand)
    assert only(events, "dice_shown")[0]["count"] == 3
    assert only(events, "challenge_settled")[0]["loser"] == 1


@pytest.mark.parametrize(
    ("quantity", "face", "error"),
    [
        (4, 5, errors.BidTooLow),
        (4, 4, errors.BidTooLow),
        (3, 6, errors.BidTooLow),
        (16, 2, errors.BidTooHigh),
        (0, 2, MalformedAction),
        (5, 7, MalformedAction),
        (5, True, MalformedAction),
    ],
)
def test_a_bid_that_does_not_raise_or_is_none_is_refused(
    quantity: int, face: int, error: type[RuleViolation]
) -> None:
    hand, _ = opened(SEED_DICE, 1, 2, 3)
    bid(hand, 4, 5)
    before = hand.dump()
    with pytest.raises(error):
        bid(hand, quantity, face)
    assert hand.dump() == before
    bid(hand, 4, 6)
    bid(hand, 5, 2)


def test_only_the_seat_in_turn_may_bid_or_challenge() -> None:
    hand, _ = opened(SEED_DICE, 1, 2, 3)
    with pytest.raises(NoSuchAction):
        challenge(hand)
    bid(hand, 1, 2)
    with pytest.raises(NotYourTurn):
        hand.act(3, {"name": "challenge"})
    with pytest.raises(NotInHand):
        hand.act(9, {"name": "challenge"})
    assert hand.legal(3) == []
    assert hand.legal(2) == [
        {"name": "bid", "least": {"quantity": 1, "face": 3, "words": "one three"},
         "most_quantity": 15},
        {"name": "challenge"},
    ]  # fmt: skip


def test_silence_opens_with_the_lowest_bid_and_then_challenges() -> None:
    hand, _ = opened(SEED_DICE + [2] * 20, 1, 2, 3)
    assert only(hand.expire(), "bid_made") == [
        {"seat": 1, "quantity": 1, "face": 1, "words": "one one", "default": True}
    ]
    assert only(hand.expire(), "challenged") == [{"seat": 2, "bidder": 1, "default": True}]


def test_nothing_beats_the_highest_bid() -> None:
    hand, _ = opened([2] * 10, 1, 2)
    bid(hand, 10, 6)
    assert hand.legal(2) == [{"name": "challenge"}]


def test_the_loser_begins_the_next_round_and_the_seat_after_him_when_he_is_out() -> None:
    hand, _ = opened([2] * 15 + [3] * 14 + [4] * 40, 1, 2, 3)
    bid(hand, 1, 2)
    challenge(hand)
    assert hand.waiting == (2,)
    hand, _ = opened([2] * 15 + [3] * 14 + [4] * 40, 1, 2, 3, loss="out")
    bid(hand, 1, 2)
    events = challenge(hand)
    assert only(events, "seat_out") == [{"seat": 2, "reason": "dice"}]
    assert hand.waiting == (3,)


def test_the_last_one_with_dice_takes_the_pot() -> None:
    hand, _ = opened(
        [2] * 30, 4, 7, loss="out", rake={"basis_points": 1000, "caps_minor": {"2": 15}}
    )
    bid(hand, 3, 2)
    events = challenge(hand)
    assert only(events, "pot_awarded")[0]["winners"] == {"4": 185}
    assert hand.over
    assert hand.result == {
        "nets_minor": {"4": 85, "7": -100},
        "stacks_minor": {"4": 1085, "7": 900},
        "rake_minor": 15,
        "pots": [{"amount_minor": 200, "rake_minor": 15, "eligible": [4, 7], "awards": {"4": 185}}],
        "carry_minor": 0,
        "showdown": True,
        "street": "dice",
        "next_first": 7,
    }
    with pytest.raises(HandIsOver):
        challenge_of(hand, 4)
    with pytest.raises(HandIsOver):
        hand.expire()


def challenge_of(hand: BluffHand, seat: int) -> list[Event]:
    return hand.act(seat, {"name": "challenge"})


def test_where_no_dice_are_lost_the_loser_pays_the_winner_one_ante() -> None:
    hand, events = opened([2] * 15, 1, 2, 3, loss="ante")
    assert only(events, "ante_posted") == []
    bid(hand, 3, 3)
    events = challenge(hand)
    assert only(events, "ante_paid") == [
        {"seat": 1, "to": 2, "amount_minor": 100, "stack_minor": 900}
    ]
    assert hand.result is not None
    assert hand.result["nets_minor"] == {"1": -100, "2": 100, "3": 0}
    assert hand.result["next_first"] == 1


def test_the_first_turn_falls_by_lot_and_the_highest_of_ties_roll_again() -> None:
    hand, events = start(BLUFF_COMMON, seats(2, 5, 6), OPTIONS, [6, 1, 6, 3, 4, *SEED_DICE])
    (lot,) = only(events, "lot_drawn")
    assert lot == {"rolls": [{"2": 6, "5": 1, "6": 6}, {"2": 3, "6": 4}], "first": 6}
    assert hand.waiting == (6,)
    assert hand.view(2)["players"][0]["dice"] == [1, 1, 3, 4, 6]


def test_who_leaves_forfeits_and_the_round_begins_anew() -> None:
    hand, _ = opened([2] * 60, 1, 2, 3)
    bid(hand, 2, 2)
    events = hand.act(3, {"name": "forfeit"})
    assert only(events, "seat_out") == [{"seat": 3, "reason": "forfeit"}]
    assert only(events, "dice_rolled") == [{"counts": {"1": 5, "2": 5}}]
    assert hand.waiting == (2,)
    assert hand.view(None)["bid"] is None
    events = hand.act(2, {"name": "forfeit"})
    assert only(events, "pot_awarded")[0]["winners"] == {"1": 300}


def test_a_leaver_pays_his_ante_to_the_standing_bid_where_no_dice_are_lost() -> None:
    hand, _ = opened([2] * 60, 1, 2, 3, loss="ante")
    bid(hand, 2, 2)
    events = hand.act(3, {"name": "forfeit"})
    assert only(events, "ante_paid")[0]["to"] == 1
    assert hand.over


def test_a_hand_waits_for_dice_it_does_not_have() -> None:
    hand, events = opened([2] * 4, 1, 2)
    assert [event.type for event in events] == ["ante_posted"] * 2
    assert (hand.window, hand.waiting) == ("dice", ())
    with pytest.raises(BadState):
        hand.expire()
    loaded = load(BLUFF_COMMON, OPTIONS, hand.dump(), [2] * 10)
    assert [event.type for event in loaded.expire()] == ["dice_rolled"]
    assert loaded.waiting == (1,)


@pytest.mark.parametrize(
    "changes",
    [
        {"ante_minor": 0},
        {"ante_minor": 150, "chip_minor": 100},
        {"loss": "life"},
        {"lives": 0},
        {"rake": {"basis_points": 20_000}},
        {"rake": {"caps_minor": {"two": 1}}},
        {"rake": 5},
        {"blinds_minor": [1, 2]},
    ],
)
def test_options_out_of_range_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(BadOptions):
        opened([2] * 30, 1, 2, **changes)


@pytest.mark.parametrize("dealt", [seats(1), seats(1, 1), seats(1, 2, stack=99)])
def test_seats_that_cannot_play_are_refused(dealt: list[SeatIn]) -> None:
    with pytest.raises(BadSeats):
        start(BLUFF_COMMON, dealt, OPTIONS, [2] * 30)


@pytest.mark.parametrize("game", [BLUFF_COMMON, BLUFF_HAND])
def test_the_games_are_values_that_json_keeps(game: BluffGame) -> None:
    assert BluffGame.from_json(json.loads(json.dumps(game.to_json()))) == game


# Whatever happens


@settings(max_examples=80, deadline=None)
@given(
    seed=st.integers(0, 10**9),
    players=st.integers(2, 10),
    game=st.sampled_from((BLUFF_COMMON, BLUFF_HAND)),
    loss=st.integers(0, 2),
)
def test_a_game_ends_keeps_the_money_reloads_and_hides_the_dice(
    seed: int, players: int, game: BluffGame, loss: int
) -> None:
    rng = random.Random(seed)
    players = min(players, len(game.seats) + 1)
    dice = [rng.randint(1, 6) for _ in range(4000)]
    options = {"ante_minor": 100, "loss": game.losses[loss % len(game.losses)]}
    options["rake"] = {"basis_points": 500}
    hand, _ = start(game, seats(*range(1, players + 1)), options, dice)
    turns = set()
    for _ in range(3000):
        if hand.over:
            break
        (seat,) = hand.waiting
        assert hand.turn not in turns
        turns.add(hand.turn)
        held = {p["seat"]: p.get("dice") for p in hand.view(seat)["players"]}
        assert all(other == seat for other, faces in held.items() if faces)
        assert not any("dice" in player for player in hand.view(None)["players"])
        twin = load(game, options, json.loads(json.dumps(hand.dump())), dice)
        action = chosen(rng, hand, seat)
        if action is None:
            assert twin.expire() == hand.expire()
        else:
            assert twin.act(seat, action) == hand.act(seat, action)
        assert twin.dump() == hand.dump()
    assert hand.over
    result = hand.result
    assert result is not None
    assert sum(result["nets_minor"].values()) + result["rake_minor"] == 0
    assert all(stack >= 0 for stack in result["stacks_minor"].values())
    assert hand.waiting == ()


def chosen(rng: random.Random, hand: BluffHand, seat: int) -> dict[str, Any] | None:
    """Some legal action, or None to let the time run out."""
    if rng.random() < 0.1:
        return None
    if rng.random() < 0.02:
        return {"name": "forfeit"}
    choice = rng.choice(hand.legal(seat))
    name = choice["name"]
    if name == "bid":
        least = choice["least"]
        quantity = min(choice["most_quantity"], least["quantity"] + rng.randint(0, 2))
        face = least["face"] if quantity == least["quantity"] else rng.randint(1, 6)
        return {"name": name, "quantity": quantity, "face": face}
    if name == "call":
        call = rng.choice(choice["calls"][:10])
        return {"name": name, "class": call["class"], "faces": call["faces"]}
    if name == "roll":
        return {"name": name, "dice": rng.sample(range(5), rng.randint(0, 5))}
    return {"name": name}
