"""Hold'em: two hole cards, a board of three, one and one. Source: docs/rules/holdem.md."""

from __future__ import annotations

from tables.engine.poker.vocabulary import AFTER_BLINDS, BIG, SMALL, Bet, Deal, PokerGame, Share

BOARD_STREETS = (
    Deal("flop", board=3), Bet(SMALL),
    Deal("turn", board=1), Bet(BIG),
    Deal("river", board=1), Bet(BIG),
)  # fmt: skip

HOLDEM = PokerGame(
    id="holdem",
    name="Hold'em",
    steps=(Deal("preflop", down=2), Bet(SMALL, AFTER_BLINDS), *BOARD_STREETS),
    shares=(Share("high"),),
    source="docs/rules/holdem.md",
)

GAMES = (HOLDEM,)
