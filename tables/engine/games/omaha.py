"""Omaha: exactly two hole cards play with exactly three of the board, for high and for low.

Source: docs/rules/omaha.md 1.
"""

from __future__ import annotations

from tables.engine.games.holdem import BEFORE_FLOP, BOARD_STREETS, FLOP, TURN_AND_RIVER
from tables.engine.poker.vocabulary import (
    EVERY_LIMIT,
    FIXED,
    HALF_POT,
    NO_LIMIT,
    POT,
    SMALL,
    SPREAD,
    Bet,
    Deal,
    Draw,
    PokerGame,
    Share,
    Step,
)

PAGE = "docs/rules/omaha.md"
POT_FIRST = (POT, NO_LIMIT, FIXED, HALF_POT, SPREAD)
FIXED_FIRST = (FIXED, POT, NO_LIMIT, HALF_POT, SPREAD)

HIGH = (Share("high", hole=(2,), board=(3,)),)


def high_low(top: int) -> tuple[Share, ...]:
    """Half to the high hand, half to the best low with no card above `top`."""
    return (*HIGH, Share(f"{top}ob", "low", hole=(2,), board=(3,)))


def _omaha(
    id: str,
    name: str,
    hole: int,
    *,
    section: int,
    seats: int = 10,
    shares: tuple[Share, ...] = HIGH,
    limits: tuple[str, ...] = POT_FIRST,
    steps: tuple[Step, ...] | None = None,
) -> PokerGame:
    return PokerGame(
        id=id,
        name=name,
        steps=steps or (Deal("preflop", down=hole), BEFORE_FLOP, *BOARD_STREETS),
        shares=shares,
        most_seats=seats,
        limits=limits,
        source=f"{PAGE} {section}",
    )


COURCHEVEL_STEPS = (
    Deal("preflop", down=5, board=1), BEFORE_FLOP,
    Deal("flop", board=2), Bet(SMALL),
    *TURN_AND_RIVER,
)  # fmt: skip

BINGLAO = PokerGame(
    id="binglao",
    name="Binglao",
    steps=(Deal("preflop", down=6), BEFORE_FLOP, *BOARD_STREETS),
    shares=HIGH,
    most_seats=6,
    limits=(POT,),
    die=("4 high", "5 high", "6 high", "4 8ob", "5 8ob", "6 8ob"),
    source=f"{PAGE} 9",
)

SVITEN = PokerGame(
    id="sviten",
    name="Sviten Special",
    steps=(
        Deal("preflop", down=5), BEFORE_FLOP,
        *FLOP,
        Draw("turn", refusable=True),
        *TURN_AND_RIVER,
    ),
    shares=(*HIGH, Share("high", "hand", hole=(5,), board=(0,))),
    most_seats=6,
    limits=(POT,),
    burns=False,
    source=f"{PAGE} 10",
)  # fmt: skip

GAMES = (
    _omaha("omaha", "Omaha", 4, section=2),
    _omaha("omaha8", "Omaha Hi-Lo", 4, section=3, shares=high_low(8), limits=FIXED_FIRST),
    _omaha(
        "omaha9",
        "Omaha Hi-Lo, nine or better",
        4,
        section=4,
        shares=high_low(9),
        limits=FIXED_FIRST,
    ),
    _omaha(
        "omaha7",
        "Omaha Hi-Lo, seven or better",
        4,
        section=4,
        shares=high_low(7),
        limits=FIXED_FIRST,
    ),
    _omaha("omaha5", "Five-card Omaha", 5, section=5, seats=8),
    _omaha("omaha5_8", "Big O", 5, section=5, seats=8, shares=high_low(8)),
    _omaha("omaha6", "Six-card Omaha", 6, section=6, seats=7),
    _omaha("omaha6_8", "Six-card Omaha Hi-Lo", 6, section=6, seats=7, shares=high_low(8)),
    _omaha("tight_holdem", "Tight Hold'em", 2, section=7, limits=EVERY_LIMIT),
    BINGLAO,
    SVITEN,
    _omaha("courchevel", "Courchevel", 5, section=8, seats=8, steps=COURCHEVEL_STEPS),
    _omaha(
        "courchevel8",
        "Courchevel Hi-Lo",
        5,
        section=8,
        seats=8,
        steps=COURCHEVEL_STEPS,
        shares=high_low(8),
    ),
)
