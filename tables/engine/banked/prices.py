"""What each wager costs, exactly: whole numbers and fractions, no deal enumerated.

Three-card hands fall into 1,755 classes up to suits. How many dealer hands lie below a strength and
avoid the player's three cards follows from how many do so in all, with one given card, and with two
given cards (inclusion and exclusion), so 407,170,400 deals are priced from 182 short rows. Six-card
hands are counted by their sets of ranks. Source: docs/rules/banked.md 3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, combinations
from math import comb

from tables.engine.banked.hands import HANDS, three_card_class
from tables.engine.banked.options import Paytable
from tables.engine.banked.vocabulary import PUSH, WIN
from tables.engine.rankings.high import straight_top
from tables.engine.rankings.three_card import QUALIFIERS, three_card

PLAYER_HANDS = comb(52, 3)
DEALER_HANDS = comb(49, 3)
ACE = 12
NO_PAIR = "high_card"


@dataclass(frozen=True, slots=True)
class Price:
    """The exact price of a wager, per unit staked on it.

    house_edge: expected loss. element_of_risk: expected loss per unit of all that is staked, a
    raise included. hit_frequency: chance of coming out ahead. variance: of the net result.
    played: share of hands that are raised rather than folded; 1 where there is nothing to decide.
    lines: chance of each class that the paytable could pay.
    """

    house_edge: Fraction
    element_of_risk: Fraction
    hit_frequency: Fraction
    variance: Fraction
    played: Fraction
    lines: Mapping[str, Fraction]


# Wagers that a table pays by class of hand


@dataclass(frozen=True, slots=True)
class ClassCounts:
    """How many of `total` equally likely deals are of each class; the rest are of none."""

    counts: Mapping[str, int]
    total: int


def side_price(hand: str, paytable: Paytable, counts: ClassCounts | None = None) -> Price:
    """Price of a side wager whose cards are classed as `hand`, a key of `hands.HANDS`.

    counts: the deals that are paid, where not every one of them is (`unfolded_counts`).
    """
    known = COUNTS[hand]() if counts is None else counts
    total = known.total
    won = squares = hits = 0
    for cls, count in known.counts.items():
        line = HANDS[hand].line(cls, paytable)
        odds = paytable[line] if line else 0
        if odds:
            hits += count
            won += odds * count
            squares += odds * odds * count
    edge = Fraction(total - hits - won, total)
    return Price(
        house_edge=edge,
        element_of_risk=edge,
        hit_frequency=Fraction(hits, total),
        variance=Fraction(squares + total - hits, total) - edge * edge,
        played=Fraction(1),
        lines={cls: Fraction(count, total) for cls, count in known.counts.items()},
    )


@lru_cache(maxsize=1)
def three_card_counts() -> ClassCounts:
    counts = dict.fromkeys(HANDS["three_card"].classes, 0)
    for suited in suit_classes():
        cls = three_card_class(suited.value)
        if cls in counts:
            counts[cls] += suited.weight
    return ClassCounts(counts, PLAYER_HANDS)


@lru_cache(maxsize=1)
def six_card_counts() -> ClassCounts:
    """Best five of six, by which ranks are held.

    Ranks that repeat beyond one pair leave at most four different ones: no straight, no flush.
    """
    counts = dict.fromkeys(HANDS["six_card"].classes, 0)
    counts["four_of_a_kind"] = 13 * comb(48, 2)
    counts["full_house"] = comb(13, 2) * 4 * 4 + 13 * 4 * 12 * 6 * 11 * 4
    counts["three_of_a_kind"] = 13 * 4 * comb(12, 3) * 4**3
    for five in combinations(range(13), 5):
        # One rank of the five is a pair: of its 6 * 4**4 suits, 4 * 3 hold all five in one suit.
        _count_runs(counts, five, 5 * 12, 5 * (6 * 4**4 - 12))
    for six in combinations(range(13), 6):
        # Of 4**6 suits 4 hold all six in one suit, and 12 all but one rank.
        _count_runs(counts, six, 4, 4**6 - 4 - 6 * 12)
        for missing in range(6):
            _count_runs(counts, six[:missing] + six[missing + 1 :], 12, 0)
    return ClassCounts(counts, comb(52, 6))


def _count_runs(counts: dict[str, int], ranks: tuple[int, ...], suited: int, mixed: int) -> None:
    """Add hands of these ranks: so many with them in one suit, so many with no five in a suit."""
    top = straight_top(sum(1 << rank for rank in ranks))
    if top is None:
        counts["flush"] += suited
        return
    counts["royal_flush" if top == ACE else "straight_flush"] += suited
    counts["straight"] += mixed


@lru_cache(maxsize=1)
def one_colour_counts() -> ClassCounts:
    """Player's three, then the dealer's three, of one of the two colours of 26."""
    total = PLAYER_HANDS * DEALER_HANDS
    three = 2 * comb(26, 3) * DEALER_HANDS
    six = 2 * comb(26, 3) * comb(23, 3)
    return ClassCounts({"six_one_colour": six, "three_one_colour": three - six}, total)


@lru_cache(maxsize=1)
def spades_counts() -> ClassCounts:
    """Three-card hands, the mini royal of spades apart."""
    known = three_card_counts()
    royals = known.counts["mini_royal"]
    counts = {"mini_royal_spades": royals // 4, **known.counts}
    counts["mini_royal"] = royals - royals // 4
    return ClassCounts(counts, known.total)


COUNTS: dict[str, Callable[[], ClassCounts]] = {
    "three_card": three_card_counts,
    "three_card_spades": spades_counts,
    "six_card": six_card_counts,
    "one_colour": one_colour_counts,
}


# Ante and its raise against a dealer who must qualify


@dataclass(frozen=True, slots=True)
class SuitClass:
    """Player hands that differ by a renaming of suits alone.

    weight: how many. value: their strength. pairs: index of each two of the cards among the 169
    kinds of two cards.
    """

    weight: int
    value: int
    ranks: tuple[int, int, int]
    pairs: tuple[int, int, int]


PATTERNS = (
    ((0, 0, 0), 4),
    ((0, 0, 1), 12),
    ((0, 1, 0), 12),
    ((1, 0, 0), 12),
    ((0, 1, 2), 24),
)
"""Suits of three different ranks up to renaming, and how many hands have each pattern."""


@lru_cache(maxsize=1)
def suit_classes() -> tuple[SuitClass, ...]:
    """The 1,755 classes of three cards."""
    return tuple(_suit_classes())


def _suit_classes() -> Iterator[SuitClass]:
    for ranks in combinations(range(13), 3):
        for suits, weight in PATTERNS:
            yield _suit_class(weight, ranks, suits)
    for pair in range(13):
        yield _suit_class(4, (pair, pair, pair), (0, 1, 2))
        for kicker in range(13):
            if kicker != pair:
                yield _suit_class(12, (pair, pair, kicker), (0, 1, 0))
                yield _suit_class(12, (pair, pair, kicker), (0, 1, 2))


def _suit_class(weight: int, ranks: tuple[int, int, int], suits: tuple[int, int, int]) -> SuitClass:
    a, b, c = (4 * rank + suit for rank, suit in zip(ranks, suits, strict=True))
    pairs = _pair_kind(a, b), _pair_kind(a, c), _pair_kind(b, c)
    return SuitClass(weight, three_card((a, b, c)), ranks, pairs)


def _pair_kind(a: int, b: int) -> int:
    """13 * lower rank + higher rank for two suits, the other way round for one suit."""
    one, other = sorted((a >> 2, b >> 2))
    return 13 * one + other if a & 3 != b & 3 else 13 * other + one


def _pairs_of_kind(kind: int) -> int:
    """How many two cards are of a kind: 6 of a rank, 12 of two suits, 4 of one suit."""
    one, other = divmod(kind, 13)
    if one == other:
        return 6
    return 12 if one < other else 4


@dataclass(frozen=True, slots=True)
class DealerRows:
    """For each strength, how many dealer hands are weaker: in all, with one card of a rank, with
    two cards of a kind. `place` numbers the strengths from the weakest.
    """

    place: Mapping[int, int]
    every: tuple[int, ...]
    with_one: tuple[tuple[int, ...], ...]
    with_two: tuple[tuple[int, ...], ...]

    def weaker(self, mine: SuitClass, place: int) -> int:
        """Dealer hands below a place that hold none of the player's cards."""
        a, b, c = mine.ranks
        ab, ac, bc = mine.pairs
        one, two = self.with_one, self.with_two
        return (
            self.every[place]
            - one[a][place]
            - one[b][place]
            - one[c][place]
            + two[ab][place]
            + two[ac][place]
            + two[bc][place]
            - (self.place[mine.value] < place)
        )


