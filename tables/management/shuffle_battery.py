"""What millions of decks look like beside what fair ones must: counts, then chances.

Every test compares with an exact distribution or exact moments over the 52! orders; nothing is
fitted. numpy counts; the decks come from outside, so the same battery judges any shuffler.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tables.chance import chi_square_p, goodness, normal_p

Decks = NDArray[np.uint8]
Counts = NDArray[np.int64]

SIZE = 52
ALPHA = 0.01
DECKS_LEAST = 14_000
"""Enough for five of every first pair of cards."""
GROUP = 5
CLASSES = ("high card", "pair", "flush", "straight", "three of a kind", "straight flush")
CLASS_SHARES = tuple(count / 22_100 for count in (16_440, 3_744, 1_096, 720, 52, 48))


@dataclass(frozen=True, slots=True)
class Finding:
    """One test's statistic and how likely chance alone brings one at least as far out.

    freedom: degrees of freedom of a chi-square; None when the statistic is a normal deviate or,
    for duplicates, a number of decks.
    """

    name: str
    statistic: float
    freedom: int | None
    p: float

    def to_json(self) -> dict[str, Any]:
        return {
            "test": self.name,
            "statistic": round(self.statistic, 4),
            "degrees_of_freedom": self.freedom,
            "p": self.p,
        }


class Battery:
    """Counts over decks added in batches; each row of a batch follows the one before."""

    def __init__(self) -> None:
        self.decks = 0
        self.at_place: Counts = np.zeros((SIZE, SIZE), dtype=np.int64)
        self.first_pairs: Counts = np.zeros((SIZE, SIZE), dtype=np.int64)
        self.classes: Counts = np.zeros(len(CLASSES), dtype=np.int64)
        self.colour_runs: Counts = np.zeros(SIZE + 1, dtype=np.int64)
        self.ascents: Counts = np.zeros(SIZE, dtype=np.int64)
        self.gaps: Counts = np.zeros(SIZE, dtype=np.int64)
        self.coupons: Counts = np.zeros(SIZE + 1, dtype=np.int64)
        self.orders: Counts = np.zeros(math.factorial(GROUP), dtype=np.int64)
        self.within = 0.0
        self.between = 0.0
        self.successions = 0
        self.digests: list[NDArray[np.void]] = []

    def add(self, decks: Decks, digests: NDArray[np.void]) -> None:
        """decks: one row of 52 cards each. digests: 16 bytes of a hash of each."""
        self.decks += len(decks)
        self.digests.append(digests)
        wide = decks.astype(np.int64)
        for place in range(SIZE):
            self.at_place[:, place] += np.bincount(wide[:, place], minlength=SIZE)
        pairs = np.bincount(wide[:, 0] * SIZE + wide[:, 1], minlength=SIZE * SIZE)
        self.first_pairs += pairs.reshape(SIZE, SIZE)
        _count(self.classes, _three_card_classes(wide[:, :3]))
        red = ((wide % 4 == 1) | (wide % 4 == 2)).astype(np.int8)
        _count(self.colour_runs, 1 + np.count_nonzero(red[:, 1:] != red[:, :-1], axis=1))
        _count(self.ascents, np.count_nonzero(wide[:, 1:] > wide[:, :-1], axis=1))
        aces = np.argsort(wide // 4 != 12, axis=1, kind="stable")[:, :2]
        _count(self.gaps, aces[:, 1] - aces[:, 0] - 1)
        firsts = [np.argmax(wide % 4 == suit, axis=1) for suit in range(4)]
        _count(self.coupons, np.max(firsts, axis=0) + 1)
        groups = wide[:, : SIZE - SIZE % GROUP].reshape(-1, GROUP)
        _count(self.orders, _order_numbers(groups))
        centred = wide - (SIZE - 1) / 2
        self.within += float((centred[:, 1:] * centred[:, :-1]).sum())
        self.between += float((centred[1:] * centred[:-1]).sum())
        self.successions += len(decks) - 1

    def findings(self) -> list[Finding]:
        """Every test over all decks so far. Raises ValueError below DECKS_LEAST."""
        if self.decks < DECKS_LEAST:
            raise ValueError(f"the battery judges {DECKS_LEAST} decks or more")
        off_diagonal = ~np.eye(SIZE, dtype=np.bool_)
        pairs = self.first_pairs[off_diagonal]
        orders = len(self.orders)
        return [
            self._card_by_place(),
            _judged("ordered first pair", pairs, [1 / len(pairs)] * len(pairs)),
            _judged("class of the first three cards", self.classes, CLASS_SHARES),
            self._lag_within(),
            self._lag_between(),
            _judged("runs of one colour", self.colour_runs, _colour_run_shares()),
            _judged("steps up", self.ascents, _ascent_shares()),
            _judged("gap between the first two aces", self.gaps, _gap_shares()),
            _judged("cards until every suit has come", self.coupons, _coupon_shares()),
            _judged("order of each five cards", self.orders, [1 / orders] * orders),
            self._duplicates(),
        ]

    def deviations(self) -> NDArray[np.float64]:
        """By card and place: how many standard deviations the count is from its mean."""
        due = self.decks / SIZE
        deviation = math.sqrt(due * (1 - 1 / SIZE))
        return ((self.at_place - due) / deviation).astype(np.float64)

    def _card_by_place(self) -> Finding:
        """Rows and columns are fixed: (n-1)/n of the usual sum has (n-1)^2 degrees of freedom."""
        due = self.decks / SIZE
        usual = float(((self.at_place - due) ** 2).sum()) / due
        statistic, freedom = usual * (SIZE - 1) / SIZE, (SIZE - 1) ** 2
        return Finding("card by place", statistic, freedom, chi_square_p(statistic, freedom))

    def _lag_within(self) -> Finding:
        mean, variance = lag_moments(SIZE)
        z = (self.within - self.decks * mean) / math.sqrt(self.decks * variance)
        return Finding("correlation of neighbours in a deck", z, None, normal_p(z))

    def _lag_between(self) -> Finding:
        """The same place in two decks, one after the other."""
        squares = _power_sum(SIZE, 2)
        z = self.between / math.sqrt(self.successions * squares**2 / (SIZE - 1))
        return Finding("correlation with the deck before", z, None, normal_p(z))

    def _duplicates(self) -> Finding:
        """Among fair decks the first repetition is not to be expected in the life of the stars."""
        every = np.concatenate(self.digests)
        repeated = len(every) - len(np.unique(every))
        chance = comb(self.decks, 2) / math.factorial(SIZE)
        return Finding("repeated decks", repeated, None, min(1.0, chance) if repeated else 1.0)


def failures(findings: Sequence[Finding], alpha: float = ALPHA) -> list[str]:
    """Tests that reject at a level of alpha over all of them together (Bonferroni)."""
    return [found.name for found in findings if found.p < alpha / len(findings)]


def lag_moments(size: int) -> tuple[float, float]:
    """Mean and variance, over all orders, of the sum of products of neighbours' centred values."""
    p2, p4 = _power_sum(size, 2), _power_sum(size, 4)
    neighbours = size - 1
    same = (p2 * p2 - p4) / (size * (size - 1))
    chained = (2 * p4 - p2 * p2) / (size * (size - 1) * (size - 2))
    apart = (3 * p2 * p2 - 6 * p4) / (size * (size - 1) * (size - 2) * (size - 3))
    chains = 2 * (size - 2)
    second = neighbours * same + chains * chained + (neighbours**2 - neighbours - chains) * apart
    mean = -neighbours * p2 / (size * (size - 1))
    return mean, second - mean * mean


