"""Liar's dice."""

from __future__ import annotations

from tables.engine.bluff.vocabulary import ANTE, COMMON, DIE, LIFE, OUT, PASSED, BluffGame

BLUFF_COMMON = BluffGame(
    id="bluff_common",
    name="Liar's Dice",
    kind=COMMON,
    seats=range(2, 11),
    money_seats=range(2, 7),
    losses=(DIE, OUT, ANTE),
    source="docs/rules/bluff.md 2",
)

BLUFF_HAND = BluffGame(
    id="bluff_hand",
    name="Liar's Poker Dice",
    kind=PASSED,
    seats=range(2, 7),
    money_seats=range(2, 7),
    losses=(LIFE,),
    source="docs/rules/bluff.md 3",
)

GAMES = (BLUFF_COMMON, BLUFF_HAND)