@lru_cache(maxsize=1)
def dealer_rows() -> DealerRows:
    classes = suit_classes()
    strengths = sorted({suited.value for suited in classes})
    place = {value: number for number, value in enumerate(strengths)}
    every = [0] * len(strengths)
    with_one = [[0] * len(strengths) for _ in range(13)]
    with_two = [[0] * len(strengths) for _ in range(169)]
    for suited in classes:
        at, weight = place[suited.value], suited.weight
        every[at] += weight
        for rank in suited.ranks:
            with_one[rank][at] += weight
        for kind in suited.pairs:
            with_two[kind][at] += weight
    return DealerRows(
        place,
        _weaker(every, 1),
        tuple(_weaker(row, 4) for row in with_one),
        tuple(_weaker(row, _pairs_of_kind(kind)) for kind, row in enumerate(with_two)),
    )


def _weaker(row: list[int], alike: int) -> tuple[int, ...]:
    """Sums of all before each place; every one of the `alike` cards has the same share."""
    return tuple(count // alike for count in accumulate(row, initial=0))


@dataclass(slots=True)
class Outcomes:
    """Deals by what they bring when the hand is played: net 1 (dealer fails), 2, 0 and -2."""

    fails: int = 0
    wins: int = 0
    ties: int = 0
    losses: int = 0

    @property
    def deals(self) -> int:
        return self.fails + self.wins + self.ties + self.losses

    @property
    def net(self) -> int:
        return self.fails + 2 * self.wins - 2 * self.losses

    def add(self, other: Outcomes) -> None:
        self.fails += other.fails
        self.wins += other.wins
        self.ties += other.ties
        self.losses += other.losses

    def nets(self, bonus: int) -> tuple[tuple[int, int], ...]:
        """(net per unit of ante, deals) with a bonus paid on top."""
        return (
            (1 + bonus, self.fails),
            (2 + bonus, self.wins),
            (bonus, self.ties),
            (bonus - 2, self.losses),
        )


@dataclass(frozen=True, slots=True)
class Contests:
    """All deals by class of the player's hand.

    worth_playing: summed over the hands that lose less than the ante when played without a bonus.
    better_folded: the others one by one; a bonus may make them worth playing. folded: those of
    them that no table pays a bonus for.
    """

    worth_playing: Mapping[str, Outcomes]
    better_folded: Mapping[str, tuple[Outcomes, ...]]
    folded: tuple[SuitClass, ...]


@lru_cache(maxsize=16)
def contests(qualifier: str, tie: str) -> Contests:
    rows = dealer_rows()
    least = sum(value < QUALIFIERS[qualifier] for value in rows.place)
    playing: dict[str, Outcomes] = {}
    folding: dict[str, list[Outcomes]] = {}
    folded: list[SuitClass] = []
    for mine in suit_classes():
        cls = three_card_class(mine.value)
        found = _outcomes(rows, mine, least, tie)
        if found.net >= -found.deals:
            playing.setdefault(cls, Outcomes()).add(found)
        else:
            folding.setdefault(cls, []).append(found)
            if cls == NO_PAIR:
                folded.append(mine)
    better_folded = {cls: tuple(hands) for cls, hands in folding.items()}
    return Contests(playing, better_folded, tuple(folded))


def _outcomes(rows: DealerRows, mine: SuitClass, least: int, tie: str) -> Outcomes:
    """The deals of one class of hands against every dealer hand; least: first that qualifies."""
    own, weight = rows.place[mine.value], mine.weight
    fails = rows.weaker(mine, least)
    wins = ties = 0
    if own >= least:
        below = rows.weaker(mine, own)
        wins = below - fails
        ties = rows.weaker(mine, own + 1) - below
    losses = DEALER_HANDS - fails - wins - ties
    if tie == WIN:
        wins, ties = wins + ties, 0
    return Outcomes(weight * fails, weight * wins, weight * ties, weight * losses)


# What a fold takes from the wagers beside the ante


@lru_cache(maxsize=32)
def unfolded_counts(hand: str, qualifier: str, tie: str) -> ClassCounts:
    """The deals that a side wager is paid for when a fold forfeits it, beside an ante.

    The ante's best strategy folds nothing but hands without a pair: any pair beats most of the
    dealer's hands. So wagers on the player's own three cards lose nothing by it.
    """
    known, deals = COUNTS[hand](), PLAYER_HANDS * DEALER_HANDS
    each = deals // known.total
    counts = {cls: count * each for cls, count in known.counts.items()}
    if hand in LOST_BY_FOLDING:
        for mine in contests(qualifier, tie).folded:
            for cls, lost in LOST_BY_FOLDING[hand](mine).items():
                counts[cls] -= lost
    return ClassCounts(counts, deals)


def _suited(mine: SuitClass) -> tuple[int, int] | None:
    """The two ranks of one suit in a hand of three ranks; None when it has three suits."""
    for kind in mine.pairs:
        one, other = divmod(kind, 13)
        if one > other:
            return other, one
    return None


def _six_card_lost(mine: SuitClass) -> dict[str, int]:
    """Deals in which a hand of three ranks makes each class with the dealer's three cards.

    A flush needs three of his in the suit that the player holds twice.
    """
    held = sum(1 << rank for rank in mine.ranks)
    counts = {
        "four_of_a_kind": 3,
        "full_house": 3 * comb(3, 2) * 2 * 3,
        "three_of_a_kind": 3 * comb(3, 2) * 10 * 4 + 10 * 4,
        "straight": _runs_dealt(held),
    }
    suited = _suited(mine)
    if suited is not None:
        runs = _runs()
        own = sum(1 << rank for rank in suited)
        threes = _threes_beside(own)
        tops = [straight_top(own | dealt) for dealt in threes if runs[own | dealt]]
        counts["straight"] -= sum(runs[held | dealt] for dealt in threes)
        counts["royal_flush"] = tops.count(ACE)
        counts["straight_flush"] = len(tops) - counts["royal_flush"]
        counts["flush"] = len(threes) - len(tops)
    return {cls: count * mine.weight for cls, count in counts.items()}


@lru_cache(maxsize=1)
def _runs() -> bytes:
    """For every set of ranks, as bits, 1 if it holds five in a row."""
    return bytes(straight_top(ranks) is not None for ranks in range(1 << 13))


@lru_cache(maxsize=512)
def _threes_beside(held: int) -> tuple[int, ...]:
    """All sets of three ranks that are not among these."""
    return tuple(map(sum, combinations([1 << r for r in range(13) if not held >> r & 1], 3)))


@lru_cache(maxsize=512)
def _runs_dealt(held: int) -> int:
    """How many dealer's hands make five in a row with a player's three ranks, whatever the suits.

    Two new ranks may do it, the third card being of a rank that is there already, or three.
    """
    runs = _runs()
    new = [1 << rank for rank in range(13) if not held >> rank & 1]
    twos = sum(runs[held | one | other] for one, other in combinations(new, 2))
    threes = sum(runs[held | dealt] for dealt in _threes_beside(held))
    return twos * (4 * 4 * 9 + 2 * comb(4, 2) * 4) + threes * 4**3


def _one_colour_lost(mine: SuitClass) -> dict[str, int]:
    """Two suits are of one colour in a third of the ways to choose them; three never are."""
    if _suited(mine) is None:
        return {}
    alike, six = mine.weight // 3, comb(26 - 3, 3)
    return {"six_one_colour": alike * six, "three_one_colour": alike * (DEALER_HANDS - six)}


LOST_BY_FOLDING: dict[str, Callable[[SuitClass], dict[str, int]]] = {
    "six_card": _six_card_lost,
    "one_colour": _one_colour_lost,
}


@dataclass(frozen=True, slots=True)
class Strategy:
    """The best decisions: play every hand of a strength from `threshold` up, fold below it.

    exceptions: (strength, hands played, hands of that strength) below the threshold where suits
    decide; () as a rule. played: hands played of 22,100.
    """

    threshold: int
    played: int
    exceptions: tuple[tuple[int, int, int], ...]


def best_strategy(paytable: Paytable, *, qualifier: str = "queen", tie: str = PUSH) -> Strategy:
    """Which hands to play, by the rule that `ante_play_price` prices."""
    rows = dealer_rows()
    least = sum(value < QUALIFIERS[qualifier] for value in rows.place)
    hands: dict[int, int] = {}
    played: dict[int, int] = {}
    for mine in suit_classes():
        line = HANDS["three_card"].line(three_card_class(mine.value), paytable)
        bonus = paytable[line] if line else 0
        found = _outcomes(rows, mine, least, tie)
        hands[mine.value] = hands.get(mine.value, 0) + mine.weight
        if found.net + bonus * found.deals >= -found.deals:
            played[mine.value] = played.get(mine.value, 0) + mine.weight
    threshold = max(hands) + 1
    for value in sorted(hands, reverse=True):
        if played.get(value) != hands[value]:
            break
        threshold = value
    below = tuple((v, played[v], hands[v]) for v in sorted(played) if v < threshold)
    return Strategy(threshold, sum(played.values()), below)


def raise_value(cards: Sequence[int], paytable: Paytable, qualifier: str, tie: str) -> Fraction:
    """What playing these cards brings on average, per unit of ante; folding brings -1."""
    rows = dealer_rows()
    least = sum(value < QUALIFIERS[qualifier] for value in rows.place)
    a, b, c = sorted(cards)
    value = three_card((a, b, c))
    pairs = _pair_kind(a, b), _pair_kind(a, c), _pair_kind(b, c)
    mine = SuitClass(1, value, (a >> 2, b >> 2, c >> 2), pairs)
    line = HANDS["three_card"].line(three_card_class(value), paytable)
    found = _outcomes(rows, mine, least, tie)
    return Fraction(found.net, found.deals) + (paytable[line] if line else 0)


def ante_play_price(paytable: Paytable, *, qualifier: str = "queen", tie: str = PUSH) -> Price:
    """Price of the ante with its raise and bonus, per unit of ante, under the best strategy.

    paytable: of the ante bonus. A hand is played when that costs no more than the ante.
    """
    known = contests(qualifier, tie)
    net = squares = hits = played = 0
    for cls in {*known.worth_playing, *known.better_folded}:
        line = HANDS["three_card"].line(cls, paytable)
        bonus = paytable[line] if line else 0
        taken = [known.worth_playing[cls]] if cls in known.worth_playing else []
        if bonus:
            rest = known.better_folded.get(cls, ())
            taken += [hands for hands in rest if hands.net + bonus * hands.deals >= -hands.deals]
        for hands in taken:
            played += hands.deals
            for units, deals in hands.nets(bonus):
                net += units * deals
                squares += units * units * deals
                hits += deals if units > 0 else 0
    return _priced(net, squares, hits, played)


def _priced(net: int, squares: int, hits: int, played: int) -> Price:
    """The price from the deals that were played: their sum, their sum of squares, those won."""
    total = PLAYER_HANDS * DEALER_HANDS
    folded = total - played
    edge = Fraction(folded - net, total)
    counted = three_card_counts()
    return Price(
        house_edge=edge,
        element_of_risk=edge / (1 + Fraction(played, total)),
        hit_frequency=Fraction(hits, total),
        variance=Fraction(squares + folded, total) - edge * edge,
        played=Fraction(played, total),
        lines={cls: Fraction(count, counted.total) for cls, count in counted.counts.items()},
    )


def price_of_strategy(
    paytable: Paytable, plays: Callable[[int], bool], *, qualifier: str = "queen", tie: str = PUSH
) -> Price:
    """Price of the ante, its raise and bonus for whoever plays these strengths and no others."""
    rows = dealer_rows()
    least = sum(value < QUALIFIERS[qualifier] for value in rows.place)
    net = squares = hits = played = 0
    for mine in suit_classes():
        if not plays(mine.value):
            continue
        line = HANDS["three_card"].line(three_card_class(mine.value), paytable)
        found = _outcomes(rows, mine, least, tie)
        played += found.deals
        for units, deals in found.nets(paytable[line] if line else 0):
            net += units * deals
            squares += units * units * deals
            hits += deals if units > 0 else 0
    return _priced(net, squares, hits, played)
