"""Hands as text: line by line, and hold'em read again by PokerKit as poker rooms' text is."""

from __future__ import annotations

import re
import warnings
from random import Random

import pytest
from pokerkit import HandHistory

from tables.engine.history.forms import FORMS, forms_of
from tables.engine.history.text import text
from tests.engine.history.records import record_of, whole_hands
from tests.engine.poker.playing import (
    RING_GAMES,
    do,
    played,
    random_start,
    ring_game,
    scripted,
    table_options,
)


def test_a_hand_reads_as_poker_rooms_write_it() -> None:
    hand, events = scripted(
        "holdem", [100, 100], hole=["Kc 7s", "2d 4s"], board="Kd 7h 3c Jh 9d", button=0
    )
    events += do(hand, "raise 6", "call", "check", "bet 94", "fold")
    options = table_options(ring_game("holdem"), "no_limit")
    assert text(record_of(hand, events, options, viewer=1, exponent=2)).splitlines() == [
        "Croupier Hand #71: Hold'em No Limit (0.01/0.02 EUR) - 2026/11/30 03:45:13 UTC",
        "Table 'The \"Oak\"' 8-max Seat #0 is the button",
        "Seat 0: Player 0 (1.00 in chips)",
        "Seat 1: Player 1 (1.00 in chips)",
        "Player 0: posts small blind 0.01",
        "Player 1: posts big blind 0.02",
        "*** HOLE CARDS ***",
        "Dealt to Player 1 [2d 4s]",
        "Player 0: raises 0.04 to 0.06",
        "Player 1: calls 0.04",
        "*** FLOP *** [Kd 7h 3c]",
        "Player 1: checks",
        "Player 0: bets 0.94 and is all-in",
        "Player 1: folds",
        "Uncalled bet (0.94) returned to Player 0",
        "Player 0 collected 0.12 from pot",
        "*** SUMMARY ***",
        "Total pot 0.12 | Rake 0.00",
        "Board [Kd 7h 3c]",
        "Seat 0: Player 0 (button) won net 0.06",
        "Seat 1: Player 1 lost net 0.06",
    ]


def test_holdem_is_read_again_with_the_same_stacks() -> None:
    warnings.simplefilter("ignore")
    options = table_options(ring_game("holdem"), "no_limit")
    for hand, events in whole_hands("holdem", options, 15, stacks=(40, 90), seats=(3, 6)):
        told = text(record_of(hand, events, options))
        theirs = next(
            HandHistory.from_pokerstars(
                told.replace("Croupier Hand", "PokerStars Hand", 1), error_status=True
            )
        )
        stacks = [int(stack) for stack in list(theirs)[-1].stacks]
        split = any(len(pot["awards"]) > 1 for pot in (hand.result or {})["pots"])
        assert stacks == hand.stacks or split, told


@pytest.mark.parametrize("game_id", RING_GAMES)
def test_every_ring_game_is_told_without_a_hidden_card(game_id: str) -> None:
    """Only cards that all have seen, and the viewer's own, stand in any form."""
    random = Random(f"text {game_id}")
    hand, events, _ = random_start(ring_game(game_id), random)
    for *_, more in played(hand, random):
        events += more
    viewer = hand.numbers[0]
    record = record_of(hand, events, hand.options.to_json(), viewer=viewer)
    told = [*(event.public for event in record.events), *(event.private for event in record.events)]
    seen = set(re.findall(r"\b(?:[2-9TJQKA][cdhs]|Jk|X[12])\b", str(told)))
    for name in forms_of(record):
        written = FORMS[name].write(record)
        words = written if name == "text" else re.sub(r"(?<=[cdhs?])(?=[2-9TJQKA?])", " ", written)
        assert set(re.findall(r"\b(?:[2-9TJQKA][cdhs]|Jk|X[12])\b", words)) <= seen
    assert written.endswith("\n")
