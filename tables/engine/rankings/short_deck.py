"""High hands of the 36-card deck: a flush beats a full house, A-6-7-8-9 is the lowest straight.

Source: docs/rules/holdem.md 6.
"""

from __future__ import annotations

from tables.engine.rankings.high import (
    FLUSH,
    FULL_HOUSE,
    HIGH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    SUITED,
    flush_value,
    high_words,
)
from tables.engine.rankings.tables import (
    FIVE_ALARM,
    FLUSH_BITS,
    KEY,
    RANK_PART,
    Ranking,
    Table,
    category_of,
    encode,
    ranks_of,
    smallest_with,
)

ACE_TO_NINE = 0b1_0000_1111_0000
NINE = 7
SWAPPED = {FLUSH: FULL_HOUSE, FULL_HOUSE: FLUSH}


def swapped(value: int) -> int:
    """The value with flush and full house in each other's place; its own inverse."""
    category = category_of(value)
    return encode(SWAPPED.get(category, category), *ranks_of(value))


def _of_ranks(key: int) -> int:
    value = HIGH[key]
    if category_of(value) < STRAIGHT:
        held = sum(1 << rank for rank in range(13) if key >> 3 * rank & 7)
        if held & ACE_TO_NINE == ACE_TO_NINE:
            return encode(STRAIGHT, NINE)
    return swapped(value)


def _of_suited(mask: int) -> int:
    value = SUITED[mask]
    if category_of(value) != STRAIGHT_FLUSH and mask & ACE_TO_NINE == ACE_TO_NINE:
        return encode(STRAIGHT_FLUSH, NINE)
    return swapped(value)


RANKS: Table[int] = Table(_of_ranks)
IN_SUIT: Table[int] = Table(_of_suited)


def short_high(cards: tuple[int, ...]) -> int:
    """Value of the best five of up to twelve cards, sixes and higher."""
    key = FIVE_ALARM
    for card in cards:
        key += KEY[card]
    if key & FLUSH_BITS:
        return flush_value(key, cards, RANKS, IN_SUIT)
    return RANKS[key & RANK_PART]


def short_words(value: int) -> tuple[str, str]:
    return high_words(swapped(value))


def playing(cards: tuple[int, ...], value: int) -> tuple[int, ...]:
    return tuple(sorted(smallest_with(short_high, tuple(sorted(cards)), value), reverse=True))


RANKING = Ranking("short_high", short_high, short_words, playing)
