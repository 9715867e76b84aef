"""Omaha: exactly two hole cards play with exactly three of the board.

Source: docs/rules/omaha.md.
"""

from __future__ import annotations

from tables.engine.games.holdem import BOARD_STREETS
from tables.engine.poker.vocabulary import (
    AFTER_BLINDS,
    EVERY_LIMIT,
    FIXED,
    HALF_POT,
    NO_LIMIT,
    POT,
    SMALL,
    SPREAD,
    Bet,
    Deal,
    PokerGame,
    Share,
)

POT_FIRST = (POT, NO_LIMIT, FIXED, HALF_POT, SPREAD)
TWO_AND_THREE = Share("high", hole=(2,), board=(3,))


def _omaha(id: str, name: str, hole: int, seats: int) -> PokerGame:
    return PokerGame(
        id=id,
        name=name,
        steps=(Deal("preflop", down=hole), Bet(SMALL, AFTER_BLINDS), *BOARD_STREETS),
        shares=(TWO_AND_THREE,),
        most_seats=seats,
        limits=POT_FIRST if hole > 2 else EVERY_LIMIT,
        source="docs/rules/omaha.md",
    )


OMAHA = _omaha("omaha", "Omaha", 4, 10)
OMAHA_5 = _omaha("omaha5", "Five-card Omaha", 5, 8)
OMAHA_6 = _omaha("omaha6", "Six-card Omaha", 6, 7)
TIGHT_HOLDEM = _omaha("tight_holdem", "Tight Hold'em", 2, 10)

GAMES = (OMAHA, OMAHA_5, OMAHA_6, TIGHT_HOLDEM)
