"""Frames of every viewer searched for cards that are hidden from him.

Hands are played by chance. Each row of events is made and sealed as the house makes it, and each
viewer's frame is what the house would send him; the text of it is searched. Who may know a card
is not read from the frames: a seat's own cards are those the engine's hand holds for it, and open
are only those that an event which shows cards has shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from random import Random
from typing import NamedTuple

import orjson

from tables.engine.games import GAMES, WITH_KILL_CARD
from tables.engine.history.laws import cards_in
from tables.engine.history.simulation import MOST_STEPS, _anything, any_setup
from tables.engine.history.stakes import Setup, default_options
from tables.engine.poker.hand import PokerHand
from tables.engine.protocol import Event, Hand
from tables.models import Event as Row
from tables.selectors import frame_for
from tables.services.writing import row_sides

TABLE = 7
AT = datetime(2026, 1, 15, 20, tzinfo=UTC)
# Which fields of which events may name cards that everybody sees from then on.
SHOWING = {
    "board_dealt": ("cards", "board"),
    "cards_dealt": ("up",),
    "cards_rolled": ("up",),
    "card_offered": ("card",),
    "deal_killed": ("card",),
    "hand_shown": ("cards", "high", "low", "boards"),
    "cards_shown": ("cards",),
    "openers_shown": ("cards",),
    "rabbit_shown": ("cards", "boards"),
    "dealer_revealed": ("cards",),
}
SHOWN_BY_SEATS = ("hand_shown", "cards_shown", "openers_shown")
DICE = ("dice_shown",)


class HiddenShown(AssertionError):
    """A frame names what its viewer may not know."""


@dataclass
class Search:
    """One hand. open: what all have been shown; own: what each seat holds or has held."""

    setup: Setup
    seq: int = 0
    open: set[str] = field(default_factory=set)
    own: dict[int, set[str]] = field(default_factory=dict)
    frames: int = 0
    private: int = 0

    @property
    def viewers(self) -> list[tuple[int, ...]]:
        """The public, and every player with all of his seats."""
        players: dict[int, list[int]] = {}
        for seat in self.setup.seats:
            players.setdefault(seat.player_seat or seat.seat, []).append(seat.seat)
        return [(), *(tuple(seats) for seats in players.values())]

    def saw(self, hand: Hand, events: Sequence[Event]) -> None:
        self.seq += 1
        self.holds(hand, events)
        for event in events:
            self.shows(hand, event)
        public, sealed, seats = row_sides(events, TABLE, self.seq)
        row = Row(
            table_id=TABLE, seq=self.seq, events=public, turn=None, at=AT, private=sealed,
            private_seats=seats,
        )  # fmt: skip
        plain = frame_for(row, ())
        for viewer in self.viewers:
            text = frame_for(row, viewer)
            self.frames += 1
            self.private += text != plain
            if not set(viewer) & set(seats) and text != plain:
                raise HiddenShown(f"a frame for {viewer} differs from the public one: {text}")
            self.judge(viewer, text)

    def holds(self, hand: Hand, events: Sequence[Event]) -> None:
        """The cards that lie before each seat, from the hand itself where it lists them."""
        if isinstance(hand, PokerHand):
            for place, seat in enumerate(hand.numbers):
                held = [*hand.down[place], *hand.up[place]]
                self.own.setdefault(seat, set()).update(hand.texts(held))
        for event in events:
            for seat, part in (event.private or {}).items():
                given = cards_in(part)
                mine = self.own.setdefault(seat, set())
                if isinstance(hand, PokerHand) and not given <= mine:
                    raise HiddenShown(f"{event.type} tells seat {seat} {given - mine}")
                mine |= given

    def shows(self, hand: Hand, event: Event) -> None:
        fields = SHOWING.get(event.type, ())
        shown = cards_in({name: event.public.get(name) for name in fields})
        strange = cards_in(event.public) - shown - self.open
        if strange:
            raise HiddenShown(f"{event.type} names {sorted(strange)}: {event.public}")
        if isinstance(hand, PokerHand) and event.type in SHOWN_BY_SEATS:
            seat = event.public["seat"]
            foreign = cards_in(event.public["cards"]) - self.own[seat]
            if foreign:
                raise HiddenShown(f"seat {seat} shows {sorted(foreign)}, which it does not hold")
        if "dice" in event.public and event.type not in DICE:
            raise HiddenShown(f"{event.type} names dice: {event.public}")
        self.open |= shown

    def judge(self, viewer: tuple[int, ...], text: str) -> None:
        may_know = self.open.union(*(self.own.get(seat, set()) for seat in viewer))
        strange = cards_in(text.encode()) - may_know
        if strange:
            raise HiddenShown(f"a frame for {viewer} names {sorted(strange)}: {text}")
        for event in orjson.loads(text)["events"]:
            part = event.get("private")
            if part is not None and not viewer:
                raise HiddenShown(f"the public gets a private part: {text}")


def searched(setup: Setup, random: Random) -> Search:
    """Play one hand, every frame of it searched. Raises HiddenShown."""
    hand, events = setup.start()
    search = Search(setup)
    search.saw(hand, events)
    for _ in range(MOST_STEPS):
        if hand.over:
            return search
        _, events = _anything(setup, hand, random)
        search.saw(hand, events)
    raise AssertionError("the hand does not end")


class Searched(NamedTuple):
    """with_own_part: frames that held something for their viewer alone."""

    game: str
    hands: int
    frames: int
    with_own_part: int


def run(game_id: str, hands: int, seed: str = "frames") -> Searched:
    """So many hands of a game by chance. Raises HiddenShown."""
    random = Random(f"{seed}/{game_id}")
    game = {**GAMES, **WITH_KILL_CARD}[game_id]
    found = [
        searched(any_setup(game, default_options(game), random, None), random) for _ in range(hands)
    ]
    frames = sum(one.frames for one in found)
    return Searched(game_id, hands, frames, sum(one.private for one in found))
