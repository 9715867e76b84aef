"""A hand in words."""

from __future__ import annotations

from tables.engine.history.telling import TELLERS, replayed, told
from tests.engine.poker.playing import do, scripted


def test_a_hand_is_told_in_lines() -> None:
    hand, events = scripted(
        "holdem", [100, 100], hole=["Kc 7s", "2d 4s"], board="Kd 7h 3c Jh 9d", button=0
    )
    events += do(hand, "raise 6", "call", "check", "bet 94", "fold")
    assert told(events, {0: "Ann", 1: "Bo"}, to=1) == [
        "Ann posts small 1",
        "Bo posts big 2",
        "Preflop: cards are dealt",
        "  Bo: 2d 4s",
        "Ann raises to 6",
        "Bo calls 4",
        "Flop: Kd 7h 3c",
        "Bo checks",
        "Ann bets 94 and is all-in",
        "Bo folds",
        "Ann takes back 94",
        "Main pot: Ann 12. Everybody else has folded",
    ]


def test_every_line_is_of_what_all_may_know() -> None:
    hand, events = scripted("hilo_declare", [100] * 3, big_blind_minor=0, small_blind_minor=0,
                            small_bet_minor=4, ante_minor=1)  # fmt: skip
    events += do(hand, "bet 4", "call", "call", "draw 0", *["stand_pat"] * 2, *["check"] * 3)
    events += do(hand, "declare high", "declare low", "declare both")
    lines = told(events)
    assert "Seat 1 draws 1" in lines
    assert any(line.startswith("Seat 0 declares") or "declares" in line for line in lines)


def test_a_log_is_done_again() -> None:
    hand, _ = scripted("holdem", [100, 100])
    again, _ = scripted("holdem", [100, 100])
    events = do(hand, "call", "check", "bet 2", "fold")
    log = [
        (0, {"name": "call"}),
        (1, {"name": "check"}),
        (1, {"name": "bet", "to_minor": 2}),
        (0, {"name": "fold"}),
    ]
    assert replayed(again, log) == events
    assert again.result == hand.result


def test_what_happens_is_told() -> None:
    assert {"folded", "called", "bet", "raised", "hand_shown", "pot_awarded"} <= set(TELLERS)
