"""Omaha lows: exactly two from the hand with exactly three from the board, all ranks different.

Only which low ranks are held matters, so the value is remembered by the low bits of the hand and
of the board. Source: docs/rules/omaha.md 1.1 and 1.2.
"""

from __future__ import annotations

from itertools import combinations

from tables.engine.rankings.eight_or_better import LOWEST_FIVE, TOPS, low_bits
from tables.engine.rankings.lows import TOP
from tables.engine.rankings.tables import LOW_RANK, Table, ranks_of

BOARD_SHIFT = 9
BOARD_MASK = (1 << BOARD_SHIFT) - 1
BITS: dict[int, tuple[int, ...]] = {top: low_bits(top)[:52] for top in TOPS}


def _two_and_three(held: int, top: int) -> int:
    """held: low bits of the hand above those of the board."""
    hand, board = held >> BOARD_SHIFT, held & BOARD_MASK
    own = [rank for rank in range(top) if hand >> rank & 1]
    table = LOWEST_FIVE[top]
    best = 0
    for one, other in combinations(own, 2):
        pair = 1 << one | 1 << other
        rest = board & ~pair
        common = [rank for rank in range(top) if rest >> rank & 1][:3]
        if len(common) == 3:
            best = max(best, table[pair | sum(1 << rank for rank in common)])
    return best


TWO_AND_THREE: dict[int, Table[int]] = {
    top: Table(lambda held, top=top: _two_and_three(held, top))  # type: ignore[misc]
    for top in TOPS
}


class OmahaLowBoard:
    """Three to five board cards, ready for any number of hands."""

    __slots__ = ("bits", "low", "table")

    def __init__(self, cards: tuple[int, ...], top: int = 8) -> None:
        self.bits = BITS[top]
        self.table = TWO_AND_THREE[top]
        self.low = 0
        for card in cards:
            self.low |= self.bits[card]

    def value(self, hole: tuple[int, ...]) -> int:
        """Value of the best low, 0 when none qualifies."""
        bits = self.bits
        held = 0
        for card in hole:
            held |= bits[card]
        return self.table[held << BOARD_SHIFT | self.low]


def omaha_low(hole: tuple[int, ...], board: tuple[int, ...], top: int = 8) -> int:
    """Value of the best low of one hand, its highest rank at most `top` (7, 8 or 9)."""
    return OmahaLowBoard(board, top).value(hole)


def omaha_low_playing(hole: tuple[int, ...], board: tuple[int, ...], value: int) -> tuple[int, ...]:
    """The two hole cards, then the three board cards, that make a low value; () for 0."""
    if not value:
        return ()
    needed = {written - 1 for written in ranks_of(TOP - value)}
    own = {LOW_RANK[card]: card for card in hole if LOW_RANK[card] in needed}
    common = {LOW_RANK[card]: card for card in board if LOW_RANK[card] in needed}
    for pair in combinations(sorted(own, reverse=True), 2):
        rest = needed.difference(pair)
        if rest <= common.keys():
            three = [common[rank] for rank in sorted(rest, reverse=True)]
            return (own[pair[0]], own[pair[1]], *three)
    return ()
