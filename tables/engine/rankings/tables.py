"""What all rankings share: keys of hands, remembered rules, and how a value is written.

The *key* of a hand is the sum of one integer per card (`KEY`), so it does not depend on order:

    bit 3 * rank       how many of that rank (3 bits each, 13 ranks)
    bit 39             how many jokers (or cards counted as wild)
    bit 45 + 4 * suit  how many of that suit (4 bits each)

Whatever does not depend on suits is a function of `key & RANK_PART`. It is written as a plain rule
and remembered by a `Table`, which works a value out when a key is first met. Starting a sum at
`FIVE_ALARM` instead of 0 sets a bit of `FLUSH_BITS` for every suit held five times or more.

A *value* is `category << 20 | up to five ranks, four bits each, most important first`. A bigger
value is a better hand, in every ranking; 0 means the hand does not qualify.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any, Protocol, TypeVar

WILD_SHIFT = 39
SUIT_SHIFT = 45
RANK_PART = (1 << SUIT_SHIFT) - 1
ONE_WILD = 1 << WILD_SHIFT

RANK_KEY: tuple[int, ...] = tuple(1 << 3 * rank for rank in range(13))
"""One card of a rank, its suit unknown."""

KEY: tuple[int, ...] = (
    tuple(RANK_KEY[card >> 2] | 1 << SUIT_SHIFT + 4 * (card & 3) for card in range(52))
    + (ONE_WILD,) * 3
)

FIVE_ALARM = 0x3333 << SUIT_SHIFT
FLUSH_BITS = 0x8888 << SUIT_SHIFT

RANK_BIT: tuple[int, ...] = tuple(1 << (card >> 2) for card in range(52)) + (0,) * 3

LOW_RANK: tuple[int, ...] = tuple(((card >> 2) + 1) % 13 for card in range(52))
"""Rank with the ace low: ace 0, deuce 1 ... king 12."""

JOKER_WEIGHT = 5**13
WEIGHT: tuple[int, ...] = tuple(5**rank for rank in LOW_RANK[:52]) + (JOKER_WEIGHT,) * 3
"""By card: a digit of a number to the base 5 for its rank. Small enough to be added fast."""

V = TypeVar("V")


_ONES: dict[Any, Any] = {}


def one_of(value: V) -> V:
    """The value itself, one object for all that are equal: few are touched again and again."""
    return _ONES.setdefault(value, value) if type(value) is int else value


class Table(dict[int, V]):
    """A function of an integer that remembers what it has worked out.

    The rule is pure, so two threads that meet the same key store the same value.
    """

    __slots__ = ("rule",)

    def __init__(self, rule: Callable[[int], V]) -> None:
        super().__init__()
        self.rule = rule

    def __missing__(self, key: int) -> V:
        value = self[key] = one_of(self.rule(key))
        return value


SEVEN_RANKS = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
"""By rank: the sum of seven cards says how many of each rank they are."""
WILD_RANK = 1 << 23
SEVEN_SUITS: tuple[int, ...] = (0, 1, 25, 32)
"""By suit: the sum of seven, below 256, says whether five of them are of a suit, and of which."""
WILD_SUITS: tuple[int, ...] = (0, 1, 8, 64, 512)
"""The same with a weight for wild cards: the sum says how many there are of each."""
SUITED_WILD = 1 << 13


def pair_sums(keys: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The keys of any two cards added up: seven cards take three additions, not six."""
    return tuple(tuple(one + other for other in keys) for one in keys)


