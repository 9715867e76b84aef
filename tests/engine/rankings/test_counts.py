"""How many hands of each class there are, over every hand that can be dealt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations
from math import comb, prod

import pytest

from tables.engine.cards import FULL_DECK
from tables.engine.rankings.ace_to_five import ace_to_five
from tables.engine.rankings.ace_to_six import ace_to_six
from tables.engine.rankings.badugi import badugi, set_size
from tables.engine.rankings.deuce_to_seven import deuce_to_seven
from tables.engine.rankings.eight_or_better import BY_TOP
from tables.engine.rankings.high import CLASSES, high
from tables.engine.rankings.tables import category_of
from tables.engine.rankings.wild import bug_high

JOKER = 52

FIVE_CARDS = {
    "straight_flush": 40, "four_of_a_kind": 624, "full_house": 3_744, "flush": 5_108,
    "straight": 10_200, "three_of_a_kind": 54_912, "two_pair": 123_552, "pair": 1_098_240,
    "high_card": 1_302_540,
}  # fmt: skip
WITH_THE_BUG = {
    "five_of_a_kind": 1, "straight_flush": 204, "four_of_a_kind": 828, "full_house": 4_368,
    "flush": 7_804, "straight": 20_532, "three_of_a_kind": 63_360, "two_pair": 138_600,
    "pair": 1_215_024, "high_card": 1_418_964,
}  # fmt: skip
SEVEN_CARDS = {
    "straight_flush": 41_584, "four_of_a_kind": 224_848, "full_house": 3_473_184,
    "flush": 4_047_644, "straight": 6_180_020, "three_of_a_kind": 6_461_620,
    "two_pair": 31_433_400, "pair": 58_627_800, "high_card": 23_294_460,
}  # fmt: skip


def by_class(values: Counter[int]) -> dict[str, int]:
    found: Counter[str] = Counter()
    for value, count in values.items():
        found[CLASSES[category_of(value)]] += count
    return dict(found)


def test_five_cards() -> None:
    values = Counter(map(high, combinations(FULL_DECK, 5)))
    assert by_class(values) == FIVE_CARDS
    assert sum(values.values()) == 2_598_960
    assert len(values) == 7_462


def test_five_cards_of_a_deck_with_the_bug() -> None:
    with_bug = by_class(Counter(bug_high((*four, JOKER)) for four in combinations(FULL_DECK, 4)))
    found = {cls: with_bug.get(cls, 0) + FIVE_CARDS.get(cls, 0) for cls in WITH_THE_BUG}
    assert found == WITH_THE_BUG
    assert sum(with_bug.values()) == 270_725


def test_badugi() -> None:
    sizes = Counter(set_size(badugi(four)) for four in combinations(FULL_DECK, 4))
    assert sizes == {4: 17_160, 3: 154_440, 2: 96_252, 1: 2_873}


# Seven cards: no hand is dealt, hands are counted by their ranks and by their longest suit


def rank_counts(cards: int, ranks: int = 13) -> Iterator[tuple[int, ...]]:
    """How many of each rank, in every way to hold so many cards."""
    if not ranks:
        if not cards:
            yield ()
        return
    for held in range(min(4, cards) + 1):
        for rest in rank_counts(cards - held, ranks - 1):
            yield (held, *rest)


def without_a_flush(counts: tuple[int, ...]) -> tuple[int, ...]:
    """A hand of these ranks, its suits dealt round and round."""
    cards: list[int] = []
    for rank, count in enumerate(counts):
        cards += [4 * rank + (len(cards) + nth) % 4 for nth in range(count)]
    return tuple(cards)


def flushes_among(counts: tuple[int, ...]) -> int:
    """How many hands of these ranks hold five or more of one suit."""
    ways = [1]  # by how many cards are of the suit
    for count in counts:
        if count:
            others, one = comb(3, count), comb(3, count - 1)
            low, high_ = [way * others for way in ways], [way * one for way in ways]
            ways = [a + b for a, b in zip([*low, 0], [0, *high_], strict=True)]
    return 4 * sum(ways[5:])


def test_seven_cards() -> None:
    values: Counter[int] = Counter()
    for counts in rank_counts(7):
        hands = prod(comb(4, count) for count in counts) - flushes_among(counts)
        if hands:
            values[high(without_a_flush(counts))] += hands
    for suited in (5, 6, 7):
        for ranks in combinations(range(13), suited):
            rest = [4 * rank + 1 for rank in range(7 - suited)]
            cards = (*(4 * rank for rank in ranks), *rest)
            values[high(cards)] += 4 * comb(39, 7 - suited)
    assert by_class(values) == SEVEN_CARDS
    assert sum(values.values()) == 133_784_560


# Lows


@pytest.mark.slow
@pytest.mark.parametrize(
    ("value_of", "strengths", "best"),
    [(ace_to_five, 6_175, 1_024), (deuce_to_seven, 7_462, 1_020), (ace_to_six, 7_462, 1_020)],
)
def test_five_card_lows(
    value_of: Callable[[tuple[int, ...]], int], strengths: int, best: int
) -> None:
    values = Counter(map(value_of, combinations(FULL_DECK, 5)))
    assert len(values) == strengths
    assert values[max(values)] == best  # 5-4-3-2-A; 7-5-4-3-2 and 6-4-3-2-A of two suits or more


@pytest.mark.slow
def test_five_cards_that_qualify_for_a_low() -> None:
    for top, low_ranks in ((7, 7), (8, 8), (9, 9)):
        values = Counter(map(BY_TOP[top].value, combinations(FULL_DECK, 5)))
        qualified = sum(count for value, count in values.items() if value)
        assert qualified == comb(low_ranks, 5) * 4**5
