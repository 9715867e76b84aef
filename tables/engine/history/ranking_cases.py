"""Worked cases of rankings, played on the rankings the games use."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tables.engine.cards import CARD_TEXT, RANK_TEXT, parse_card, parse_cards
from tables.engine.rankings import (
    ace_to_five,
    ace_to_six,
    badugi,
    deuce_to_seven,
    dice,
    exposed,
    high,
    pineapple,
    three_card,
    wild,
)
from tables.engine.rankings.eight_or_better import BY_TOP
from tables.engine.rankings.omaha import OmahaBoard
from tables.engine.rankings.omaha_low import omaha_low
from tables.engine.rankings.tables import category_of

Case = Mapping[str, Any]


def cards_of(texts: Sequence[str]) -> tuple[int, ...]:
    return tuple(parse_cards(texts))


def compare(a: int, b: int) -> int:
    return (a > b) - (a < b)


def _omaha_high(hand: Case) -> int:
    return OmahaBoard(cards_of(hand["board"])).high(cards_of(hand["hole"]))


def _omaha_low(hand: Case) -> int:
    return omaha_low(cards_of(hand["hole"]), cards_of(hand["board"]), hand["top"])


def _qualified(hand: Case) -> int:
    return BY_TOP[hand["top"]].value(cards_of(hand["cards"]))


def _wild(hand: Case) -> int:
    ranks = (RANK_TEXT.index(rank) for rank in hand["wild_ranks"])
    return wild.wild_high(wild.wild_cards(ranks)).value(cards_of(hand["cards"]))


def _spit(hand: Case) -> int:
    spit = parse_card(hand["spit"])
    ranking = wild.spit_high(spit, only_spit=hand.get("only_spit", False))
    return ranking.value((*cards_of(hand["hand"]), spit))


BY_CARDS: dict[str, Callable[[tuple[int, ...]], int]] = {
    "high": high.high,
    "ace_to_five": ace_to_five.ace_to_five,
    "deuce_to_seven": deuce_to_seven.deuce_to_seven,
    "ace_to_six": ace_to_six.ace_to_six,
    "badugi": badugi.badugi,
    "three_card": three_card.three_card,
    "bug_high": wild.bug_high,
    "bug_low": ace_to_five.ace_to_five,
}
"""Value of a list of cards, by type of case."""

BY_HAND: dict[str, Callable[[Case], int]] = {
    "eight_or_better": _qualified,
    "omaha_high": _omaha_high,
    "omaha_low": _omaha_low,
    "wild_high": _wild,
    "spit": _spit,
    "dice_hand": lambda hand: dice.dice_hand(hand),  # type: ignore[arg-type]
}
"""Value of a hand of another shape."""


def _stud_hilo(case: Case) -> dict[str, int]:
    a, b = cards_of(case["a"]), cards_of(case["b"])
    low = BY_TOP[8].value
    return {"high": compare(high.high(a), high.high(b)), "low": compare(low(a), low(b))}


def _dice_bids(cards: Case) -> dict[str, Any]:
    if "new_bid" in cards:
        old, new = cards["old_bid"], cards["new_bid"]
        return {"legal": dice.bid_raises(old and (old[0], old[1]), (new[0], new[1]))}
    quantity, face = cards["bid"]
    count = sum(dice.count_face(held, face) for held in cards["dice"])
    stands = count >= quantity
    return {
        "count": count,
        "bid_stands": stands,
        "winner": "bidder" if stands else "challenger",
    }


def _exposed(cards: Case) -> dict[str, int]:
    up = {seat: cards_of(hand) for seat, hand in enumerate(cards["up"]) if hand}
    low = cards["game"] == "razz"
    if all(len(hand) == 1 for hand in up.values()):
        brings_in = exposed.highest_brings_in if low else exposed.lowest_brings_in
        return {"bring_in": brings_in({seat: hand[0] for seat, hand in up.items()})}
    return {"first_to_act": exposed.first_to_act(up, cards["dealer"], len(cards["up"]), low=low)}


def _pineapple_discard(cards: Case) -> dict[str, str]:
    card = pineapple.auto_discard(cards_of(cards["hole"]), cards_of(cards["flop"]))
    return {"discard": CARD_TEXT[card]}


def _three_card(cards: Sequence[str]) -> dict[str, Any]:
    value = three_card.three_card(cards_of(cards))
    return {
        "dealer_qualifies": value >= three_card.QUALIFIERS["queen"],
        "class": three_card.CLASSES[category_of(value)].replace("_", " "),
    }


BY_FACT: dict[str, Callable[[Any], dict[str, Any]]] = {
    "dice_bids": _dice_bids,
    "exposed": _exposed,
    "pineapple_discard": _pineapple_discard,
    "three_card": _three_card,
}
"""Facts about the cards of one case."""


def play_ranking_case(case: Case) -> int | dict[str, Any]:
    """1 where a wins, -1 where b wins, 0 for a tie; facts for a case that has `cards`."""
    kind = case["type"]
    if "a" not in case:
        return BY_FACT[kind](case["cards"])
    if kind == "stud_hilo":
        return _stud_hilo(case)
    if kind in BY_HAND:
        return compare(BY_HAND[kind](case["a"]), BY_HAND[kind](case["b"]))
    value = BY_CARDS[kind]
    return compare(value(cards_of(case["a"])), value(cards_of(case["b"])))
