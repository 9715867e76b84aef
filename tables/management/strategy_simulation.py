"""Millions of rounds of Three Card Poker by a fixed strategy, dealt card by card in columns.

An independent check of the exact prices: hands are dealt, classed and compared, nothing is counted.
numpy deals and looks up; what a hand is worth comes from the same rankings that settle live rounds.
Source: docs/rules/banked.md 3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tables.engine.banked.hands import (
    HANDS,
    SIX_CARD_CLASSES,
    THREE_CARD_CLASSES,
    five_card_class,
    three_card_class,
)
from tables.engine.banked.options import Rules
from tables.engine.banked.prices import (
    Price,
    ante_play_price,
    best_strategy,
    price_of_strategy,
    raise_value,
    side_price,
)
from tables.engine.banked.vocabulary import WIN, BankedGame, Bonus, Progressive, Side
from tables.engine.rankings.high import HIGH, high
from tables.engine.rankings.tables import FIVE_ALARM, FLUSH_BITS, KEY, RANK_PART
from tables.engine.rankings.three_card import QUALIFIERS, three_card

BATCH = 200_000
BAND = 3.5
"""Standard errors within which a run of honest cards stays, but for one run in two thousand."""

Numbers = NDArray[np.int64]
KEYS: Numbers = np.array(KEY[:52], dtype=np.int64)
RED: Numbers = np.array([int(card & 3 in (1, 2)) for card in range(52)], dtype=np.int64)
OWN = ("high_card", *THREE_CARD_CLASSES)
SIX = ("", *SIX_CARD_CLASSES)


def mimic(qualifier: str) -> Callable[[int], bool]:
    """Play what would qualify as the dealer's."""
    least = QUALIFIERS[qualifier]
    return lambda value: value >= least


STRATEGIES = ("optimal", "dealer", "all")


@dataclass(slots=True)
class Tally:
    """Net units of one wager over the rounds: their sum, and the sum of their squares."""

    rounds: int = 0
    net: int = 0
    squares: int = 0

    def add(self, nets: Numbers) -> None:
        self.rounds += len(nets)
        self.net += int(nets.sum())
        self.squares += int((nets * nets).sum())


@dataclass(frozen=True, slots=True)
class Judged:
    """What a wager brought beside its exact price; z: how many standard errors apart."""

    wager: str
    rounds: int
    net_units: int
    price: Price
    z: float

    @property
    def inside(self) -> bool:
        return abs(self.z) <= BAND

    def to_json(self) -> dict[str, Any]:
        exact = self.price.house_edge
        return {
            "rounds": self.rounds,
            "net_units": self.net_units,
            "house_edge": -self.net_units / self.rounds,
            "exact_house_edge": float(exact),
            "exact": [exact.numerator, exact.denominator],
            "standard_errors": round(self.z, 3),
            "inside": self.inside,
        }


def simulate(
    game: BankedGame, rules: Rules, strategy: str, rounds: int, seed: int
) -> dict[str, Judged]:
    """Play so many rounds of every priced wager at one spot and judge each by its exact price.

    seed: the same one deals the same cards.
    """
    table = Lookup(rules, strategy)
    sides = [
        wager
        for wager in game.placed
        if isinstance(wager, Side)
        and not isinstance(wager, Progressive)
        and wager.id in rules.paytables
    ]
    bonus = next(wager.id for wager in game.wagers if isinstance(wager, Bonus))
    ladder = rules.paytables.get(bonus, {})
    tallies = {game.decision.of: Tally(), **{side.id: Tally() for side in sides}}
    for cards in deals(rounds, seed):
        player, dealer = _place(cards[:3]), _place(cards[3:])
        tallies[game.decision.of].add(table.ante_nets(player, dealer, ladder))
        for side in sides:
            classes = CLASSED[side.hand](table, cards, player)
            tallies[side.id].add(_paid(side, rules.paytables[side.id])[classes])
    prices = {side.id: side_price(side.hand, rules.paytables[side.id]) for side in sides}
    prices[game.decision.of] = table.price(ladder)
    return {wager: judged(wager, tally, prices[wager]) for wager, tally in tallies.items()}


def judged(wager: str, tally: Tally, price: Price) -> Judged:
    mean_apart = tally.net / tally.rounds + float(price.house_edge)
    error = (float(price.variance) / tally.rounds) ** 0.5
    return Judged(wager, tally.rounds, tally.net, price, mean_apart / error if error else 0.0)


def deals(rounds: int, seed: int) -> Iterator[Numbers]:
    """Columns of six different cards, the player's three and the dealer's, in batches.

    Six cards are drawn with replacement and kept if no two are alike: every deal is equally likely.
    """
    source = np.random.Generator(np.random.PCG64(seed))
    left = rounds
    while left:
        cards = source.integers(0, 52, size=(6, min(BATCH, 2 * left + 100)), dtype=np.int64)
        held = np.zeros(cards.shape[1], dtype=np.int64)
        different = np.ones(cards.shape[1], dtype=np.bool_)
        for column in cards:
            bit = np.left_shift(1, column)
            different &= (held & bit) == 0
            held |= bit
        kept = cards[:, different][:, :left]
        left -= kept.shape[1]
        yield kept


def _place(three: Numbers) -> Numbers:
    """Where three cards, in whatever order, stand in the tables below."""
    place: Numbers = (three[0] * 52 + three[1]) * 52 + three[2]
    return place


