"""Omaha hands: exactly two from the hand with exactly three from the board.

A board is prepared once for all hands that play on it: what every pair of hand ranks makes with its
best three ranks is remembered per rank pattern of the board, and a flush is looked for only when
three of a suit lie there. Source: docs/rules/omaha.md 1.1.
"""

from __future__ import annotations

from itertools import combinations

from tables.engine.rankings.high import (
    FLUSH,
    HIGH,
    RANKS_NEEDED,
    STRAIGHT_FLUSH,
    STRAIGHT_MASKS,
)
from tables.engine.rankings.tables import (
    KEY,
    RANK_BIT,
    RANK_KEY,
    RANK_PART,
    SUIT_SHIFT,
    Table,
    category_of,
    encode,
    rank_groups,
)

THREE_ALARM = 0x5555 << SUIT_SHIFT
THREE_BITS = 0x8888 << SUIT_SHIFT
PAIR_KEY: tuple[int, ...] = tuple(RANK_KEY[p // 13] + RANK_KEY[p % 13] for p in range(169))
"""Key of two hand ranks, by `13 * one + other`."""


class Pattern:
    """The ranks of a board: keys of its threes, and what each pair of ranks makes with them."""

    __slots__ = ("best", "threes")

    def __init__(self, key: int) -> None:
        ranks = [rank for count, rank in rank_groups(key) for _ in range(count)]
        self.threes = {
            RANK_KEY[a] + RANK_KEY[b] + RANK_KEY[c] for a, b, c in combinations(ranks, 3)
        }
        self.best = [0] * 169

    def with_pair(self, pair: int) -> int:
        """Value of the pair with the best three, flushes aside; remembered."""
        ranks = PAIR_KEY[pair]
        value = self.best[pair] = max([HIGH[three + ranks] for three in self.threes])
        return value


PATTERNS: Table[Pattern] = Table(Pattern)


class OmahaBoard:
    """Three to five board cards, ready for any number of hands."""

    __slots__ = ("cards", "pattern", "suit", "suited")

    def __init__(self, cards: tuple[int, ...]) -> None:
        key = THREE_ALARM
        for card in cards:
            key += KEY[card]
        self.cards = cards
        self.pattern = PATTERNS[key - THREE_ALARM & RANK_PART]
        self.suit = -1
        self.suited = 0
        flush = key & THREE_BITS
        if flush:
            self.suit = (flush.bit_length() - SUIT_SHIFT - 1) // 4
            for card in cards:
                if card & 3 == self.suit:
                    self.suited |= RANK_BIT[card]

    def high(self, hole: tuple[int, ...]) -> int:
        """Value of the best two of the hole cards with three of the board."""
        pattern = self.pattern
        known = pattern.best
        best = 0
        seen: list[int] = []
        for card in hole:
            rank = card >> 2
            for other in seen:
                pair = 13 * rank + other if rank < other else 13 * other + rank
                value = known[pair] or pattern.with_pair(pair)
                if value > best:
                    best = value
            seen.append(rank)
        if self.suit >= 0:
            own = [card >> 2 for card in hole if card & 3 == self.suit]
            if len(own) > 1:
                return max(best, self._flush(own))
        return best

    def _flush(self, own: list[int]) -> int:
        mask = sum([1 << rank for rank in own])
        for run, top in STRAIGHT_MASKS:
            mine = mask & run
            if mine.bit_count() == 2 and mine | self.suited & run == run:
                return encode(STRAIGHT_FLUSH, top)
        board = [rank for rank in range(13) if self.suited >> rank & 1]
        return encode(FLUSH, *sorted(sorted(own)[-2:] + board[-3:], reverse=True))


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
