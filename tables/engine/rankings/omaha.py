"""Omaha hands: exactly two from the hand with exactly three from the board.

A board is prepared once for all hands that play on it: what every pair of hand ranks makes with its
best three ranks is remembered per rank pattern of the board, and a flush is looked for only when
three of a suit lie there. Source: docs/rules/omaha.md 1.1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from operator import itemgetter
from typing import TypeAlias

from tables.engine.rankings.high import (
    FLUSH,
    HIGH,
    RANKS_NEEDED,
    STRAIGHT_FLUSH,
    STRAIGHT_MASKS,
    SUITED,
)
from tables.engine.rankings.tables import (
    KEY,
    RANK_KEY,
    RANK_PART,
    SUIT_SHIFT,
    WEIGHT,
    Table,
    category_of,
    rank_groups,
)

THREE_ALARM = 0x5555 << SUIT_SHIFT
THREE_BITS = 0x8888 << SUIT_SHIFT


Several: TypeAlias = Callable[[Sequence[int]], tuple[int, ...]]


def _pairs_of(key: int) -> tuple[tuple[int, ...], Several]:
    """All pairs of ranks of a hand, from the sum of its weights; and what takes them from a list.

    A pair is `13 * one + other`, the lower rank first.
    """
    ranks: list[int] = []
    for low in range(13):
        key, count = divmod(key, 5)
        ranks += [(low - 1) % 13] * count
    ranks.sort()
    pairs = sorted({13 * one + other for one, other in combinations(ranks, 2)})
    several = pairs if len(pairs) > 1 else pairs * 2  # one alone would come out of its tuple
    return tuple(pairs), itemgetter(*several)


PAIRS_OF: Table[tuple[tuple[int, ...], Several]] = Table(_pairs_of)


class Pattern:
    """The ranks of a board: keys of its threes, and what each pair of ranks makes with them."""

    __slots__ = ("best", "threes")

    def __init__(self, key: int) -> None:
        ranks = [rank for count, rank in rank_groups(key) for _ in range(count)]
        self.threes = {
            RANK_KEY[a] + RANK_KEY[b] + RANK_KEY[c] for a, b, c in combinations(ranks, 3)
        }
        self.best = [0] * 169

    def meet(self, pairs: tuple[int, ...]) -> None:
        """Find the value of each of these pairs with its best three, flushes aside."""
        for pair in pairs:
            if not self.best[pair]:
                ranks = RANK_KEY[pair // 13] + RANK_KEY[pair % 13]
                self.best[pair] = max([HIGH[three + ranks] for three in self.threes])


PATTERNS: Table[Pattern] = Table(Pattern)


class OmahaBoard:
    """Three to five board cards, ready for any number of hands."""

    __slots__ = ("pattern", "runs", "suit", "suited", "three")

    def __init__(self, cards: tuple[int, ...]) -> None:
        key = THREE_ALARM
        for card in cards:
            key += KEY[card]
        self.pattern = PATTERNS[key - THREE_ALARM & RANK_PART]
        self.suit = -1
        flush = key & THREE_BITS
        if flush:
            self.suit = (flush.bit_length() - SUIT_SHIFT - 1) // 4
            own = sorted([card >> 2 for card in cards if card & 3 == self.suit])
            self.suited = sum([1 << rank for rank in own])
            self.three = sum([1 << rank for rank in own[-3:]])
            self.runs = [run for run, _ in STRAIGHT_MASKS if (run & self.suited).bit_count() > 2]

    def high(self, hole: tuple[int, ...]) -> int:
        """Value of the best two of the hole cards with three of the board."""
        if len(hole) == 4:
            a, b, c, d = hole
            key = WEIGHT[a] + WEIGHT[b] + WEIGHT[c] + WEIGHT[d]
        else:
            key = sum([WEIGHT[card] for card in hole])
        pairs, several = PAIRS_OF[key]
        pattern = self.pattern
        values = several(pattern.best)
        if 0 in values:
            pattern.meet(pairs)
            values = several(pattern.best)
        best = max(values)
        if self.suit >= 0:
            own = [card >> 2 for card in hole if card & 3 == self.suit]
            if len(own) > 1:
                return max(best, self._flush(own))
        return best

    def _flush(self, own: list[int]) -> int:
        """Value of the best two of these ranks of the board's suit with three of the board's."""
        mask = sum([1 << rank for rank in own])
        for run in self.runs:
            mine = mask & run
            if mine.bit_count() == 2 and mine | self.suited & run == run:
                return SUITED[run]
        own.sort()
        return SUITED[1 << own[-1] | 1 << own[-2] | self.three]


def omaha_playing(hole: tuple[int, ...], board: tuple[int, ...], value: int) -> tuple[int, ...]:
    """The two hole cards, then the three board cards, that make a high value."""
    needed = RANKS_NEEDED[value]
    if category_of(value) in (FLUSH, STRAIGHT_FLUSH):
        suits = [card & 3 for card in board]
        suit = max(suits, key=suits.count)
        hole = tuple(card for card in hole if card & 3 == suit)
        board = tuple(card for card in board if card & 3 == suit)
    for one, other in combinations(hole, 2):
        rest = needed.copy()
        try:
            rest.remove(one >> 2)
            rest.remove(other >> 2)
        except ValueError:
            continue
        three = []
        for rank in rest:
            fitting = [card for card in board if card >> 2 == rank and card not in three]
            three += fitting[:1]
        if len(three) == 3:
            return (one, other, *three)
    return ()
