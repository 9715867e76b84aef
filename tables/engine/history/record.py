"""A hand that is over, as one viewer may know it: what every written form of it is made of.

Nothing here knows more than the events that this viewer was told, so no form can tell it either.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tables.engine.games import Game, game_from_json
from tables.engine.protocol import Json


class Amount(str):
    """A decimal number that is already written: no quotes around it, in no form."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Told:
    """An event as its viewer was told it; private: his own part, by seat if he has several."""

    type: str
    public: Json
    private: Json | None = None


@dataclass(frozen=True, slots=True)
class SeatOf:
    """Who was dealt in where, and his chips before the hand in minor units."""

    seat: int
    name: str
    stack_minor: int


@dataclass(frozen=True)
class Record:
    """exponent: decimal places of the currency. started_at: RFC 3339, UTC, to the millisecond.

    seats: in order from the button's left, as the engine deals. viewer: his own seats, none for
    who was not dealt in. result: the engine's own; None for a hand that was voided.
    """

    hand_id: int
    number: int
    table: str
    max_seats: int
    definition: Json
    options: Json
    currency: str
    exponent: int
    button: int | None
    seats: Sequence[SeatOf]
    viewer: Sequence[int]
    started_at: str
    events: Sequence[Told]
    result: Json | None
    carry_minor: int = 0

    @cached_property
    def game(self) -> Game:
        return game_from_json(self.definition)

    @cached_property
    def place_of(self) -> Mapping[int, int]:
        """Place in the order of the deal, by seat."""
        return {seat.seat: place for place, seat in enumerate(self.seats)}

    @cached_property
    def name_of(self) -> Mapping[int, str]:
        return {seat.seat: seat.name for seat in self.seats}

    @cached_property
    def told_once(self) -> Sequence[Told]:
        """The events; a hand tabled before the last cards came is shown when it is told again."""
        last = {
            event.public["seat"]: nth
            for nth, event in enumerate(self.events)
            if event.type == "hand_shown"
        }
        return [
            event
            for nth, event in enumerate(self.events)
            if event.type != "hand_shown" or last[event.public["seat"]] == nth
        ]

    def of(self, *types: str) -> Iterator[Told]:
        return (event for event in self.events if event.type in types)

    def money(self, amount_minor: int) -> Amount:
        """An amount in the currency's major unit, with all its decimal places."""
        return money_text(amount_minor, self.exponent)

    def own(self, event: Told, seat: int) -> Sequence[str]:
        """The cards of an event that were told to the viewer as this seat's; none to others."""
        part: Mapping[str, Any] = event.private or {}
        if "seats" in part:
            part = part["seats"].get(str(seat), {})
        elif seat not in self.viewer:
            return ()
        return tuple(part.get("cards", ()))


def money_text(amount_minor: int, exponent: int) -> Amount:
    """Minor units as a decimal number of the major unit: 150 and 2 are "1.50"."""
    sign, digits = "-" if amount_minor < 0 else "", str(abs(amount_minor)).zfill(exponent + 1)
    return Amount(sign + (f"{digits[:-exponent]}.{digits[-exponent:]}" if exponent else digits))
