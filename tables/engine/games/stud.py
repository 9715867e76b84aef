"""Seven-card stud, for high, high-low and low. Source: docs/rules/stud.md 1."""

from __future__ import annotations

from tables.engine.poker.vocabulary import (
    BIG,
    BRING_IN,
    BY_BOARD,
    BY_BRING_IN,
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
    Step,
)

FIXED_FIRST = (FIXED, POT, NO_LIMIT, HALF_POT, SPREAD)


def _streets(*, pair_doubles: bool) -> tuple[Step, ...]:
    return (
        Deal("third", down=2, up=1), Bet(SMALL, BY_BRING_IN),
        Deal("fourth", up=1), Bet(SMALL, BY_BOARD, pair_doubles=pair_doubles),
        Deal("fifth", up=1), Bet(BIG, BY_BOARD),
        Deal("sixth", up=1), Bet(BIG, BY_BOARD),
        Deal("seventh", down=1, common_if_short=True), Bet(BIG, BY_BOARD),
    )  # fmt: skip


def _stud(
    id: str, name: str, shares: tuple[Share, ...], *, section: int, low: bool = False
) -> PokerGame:
    return PokerGame(
        id=id,
        name=name,
        steps=_streets(pair_doubles=not low),
        shares=shares,
        most_seats=8,
        forced=BRING_IN,
        low_boards=low,
        limits=FIXED_FIRST,
        source=f"docs/rules/stud.md {section}",
    )


GAMES = (
    _stud("stud", "Seven-card Stud", (Share("high"),), section=2),
    _stud("stud8", "Seven-card Stud Hi-Lo", (Share("high"), Share("8ob", "low")), section=3),
    _stud("razz", "Razz", (Share("a5", "low"),), section=4, low=True),
)
