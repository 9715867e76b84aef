"""A player's picture of the table: the same from frames as from a snapshot, whatever comes."""

import json
from random import Random
from typing import Any

import pytest

from casino.house.memory import Memory
from casino.house.strategy import Temper, ring_action
from tables import rules
from tables.engine.games import GAMES, start_hand
from tables.engine.protocol import Event, Hand, SeatIn
from tests.web.record import FIXTURES

STAKES = {"limit": "no_limit", "small_blind_minor": 50, "big_blind_minor": 100}
SEATS = {1: 2_000, 3: 5_000, 4: 900}


def table(seq: int, hand: Hand | None, turn: dict[str, Any] | None, seat: int) -> dict[str, Any]:
    """A table's snapshot as `seat` would be sent it."""
    return {
        "seq": seq,
        "table": {"chip_minor": 1, "family": "poker", "stakes": STAKES},
        "seats": [
            {"seat": number, "player": f"P{number}", "stack_minor": stack, "status": "playing"}
            for number, stack in SEATS.items()
        ],
        "hand": None
        if hand is None
        else {"game": {"id": "holdem"}, "turn": turn, "view": hand.view(seat)},
        "you": {"seat": seat, **({"dealt_as": seat} if hand else {})},
    }


def frame(seq: int, events: list[Event], seat: int) -> dict[str, Any]:
    return {
        "seq": seq,
        "events": [
            {"type": e.type, "public": e.public, "private": (e.private or {}).get(seat)}
            for e in events
        ],
    }


def opened(hand: Hand, turn_id: int) -> Event:
    turn = rules.turn_after(hand, before=None, timing={}, away=())
    return Event("turn_opened", {"turn_id": turn_id, "deadline": None, **turn.public})


@pytest.mark.parametrize("seed", range(20))
def test_frames_and_a_snapshot_tell_the_same(seed: int) -> None:
    random = Random(seed)
    deck = list(range(52))
    random.shuffle(deck)
    seats = [SeatIn(*facts) for facts in SEATS.items()]
    hand, events = start_hand(GAMES["holdem"], seats, STAKES, deck, button=3)
    first = {
        "game": {"id": "holdem"},
        "stakes": STAKES,
        "seats": [{"seat": seat, "stack_minor": stack} for seat, stack in SEATS.items()],
    }
    events = [Event("hand_opened", first), *events]
    memories = {seat: Memory() for seat in SEATS}
    for seat, memory in memories.items():
        memory.read_snapshot(table(0, None, None, seat))
    seq = 0
    while True:
        seq += 1
        if not hand.over:
            events = [*events, opened(hand, seq)]
        for seat, memory in memories.items():
            memory.read_events(frame(seq, events, seat))
            if not hand.over:
                fresh = Memory()
                fresh.read_snapshot(table(seq, hand, events[-1].public, seat))
                assert memory.spot() == fresh.spot()
                assert memory.turn_for_me() == fresh.turn_for_me()
                assert memory.stack_minor == fresh.stack_minor
        if hand.over:
            break
        acting = memories[hand.waiting[0]]
        assert acting.turn_for_me() == seq
        events = hand.act(hand.waiting[0], ring_action(acting.spot(), Temper(), random))
    assert hand.result is not None
    for seat, memory in memories.items():
        assert memory.turn_for_me() is None
        assert memory.stack_minor == hand.result["stacks_minor"][str(seat)]


def test_unknown_events_are_passed_over() -> None:
    memory = Memory()
    memory.read_snapshot(table(4, None, None, 1))
    memory.read_events({"seq": 5, "events": [{"type": "lights_dimmed", "public": {"by": 3}}]})
    assert memory.seq == 5


def test_who_sits_down_during_a_hand_is_not_asked_in_it() -> None:
    hand, _ = start_hand(
        GAMES["holdem"], [SeatIn(1, 900), SeatIn(3, 900)], STAKES, list(range(52)), button=1
    )
    state = table(7, hand, opened(hand, 7).public, 1)
    del state["you"]["dealt_as"]  # somebody who has left was dealt in to seat 1
    memory = Memory()
    memory.read_snapshot(state)
    assert memory.turn_for_me() is None


def test_who_names_the_next_game_or_agrees_to_it_is_asked_between_hands() -> None:
    memory = Memory()
    snapshot = table(10, None, None, 3)
    turn = {"turn_id": 10, "window": "name_game", "seats": [3], "deadline": None}
    memory.read_snapshot({**snapshot, "choice": {"turn": turn}})
    assert memory.turn_for_me() == 10
    turn = {"turn_id": 11, "window": "agree", "seats": [1, 4], "deadline": None}
    memory.read_events(frame(11, [Event("turn_opened", turn)], 3))
    assert memory.turn_for_me() is None
    memory.read_events(frame(12, [Event("game_dropped", {"seat": 3})], 3))
    assert not memory.is_choosing()


def test_giving_up_the_seat_ends_the_visit() -> None:
    memory = Memory()
    memory.read_snapshot(table(4, None, None, 1))
    memory.read_events({"seq": 5, "events": [{"type": "seat_left", "public": {"seat": 3}}]})
    assert not memory.left
    memory.read_events({"seq": 6, "events": [{"type": "seat_left", "public": {"seat": 1}}]})
    assert memory.left


def test_a_player_of_several_spots_knows_his_cards_at_each_and_his_one_stack() -> None:
    recorded = json.loads((FIXTURES / "own_spots.json").read_text())
    memory = Memory()
    memory.read_snapshot(recorded["snapshot"])
    asked = []
    for frame in recorded["frames"]:
        memory.read_events(frame)
        asked.append(memory.turn_for_me() is not None)
    assert memory.spots == {2: ("Jh", "6h", "2h"), 3: ("9d", "8c", "7s")}
    assert memory.stack_minor == 61_500
    assert memory.hands_settled == 1
    assert asked == [True] * 6 + [False] * 2
