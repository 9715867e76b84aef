"""Hold'em and the games next to it: hole cards and a board of three, one and one.

Source: docs/rules/holdem.md 1.
"""

from __future__ import annotations

from tables.engine.poker.vocabulary import (
    AFTER_BLINDS,
    BIG,
    SMALL,
    Bet,
    Deal,
    Discard,
    PokerGame,
    Share,
)

HIGH = (Share("high"),)

BEFORE_FLOP = Bet(SMALL, AFTER_BLINDS)
FLOP = (Deal("flop", board=3), Bet(SMALL))
TURN_AND_RIVER = (
    Deal("turn", board=1), Bet(BIG),
    Deal("river", board=1), Bet(BIG),
)  # fmt: skip
BOARD_STREETS = (*FLOP, *TURN_AND_RIVER)

HOLDEM = PokerGame(
    id="holdem",
    name="Hold'em",
    steps=(Deal("preflop", down=2), BEFORE_FLOP, *BOARD_STREETS),
    shares=HIGH,
    source="docs/rules/holdem.md 2",
)

CRAZY_PINEAPPLE = PokerGame(
    id="crazy_pineapple",
    name="Crazy Pineapple",
    steps=(Deal("preflop", down=3), BEFORE_FLOP, *FLOP, Discard("flop"), *TURN_AND_RIVER),
    shares=HIGH,
    source="docs/rules/holdem.md 3",
)

PINEAPPLE = PokerGame(
    id="pineapple",
    name="Pineapple",
    steps=(Deal("preflop", down=3), BEFORE_FLOP, Discard("preflop"), *BOARD_STREETS),
    shares=HIGH,
    source="docs/rules/holdem.md 4",
)

LAZY_PINEAPPLE = PokerGame(
    id="lazy_pineapple",
    name="Lazy Pineapple",
    steps=(Deal("preflop", down=3), BEFORE_FLOP, *BOARD_STREETS),
    shares=(Share("high", hole=(0, 1, 2), board=(3, 4, 5)),),
    source="docs/rules/holdem.md 5",
)

SHORT_DECK = PokerGame(
    id="short_deck",
    name="Short-deck Hold'em",
    deck="36",
    steps=(Deal("preflop", down=2), BEFORE_FLOP, *BOARD_STREETS),
    shares=(Share("short_high"),),
    source="docs/rules/holdem.md 6",
)

GAMES = (HOLDEM, CRAZY_PINEAPPLE, PINEAPPLE, LAZY_PINEAPPLE, SHORT_DECK)