def quick_sevens(
    value_of: Callable[[tuple[int, ...]], int],
    unsuited: Callable[[tuple[int, ...]], int],
    suited: Table[int],
    wild: frozenset[int],
) -> Callable[[tuple[int, ...]], int]:
    """`value_of`, but seven cards go by one small key each, remembered.

    unsuited: value of cards, flushes aside. suited: value of the ranks held in one suit, as bits,
    and of wild cards counted from `SUITED_WILD`. wild: cards that stand for any other.
    """
    weights = WILD_SUITS if wild else SEVEN_SUITS
    shift = 12 if wild else 8
    cards = range(52 + 3 * bool(wild))
    keys = tuple(
        WILD_RANK << shift | weights[4] if card in wild else
        SEVEN_RANKS[card >> 2] << shift | weights[card & 3]
        for card in cards
    )  # fmt: skip
    pairs = pair_sums(keys)
    bits = [
        tuple(
            SUITED_WILD if card in wild else RANK_BIT[card] * (card & 3 == suit) for card in cards
        )
        for suit in range(4)
    ]
    flushes: list[tuple[tuple[int, ...], ...]] = [()] * (1 << shift)
    for held in combinations_with_replacement(range(len(weights)), 7):
        flushes[sum(weights[suit] for suit in held)] = tuple(
            bits[suit] for suit in range(4) if held.count(suit) + held.count(4) >= 5
        )
    mask = (1 << shift) - 1
    known: dict[int, int] = {}

    def quick(cards: tuple[int, ...]) -> int:
        match cards:
            case a, b, c, d, e, f, g:
                pass
            case _:
                return value_of(cards)
        key = pairs[a][b] + pairs[c][d] + pairs[e][f] + keys[g]
        try:
            value = known[key >> shift]
        except KeyError:
            value = known[key >> shift] = one_of(unsuited(cards))
        if flushes[key & mask]:
            for s in flushes[key & mask]:
                flush = suited[s[a] + s[b] + s[c] + s[d] + s[e] + s[f] + s[g]]
                if flush > value:
                    value = flush
        return value

    return quick


class Words(Protocol):
    """Names a value: its class ("two_pair") and a sentence ("Two pair, kings and sevens")."""

    def __call__(self, value: int, /) -> tuple[str, str]: ...


@dataclass(frozen=True, slots=True)
class Ranking:
    """An order of hands.

    value: the hand's value; bigger is better, 0 does not qualify.
    words: class and sentence of a value.
    playing: the cards of the hand that make the value, most important first.
    """

    id: str
    value: Callable[[tuple[int, ...]], int]
    words: Words
    playing: Callable[[tuple[int, ...], int], tuple[int, ...]]


def encode(category: int, *ranks: int) -> int:
    """The value of a category and at most five ranks, missing ones counted as 0."""
    value = category
    for rank in ranks:
        value = value << 4 | rank
    return value << 4 * (5 - len(ranks))


def category_of(value: int) -> int:
    return value >> 20


def ranks_of(value: int) -> tuple[int, int, int, int, int]:
    """The five ranks written in a value."""
    return value >> 16 & 15, value >> 12 & 15, value >> 8 & 15, value >> 4 & 15, value & 15


def rank_groups(key: int) -> list[tuple[int, int]]:
    """(count, rank) of every rank in the key, the most frequent first, then the highest."""
    counts = key & ONE_WILD - 1
    found = [(counts >> 3 * rank & 7, rank) for rank in range(13) if counts >> 3 * rank & 7]
    found.sort(reverse=True)
    return found


def flush_suit(key: int) -> int:
    """The suit held five times in a key summed from FIVE_ALARM that has a flush bit set."""
    return ((key & FLUSH_BITS).bit_length() - SUIT_SHIFT - 1) // 4


def smallest_with(
    value_of: Callable[[tuple[int, ...]], int], cards: tuple[int, ...], value: int, size: int = 5
) -> tuple[int, ...]:
    """`size` of the cards that alone have the value all of them have.

    Right for any ranking in which more cards never make a worse hand: a card is dropped when the
    rest keep the value. For hands that are tabled, not for counting.
    """
    kept = cards
    for card in cards:
        if len(kept) <= size:
            break
        rest = tuple(other for other in kept if other != card)
        if value_of(rest) == value:
            kept = rest
    return kept
