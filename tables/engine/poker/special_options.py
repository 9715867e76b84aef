"""Options of hands dealt otherwise than usual: straddles, bomb pots, kill pots.

Source: docs/rules/poker.md 3.9 to 3.11.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tables.engine.errors import BadOptions
from tables.engine.poker.reading import amount, checked, one_of
from tables.engine.poker.vocabulary import AFTER_BLINDS, FIXED, Bet, Deal, PokerGame

LEFT, BUTTON, EITHER = "left", "button", "either"
STRADDLES = (None, LEFT, BUTTON, EITHER)
"""Who may straddle: left of the big blind, the button, or either of them."""

FULL, HALF = "full", "half"
TWO_IN_A_ROW, SCOOP = "two_in_a_row", "scoop"
MOST_HANDS = 1_000


@dataclass(frozen=True, slots=True)
class BombPot:
    """A hand to which all ante instead of blinds. every_hands: 0 only when it is asked for."""

    ante_minor: int
    boards: int = 1
    every_hands: int = 0


@dataclass(frozen=True, slots=True)
class Kill:
    """When the limits of the next hand rise. from_minor: the least pot that counts for it."""

    size: str = FULL
    after: str = TWO_IN_A_ROW
    from_minor: int = 0


def straddle_of(blinds: tuple[int, ...], data: Mapping[str, Any]) -> str | None:
    """Where a straddle may be put in, if anywhere."""
    where: str | None = one_of(data, "straddle", STRADDLES)
    if where is not None and len(blinds) != 2:
        raise BadOptions("straddle", "a game without two blinds has none")
    return where


def bomb_pot_of(game: PokerGame, data: Any, chip: int) -> BombPot | None:
    if data is None:
        return None
    _only(data, "bomb_pot", ("ante_minor", "boards", "every_hands"))
    if not any(isinstance(step, Deal) and step.board for step in game.steps):
        raise BadOptions("bomb_pot", "a game without a board has none")
    if not any(isinstance(step, Bet) and step.first == AFTER_BLINDS for step in game.steps):
        raise BadOptions("bomb_pot", "a game without blinds has none")
    ante = checked("bomb_pot", data.get("ante_minor"), chip)
    if ante % chip:
        raise BadOptions("bomb_pot", f"{ante} is not a whole number of {chip}")
    every = amount(data, "every_hands", 0)
    if every > MOST_HANDS:
        raise BadOptions("bomb_pot", f"every_hands is at most {MOST_HANDS}, 0 when it is asked for")
    return BombPot(ante, one_of(data, "boards", (1, 2)), every)


def kill_of(
    limit: str, blinds: tuple[int, ...], bets: tuple[int, int], data: Any, chip: int
) -> Kill | None:
    if data is None:
        return None
    _only(data, "kill", ("size", "after", "from_minor"))
    if limit != FIXED or len(blinds) != 2:
        raise BadOptions("kill", "it takes a fixed limit and two blinds")
    kill = Kill(
        one_of(data, "size", (FULL, HALF)),
        one_of(data, "after", (TWO_IN_A_ROW, SCOOP)),
        amount(data, "from_minor", 0),
    )
    if kill.after == SCOOP and not kill.from_minor:
        raise BadOptions("kill", "after a scoop: from_minor says from which pot on")
    if kill.size == HALF and any(bet * 3 % (2 * chip) for bet in (*bets, blinds[-1])):
        raise BadOptions("kill", "half as much again is no whole number of chips")
    return kill


def _only(data: Any, name: str, known: tuple[str, ...]) -> None:
    if not isinstance(data, Mapping):
        raise BadOptions(name, "must be an object or null")
    for part in data:
        if part not in known:
            raise BadOptions(name, f"{part!r} is not part of it")
