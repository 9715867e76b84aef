"""What the low rankings share: values, words, and the cards that play.

A low value is TOP less what a hand is judged by, category and then ranks, the worst first; so a
bigger value is again the better hand. Ranks are *written* ace 1, deuce 2 ... king 13, or with the
ace high 14; 0 is no card.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from tables.engine.cards import FIRST_JOKER, RANK_TEXT
from tables.engine.rankings.high import (
    CLASSES,
    FIVE_OF_A_KIND,
    FLUSH,
    FULL_HOUSE,
    HIGH_CARD,
    PAIR,
    QUADS,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TRIPS,
    TWO_PAIR,
    high_sentence,
)
from tables.engine.rankings.tables import (
    FIVE_ALARM,
    FLUSH_BITS,
    LOW_RANK,
    ONE_WILD,
    RANK_KEY,
    RANK_PART,
    SUIT_SHIFT,
    WILD_SHIFT,
    Ranking,
    Table,
    category_of,
    encode,
    rank_groups,
    ranks_of,
    smallest_with,
)

TOP = 10 << 20

SHAPES: dict[tuple[int, ...], int] = {
    (2,): PAIR,
    (2, 1): PAIR,
    (2, 1, 1): PAIR,
    (2, 1, 1, 1): PAIR,
    (2, 2): TWO_PAIR,
    (2, 2, 1): TWO_PAIR,
    (3,): TRIPS,
    (3, 1): TRIPS,
    (3, 1, 1): TRIPS,
    (3, 2): FULL_HOUSE,
    (4,): QUADS,
    (4, 1): QUADS,
    (5,): FIVE_OF_A_KIND,
}
"""How often each rank is held in at most five cards -> category; otherwise no rank repeats."""


def low_value(category: int, *written: int) -> int:
    return TOP - encode(category, *written)


def grouped_value(groups: list[tuple[int, int]]) -> int:
    """Value of (count, written rank) of at most five cards, most frequent, then highest first."""
    category = SHAPES.get(tuple(count for count, _ in groups), HIGH_CARD)
    return low_value(category, *[rank for _, rank in groups])


def low_words(value: int) -> tuple[str, str]:
    """Class and sentence of a low value: ("low", "Low 8-6-4-2-A"); ("", "No low") for 0."""
    if not value:
        return "", "No low"
    judged = TOP - value
    category = category_of(judged)
    ranks = [(written - 2) % 13 for written in ranks_of(judged) if written]
    if category == HIGH_CARD:
        return "low", f"Low {'-'.join(RANK_TEXT[rank] for rank in ranks)}"
    return CLASSES[category], high_sentence(CLASSES[category], ranks)


def low_playing(
    value_of: Callable[[tuple[int, ...]], int], cards: tuple[int, ...], value: int
) -> tuple[int, ...]:
    """The five cards that make a low value, the highest first, jokers last; () for 0."""
    if not value:
        return ()
    kept = smallest_with(value_of, cards, value)
    return tuple(sorted(kept, key=lambda card: -LOW_RANK[card] if card < FIRST_JOKER else 1))


def counted_low(ranking_id: str, ranks: tuple[int, ...], lowest: int) -> Ranking:
    """A low in which straights and flushes count against the hand.

    ranks: 0..12 of every natural card, in the order in which they run into straights. lowest: how
    rank 0 is written. A joker is any card that makes the best low, so it never completes a flush.
    Of more than five cards the best five play; fewer rank by pairs and high cards.
    """
    keys = (
        tuple(RANK_KEY[rank] | 1 << SUIT_SHIFT + 4 * (card & 3) for card, rank in enumerate(ranks))
        + (ONE_WILD,) * 3
    )

    def mixed_rule(key: int) -> int:
        if key >> WILD_SHIFT:
            return max(mixed[key - ONE_WILD + one] for one in RANK_KEY if key // one & 7 < 4)
        groups = [(count, rank + lowest) for count, rank in rank_groups(key)]
        if len(groups) == 5 and groups[0][1] - groups[4][1] == 4:
            return low_value(STRAIGHT, groups[0][1])
        return grouped_value(groups)

    def suited_rule(key: int) -> int:
        value = mixed[key]
        written = ranks_of(TOP - value)
        if category_of(TOP - value) == STRAIGHT:
            return low_value(STRAIGHT_FLUSH, written[0])
        return low_value(FLUSH, *written)

    mixed: Table[int] = Table(mixed_rule)
    suited: Table[int] = Table(suited_rule)

    def value_of(cards: tuple[int, ...]) -> int:
        if len(cards) > 5:
            return max(map(value_of, combinations(cards, 5)))
        key = FIVE_ALARM
        for card in cards:
            key += keys[card]
        if key & FLUSH_BITS:
            return suited[key & RANK_PART]
        return mixed[key & RANK_PART]

    def playing(cards: tuple[int, ...], value: int) -> tuple[int, ...]:
        return low_playing(value_of, cards, value)

    return Ranking(ranking_id, value_of, low_words, playing)
