"""Three-card hands: straight flush > trips > straight > flush > pair > high card.

The ace is high except in A-2-3, the lowest straight; A-K-Q is the highest; nothing wraps around.
Suits never rank. There are 741 different strengths. Source: docs/rules/banked.md 2.2 and 2.4.
"""

from __future__ import annotations

from collections.abc import Sequence

from tables.engine.cards import RANK_PLURALS, RANK_WORDS
from tables.engine.rankings.tables import (
    FLUSH_BITS,
    KEY,
    RANK_PART,
    SUIT_SHIFT,
    Ranking,
    Table,
    category_of,
    encode,
    rank_groups,
    ranks_of,
)

HIGH_CARD, PAIR, FLUSH, STRAIGHT, THREE_OF_A_KIND, STRAIGHT_FLUSH = range(6)
CLASSES = ("high_card", "pair", "flush", "straight", "three_of_a_kind", "straight_flush")

MINI_ROYAL = encode(STRAIGHT_FLUSH, 12)
"""A-K-Q of one suit: the best straight flush, a line of its own only in some paytables."""

THREE_ALARM = 0x5555 << SUIT_SHIFT
"""Start of a sum that sets a flush bit for a suit held three times."""

ACE_TWO_THREE = (12, 1, 0)


def mixed_rule(key: int) -> int:
    """Three ranks, suits left aside."""
    groups = rank_groups(key)
    if len(groups) == 1:
        return encode(THREE_OF_A_KIND, groups[0][1])
    if len(groups) == 2:
        return encode(PAIR, groups[0][1], groups[1][1])
    high, middle, low = (rank for _, rank in groups)
    if high == middle + 1 == low + 2:
        return encode(STRAIGHT, high)
    if (high, middle, low) == ACE_TWO_THREE:
        return encode(STRAIGHT, middle)
    return encode(HIGH_CARD, high, middle, low)


def suited_rule(key: int) -> int:
    """Three different ranks of one suit."""
    value = MIXED[key]
    ranks = ranks_of(value)
    if category_of(value) == STRAIGHT:
        return encode(STRAIGHT_FLUSH, *ranks[:1])
    return encode(FLUSH, *ranks[:3])


MIXED: Table[int] = Table(mixed_rule)
SUITED: Table[int] = Table(suited_rule)


def three_card(cards: Sequence[int]) -> int:
    """Value of exactly three cards; bigger is better, equal is an exact tie."""
    a, b, c = cards
    key = THREE_ALARM + KEY[a] + KEY[b] + KEY[c]
    if key & FLUSH_BITS:
        return SUITED[key & RANK_PART]
    return MIXED[key & RANK_PART]


def three_card_words(value: int) -> tuple[str, str]:
    """Class and sentence of a value: ("straight", "Straight, nine high")."""
    category = category_of(value)
    first = ranks_of(value)[0]
    name = RANK_WORDS[first]
    if category == HIGH_CARD:
        words = f"{name.capitalize()} high"
    elif category == PAIR:
        words = f"Pair of {RANK_PLURALS[first]}"
    elif category == THREE_OF_A_KIND:
        words = f"Three {RANK_PLURALS[first]}"
    elif value == MINI_ROYAL:
        words = "Mini royal"
    else:
        words = f"{CLASSES[category].replace('_', ' ').capitalize()}, {name} high"
    return CLASSES[category], words


def three_card_playing(cards: tuple[int, ...], value: int) -> tuple[int, ...]:
    """All three, in the order in which they count."""
    order = ranks_of(value)
    leading = order[0]
    if category_of(value) == PAIR:
        return tuple(sorted(cards, key=lambda card: (card >> 2 != leading, -card)))
    if category_of(value) in (STRAIGHT, STRAIGHT_FLUSH) and leading == 1:
        return tuple(sorted(cards, key=lambda card: (card >> 2 == 12, -card)))
    return tuple(sorted(cards, reverse=True))


RANKING = Ranking("three_card", three_card, three_card_words, three_card_playing)

QUALIFIERS: dict[str, int] = {
    "none": 0,
    "ten": encode(HIGH_CARD, 8),
    "jack": encode(HIGH_CARD, 9),
    "queen": encode(HIGH_CARD, 10),
    "king": encode(HIGH_CARD, 11),
    "ace": encode(HIGH_CARD, 12),
    "pair": encode(PAIR),
}
"""Least value with which a dealer qualifies."""