class Lookup:
    """Strength, class and decision of every three cards in every order."""

    def __init__(self, rules: Rules, strategy: str) -> None:
        self.rules, self.strategy = rules, strategy
        size = 52**3
        self.strength = np.zeros(size, dtype=np.int64)
        self.own = np.zeros(size, dtype=np.int64)
        self.plays = np.zeros(size, dtype=np.bool_)
        decide = self._decision()
        for cards in combinations(range(52), 3):
            value = three_card(cards)
            own = OWN.index(three_card_class(value))
            plays = decide(cards, value)
            for a, b, c in permutations(cards):
                place = (a * 52 + b) * 52 + c
                self.strength[place] = value
                self.own[place] = own
                self.plays[place] = plays

    def ante_nets(self, player: Numbers, dealer: Numbers, ladder: Mapping[str, int]) -> Numbers:
        """Net units of ante, raise and bonus together."""
        mine, his = self.strength[player], self.strength[dealer]
        tied = 2 if self.rules.policy.tie == WIN else 0
        shown = np.where(mine > his, 2, np.where(mine == his, tied, -2))
        played = np.where(his >= QUALIFIERS[self.rules.qualifier], shown, 1)
        bonus = np.array([_odds("three_card", cls, ladder) for cls in OWN])
        nets: Numbers = np.where(self.plays[player], played + bonus[self.own[player]], -1)
        return nets

    def price(self, ladder: Mapping[str, int]) -> Price:
        qualifier, tie = self.rules.qualifier, self.rules.policy.tie
        if self.strategy == "optimal":
            return ante_play_price(ladder, qualifier=qualifier, tie=tie)
        plays = mimic(qualifier) if self.strategy == "dealer" else _always
        return price_of_strategy(ladder, plays, qualifier=qualifier, tie=tie)

    def _decision(self) -> Callable[[tuple[int, ...], int], bool]:
        if self.strategy == "dealer":
            least = mimic(self.rules.qualifier)
            return lambda cards, value: least(value)
        if self.strategy == "all":
            return lambda cards, value: True
        ladder = self.rules.paytables.get("ante_bonus", {})
        qualifier, tie = self.rules.qualifier, self.rules.policy.tie
        best = best_strategy(ladder, qualifier=qualifier, tie=tie)
        by_suits = {value for value, _, _ in best.exceptions}

        def plays(cards: tuple[int, ...], value: int) -> bool:
            if value in by_suits:
                return raise_value(cards, ladder, qualifier, tie) >= -1
            return value >= best.threshold

        return plays


def _always(value: int) -> bool:
    return True


def _odds(hand: str, cls: str, table: Mapping[str, int]) -> int:
    if cls in ("", "high_card"):
        return 0
    line = HANDS[hand].line(cls, table)
    return table[line] if line else 0


def _paid(side: Side, table: Mapping[str, int]) -> Numbers:
    """Net units of a side wager by class."""
    classes = CLASSES[side.hand]
    odds = [_odds(side.hand, cls, table) for cls in classes]
    return np.array([paid or -1 for paid in odds], dtype=np.int64)


def _six_card(table: Lookup, cards: Numbers, player: Numbers) -> Numbers:
    """Class of the best five of six. Flushes are rare, so each is looked at by itself."""
    keys = KEYS[cards].sum(axis=0) + FIVE_ALARM
    found: Numbers = _by_ranks()[1][np.searchsorted(_by_ranks()[0], keys & RANK_PART)]
    for number in np.flatnonzero(keys & FLUSH_BITS):
        found[number] = SIX.index(five_card_class(high(tuple(map(int, cards[:, number])))))
    return found


_KNOWN_RANKS: list[tuple[Numbers, Numbers]] = []


def _by_ranks() -> tuple[Numbers, Numbers]:
    """Every set of six ranks as a key, ascending, and its class when no suit counts."""
    if not _KNOWN_RANKS:
        keys: dict[int, int] = {}
        for six in _rank_sets(6, 12):
            key = sum(count << 3 * rank for rank, count in six.items())
            cls = five_card_class(HIGH[key])
            keys[key] = SIX.index(cls) if cls in SIX else 0
        ordered = sorted(keys)
        classes = np.array([keys[key] for key in ordered], dtype=np.int64)
        _KNOWN_RANKS.append((np.array(ordered, dtype=np.int64), classes))
    return _KNOWN_RANKS[0]


def _rank_sets(cards: int, highest: int) -> Iterator[dict[int, int]]:
    """Ways to hold so many cards of ranks up to the highest, at most four of each."""
    if not cards:
        yield {}
        return
    for rank in range(highest, -1, -1):
        for count in range(1, min(4, cards) + 1):
            for rest in _rank_sets(cards - count, rank - 1):
                yield {rank: count, **rest}


def _own_class(table: Lookup, cards: Numbers, player: Numbers) -> Numbers:
    found: Numbers = table.own[player]
    return found


def _colours(table: Lookup, cards: Numbers, player: Numbers) -> Numbers:
    is_red = RED[cards]
    own = is_red[:3].sum(axis=0)
    red = own + is_red[3:].sum(axis=0)
    six = (red == 0) | (red == 6)
    three = (own == 0) | (own == 3)
    found: Numbers = np.where(six, 1, np.where(three, 2, 0))
    return found


CLASSES: dict[str, tuple[str, ...]] = {
    "three_card": OWN,
    "six_card": SIX,
    "one_colour": ("", *HANDS["one_colour"].classes),
}
CLASSED: dict[str, Callable[[Lookup, Numbers, Numbers], Numbers]] = {
    "three_card": _own_class,
    "six_card": _six_card,
    "one_colour": _colours,
}
