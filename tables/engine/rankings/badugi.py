"""Badugi: the largest set of cards with all ranks and all suits different, then the lowest.

Four cards beat three, three beat two; sets of a size compare from the top, the ace low (an option
of some games: high). Any number of cards may be held; four of them play. A joker is any card.
Source: docs/rules/poker.md 11.7; docs/rules/draw.md 11 and 12.
"""

from __future__ import annotations

from itertools import combinations

from tables.engine.cards import FIRST_JOKER, RANK_TEXT
from tables.engine.rankings.lows import TOP
from tables.engine.rankings.tables import LOW_RANK, Ranking, encode, ranks_of

RANK_SHIFT = 4


def badugi_ranking(ranking_id: str, ranks: tuple[int, ...], lowest: int) -> Ranking:
    """ranks: 0..12 of every natural card, the best first; lowest: how rank 0 is written."""
    bits = (
        *(1 << RANK_SHIFT + rank | 1 << (card & 3) for card, rank in enumerate(ranks)),
        *(0 for _joker in range(3)),
    )

    def sets(size: int) -> dict[int, int]:
        """Rank and suit bits of every set of a size -> its value."""
        values: dict[int, int] = {}
        for held in combinations(range(12, -1, -1), size):
            value = TOP * size - encode(0, *[rank + lowest for rank in held])
            rank_bits = sum(1 << RANK_SHIFT + rank for rank in held)
            for suits in combinations(range(4), size):
                values[rank_bits | sum(1 << suit for suit in suits)] = value
        return values

    by_size = tuple(sets(size) for size in range(1, 5))
    one, two, three, four = (values.get for values in by_size)

    def value_of(cards: tuple[int, ...]) -> int:
        try:
            p, q, r, s = cards
        except ValueError:
            return of_another_size(cards)
        a, b, c, d = bits[p], bits[q], bits[r], bits[s]
        # Into order from the lowest rank; written out, as sorted() would take half of the time.
        if a > b:
            a, b = b, a
        if c > d:
            c, d = d, c
        if a > c:
            a, c = c, a
        if b > d:
            b, d = d, b
        if b > c:
            b, c = c, b
        if not a:
            return with_joker(cards)
        ab = a | b
        cd = c | d
        # In that order the best sets of each size come first.
        return (
            four(ab | cd)
            or three(ab | c)
            or three(ab | d)
            or three(a | cd)
            or three(b | cd)
            or two(ab)
            or two(a | c)
            or two(b | c)
            or two(a | d)
            or two(b | d)
            or two(cd)
            or one(a, 0)
        )

    def of_another_size(cards: tuple[int, ...]) -> int:
        if max(cards) >= FIRST_JOKER:
            return with_joker(cards)
        if len(cards) > 4:
            return max(map(value_of, combinations(cards, 4)))
        return max(
            by_size[size - 1].get(_joined(bits, held), 0)
            for size in range(1, len(cards) + 1)
            for held in combinations(cards, size)
        )

    def with_joker(cards: tuple[int, ...]) -> int:
        joker = next(card for card in cards if card >= FIRST_JOKER)
        rest = list(cards)
        rest.remove(joker)
        return max(value_of((*rest, card)) for card in range(52))

    def playing(cards: tuple[int, ...], value: int) -> tuple[int, ...]:
        size = set_size(value)
        for held in combinations(sorted(cards, reverse=True), size):
            if value_of(held) == value:
                return tuple(
                    sorted(held, key=lambda card: -ranks[card] if card < FIRST_JOKER else 1)
                )
        return ()

    return Ranking(ranking_id, value_of, badugi_words, playing)


def _joined(bits: tuple[int, ...], cards: tuple[int, ...]) -> int:
    held = 0
    for card in cards:
        held |= bits[card]
    return held


def set_size(value: int) -> int:
    """How many cards of a hand play."""
    return -(-value // TOP)


def badugi_words(value: int) -> tuple[str, str]:
    """("badugi", "Badugi 8-6-4-A"), ("three_card", "Three cards, 7-3-A") and so on."""
    size = set_size(value)
    ranks = [(written - 2) % 13 for written in ranks_of(TOP * size - value) if written]
    names = "-".join(RANK_TEXT[rank] for rank in ranks)
    if size == 4:
        return "badugi", f"Badugi {names}"
    word = ("one", "two", "three")[size - 1]
    return f"{word}_card", f"{word.capitalize()} card{'s' * (size > 1)}, {names}"


RANKING = badugi_ranking("badugi", LOW_RANK[:52], lowest=1)
ACE_HIGH = badugi_ranking("badugi_ace_high", tuple(card >> 2 for card in range(52)), lowest=2)
badugi = RANKING.value
