"""Three Card Poker, the house's own game."""

from __future__ import annotations

from collections.abc import Callable

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


def _named(*classes: str) -> Callable[..., dict[str, dict[str, int]]]:
    """Paytables by a name that gives their odds, lowest class first; best hand first inside."""

    def tables(*names: str) -> dict[str, dict[str, int]]:
        return {
            name: dict(reversed(list(zip(classes, map(int, name.split("-")), strict=False))))
            for name in names
        }

    return tables


STANDARD_PAYTABLES: dict[str, dict[str, dict[str, int]]] = {
    "ante_bonus": _named("straight", "three_of_a_kind", "straight_flush")(
        "1-4-5", "1-3-5", "1-3-4", "1-2-3"
    ),
    "pair_plus": _named(
        "pair", "flush", "straight", "three_of_a_kind", "straight_flush", "mini_royal"
    )(
        "1-4-6-30-40", "1-3-6-30-40", "1-4-5-30-40", "1-3-5-25-35", "1-4-6-25-40", "1-4-6-25-35",
        "1-4-6-33-35", "1-4-5-25-40", "1-4-5-20-40", "1-3-6-30-40-50", "1-4-5-30-40-50",
        "1-4-5-30-40-100", "1-3-6-30-40-200", "1-4-5-30-40-200",
    ),
    "six_card": _named(
        "three_of_a_kind", "straight", "flush", "full_house", "four_of_a_kind", "straight_flush",
        "royal_flush",
    )(
        "5-10-15-25-50-200-1000", "5-10-20-25-50-200-1000", "7-10-15-20-100-200-1000",
    ),
    "prime": _named("three_one_colour", "six_one_colour")("3-4", "3-5"),
}  # fmt: skip
"""Paytables in common use, by wager and name; odds to 1. The first of each is the house's own."""
