"""Games of the kitchen table: cards rolled one by one, passed on, or shared and wild.

Antes, every round from the button's left. Source: docs/rules/home.md 1.
"""

from __future__ import annotations

from tables.engine.poker.variants import ROLLS
from tables.engine.poker.vocabulary import (
    ANTES,
    BIG,
    FIXED,
    HALF_POT,
    NO_LIMIT,
    POT,
    SMALL,
    SPREAD,
    Arrange,
    Bet,
    Deal,
    Draw,
    Pass,
    PokerGame,
    Share,
    Step,
)

FIXED_FIRST = (FIXED, POT, NO_LIMIT, HALF_POT, SPREAD)


def _home(
    id: str,
    name: str,
    section: int,
    steps: tuple[Step, ...],
    shares: tuple[Share, ...],
    seats: int = 8,
) -> PokerGame:
    return PokerGame(
        id=id,
        name=name,
        steps=steps,
        shares=shares,
        most_seats=seats,
        forced=ANTES,
        limits=FIXED_FIRST,
        burns=False,
        source=f"docs/rules/home.md {section}",
    )


DRAWN_AND_ROLLED = (
    Deal("predraw", down=5), Bet(SMALL), Draw("roll1"), Arrange(), *ROLLS,
)  # fmt: skip

SPIT_IN_THE_OCEAN = _home(
    "spit_in_the_ocean",
    "Spit in the Ocean",
    5,
    (Deal("predraw", down=4, board=1), Bet(SMALL), Draw("postdraw"), Bet(BIG)),
    (Share("spit_high"),),
)

GAMES = (
    _home("shotgun", "Shotgun", 3, DRAWN_AND_ROLLED, (Share("high"),)),
    _home(
        "skinny_minnie", "Skinny Minnie", 4, DRAWN_AND_ROLLED, (Share("high"), Share("8ob", "low"))
    ),
    SPIT_IN_THE_OCEAN,
    _home(
        "anaconda",
        "Anaconda",
        6,
        (
            Deal("deal", down=7),
            Pass("deal", 3, "left"),
            Bet(SMALL),
            Pass("pass_right", 2, "right"),
            Bet(SMALL),
            Pass("pass_left1", 1, "left"),
            Bet(SMALL),
        ),
        (Share("high"),),
        seats=7,
    ),
)
