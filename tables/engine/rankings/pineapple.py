"""Crazy Pineapple: the card that goes when its holder does not choose.

The discard leaves the best hand made on the flop, draws not considered; of equal ones the lowest
rank goes, then the lowest suit (clubs, diamonds, hearts, spades).
Source: docs/rules/holdem.md 3.2 and 4.2.
"""

from __future__ import annotations

from collections.abc import Callable

from tables.engine.rankings.high import high


def auto_discard(
    hole: tuple[int, ...],
    flop: tuple[int, ...],
    value_of: Callable[[tuple[int, ...]], int] = high,
) -> int:
    """The card of the hole to discard. value_of: what a hand is worth in this game."""

    def kept(card: int) -> tuple[int, int]:
        rest = tuple(other for other in hole if other != card)
        return value_of(rest + flop), -card

    return max(hole, key=kept)
