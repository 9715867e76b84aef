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
from tables.engine.reasons import Reason

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
        raise BadOptions("straddle", Reason("no_two_blinds"))
    return where


def bomb_pot_of(game: PokerGame, data: Any, chip: int) -> BombPot | None:
    if data is None:
        return None
    _only(data, "bomb_pot", ("ante_minor", "boards", "every_hands"))
    if not any(isinstance(step, Deal) and step.board for step in game.steps):
        raise BadOptions("bomb_pot", Reason("no_board"))
    if not any(isinstance(step, Bet) and step.first == AFTER_BLINDS for step in game.steps):
        raise BadOptions("bomb_pot", Reason("without_blinds"))
    ante = checked("bomb_pot", data.get("ante_minor"), chip)
    if ante % chip:
        raise BadOptions("bomb_pot", Reason("not_whole", amount_minor=ante, chip_minor=chip))
    every = amount(data, "every_hands", 0)
    if every > MOST_HANDS:
        raise BadOptions("bomb_pot", Reason("every_hands", most=MOST_HANDS))
    return BombPot(ante, one_of(data, "boards", (1, 2)), every)


def kill_of(
    limit: str, blinds: tuple[int, ...], bets: tuple[int, int], data: Any, chip: int
) -> Kill | None:
    if data is None:
        return None
    _only(data, "kill", ("size", "after", "from_minor"))
    if limit != FIXED or len(blinds) != 2:
        raise BadOptions("kill", Reason("kill_needs"))
    kill = Kill(
        one_of(data, "size", (FULL, HALF)),
        one_of(data, "after", (TWO_IN_A_ROW, SCOOP)),
        amount(data, "from_minor", 0),
    )
    if kill.after == SCOOP and not kill.from_minor:
        raise BadOptions("kill", Reason("kill_scoop"))
    if kill.size == HALF and any(bet * 3 % (2 * chip) for bet in (*bets, blinds[-1])):
        raise BadOptions("kill", Reason("kill_half"))
    return kill


def _only(data: Any, name: str, known: tuple[str, ...]) -> None:
    if not isinstance(data, Mapping):
        raise BadOptions(name, Reason("no_object_or_null"))
    for part in data:
        if part not in known:
            raise BadOptions(name, Reason("not_part", part=part))
