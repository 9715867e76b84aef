"""Stud hands as far as they lie open: who brings in, who acts first.

Straights and flushes do not count in four or fewer up cards. Seats run clockwise from 0; a tie of
the hands showing goes to the first seat left of the dealer.
Source: docs/rules/stud.md 1.3, 1.6, 1.7 and 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tables.engine.rankings.ace_to_five import BEST_FIVE
from tables.engine.rankings.high import HIGH
from tables.engine.rankings.tables import KEY, LOW_RANK, RANK_PART, WEIGHT

Hand = Iterable[int]


def showing_high(cards: Hand) -> int:
    """Value of one to four up cards by pairs and high cards."""
    return HIGH[sum([KEY[card] for card in cards]) & RANK_PART]


def showing_low(cards: Hand) -> int:
    """Value of one to four up cards as an ace-to-five low."""
    return BEST_FIVE[sum([WEIGHT[card] for card in cards])]


def lowest_brings_in(up: Mapping[int, int], *, by_suit: bool = True) -> int:
    """Stud: the seat with the lowest up card, ace high, the suit (clubs lowest) breaking ties.

    by_suit: False lets the first of the seats in the order given bring in.
    """
    return min(up, key=up.__getitem__ if by_suit else lambda seat: up[seat] >> 2)


def highest_brings_in(up: Mapping[int, int], *, by_suit: bool = True) -> int:
    """Razz: the seat with the highest up card, ace low, the highest suit breaking ties."""
    return max(up, key=lambda seat: (LOW_RANK[up[seat]], up[seat] & 3 if by_suit else 0))


def first_to_act(up: Mapping[int, Hand], dealer: int, seats: int, *, low: bool = False) -> int:
    """The seat with the best hand showing, of ties the nearest clockwise from the dealer.

    up: up cards of the seats still in. seats: how many the table counts. low: razz.
    """
    value_of = showing_low if low else showing_high
    return max(up, key=lambda seat: (value_of(up[seat]), -((seat - dealer - 1) % seats)))
