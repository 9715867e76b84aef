"""Worked hands, played on the engine that plays live ones.

A case sets up seats 0.., blinds, cards and actions, and says what must come of it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tables.engine.errors import BadCardChoice, BadDefinition, NotYourTurn, RuleViolation
from tables.engine.games import game_of
from tables.engine.history.stacking import received, stacked_deck
from tables.engine.poker.actions import BET, COMPLETE, DOUBLE_BET, RAISE
from tables.engine.poker.hand import PokerHand, start
from tables.engine.poker.openers import RISING
from tables.engine.poker.options import read_options
from tables.engine.poker.variants import dealt_as
from tables.engine.poker.vocabulary import PokerGame
from tables.engine.protocol import Event, Json, SeatIn
from tables.engine.reasons import Reason

Case = Mapping[str, Any]

BY_HOLE_CARDS = {
    ("omaha", 5): "omaha5",
    ("omaha", 6): "omaha6",
    ("omaha8", 5): "omaha5_8",
    ("omaha8", 6): "omaha6_8",
}
"""Cases write one id for all Omahas: the hole cards dealt decide."""

OPTION_NAMES = {
    "ante": "ante_minor",
    "bring_in": "bring_in_minor",
    "min_bet": "min_bet_minor",
    "unit": "small_bet_minor",
    "spread": "spread_minor",
    "max_raises": "max_raises",
    "uncapped_heads_up": "uncapped_heads_up",
    "low_top": "low_top",
    "no_double_bet": "no_double_bet",
    "openers": "openers",
    "winner_min": "winner_min",
    "no_check_raise": "no_check_raise",
    "low": "low",
    "declare": "declare",
    "bet_before_pass": "bet_before_pass",
    "spit_called": "spit_called",
    "only_spit_wild": "only_spit_wild",
}
"""Fields of a case that are options of the table."""


def play_hand_case(case: Case) -> Json:
    """Play a scripted hand. Returns what `expect` names, or all there is to say where a case has
    none, and `refused` and `queries`.

    Raises a RuleViolation subclass where the engine refuses what the script takes for granted.
    """
    game = case_game(case)
    hand, events = _started(game, case)
    events += _untold(hand, case)
    got: Json = {"refused": [], "queries": []}
    for action in case["actions"]:
        if "query" in action:
            got["queries"].append(_raise_range(hand, action["seat"]))
        elif action.get("refused"):
            got["refused"].append(_is_refused(hand, action))
        else:
            events += _done(hand, action)
        events += _untold(hand, case)
    return {**_outcome(case, hand, events), **got}


def case_expected(case: Case) -> Json:
    """What `play_hand_case` must return."""
    actions = case["actions"]
    return {
        **case["expect"],
        "refused": [True for action in actions if action.get("refused")],
        "queries": [[action["min"], action["max"]] for action in actions if "query" in action],
    }


def case_game(case: Case) -> PokerGame:
    """The game of a case. Raises UnknownGame, BadDefinition."""
    variant = str(case["variant"])
    game = game_of(BY_HOLE_CARDS.get((variant, len(case["hole"][0])), variant))
    if not isinstance(game, PokerGame):
        raise BadDefinition(variant, Reason("no_ring_game"))
    return game


def case_options(game: PokerGame, case: Case) -> Json:
    options: Json = {"limit": case["limit"]}
    for field, name in OPTION_NAMES.items():
        if field in case:
            options[name] = case[field]
    if case.get("blinds"):
        options["blinds_minor"] = case["blinds"]
    else:
        options.setdefault("ante_minor", 0)
    if case["variant"] == "anaconda" and case.get("rollout"):
        options["rollout"] = True
    return options


def _started(game: PokerGame, case: Case) -> tuple[PokerHand, list[Event]]:
    options = read_options(game, case_options(game, case))
    dealt = dealt_as(game, options, case.get("die", 0))
    return start(
        game,
        [SeatIn(seat, stack) for seat, stack in enumerate(case["stacks"])],
        options,
        stacked_deck(dealt, case),
        button=case["button"],
        carry={"carry_minor": case["carry_in"]} if case.get("carry_in") else None,
        die=case.get("die", 0),
    )


def _untold(hand: PokerHand, case: Case) -> list[Event]:
    """What a script leaves to its other fields: orders of cards, offers, a fresh shuffle."""
    events: list[Event] = []
    while True:
        if hand.window == "reshuffle":
            events += hand.reshuffle(_order(hand, case))
        elif hand.window == "offer":
            seat = hand.waiting[0]
            wanted = received(case, hand.street, seat)[:1] == [hand.deck[hand.offered]]
            events += hand.act(seat, {"name": "take" if wanted else "refuse"})
        elif hand.window == "arrange":
            for seat in hand.waiting:
                events += hand.act(seat, _arrangement(hand, case, seat))
        elif hand.window == "spit":
            events += hand.expire()
        else:
            return events


def _arrangement(hand: PokerHand, case: Case, seat: int) -> Json:
    order = case.get("rollout", {}).get(str(seat))
    if order is None:
        return hand.default_action(seat)
    return {"name": "arrange", "cards": _places(hand, seat, order)}


def _done(hand: PokerHand, action: Case) -> list[Event]:
    name, seat = action["action"], action["seat"]
    if name == "dealt":
        return []  # the deck is stacked for it
    if name == "auto_discard":
        if hand.waiting != (seat,):
            raise NotYourTurn(seat, hand.waiting)
        return hand.expire()
    return hand.act(seat, _action(hand, action))


def _action(hand: PokerHand, action: Case) -> Json:
    """An action of the script as the engine takes it."""
    done: Json = {"name": _verb(hand, action)}
    if "to" in action:
        done["to_minor"] = action["to"]
    named = action.get("discard", action.get("cards"))
    if "declare" in action:
        done["choice"] = {"scoop": "both"}.get(action["declare"], action["declare"])
    if named is not None:
        done["cards"] = _places(hand, action["seat"], named)
    return done


def _verb(hand: PokerHand, action: Case) -> str:
    """The engine's word for a script's bet, raise or completion: all three put more in."""
    name = str(action["action"])
    if name in (BET, RAISE, COMPLETE):
        offered = {choice["name"]: choice for choice in hand.legal(action["seat"])}
        double = offered.get(DOUBLE_BET)
        if double and action.get("to") == double["least_to_minor"]:
            return DOUBLE_BET
        return next((verb for verb in (BET, RAISE, COMPLETE) if verb in offered), name)
    return name


def _places(hand: PokerHand, seat: int, cards: Sequence[str]) -> list[int]:
    place = hand.numbers.index(seat)
    held = hand.texts(hand.down[place] + hand.up[place])
    strange = [card for card in cards if card not in held]
    if strange:
        raise BadCardChoice(f"{', '.join(strange)} is not held by seat {seat}")
    return [held.index(card) for card in cards]


def _order(hand: PokerHand, case: Case) -> list[int]:
    """The mucked positions in an order that serves what the script's draws still receive."""
    wanted: list[int] = []
    for place in hand.serving:
        cards = received(case, hand.street, hand.numbers[place])
        wanted += cards[len(hand.drawn) :] if place == hand.serving[0] else cards
    mucked = hand.mucked
    first = [p for card in wanted for p in mucked if hand.deck[p] == card]
    return first + [p for p in mucked if p not in first]


