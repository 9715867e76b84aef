"""Ace-to-five low: straights and flushes do not count, the ace is low, 5-4-3-2-A is best.

Of more than five cards the best five play; fewer rank by pairs and high cards. A joker is the
lowest rank the hand does not hold, so a paired hand stays paired.
Source: docs/rules/poker.md 11.3 and 12.2.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from tables.engine.cards import FIRST_JOKER
from tables.engine.rankings.high import HIGH_CARD, RANKS_NEEDED
from tables.engine.rankings.lows import TOP, grouped_value, low_playing, low_value, low_words
from tables.engine.rankings.tables import (
    JOKER_WEIGHT,
    LOW_RANK,
    WEIGHT,
    Ranking,
    Table,
    category_of,
    pair_sums,
)

PAIR_WEIGHTS = pair_sums(WEIGHT)


def written_ranks(key: int) -> list[int]:
    """Ranks of a sum of weights, ace 1 ... king 13, each joker as the lowest not yet held."""
    jokers, key = divmod(key, JOKER_WEIGHT)
    ranks: list[int] = []
    for rank in range(1, 14):
        key, count = divmod(key, 5)
        if not count and jokers:
            count, jokers = 1, jokers - 1
        ranks += [rank] * count
    return ranks


def of_five(ranks: tuple[int, ...]) -> int:
    """Value of at most five written ranks."""
    counts = Counter(ranks)
    return grouped_value(sorted(((counts[rank], rank) for rank in counts), reverse=True))


def best_five(key: int) -> int:
    ranks = written_ranks(key)
    distinct = sorted(set(ranks))
    if len(distinct) >= 5:
        return low_value(HIGH_CARD, *distinct[4::-1])
    return max(map(of_five, set(combinations(ranks, min(5, len(ranks))))))


BEST_FIVE: Table[int] = Table(best_five)


def ace_to_five(cards: tuple[int, ...]) -> int:
    """Value of the best five; every hand has one."""
    if len(cards) == 7:
        pairs = PAIR_WEIGHTS
        a, b, c, d, e, f, g = cards
        return BEST_FIVE[pairs[a][b] + pairs[c][d] + pairs[e][f] + WEIGHT[g]]
    return BEST_FIVE[sum([WEIGHT[card] for card in cards])]


def playing(cards: tuple[int, ...], value: int) -> tuple[int, ...]:
    """The five cards that play, the highest first, jokers last; of equal ones the later held."""
    if len(cards) <= 5 or max(cards) >= FIRST_JOKER:
        return low_playing(ace_to_five, cards, value)
    wanted = [rank - 1 for rank in RANKS_NEEDED[TOP - value]]
    if category_of(TOP - value) == HIGH_CARD:
        by_rank = {LOW_RANK[card]: card for card in cards}
        return tuple([by_rank[rank] for rank in wanted])
    kept: list[int] = []
    for card in reversed(cards):
        if LOW_RANK[card] in wanted:
            wanted.remove(LOW_RANK[card])
            kept.insert(0, card)
    return tuple(sorted(kept, key=lambda card: -LOW_RANK[card]))


RANKING = Ranking("a5", ace_to_five, low_words, playing)
