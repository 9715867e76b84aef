"""How cards are compared with the dealer's and classed for a paytable."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from tables.engine.rankings import three_card as threes
from tables.engine.rankings.high import CLASSES, STRAIGHT_FLUSH, high
from tables.engine.rankings.tables import Ranking, category_of, ranks_of
from tables.engine.rankings.three_card import MINI_ROYAL, three_card

Cards = Sequence[int]


@dataclass(frozen=True, slots=True)
class DealerRanking:
    """Which hand beats which, and the least value with which a dealer qualifies."""

    ranking: Ranking
    qualifiers: dict[str, int]


RANKINGS = {"three_card": DealerRanking(threes.RANKING, threes.QUALIFIERS)}


@dataclass(frozen=True, slots=True)
class PayHand:
    """Classes of a hand that a paytable may pay.

    classes: best first; a class that a table leaves out is paid as `falls_to` says.
    class_of: class of a player's and a dealer's cards, "" for none of them.
    with_dealer: whether the dealer's cards are looked at (else they may be unknown).
    nothing: what is said of a hand of no class.
    """

    classes: tuple[str, ...]
    class_of: Callable[[Cards, Cards], str]
    with_dealer: bool
    nothing: str
    falls_to: dict[str, str] = field(default_factory=dict)

    def line(self, cls: str, table: Collection[str]) -> str:
        """The line of a table that pays a class, "" when none does."""
        while cls and cls not in table:
            cls = self.falls_to.get(cls, "")
        return cls


def three_card_class(value: int) -> str:
    """Class of a three-card value, the mini royal apart."""
    return "mini_royal" if value == MINI_ROYAL else threes.CLASSES[category_of(value)]


def five_card_class(value: int) -> str:
    """Class of a five-card high value, the royal flush apart."""
    if category_of(value) == STRAIGHT_FLUSH and ranks_of(value)[0] == 12:
        return "royal_flush"
    return CLASSES[category_of(value)]


def _own_three(player: Cards, dealer: Cards) -> str:
    cls = three_card_class(three_card(player))
    return "" if cls == "high_card" else cls


def _own_three_by_suit(player: Cards, dealer: Cards) -> str:
    cls = _own_three(player, dealer)
    return "mini_royal_spades" if cls == "mini_royal" and player[0] & 3 == SPADES else cls


def _best_five_of_six(player: Cards, dealer: Cards) -> str:
    cls = five_card_class(high((*player, *dealer)))
    return cls if cls in SIX_CARD_CLASSES else ""


def _one_colour(player: Cards, dealer: Cards) -> str:
    """Hearts and diamonds are red: suits 1 and 2."""
    red = {card & 3 in (1, 2) for card in player}
    if len(red) > 1:
        return ""
    red.update(card & 3 in (1, 2) for card in dealer)
    return "six_one_colour" if len(red) == 1 else "three_one_colour"


THREE_CARD_CLASSES = (
    "mini_royal", "straight_flush", "three_of_a_kind", "straight", "flush", "pair",
)  # fmt: skip
SIX_CARD_CLASSES = (
    "royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight",
    "three_of_a_kind",
)  # fmt: skip

SPADES = 3

HANDS: dict[str, PayHand] = {
    "three_card": PayHand(
        THREE_CARD_CLASSES, _own_three, False, "no pair", {"mini_royal": "straight_flush"}
    ),
    "three_card_spades": PayHand(
        ("mini_royal_spades", *THREE_CARD_CLASSES),
        _own_three_by_suit,
        False,
        "no pair",
        {"mini_royal_spades": "mini_royal", "mini_royal": "straight_flush"},
    ),
    "six_card": PayHand(
        SIX_CARD_CLASSES,
        _best_five_of_six,
        True,
        "nothing in the six cards",
        {"royal_flush": "straight_flush"},
    ),
    "one_colour": PayHand(
        ("six_one_colour", "three_one_colour"),
        _one_colour,
        True,
        "both colours",
        {"six_one_colour": "three_one_colour"},
    ),
}


def class_words(cls: str) -> str:
    """A class in words: "three_of_a_kind" is "three of a kind"."""
    return cls.replace("_", " ")