def _is_refused(hand: PokerHand, action: Case) -> bool:
    """Whether the engine refuses an action and leaves everything as it was."""
    before = json.dumps(hand.dump())
    try:
        hand.act(action["seat"], _action(hand, action))
    except RuleViolation:
        return json.dumps(hand.dump()) == before
    return False


def _raise_range(hand: PokerHand, seat: int) -> list[int] | None:
    ranges = [choice for choice in hand.legal(seat) if "most_to_minor" in choice]
    if not ranges:
        return None
    return [ranges[0]["least_to_minor"], ranges[-1]["most_to_minor"]]


def _outcome(case: Case, hand: PokerHand, events: list[Event]) -> Json:
    result = hand.result
    if result is None:
        raise BadDefinition(case["id"], Reason("script_ends", waiting=tuple(hand.waiting)))
    stacks = result["stacks_minor"]
    found: Json = {
        "stacks": [stacks[str(seat)] for seat in range(len(case["stacks"]))],
        "pots": [_pot(pot) for pot in result["pots"]],
    }
    shown = [event.public["seat"] for event in events if event.type == "hand_shown"]
    further: Json = {
        "shows_first": shown[0] if shown else None,
        "carry_to_next_deal": result["carry_minor"],
        "next_openers": result.get("carry", {}).get("openers", RISING[0]),
    }
    return found | {name: further[name] for name in case.get("expect", further) if name in further}


def _pot(pot: Json) -> Json:
    names = {"amount_minor": "amount", "eligible": "eligible", "awards": "awards"}
    found = {name: pot[field] for field, name in names.items()}
    if "low" in pot:
        found |= {"high": pot["high"], "low": pot["low"]}
    return found
