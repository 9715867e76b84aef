"""High hands with cards that stand for others: fully wild cards, and the bug.

A wild card is any card, but a hand holds no rank twice in a flush. The bug is an ace, or completes
a straight, a flush (as the highest rank missing) or a straight flush; it pairs only with aces.
Five of a kind tops all. A natural and a wild hand of the same value are equal.
Source: docs/rules/poker.md 12; docs/rules/home.md 5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from tables.engine.cards import FIRST_JOKER
from tables.engine.rankings.high import (
    FLUSH,
    HIGH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    STRAIGHT_MASKS,
    high_words,
)
from tables.engine.rankings.tables import (
    FIVE_ALARM,
    FLUSH_BITS,
    KEY,
    ONE_WILD,
    RANK_BIT,
    RANK_KEY,
    RANK_PART,
    SUIT_SHIFT,
    WILD_SHIFT,
    Ranking,
    Table,
    encode,
    quick_sevens,
    smallest_with,
)

ACE = 12
WILD_BIT = 13
ALARM_UNIT = 0x1111 << SUIT_SHIFT

JOKERS = frozenset(range(FIRST_JOKER, FIRST_JOKER + 3))
"""Always wild."""


def _wild_ranks(key: int) -> int:
    """One wild card less, as whichever rank is best; five of a rank is all that can play."""
    if not key >> WILD_SHIFT:
        return HIGH[key]
    key -= ONE_WILD
    return max(WILD_RANKS[key + one] for one in RANK_KEY if key // one & 7 < 5)


def _bug_ranks(key: int) -> int:
    """Bugs as aces, or as the ranks a straight lacks."""
    bugs = key >> WILD_SHIFT
    natural = key - bugs * ONE_WILD
    best = HIGH[natural + bugs * RANK_KEY[ACE]]
    held = sum(1 << rank for rank in range(13) if natural >> 3 * rank & 7)
    for run, top in STRAIGHT_MASKS:
        if 5 - (run & held).bit_count() <= bugs:
            return max(best, encode(STRAIGHT, top))
    return best


def _helped_suit(held: int) -> int:
    """Value of ranks of one suit and wild cards (bits from WILD_BIT), five or more in all."""
    wilds = held >> WILD_BIT
    ranks = held & (1 << WILD_BIT) - 1
    for run, top in STRAIGHT_MASKS:
        if 5 - (run & ranks).bit_count() <= wilds:
            return encode(STRAIGHT_FLUSH, top)
    for rank in range(12, -1, -1):
        if wilds and not ranks >> rank & 1:
            ranks |= 1 << rank
            wilds -= 1
    return encode(FLUSH, *[rank for rank in range(12, -1, -1) if ranks >> rank & 1][:5])


WILD_RANKS: Table[int] = Table(_wild_ranks)
BUG_RANKS: Table[int] = Table(_bug_ranks)
HELPED_SUIT: Table[int] = Table(_helped_suit)


def helped_high(ranks: Table[int], keys: tuple[int, ...]) -> Callable[[tuple[int, ...]], int]:
    """Value of up to seven cards, wild where their key is ONE_WILD; `ranks` without flushes."""

    def key_of(cards: tuple[int, ...]) -> int:
        key = FIVE_ALARM
        for card in cards:
            key += keys[card]
        return key

    def unsuited(cards: tuple[int, ...]) -> int:
        return ranks[key_of(cards) & RANK_PART]

    def value_of(cards: tuple[int, ...]) -> int:
        key = key_of(cards)
        wilds = key >> WILD_SHIFT & 15
        best = ranks[key & RANK_PART]
        flushes = key + wilds * ALARM_UNIT & FLUSH_BITS
        while flushes:
            bit = flushes.bit_length() - 1
            flushes ^= 1 << bit
            suit = (bit - SUIT_SHIFT) // 4
            held = wilds << WILD_BIT
            for card in cards:
                if card & 3 == suit and keys[card] != ONE_WILD:
                    held |= RANK_BIT[card]
            best = max(best, HELPED_SUIT[held])
        return best

    wild = frozenset(card for card, key in enumerate(keys) if key == ONE_WILD)
    return quick_sevens(value_of, unsuited, HELPED_SUIT, wild)


def _ranking(ranking_id: str, value_of: Callable[[tuple[int, ...]], int]) -> Ranking:
    def playing(cards: tuple[int, ...], value: int) -> tuple[int, ...]:
        kept = smallest_with(value_of, tuple(sorted(cards)), value)
        return tuple(sorted(kept, reverse=True))

    return Ranking(ranking_id, value_of, high_words, playing)


@lru_cache(maxsize=64)
def wild_high(wild: frozenset[int] = JOKERS) -> Ranking:
    """The high ranking with these cards wild (jokers always are)."""
    keys = tuple(
        ONE_WILD if card in wild or card in JOKERS else key for card, key in enumerate(KEY)
    )
    return _ranking("wild_high", helped_high(WILD_RANKS, keys))


def wild_cards(ranks: Iterable[int]) -> frozenset[int]:
    """All cards of these ranks."""
    return frozenset(4 * rank + suit for rank in ranks for suit in range(4))


def spit_high(spit: int, *, only_spit: bool = False) -> Ranking:
    """The high ranking when the card `spit` lies face up: it, or all of its rank, is wild."""
    return wild_high(frozenset((spit,)) if only_spit else wild_cards((spit >> 2,)))


BUG_HIGH = _ranking("bug_high", helped_high(BUG_RANKS, KEY))
WILD_HIGH = wild_high()
bug_high = BUG_HIGH.value
