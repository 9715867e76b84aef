"""Hands of the engine as records, as one seat or an onlooker may know them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from tables.engine.history.record import Record, SeatOf, Told
from tables.engine.poker.hand import PokerHand, start
from tables.engine.protocol import Event, SeatIn
from tests.engine.poker.playing import played, ring_game, shuffled


def record_of(
    hand: PokerHand, events: Sequence[Event], options: dict[str, Any], *,
    viewer: int | None = None, exponent: int = 0, **facts: Any,
) -> Record:  # fmt: skip
    stacks = dict(zip(hand.numbers, hand.opening, strict=True))
    return Record(
        **{
            "hand_id": 71,
            "number": 9,
            "table": 'The "Oak"',
            "max_seats": 8,
            "definition": hand.game.to_json(),
            "options": options,
            "currency": "EUR",
            "exponent": exponent,
            "button": hand.button,
            "seats": [SeatOf(seat, f"Player {seat}", stacks[seat]) for seat in hand.numbers],
            "viewer": () if viewer is None else (viewer,),
            "started_at": "2026-11-30T03:45:13.250Z",
            "events": [told(event, viewer) for event in events],
            "result": hand.result,
        }
        | facts
    )


def told(event: Event, viewer: int | None) -> Told:
    own = None if viewer is None else (event.private or {}).get(viewer)
    return Told(event.type, event.public, own)


def whole_hands(
    game_id: str, options: dict[str, Any], count: int, *, stacks: tuple[int, int],
    seats: tuple[int, int] = (2, 6), posts: Any = None,
) -> Iterator[tuple[PokerHand, list[Event]]]:  # fmt: skip
    """Hands of a game, played at random to their end; each with all its events."""
    game = ring_game(game_id)
    for nth in range(count):
        random = Random(f"{game_id} {options} {nth}")
        people = [
            SeatIn(seat, random.randint(*stacks)) for seat in range(1, random.randint(*seats) + 1)
        ]
        button = random.randint(1, len(people))
        hand, events = start(
            game, people, options, shuffled(game, random), button=button,
            posts=posts and posts(button, len(people)),
        )  # fmt: skip
        for _, _, more in played(hand, random):
            events += more
        yield hand, events
