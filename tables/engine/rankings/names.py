"""The codes a hand is named by, in any language: its class, and the ranks that the class is of.

`ranks` of a pair of kings is "KA72": the pair first, then the cards beside it, as many as there
are. Source: docs/rules/poker.md 7.4.
"""

from __future__ import annotations

from typing import NamedTuple

from tables.engine.cards import RANK_TEXT
from tables.engine.rankings.badugi import set_size
from tables.engine.rankings.high import high_sentence
from tables.engine.rankings.lows import TOP
from tables.engine.rankings.tables import Ranking, ranks_of

LOWS = ("a5", "27", "a6", "7ob", "8ob", "9ob")
ONE_EACH = (1, 1, 1, 1, 1)
GROUPS: dict[str, tuple[int, ...]] = {
    "high_card": ONE_EACH,
    "pair": (2, 1, 1, 1),
    "two_pair": (2, 2, 1),
    "three_of_a_kind": (3, 1, 1),
    "straight": (5,),
    "flush": ONE_EACH,
    "full_house": (3, 2),
    "four_of_a_kind": (4, 1),
    "straight_flush": (5,),
    "five_of_a_kind": (5,),
}
"""How many cards each rank of a high hand's name stands for."""


class Named(NamedTuple):
    """hand: the class; ranks: as text, the most important first; words: an English sentence."""

    hand: str
    ranks: str
    words: str


_KNOWN: dict[tuple[str, int, int], Named] = {}


def named(ranking: Ranking, value: int, cards: int) -> Named:
    """What a hand of so many playing cards is called. Rankings of one id name alike."""
    key = ranking.id, value, cards
    known = _KNOWN.get(key)
    if known is None:
        known = _KNOWN[key] = _named(ranking, value, cards)
    return known


def _named(ranking: Ranking, value: int, cards: int) -> Named:
    hand, words = ranking.words(value)
    if "badugi" in ranking.id:
        return Named(hand, _written(TOP * set_size(value) - value), words)
    if ranking.id.endswith(LOWS):
        return Named(hand, _written(TOP - value), words)
    ranks = ""
    left = cards
    for rank, count in zip(ranks_of(value), GROUPS.get(hand, ONE_EACH), strict=False):
        if left > 0:
            ranks += RANK_TEXT[rank]
            left -= count
    if cards < 5:
        words = high_sentence(hand, [RANK_TEXT.index(rank) for rank in ranks])
    return Named(hand, ranks, words)


def _written(judged: int) -> str:
    """Ranks of a low, written ace 1 ... king 13 or ace 14, nothing for no card."""
    return "".join(RANK_TEXT[(written - 2) % 13] for written in ranks_of(judged) if written)