def _power_sum(size: int, power: int) -> float:
    return float(sum((value - (size - 1) / 2) ** power for value in range(size)))


def _count(into: Counts, values: NDArray[np.int64]) -> None:
    into += np.bincount(values, minlength=len(into))


def _judged(name: str, counts: Counts, shares: Sequence[float]) -> Finding:
    statistic, freedom = goodness(list(map(int, counts)), shares)
    return Finding(name, statistic, freedom, chi_square_p(statistic, freedom))


def _three_card_classes(cards: NDArray[np.int64]) -> NDArray[np.int64]:
    ranks = np.sort(cards // 4, axis=1)
    suits = cards % 4
    low, middle, high = ranks.T
    flush = (suits[:, 0] == suits[:, 1]) & (suits[:, 1] == suits[:, 2])
    wheel = (low == 0) & (middle == 1) & (high == 12)
    straight = ((middle == low + 1) & (high == middle + 1)) | wheel
    pairs = (low == middle).astype(np.int64) + (middle == high)
    found: NDArray[np.int64] = np.select(
        [pairs == 2, pairs == 1, straight & flush, straight, flush], [4, 1, 5, 3, 2], 0
    )
    return found


def _order_numbers(groups: NDArray[np.int64]) -> NDArray[np.int64]:
    """Which of the orders of five each group stands in."""
    numbers = np.zeros(GROUP**GROUP, dtype=np.int64)
    powers = GROUP ** np.arange(GROUP)
    for number, order in enumerate(permutations(range(GROUP))):
        numbers[int(np.dot(order, powers))] = number
    found: NDArray[np.int64] = numbers[np.argsort(groups, axis=1) @ powers]
    return found


def _colour_run_shares() -> list[float]:
    """Runs of red and black among 26 of each (Wald and Wolfowitz)."""
    half = SIZE // 2
    shares = [0.0] * (SIZE + 1)
    for runs in range(2, SIZE + 1):
        more, less = comb(half - 1, (runs + 1) // 2 - 1), comb(half - 1, runs // 2 - 1)
        shares[runs] = 2 * more * less / comb(SIZE, half)
    return shares


def _ascent_shares() -> list[float]:
    """Eulerian numbers over 52!."""
    row = [1]
    for size in range(2, SIZE + 1):
        row = [
            (ascents + 1) * (row[ascents] if ascents < len(row) else 0)
            + (size - ascents) * (row[ascents - 1] if ascents else 0)
            for ascents in range(size)
        ]
    return [count / math.factorial(SIZE) for count in row]


def _gap_shares() -> list[float]:
    """Cards between the first two of four: the other two and the gap leave 51 - gap places."""
    return [comb(SIZE - 1 - gap, 3) / comb(SIZE, 4) for gap in range(SIZE)]


def _coupon_shares() -> list[float]:
    """The card with which the last suit comes."""
    suit = SIZE // 4

    def incomplete(cards: int) -> float:
        terms = (
            (-1) ** (missing + 1) * comb(4, missing) * comb(SIZE - suit * missing, cards)
            for missing in range(1, 5)
        )
        return float(sum(terms)) / comb(SIZE, cards)

    return [0.0, *(incomplete(card - 1) - incomplete(card) for card in range(1, SIZE + 1))]
