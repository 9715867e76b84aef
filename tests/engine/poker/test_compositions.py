"""Games a house may compose: one clear error for each fault; all others are dealt to their end."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tables.engine.errors import BadDefinition, BadOptions, RuleViolation, UnknownGame
from tables.engine.games import named
from tables.engine.games.checks import HIGHS, LOWS
from tables.engine.history.simulation import Simulation
from tables.engine.history.stakes import default_options
from tables.engine.poker.vocabulary import PokerGame

Definition = dict[str, Any]

DEAL: Definition = {"step": "deal", "street": "a", "down": 5}
BET: Definition = {"step": "bet"}
HIGH = [{"ranking": "high"}]
SPLIT = [{"ranking": "high"}, {"ranking": "8ob", "side": "low"}]


def scratch(**changes: Any) -> Definition:
    return {"name": "Own", "changes": {"steps": [DEAL, BET], "shares": HIGH, **changes}}


def steps(*more: Definition) -> Definition:
    return scratch(steps=[DEAL, BET, *more])


def share(**fields: Any) -> Definition:
    return scratch(shares=[{"ranking": "high", **fields}])


FAULTS: list[tuple[Definition, str]] = [
    ({"name": "Own", "changes": {}}, "needs the field 'steps'"),
    (scratch(colour="red"), "has no field 'colour'"),
    (scratch(burns="no"), "burns is true or false"),
    (scratch(deck=53), "deck is text"),
    (scratch(steps="deal"), "steps is a list"),
    (scratch(steps=["deal"]), "step 1 is an object whose step is one of deal, bet"),
    (scratch(steps=[{"step": "dance"}]), "step 1 is an object whose step is one of deal, bet"),
    (scratch(steps=[{"step": "deal", "down": 5}, BET]), "step 1 needs the field 'street'"),
    (scratch(steps=[{**DEAL, "down": True}, BET]), "step 1: down is a whole number"),
    (scratch(steps=[{**DEAL, "down": -1}, BET]), "step 1, deal: deals no cards"),
    (scratch(steps=[BET, DEAL]), "a hand begins with a deal"),
    (scratch(steps=[DEAL]), "there is no betting round"),
    (steps(BET), "there was a round on 'a' already"),
    (scratch(steps=[DEAL, {**BET, "tier": 9}]), "the tier is 0"),
    (scratch(steps=[DEAL, {**BET, "first": "me"}]), "nobody acts first 'me'"),
    (scratch(steps=[DEAL, {**BET, "first": "board"}]), "nobody has a card face up"),
    (scratch(steps=[DEAL, {**BET, "passed_out": "pray"}]), "nothing is called 'pray'"),
    (scratch(steps=[DEAL, {**BET, "passed_out": "other_game"}]), "there is none"),
    (scratch(forced="tax"), "nothing is forced by 'tax'"),
    (scratch(forced="bring_in"), "only one, is opened by it"),
    (scratch(forced="blinds_from_button"), "need three seats"),
    (steps({"step": "pass", "street": "b", "count": 5, "direction": "left"}), "cannot be given up"),
    (steps({"step": "pass", "street": "b", "count": 1, "direction": "up"}), "not 'up'"),
    (steps({"step": "discard", "street": "b", "count": 0}), "at least one card is named"),
    (steps({"step": "arrange", "count": 6}), "6 of 5 cards cannot be arranged"),
    (steps(*[{"step": "roll", "street": f"r{n}"} for n in range(6)]), "no card is left to be"),
    (steps({"step": "draw", "street": "b", "most": 5, "more": 1, "refusable": True}), "to refuse"),
    (scratch(most_seats=10, steps=[DEAL, BET, {"step": "draw", "street": "b"}]), "leave 2 cards"),
    (scratch(shares=[]), "nobody has a share of the pot"),
    (scratch(shares=[{"ranking": "luck"}]), "no ranking 'luck'"),
    (scratch(shares=[{"ranking": "three_card"}]), "no ranking 'three_card'"),
    (scratch(shares=[{"ranking": "high"}, {"ranking": "a5"}]), "a side of its own"),
    (share(side="low"), "high ranks high hands"),
    (share(part=0), "part of the pot is at least 1"),
    (share(hole=[2]), "hole and board say together"),
    (share(hole=[2], board=[3]), "board counts are 0 to 0"),
    (scratch(most_seats=2, steps=[{"step": "deal", "street": "a", "down": 13}, BET]), "12 at most"),
    ({"name": "Own", "base": "omaha",
      "changes": {"most_seats": 6, "steps": [{**DEAL, "board": 6}, BET]}},
     "three of 6 common cards play: of 5 at most"),
    (share(at_least="great"), "at_least is a class of hands"),
    (scratch(shares=[{"ranking": "spit_high"}]), "needs a common card"),
    (scratch(shares=SPLIT, steps=[DEAL, BET, {"step": "declare"}]), "do not go together"),
    (steps({"step": "declare"}), "a share for high and a share for low"),
    (scratch(deck="99"), "no deck '99'"),
    (scratch(deck="53"), "ranked by bug_high or wild_high"),
    (scratch(deck="53", most_seats=6, shares=[{"ranking": "wild_high"}],
             steps=[{**DEAL, "up": 1}, {**BET, "first": "board"}]), "a joker face up has no rank"),
    (scratch(wild="X"), "wild ranks are among"),
    (scratch(wild="KK"), "named twice"),
    (scratch(limits=["sky"]), "limits must be among"),
    (scratch(most_seats=11), "11 seats need more cards"),
    (scratch(least_seats=1), "seats must run from two up"),
    (scratch(kill="Zz"), "'Zz' is not a card"),
    (scratch(die=["4 high"]), "a die has 6 faces"),
    (scratch(die=["4 high"] * 5 + ["x"]), "'x' is no face of a die"),
    ({"name": "Own", "base": "omaha", "changes": {"die": ["4 high"] * 5 + ["1 high"]}},
     "with '1 high' share for high: hole counts are 0 to 1"),
    (scratch(checked_seven=True), "checked_seven is for a low of a5"),
    ({"name": "n" * 61, "base": "holdem"}, "a name of 1 to 60 characters"),
]  # fmt: skip


@pytest.mark.parametrize(("custom", "words"), FAULTS, ids=[words for _, words in FAULTS])
def test_each_fault_has_one_clear_error(custom: Definition, words: str) -> None:
    with pytest.raises(BadDefinition) as refused:
        named("custom", {"custom": custom})
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("custom", "error"),
    [
        (None, BadOptions),
        ({"changes": []}, BadOptions),
        ({"base": "moon"}, UnknownGame),
        ({"base": "horse"}, UnknownGame),
        ({"base": "three_card_poker"}, BadOptions),
    ],
)
def test_a_composition_begins_from_a_poker_game_or_from_nothing(
    custom: Any, error: type[RuleViolation]
) -> None:
    with pytest.raises(error):
        named("custom", {"custom": custom})


STREETS = ["a", "b", "c", "d"]


def any_step(random: Random) -> Definition:
    word = random.choice(
        ["deal", "deal", "bet", "bet", "draw", "discard", "pass", "arrange", "roll", "spit"]
    )
    step: Definition = {"step": word}
    if word not in ("bet", "arrange", "spit"):
        step["street"] = random.choice(STREETS)
    if word == "deal":
        step |= random.choice([{"down": 1}, {"up": 1}, {"board": 1}, {"board": 3}, {"down": 2}])
    elif word == "bet":
        step["tier"] = random.randint(0, 2)
        step["first"] = random.choice(["left", "left", "blinds", "bring_in", "board"])
        step |= random.choice([{}, {}, {"openers": True}, {"must_open": True}])
        step |= random.choice([{}, {}, {"passed_out": "carry"}, {"pair_doubles": True}])
    elif word == "draw":
        step |= {"most": random.randint(0, 5)}
        step |= random.choice([{}, {}, {"more": 1}, {"refusable": True}])
    elif word in ("discard", "pass", "arrange"):
        step["count"] = random.randint(1, 4)
    elif word == "spit":
        step["last"] = random.random() < 0.5
    if word == "pass":
        step["direction"] = random.choice(["left", "right"])
    return step


def any_share(random: Random, side: str) -> Definition:
    found: Definition = {"ranking": random.choice(HIGHS if side == "high" else LOWS), "side": side}
    if random.random() < 0.25:
        found |= {"hole": random.choice([[2], [0, 1, 2], [3]]), "board": random.choice([[0], [3]])}
    if random.random() < 0.15:
        found["at_least"] = random.choice(["pair", "three_of_a_kind", "no_pair"])
    return found


def any_definition(random: Random) -> Definition:
    """Anything that is written in the vocabulary; most of it cannot be dealt."""
    first = {"step": "deal", "street": "a", "down": random.choice([1, 3, 4, 5]),
             "up": random.choice([0, 0, 1])}  # fmt: skip
    sides = random.choice([("high",), ("low",), ("high", "low")])
    changes: Definition = {
        "steps": [first, *(any_step(random) for _ in range(random.randint(1, 6)))],
        "shares": [any_share(random, side) for side in sides],
        "most_seats": random.choice([2, 4, 6]),
    }
    for name, values in (
        ("deck", ["53", "54", "36"]),
        ("wild", ["2", "K9"]),
        ("forced", ["antes", "bring_in", "blinds_or_antes", "blinds_from_button"]),
        ("kill", ["Kh"]),
        ("checked_seven", [True]),
        ("burns", [False]),
        ("low_boards", [True]),
    ):
        if random.random() < 0.2:
            changes[name] = random.choice(values)
    if "declare" not in changes and len(sides) == 2 and random.random() < 0.3:
        changes["steps"].append({"step": "declare"})
    return {"name": "Own", "changes": changes}


@pytest.mark.parametrize("part", range(8))
def test_whatever_is_not_refused_is_dealt_to_its_end_by_all_the_laws(part: int) -> None:
    random = Random(f"composed/{part}")
    dealt = 0
    while dealt < 6:
        custom = any_definition(random)
        try:
            game = named("custom", {"custom": custom})
        except BadDefinition:
            continue
        assert isinstance(game, PokerGame)
        assert PokerGame.from_json(game.to_json()) == game
        Simulation([(game, default_options(game))], random.choice([None, game.seats[-1]])).play_one(
            Random(str(dealt))
        )
        dealt += 1


def test_three_card_triple_draw_california_lowball_with_kings_wild_is_dealt_to_its_end() -> None:
    draws = [
        part
        for nth in (1, 2, 3)
        for part in (
            {"step": "draw", "street": f"draw{nth}", "most": 3},
            {"step": "bet", "tier": int(nth > 1)},
        )
    ]
    first = {"step": "deal", "street": "predraw", "down": 3}
    custom = {
        "name": "Three-card triple-draw California lowball, kings wild",
        "base": "california_lowball",
        "changes": {"wild": "K", "steps": [first, {"step": "bet", "first": "blinds"}, *draws]},
    }
    game = named("custom", {"custom": custom})
    simulation = Simulation([(game, default_options(game))], 6)  # type: ignore[arg-type]
    for number in range(8):
        simulation.play_one(Random(f"kings/{number}"))
    assert simulation.figures.hands == 8


def test_a_rotation_of_ones_own_goes_by_no_other_name() -> None:
    own = {"games": [{"game": "razz", "limit": "fixed"}]}
    assert named("horse", {}).name == "HORSE"
    assert named("horse", own).name == "Mixed games"
    assert named("dealers_choice", own).name == "Dealer's Choice"
