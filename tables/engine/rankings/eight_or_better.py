"""Qualified ace-to-five low: five different ranks, none above the eight (or nine, or seven).

Straights and flushes do not count. A joker is the lowest rank the hand does not hold.
Source: docs/rules/poker.md 11.6 and 12.2.
"""

from __future__ import annotations

from tables.engine.cards import FIRST_JOKER
from tables.engine.rankings.ace_to_five import playing as lowest_playing
from tables.engine.rankings.high import HIGH_CARD
from tables.engine.rankings.lows import low_playing, low_value, low_words
from tables.engine.rankings.tables import LOW_RANK, Ranking, Table

JOKER_BIT = 13
TOPS = (7, 8, 9)


def low_bits(top: int) -> tuple[int, ...]:
    """By card: a bit for its ace-low rank, none above `top`, and one for each joker."""
    natural = tuple(1 << rank if rank < top else 0 for rank in LOW_RANK[:52])
    return natural + tuple(1 << JOKER_BIT + joker for joker in range(3))


def lowest_five(bits: int, top: int) -> int:
    """Value of the lowest five different ranks up to `top`, 0 when there are not five."""
    jokers = (bits >> JOKER_BIT).bit_count()
    ranks: list[int] = []
    for rank in range(top):
        held = bits >> rank & 1
        if held or jokers:
            jokers -= not held
            ranks.append(rank + 1)
    return low_value(HIGH_CARD, *ranks[4::-1]) if len(ranks) >= 5 else 0


LOWEST_FIVE: dict[int, Table[int]] = {
    top: Table(lambda bits, top=top: lowest_five(bits, top))  # type: ignore[misc]
    for top in TOPS
}
"""By top rank: low bits held -> value."""


def qualified_low(top: int) -> Ranking:
    """The ranking of lows up to `top`; of any number of cards the best five play."""
    bits = low_bits(top)
    table = LOWEST_FIVE[top]

    def value_of(cards: tuple[int, ...]) -> int:
        if len(cards) == 7:
            a, b, c, d, e, f, g = cards
            return table[bits[a] | bits[b] | bits[c] | bits[d] | bits[e] | bits[f] | bits[g]]
        mask = 0
        for card in cards:
            mask |= bits[card]
        return table[mask]

    def playing(cards: tuple[int, ...], value: int) -> tuple[int, ...]:
        if not value or max(cards) >= FIRST_JOKER:
            return low_playing(value_of, cards, value)
        return lowest_playing(cards, value)

    return Ranking(f"{top}ob", value_of, low_words, playing)


BY_TOP: dict[int, Ranking] = {top: qualified_low(top) for top in TOPS}
RANKING = BY_TOP[8]
eight_or_better = RANKING.value
