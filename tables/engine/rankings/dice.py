"""Five poker dice, and bids on all the dice of a table.

Poker dice, ones plain: five of a kind > four > full house > high straight > low straight > three >
two pair > pair > high die; then the faces, the most frequent first.
Bids: a quantity and a face; ones are wild, but a bid on ones counts ones alone. A bid raises by
more dice of any face, or by as many of a higher face (one is the lowest).
Source: docs/rules/bluff.md 2.2, 2.3 and 3.3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from tables.engine.rankings.tables import Table, category_of, encode, ranks_of

HIGH_DIE, PAIR, TWO_PAIR, THREE, LOW_STRAIGHT, HIGH_STRAIGHT, FULL_HOUSE, FOUR, FIVE = range(9)
CLASSES = (
    "high_die", "pair", "two_pair", "three_of_a_kind", "low_straight", "high_straight",
    "full_house", "four_of_a_kind", "five_of_a_kind",
)  # fmt: skip
NUMBER_WORDS = ("", "one", "two", "three", "four", "five", "six")
PLURALS = ("", "ones", "twos", "threes", "fours", "fives", "sixes")

SHAPES: dict[tuple[int, ...], int] = {
    (5,): FIVE,
    (4, 1): FOUR,
    (3, 2): FULL_HOUSE,
    (3, 1, 1): THREE,
    (2, 2, 1): TWO_PAIR,
    (2, 1, 1, 1): PAIR,
}


def dice_hand(dice: Sequence[int]) -> int:
    """Value of exactly five dice; bigger is better."""
    counts = Counter(dice)
    groups = sorted(((count, face) for face, count in counts.items()), reverse=True)
    faces = [face for _, face in groups]
    category = SHAPES.get(tuple(count for count, _ in groups), HIGH_DIE)
    if faces == [6, 5, 4, 3, 2]:
        category = HIGH_STRAIGHT
    elif faces == [5, 4, 3, 2, 1]:
        category = LOW_STRAIGHT
    return encode(category, *faces)


def _named(value: int) -> tuple[str, str]:
    category = category_of(value)
    first, second = ranks_of(value)[:2]
    cls = CLASSES[category]
    name = cls.replace("_", " ").capitalize()
    if category in (HIGH_STRAIGHT, LOW_STRAIGHT):
        return cls, name
    if category == HIGH_DIE:
        return cls, f"High die, {NUMBER_WORDS[first]}"
    if category == PAIR:
        return cls, f"Pair of {PLURALS[first]}"
    if category in (TWO_PAIR, FULL_HOUSE):
        joined = "and" if category == TWO_PAIR else "over"
        return cls, f"{name}, {PLURALS[first]} {joined} {PLURALS[second]}"
    return cls, f"{name}, {PLURALS[first]}"


WORDS: Table[tuple[str, str]] = Table(_named)


def dice_words(value: int) -> tuple[str, str]:
    """Class and sentence: ("full_house", "Full house, threes over twos")."""
    return WORDS[value]


def count_face(dice: Iterable[int], face: int) -> int:
    """How many dice count for a face: ones are wild, except for a bid on ones."""
    return sum(die in (1, face) for die in dice)


def bid_raises(old: tuple[int, int] | None, new: tuple[int, int]) -> bool:
    """Whether a bid (quantity, face) may follow another; None: it is the first."""
    return old is None or new > old


def bid_words(bid: tuple[int, int]) -> str:
    """(6, 3) is "six threes"; quantities above six in figures."""
    quantity, face = bid
    number = NUMBER_WORDS[quantity] if quantity < len(NUMBER_WORDS) else str(quantity)
    return f"{number} {NUMBER_WORDS[face] if quantity == 1 else PLURALS[face]}"
