"""The high hand: the best five of natural cards, twelve of them at most.

Fewer than five cards rank by pairs and high cards alone. Wild cards and the bug have files of their
own. Source: docs/rules/poker.md 11.1 and 11.8.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

from tables.engine.cards import RANK_PLURALS, RANK_WORDS
from tables.engine.rankings.tables import (
    FIVE_ALARM,
    FLUSH_BITS,
    KEY,
    RANK_BIT,
    RANK_PART,
    Ranking,
    Table,
    category_of,
    encode,
    flush_suit,
    quick_sevens,
    rank_groups,
    ranks_of,
)

SEVEN = 7
HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT = range(5)
FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH, FIVE_OF_A_KIND = range(5, 10)

CLASSES = (
    "high_card", "pair", "two_pair", "three_of_a_kind", "straight",
    "flush", "full_house", "four_of_a_kind", "straight_flush", "five_of_a_kind",
)  # fmt: skip

WHEEL_MASK = 0b1_0000_0000_1111
STRAIGHT_MASKS: tuple[tuple[int, int], ...] = (
    *((0b11111 << low, low + 4) for low in range(8, -1, -1)),
    (WHEEL_MASK, 3),
)
"""(ranks of the straight as bits, its top rank), the best first."""


def straight_top(mask: int) -> int | None:
    """Top rank of the best straight in a set of ranks, the five-high one included."""
    for run, top in STRAIGHT_MASKS:
        if mask & run == run:
            return top
    return None


def _of_ranks(key: int) -> int:
    """Value of a natural hand without looking at suits; key: rank counters alone."""
    groups = rank_groups(key)
    count, rank = groups[0]
    others = sorted((other for _, other in groups[1:]), reverse=True)
    if count >= 5:
        return encode(FIVE_OF_A_KIND, rank)
    if count == 4:
        return encode(QUADS, rank, *others[:1])
    paired = [other for held, other in groups[1:] if held >= 2]
    if count == 3 and paired:
        return encode(FULL_HOUSE, rank, max(paired))
    top = straight_top(sum(1 << held for _, held in groups))
    if top is not None:
        return encode(STRAIGHT, top)
    if count == 3:
        return encode(TRIPS, rank, *others[:2])
    if count == 2 and paired:
        second = max(paired)
        others.remove(second)
        return encode(TWO_PAIR, rank, second, *others[:1])
    if count == 2:
        return encode(PAIR, rank, *others[:3])
    return encode(HIGH_CARD, *[held for _, held in groups[:5]])


def _of_suited(mask: int) -> int:
    """Value of five or more ranks of one suit."""
    top = straight_top(mask)
    if top is not None:
        return encode(STRAIGHT_FLUSH, top)
    return encode(FLUSH, *[rank for rank in range(12, -1, -1) if mask >> rank & 1][:5])


HIGH: Table[int] = Table(_of_ranks)
"""key & RANK_PART -> value of the hand, flushes aside."""

SUITED: Table[int] = Table(_of_suited)
"""Ranks held in one suit, as bits, five or more -> value of the flush or straight flush."""


def _unsuited(cards: tuple[int, ...]) -> int:
    key = FIVE_ALARM
    for card in cards:
        key += KEY[card]
    return HIGH[key & RANK_PART]


def _high(cards: tuple[int, ...]) -> int:
    key = FIVE_ALARM
    for card in cards:
        key += KEY[card]
    if key & FLUSH_BITS:
        return flush_value(key, cards, HIGH, SUITED)
    return HIGH[key & RANK_PART]


high = quick_sevens(_high, _unsuited, SUITED, frozenset())
"""Value of the best five of up to seven natural cards."""


def flush_value(key: int, cards: tuple[int, ...], of_ranks: Table[int], of_suit: Table[int]) -> int:
    """Value of a hand of natural cards whose key has a flush bit set, by these two tables."""
    if len(cards) > SEVEN:
        # Eight cards may be a full house besides, ten hold two flushes.
        masks = [sum(RANK_BIT[card] for card in cards if card & 3 == suit) for suit in range(4)]
        flushes = [of_suit[mask] for mask in masks if mask.bit_count() >= 5]
        return max(of_ranks[key & RANK_PART], *flushes)
    suit = flush_suit(key)
    mask = 0
    for card in cards:
        if card & 3 == suit:
            mask |= RANK_BIT[card]
    return of_suit[mask]


def _kickers(ranks: Sequence[int]) -> str:
    if not ranks:
        return ""
    names = " ".join(RANK_WORDS[rank] for rank in ranks)
    return f", {names} kicker" if len(ranks) == 1 else f", {names} kickers"


RANKS_IN_NAME = {QUADS: 2, TRIPS: 3, TWO_PAIR: 3, PAIR: 4}


def _named(value: int) -> tuple[str, str]:
    category = category_of(value)
    ranks = ranks_of(value)[: RANKS_IN_NAME.get(category, 5)]
    return CLASSES[category], high_sentence(CLASSES[category], ranks)


def high_sentence(hand: str, ranks: Sequence[int]) -> str:
    """A hand in English by its class and the ranks it is named by, as many as it has."""
    one, many = RANK_WORDS, RANK_PLURALS
    first, *rest = ranks
    category = CLASSES.index(hand)
    if category == FIVE_OF_A_KIND:
        return f"Five of a kind, {many[first]}"
    if category == STRAIGHT_FLUSH:
        return "Royal flush" if first == 12 else f"Straight flush, {one[first]} high"
    if category == QUADS:
        return f"Four of a kind, {many[first]}{_kickers(rest)}"
    if category == FULL_HOUSE:
        return f"Full house, {many[first]} full of {many[rest[0]]}"
    if category == FLUSH:
        return f"Flush, {' '.join(one[rank] for rank in ranks)}"
    if category == STRAIGHT:
        return f"Straight, {one[first]} high"
    if category == TRIPS:
        return f"Three of a kind, {many[first]}{_kickers(rest)}"
    if category == TWO_PAIR:
        return f"Two pair, {many[first]} and {many[rest[0]]}{_kickers(rest[1:])}"
    if category == PAIR:
        return f"Pair of {many[first]}{_kickers(rest)}"
    return f"High card {one[first]}{_kickers(rest)}"


HIGH_WORDS: Table[tuple[str, str]] = Table(_named)


def high_words(value: int) -> tuple[str, str]:
    """Class and sentence of a value of five cards."""
    return HIGH_WORDS[value]


def ranks_needed(value: int) -> list[int]:
    """Ranks of the five cards that make a value, most important first, repeated as held."""
    category = category_of(value)
    a, b, c, d, e = ranks_of(value)
    if category in (STRAIGHT, STRAIGHT_FLUSH):
        return [a, a - 1, a - 2, a - 3, a - 4 if a > 3 else 12]
    shapes = {
        HIGH_CARD: [a, b, c, d, e],
        PAIR: [a, a, b, c, d],
        TWO_PAIR: [a, a, b, b, c],
        TRIPS: [a, a, a, b, c],
        FLUSH: [a, b, c, d, e],
        FULL_HOUSE: [a, a, a, b, b],
        QUADS: [a, a, a, a, b],
        FIVE_OF_A_KIND: [a, a, a, a, a],
    }
    return shapes[category]


RANKS_NEEDED: Table[list[int]] = Table(ranks_needed)


def high_playing(cards: tuple[int, ...], value: int) -> tuple[int, ...]:
    """The five cards that play; all of them when there are five or fewer."""
    if len(cards) < 5:
        return tuple(sorted(cards, key=lambda card: -(card >> 2)))
    if len(cards) > SEVEN:
        cards = next(some for some in combinations(cards, 5) if high(some) == value)
    pool = cards
    if category_of(value) in (FLUSH, STRAIGHT_FLUSH):
        suits = [card & 3 for card in cards]
        suit = max(suits, key=suits.count)
        pool = tuple(card for card in cards if card & 3 == suit)
    ranks = [card >> 2 for card in pool]
    playing = []
    for rank in RANKS_NEEDED[value]:
        place = ranks.index(rank)
        ranks[place] = -1
        playing.append(pool[place])
    return tuple(playing)


def high_on_board(board: tuple[int, ...]) -> Callable[[tuple[int, ...]], int]:
    """Value of up to seven cards of which these are common: their key is summed once for all."""
    common = FIVE_ALARM
    for card in board:
        common += KEY[card]

    def value_of(hole: tuple[int, ...]) -> int:
        key = common
        for card in hole:
            key += KEY[card]
        if key & FLUSH_BITS:
            return flush_value(key, hole + board, HIGH, SUITED)
        return HIGH[key & RANK_PART]

    return value_of


RANKING = Ranking("high", high, high_words, high_playing)
