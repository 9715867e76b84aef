"""The choices of a seat, and doing one: everything is checked before anything changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tables.engine.errors import (
    BetTooLarge,
    BetTooSmall,
    CannotCheck,
    CannotRaise,
    MalformedAction,
    NoSuchAction,
    NothingToCall,
    NotWholeChips,
)
from tables.engine.poker import betting
from tables.engine.poker.openers import keep_openers
from tables.engine.poker.state import State, new_event
from tables.engine.poker.vocabulary import Bet
from tables.engine.protocol import Action, Event, Json

FOLD, CHECK, CALL, BET, RAISE = "fold", "check", "call", "bet", "raise"
BRING_IN, COMPLETE, DOUBLE_BET = "bring_in", "complete", "double_bet"


def legal_bets(state: State, place: int) -> list[Json]:
    """The betting choices of the place whose turn it is, with their amounts."""
    if state.completing and not state.price:
        return _legal_openings(state, place)
    owed = betting.owed(state, place)
    choices: list[Json] = [{"name": FOLD}]
    if owed:
        choices.append({"name": CALL, "amount_minor": owed})
    elif not must_open(state):
        choices.append({"name": CHECK})
    choices += _legal_raises(state, place)
    return choices


def _legal_openings(state: State, place: int) -> list[Json]:
    """Third street before the bring-in: only who stands in for an all-in player may fold."""
    choices: list[Json] = [] if place == state.first else [{"name": FOLD}]
    amount = min(state.options.bring_in_minor, state.stacks[place])
    choices.append({"name": BRING_IN, "amount_minor": amount})
    return choices + _legal_raises(state, place)


def _legal_raises(state: State, place: int) -> list[Json]:
    limits = betting.raise_range(state, place)
    if limits is None:
        return []
    least, most = limits
    name = raise_name(state)
    if not state.double:
        choice: Json = {"name": name, "least_to_minor": least, "most_to_minor": most}
        if name == BET and needs_openers(state):
            # Whether the seat holds them is its own affair: the choice is offered to all alike.
            choice["openers"] = state.needed
        return [choice]
    choices: list[Json] = [{"name": name, "least_to_minor": least, "most_to_minor": least}]
    if most > least:
        choices.append({"name": DOUBLE_BET, "least_to_minor": most, "most_to_minor": most})
    return choices


def must_open(state: State) -> bool:
    step = state.now
    return not state.price and type(step) is Bet and step.must_open


def needs_openers(state: State) -> bool:
    step = state.now
    return not state.price and type(step) is Bet and step.openers


def raise_name(state: State) -> str:
    """What raising is called now."""
    if state.completing and state.price <= state.options.bring_in_minor:
        return COMPLETE
    return RAISE if state.price else BET


def do_fold(state: State, place: int, action: Action, default: bool) -> None:
    if state.completing and not state.price and place == state.first:
        raise NoSuchAction(FOLD, names(state, place))
    betting.fold(state, place)
    state.last[place] = FOLD
    public: Json = {"seat": state.numbers[place]}
    if default:
        public["default"] = True
    state.events.append(new_event(Event, ("folded", public, None)))


def do_check(state: State, place: int, action: Action, default: bool) -> None:
    if state.price:
        owed = betting.owed(state, place)
        if owed:
            raise CannotCheck(owed)
    elif state.completing or (type(state.now) is Bet and state.now.must_open):
        raise NoSuchAction(CHECK, names(state, place))
    betting.check_or_call(state, place, 0)
    state.last[place] = CHECK
    public: Json = {"seat": state.numbers[place]}
    if default:
        public["default"] = True
    state.events.append(new_event(Event, ("checked", public, None)))


def do_call(state: State, place: int, action: Action, default: bool) -> None:
    owed = betting.owed(state, place)
    if not owed:
        raise NothingToCall
    betting.check_or_call(state, place, owed)
    state.last[place] = CALL
    _tell_paid(state, place, "called", owed, default)


def do_bring_in(state: State, place: int, action: Action, default: bool) -> None:
    if not state.completing or state.price:
        raise NoSuchAction(BRING_IN, names(state, place))
    added = betting.bring_in(state, place)
    state.last[place] = BRING_IN
    _tell_paid(state, place, "brought_in", added, default)


def do_raise(state: State, place: int, action: Action, default: bool) -> None:
    """A bet, a raise, a completion, or a big one where small and big are open."""
    name = action["name"]
    double = name == DOUBLE_BET
    if name != raise_name(state) and not (double and state.double):
        raise NoSuchAction(name, names(state, place))
    limits = betting.raise_range(state, place)
    if limits is None:
        raise CannotRaise(_why_no_raise(state, place))
    least, most = limits
    if state.double:
        if double and most == least:
            raise NoSuchAction(name, names(state, place))
        limits = (most, most) if double else (least, least)
    to = checked_amount(state, place, action, limits)
    if name == BET and needs_openers(state):
        keep_openers(state, place)
    added = betting.raise_to(state, place, to)
    state.last[place] = [name, to]
    public: Json = {
        "seat": state.numbers[place],
        "to_minor": to,
        "amount_minor": added,
        "stack_minor": state.held(place),
    }
    if not state.stacks[place]:
        public["all_in"] = True
    state.tell(RAISE_EVENTS[name], public)


def _tell_paid(state: State, place: int, kind: str, amount: int, default: bool) -> None:
    public: Json = {
        "seat": state.numbers[place],
        "amount_minor": amount,
        "bet_minor": state.put[place],
        "stack_minor": state.held(place),
    }
    if not state.stacks[place]:
        public["all_in"] = True
    if default:
        public["default"] = True
    state.events.append(new_event(Event, (kind, public, None)))


def checked_amount(state: State, place: int, action: Action, limits: tuple[int, int]) -> int:
    """The amount to bet or raise to; it may be left out where only one is possible."""
    least, most = limits
    to: Any = action.get("to_minor")
    if to is None:
        if least != most:
            raise MalformedAction("to_minor is missing: say how much to bet or raise to")
        return least
    if not isinstance(to, int) or isinstance(to, bool):
        raise MalformedAction("to_minor must be a whole number of minor units")
    if to < least:
        raise BetTooSmall(to, least)
    if to > most:
        raise BetTooLarge(to, most)
    chip = state.options.chip_minor
    if to % chip and to != state.put[place] + state.stacks[place]:
        raise NotWholeChips(to, chip)
    return to


def names(state: State, place: int) -> tuple[str, ...]:
    return tuple(choice["name"] for choice in legal_bets(state, place))


def _why_no_raise(state: State, place: int) -> str:
    least = state.options.bring_in_minor if state.completing else 0
    there = state.put[place] + state.stacks[place]
    if there <= state.price or there < least:
        return "there are no chips left to raise with"
    if betting.capped(state):
        return "the round is capped: no raise is left"
    if not betting.reopened(state, place):
        return "the betting was not re-opened by a full raise"
    return "nobody else has chips to call a raise"


RAISE_EVENTS = {BET: "bet", RAISE: "raised", COMPLETE: "completed", DOUBLE_BET: "raised"}

BETTING: dict[str, Callable[[State, int, Action, bool], None]] = {
    FOLD: do_fold,
    CHECK: do_check,
    CALL: do_call,
    BRING_IN: do_bring_in,
    **dict.fromkeys(RAISE_EVENTS, do_raise),
}
