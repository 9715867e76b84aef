"""Five dice passed on under a cup."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from tables.engine.bluff import errors
from tables.engine.bluff.calls import CALLS, call_json, higher_calls, read_call
from tables.engine.bluff.hand import BluffHand
from tables.engine.bluff.play import load, start
from tables.engine.errors import BadCardChoice, MalformedAction, NoSuchAction
from tables.engine.games.bluff import BLUFF_HAND
from tables.engine.protocol import Event, SeatIn
from tables.engine.rankings.dice import dice_hand

OPTIONS = {"ante_minor": 100, "lives": 1}


def opened(dice: list[int], players: int = 2, **changes: Any) -> BluffHand:
    seats = [SeatIn(number, 1000) for number in range(1, players + 1)]
    return start(BLUFF_HAND, seats, {**OPTIONS, **changes}, dice, first=1)[0]


def call(hand: BluffHand, cls: str, *faces: int) -> list[Event]:
    (seat,) = hand.waiting
    return hand.act(seat, {"name": "call", "class": cls, "faces": list(faces)})


def act(hand: BluffHand, name: str, **fields: Any) -> list[Event]:
    (seat,) = hand.waiting
    return hand.act(seat, {"name": name, **fields})


def settled(events: list[Event]) -> dict[str, Any]:
    return next(event.public for event in events if event.type == "challenge_settled")


def test_a_low_straight_claimed_with_three_of_a_kind_loses_to_the_challenge() -> None:
    hand = opened([2, 2, 2, 4, 3])
    call(hand, "low_straight")
    events = act(hand, "challenge")
    assert settled(events) == {
        "truth": False,
        "winner": 2,
        "loser": 1,
        "words": "Low straight called, three of a kind, twos held: the call was a bluff",
    }
    assert hand.result is not None
    assert hand.result["nets_minor"] == {"1": -100, "2": 100}


def test_a_hand_at_least_as_good_as_the_call_makes_it_true() -> None:
    hand = opened([2, 2, 3, 3, 3], lives=3)
    call(hand, "three_of_a_kind", 6)
    events = act(hand, "challenge")
    assert settled(events)["loser"] == 2
    assert [e.public for e in events if e.type == "life_lost"] == [{"seat": 2, "left": 2}]


def test_who_accepts_takes_the_dice_rolls_any_again_and_calls_higher() -> None:
    hand = opened([5, 5, 1, 2, 6, 5, 4])
    call(hand, "pair", 5)
    assert [choice["name"] for choice in hand.legal(2)] == ["accept", "challenge"]
    (passed,) = act(hand, "accept")
    assert passed.private == {2: {"dice": [5, 5, 1, 2, 6]}}
    assert "dice" not in hand.view(1)["players"][0]
    (rolled,) = act(hand, "roll", dice=[2, 3])
    assert rolled.public == {"seat": 2, "count": 2}
    assert rolled.private == {2: {"dice": [5, 5, 5, 4, 6], "rolled": [2, 3]}}
    with pytest.raises(errors.CallTooLow):
        call(hand, "pair", 5)
    with pytest.raises(errors.CallTooLow):
        call(hand, "pair")
    call(hand, "three_of_a_kind", 5)
    assert settled(act(hand, "challenge"))["truth"]


def test_the_dice_may_be_kept_as_they_are() -> None:
    hand = opened([5, 5, 1, 2, 6])
    call(hand, "pair", 5)
    act(hand, "accept")
    (rolled,) = act(hand, "roll", dice=[])
    assert rolled.public["count"] == 0
    assert hand.view(2)["players"][1]["dice"] == [5, 5, 1, 2, 6]


def test_silence_calls_the_lowest_keeps_the_dice_and_challenges() -> None:
    hand = opened([5, 5, 1, 2, 6], lives=3)
    (called,) = hand.expire()
    assert (called.public["class"], called.public["default"]) == ("high_die", True)
    act(hand, "accept")
    (rolled,) = hand.expire()
    assert rolled.public == {"seat": 2, "count": 0, "default": True}
    (called,) = hand.expire()
    assert called.public["words"] == "Pair of ones"
    assert hand.expire()[0].public == {"seat": 1, "caller": 2, "default": True}


def test_above_five_sixes_only_a_challenge_is_left() -> None:
    hand = opened([1, 2, 3, 4, 6])
    call(hand, "five_of_a_kind", 6)
    assert hand.legal(2) == [{"name": "challenge"}]
    with pytest.raises(NoSuchAction):
        act(hand, "accept")


@pytest.mark.parametrize(
    ("action", "error"),
    [
        ({"class": "royal"}, errors.NoSuchCall),
        ({"class": "pair", "faces": [7]}, errors.NoSuchCall),
        ({"class": "high_die", "faces": [5]}, errors.NoSuchCall),
        ({"class": "full_house", "faces": [3, 3]}, errors.NoSuchCall),
        ({"class": "pair", "faces": 5}, MalformedAction),
        ({"faces": [5]}, MalformedAction),
    ],
)
def test_a_hand_that_does_not_exist_cannot_be_called(
    action: dict[str, Any], error: type[Exception]
) -> None:
    hand = opened([5, 5, 1, 2, 6])
    with pytest.raises(error):
        act(hand, "call", **action)
    assert hand.window == "call"


@pytest.mark.parametrize(
    ("dice", "error"),
    [
        ([5], BadCardChoice),
        ([0, 0], BadCardChoice),
        ("all", MalformedAction),
        ([True], MalformedAction),
    ],
)
def test_a_roll_names_dice_of_the_hand(dice: Any, error: type[Exception]) -> None:
    hand = opened([5, 5, 1, 2, 6] * 2)
    call(hand, "pair")
    act(hand, "accept")
    with pytest.raises(error):
        act(hand, "roll", dice=dice)


def test_a_roll_waits_for_dice_that_are_not_known_yet() -> None:
    hand = opened([5, 5, 1, 2, 6])
    call(hand, "pair")
    act(hand, "accept")
    assert act(hand, "roll", dice=[2]) == []
    assert (hand.window, hand.waiting) == ("dice", ())
    loaded = load(BLUFF_HAND, OPTIONS, hand.dump(), [5, 5, 1, 2, 6, 5])
    (rolled,) = loaded.expire()
    assert rolled.private == {2: {"dice": [5, 5, 5, 2, 6], "rolled": [2]}}


def test_a_bare_class_means_its_lowest_hand() -> None:
    assert read_call({"class": "full_house"}) == read_call({"class": "full_house", "faces": [1, 2]})
    assert read_call({"class": "two_pair"}) == read_call({"class": "two_pair", "faces": [1, 2]})
    assert call_json(read_call({"class": "low_straight"}))["faces"] == []


def test_every_hand_makes_just_the_calls_true_that_are_not_above_it() -> None:
    """The highest true call of a hand is its own class with its own faces."""
    for dice in product(range(1, 7), repeat=5):
        value = dice_hand(dice)
        true = [known for known in CALLS if known <= value]
        best = call_json(true[-1])
        own = call_json(value)
        assert best["class"] == own["class"]
        assert own["faces"][: len(best["faces"])] == best["faces"]
    assert len(CALLS) == 72
    assert higher_calls(CALLS[-1]) == ()
    assert [read_call(call_json(known)) for known in CALLS] == list(CALLS)
