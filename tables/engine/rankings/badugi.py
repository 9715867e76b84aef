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
DOUBLE, TRIPLE = 2 * TOP, 3 * TOP
"""Above these are the values of sets of three and of four."""


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
    sets_of = ({0: 0}, *by_size)
    found = [0] * (1 << RANK_SHIFT + 13)
    """The same by index, which is faster; a value tells the size of its set."""
    for values in by_size:
        for held, value in values.items():
            found[held] = value

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
        # In that order the best sets of each size come first. Cards that are no set may have the
        # bits of a smaller one; of two cards that are none there is no value at all.
        if (value := found[ab | cd]) > TRIPLE:
            return value
        if (value := found[ab | c]) > DOUBLE:
            return value
        if (value := found[ab | d]) > DOUBLE:
            return value
        if (value := found[a | cd]) > DOUBLE:
            return value
        if (value := found[b | cd]) > DOUBLE:
            return value
        return (
            found[ab]
            or found[a | c]
            or found[b | c]
            or found[a | d]
            or found[b | d]
            or found[cd]
            or found[a]
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
        """Each joker is the lowest rank that is missing, in a suit that is: more cards are better.

        So it always plays, beside as many natural cards as make a set.
        """
        natural = [card for card in cards if card < FIRST_JOKER]
        jokers = min(4, len(cards) - len(natural))
        for size in range(min(4 - jokers, len(natural)), -1, -1):
            held = [
                some for some in combinations(natural, size) if _joined(bits, some) in sets_of[size]
            ]
            if held:
                return max(helped([ranks[card] for card in some], jokers) for some in held)
        return 0

    def helped(held: list[int], jokers: int) -> int:
        missing = [rank for rank in range(13) if rank not in held][:jokers]
        written = sorted((rank + lowest for rank in (*held, *missing)), reverse=True)
        return TOP * len(written) - encode(0, *written)

    def playing(cards: tuple[int, ...], value: int) -> tuple[int, ...]:
        size = set_size(value)
        for held in combinations(sorted(cards, reverse=True), size):
            natural = held[0] < FIRST_JOKER
            if (found[_joined(bits, held)] if natural else value_of(held)) == value:
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
