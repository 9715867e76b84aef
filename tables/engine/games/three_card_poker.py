"""Three Card Poker, the house's own game."""

from __future__ import annotations

from tables.engine.banked.vocabulary import (
    FORFEIT,
    LIVE,
    PUSH,
    WIN,
    Ante,
    BankedGame,
    Bets,
    Bonus,
    Choice,
    Deal,
    Decide,
    Progressive,
    Raise,
    Settle,
    Side,
)

THREE_CARD_POKER = BankedGame(
    id="three_card_poker",
    name="Three Card Poker",
    seats=range(1, 8),
    wagers=(
        Ante("ante", "Ante", unqualified=WIN),
        Raise("play", "Play", of="ante", unqualified=PUSH),
        Bonus("ante_bonus", "Ante Bonus", of="ante", hand="three_card"),
        Side("pair_plus", "Pair Plus", hand="three_card", on_fold=FORFEIT),
        Side("six_card", "6-Card Bonus", "six_card", LIVE, needs=("ante", "pair_plus")),
        Side("prime", "Prime", "one_colour", LIVE, needs=("ante", "pair_plus")),
        Progressive("progressive", "Progressive", "three_card_spades", LIVE, needs=("ante",)),
    ),
    steps=(
        Bets(),
        Deal(player=3, dealer=3),
        Decide(of="ante", choices=(Choice("play", raises="play", times=1), Choice("fold"))),
        Settle(("play", "ante_bonus", "ante", "pair_plus", "six_card", "prime", "progressive")),
    ),
    ranking="three_card",
    qualifiers=("queen", "none", "ten", "jack", "king", "ace", "pair"),
    source="docs/rules/banked.md 2",
)

STANDARD_PAYTABLES: dict[str, dict[str, dict[str, int]]] = {
    "ante_bonus": {
        "1-4-5": {"straight_flush": 5, "three_of_a_kind": 4, "straight": 1},
        "1-3-4": {"straight_flush": 4, "three_of_a_kind": 3, "straight": 1},
        "1-2-3": {"straight_flush": 3, "three_of_a_kind": 2, "straight": 1},
    },
    "pair_plus": {
        "1-4-6-30-40": {
            "straight_flush": 40, "three_of_a_kind": 30, "straight": 6, "flush": 4, "pair": 1,
        },
        "1-3-6-30-40": {
            "straight_flush": 40, "three_of_a_kind": 30, "straight": 6, "flush": 3, "pair": 1,
        },
        "1-4-5-30-40": {
            "straight_flush": 40, "three_of_a_kind": 30, "straight": 5, "flush": 4, "pair": 1,
        },
        "1-3-5-25-35": {
            "straight_flush": 35, "three_of_a_kind": 25, "straight": 5, "flush": 3, "pair": 1,
        },
        "1-3-6-30-40-50": {
            "mini_royal": 50, "straight_flush": 40, "three_of_a_kind": 30, "straight": 6,
            "flush": 3, "pair": 1,
        },
        "1-4-5-30-40-100": {
            "mini_royal": 100, "straight_flush": 40, "three_of_a_kind": 30, "straight": 5,
            "flush": 4, "pair": 1,
        },
    },
    "six_card": {
        "5-10-15-25-50-200-1000": {
            "royal_flush": 1000, "straight_flush": 200, "four_of_a_kind": 50, "full_house": 25,
            "flush": 15, "straight": 10, "three_of_a_kind": 5,
        },
        "7-10-15-20-100-200-1000": {
            "royal_flush": 1000, "straight_flush": 200, "four_of_a_kind": 100, "full_house": 20,
            "flush": 15, "straight": 10, "three_of_a_kind": 7,
        },
    },
    "prime": {"3-4": {"six_one_colour": 4, "three_one_colour": 3}},
}  # fmt: skip
"""Paytables in common use, by wager and name; odds to 1. The first of each is the house's own."""
