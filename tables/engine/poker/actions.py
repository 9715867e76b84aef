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
from tables.engine.poker.state import State
from tables.engine.protocol import Action, Json

FOLD, CHECK, CALL, BET, RAISE = "fold", "check", "call", "bet", "raise"


def legal_bets(state: State, place: int) -> list[Json]:
    """The betting choices of the place whose turn it is, with their amounts."""
    owed = betting.owed(state, place)
    choices: list[Json] = [{"name": FOLD}]
    if owed:
        choices.append({"name": CALL, "amount_minor": owed})
    else:
        choices.append({"name": CHECK})
    limits = betting.raise_range(state, place)
    if limits is not None:
        choices.append(
            {
                "name": RAISE if state.price else BET,
                "least_to_minor": limits[0],
                "most_to_minor": limits[1],
            }
        )
    return choices


def do_fold(state: State, place: int, action: Action, default: bool) -> None:
    betting.fold(state, place)
    state.last[place] = [FOLD]
    _tell(state, "folded", {"seat": state.numbers[place]}, default)


def do_check(state: State, place: int, action: Action, default: bool) -> None:
    owed = betting.owed(state, place)
    if owed:
        raise CannotCheck(owed)
    betting.check_or_call(state, place, 0)
    state.last[place] = [CHECK]
    _tell(state, "checked", {"seat": state.numbers[place]}, default)


def do_call(state: State, place: int, action: Action, default: bool) -> None:
    owed = betting.owed(state, place)
    if not owed:
        raise NothingToCall
    betting.check_or_call(state, place, owed)
    state.last[place] = [CALL]
    public = {
        "seat": state.numbers[place],
        "amount_minor": owed,
        "bet_minor": state.put[place],
        "stack_minor": state.stacks[place],
    }
    _tell(state, "called", public, default, all_in=not state.stacks[place])


def do_bet(state: State, place: int, action: Action, default: bool) -> None:
    if state.price:
        raise NoSuchAction(BET, names(state, place))
    _raise(state, place, action, BET, "bet")


def do_raise(state: State, place: int, action: Action, default: bool) -> None:
    if not state.price:
        raise NoSuchAction(RAISE, names(state, place))
    _raise(state, place, action, RAISE, "raised")


def _raise(state: State, place: int, action: Action, name: str, event: str) -> None:
    limits = betting.raise_range(state, place)
    if limits is None:
        raise CannotRaise(_why_no_raise(state, place))
    to = checked_amount(state, place, action, limits)
    added = betting.raise_to(state, place, to)
    state.last[place] = [name, to]
    public = {
        "seat": state.numbers[place],
        "to_minor": to,
        "amount_minor": added,
        "stack_minor": state.stacks[place],
    }
    _tell(state, event, public, False, all_in=not state.stacks[place])


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
    if state.put[place] + state.stacks[place] <= state.price:
        return "there are no chips left to raise with"
    if betting.capped(state):
        return "the round is capped: no raise is left"
    if not betting.reopened(state, place):
        return "the betting was not re-opened by a full raise"
    return "nobody else has chips to call a raise"


def _tell(state: State, kind: str, public: Json, default: bool, *, all_in: bool = False) -> None:
    if all_in:
        public["all_in"] = True
    if default:
        public["default"] = True
    state.tell(kind, public)


BETTING: dict[str, Callable[[State, int, Action, bool], None]] = {
    FOLD: do_fold,
    CHECK: do_check,
    CALL: do_call,
    BET: do_bet,
    RAISE: do_raise,
}
