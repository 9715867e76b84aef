"""What every game gives the run-time, whatever its family.

Amounts are integers in minor units and their names end in `_minor`; seats are table seat numbers;
cards in events and views are text. In JSON every seat that is a key of an object is a string.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

Action: TypeAlias = Mapping[str, Any]
Json: TypeAlias = dict[str, Any]


class Event(NamedTuple):
    """Something that happened: what all may know, and what one seat alone may know."""

    type: str
    public: Json
    private: dict[int, Json] | None = None


class SeatIn(NamedTuple):
    """A seat dealt in, with the chips on the table in front of it.

    player_seat: for a further spot of a player, the seat whose chips it plays with.
    """

    seat: int
    stack_minor: int
    player_seat: int | None = None


class Definition(Protocol):
    """A game as a value: it serialises to JSON and back, so a hand can keep its own."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def family(self) -> str: ...
    @property
    def seats(self) -> range: ...
    def to_json(self) -> Json: ...


class Hand(Protocol):
    """A hand in play.

    over: nothing more can happen. turn: grows by one with each decision window. window: what the
    hand waits for ("turn", "draw", "betting", "decision" ...; "" when over). waiting: the seats
    whose decision it waits for.
    """

    @property
    def over(self) -> bool: ...
    @property
    def turn(self) -> int: ...
    @property
    def window(self) -> str: ...
    @property
    def waiting(self) -> tuple[int, ...]: ...
    @property
    def result(self) -> Json | None: ...

    def legal(self, seat: int) -> list[Json]:
        """What the seat may do now, as JSON; [] when it has no decision."""

    def act(self, seat: int, action: Action) -> list[Event]:
        """Do it. Raises a RuleViolation subclass, and then nothing has changed."""

    def expire(self) -> list[Event]:
        """The window's time is up: every awaited seat does its default action."""

    def default_action(self, seat: int) -> Json:
        """What the seat does when its time is up. Raises NotYourTurn."""

    def view(self, viewer: int | None) -> Json:
        """The hand as a seat, or the public (None), may see it."""

    def views(self, viewers: Iterable[int | None]) -> dict[int | None, Json]:
        """`view` of each of several viewers; what they see alike may be the same objects."""

    def dump(self) -> list[Any]:
        """The state as a flat JSON list, format version first; positions in the deck, no cards."""


Seats: TypeAlias = Sequence[SeatIn]
