"""Where button and blinds go from hand to hand: the dead-button rule.

The big blind always moves to the next active seat, so nobody escapes it and nobody pays it twice
running; the small blind follows where the big one was, the button where the small one was, whether
or not anybody still sits there. Source: docs/rules/poker.md 1.3, 1.4 and 1.5.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tables.engine.errors import BadSeats
from tables.engine.protocol import Json
from tables.engine.reasons import Reason


class Positions(NamedTuple):
    """Seat numbers. small_posts: somebody active sits at the small blind; else it is dead."""

    button: int
    small: int
    big: int
    small_posts: bool = True

    def posts(self) -> list[Json]:
        """The blinds as `start` takes them."""
        small = [{"seat": self.small, "kind": "small"}] if self.small_posts else []
        return [*small, {"seat": self.big, "kind": "big"}]


def first_positions(active: Sequence[int], button: int) -> Positions:
    """The positions of a table's first hand with blinds. Raises BadSeats without two active seats.

    button: where it stands, on an empty seat too when a game without blinds was dealt before.
    """
    seats = _checked(active)
    if len(seats) == 2:
        # It posts, so somebody has to have it.
        at = button if button in seats else seat_after(seats, button)
        return Positions(at, at, seat_after(seats, at))
    small = seat_after(seats, button)
    return Positions(button, small, seat_after(seats, small))


def next_positions(last: Positions, active: Sequence[int]) -> Positions:
    """The positions after a hand. Raises BadSeats without two active seats."""
    seats = _checked(active)
    big = seat_after(seats, last.big)
    if len(seats) == 2:
        button = seat_after(seats, big)
        return Positions(button, button, big)
    small, button = last.big, last.small
    if button in (small, big):  # heads-up before: the button is the active seat before the blinds
        button = _before(seats, small)
    return Positions(button, small, big, small in seats)


def next_button(last: int, active: Sequence[int]) -> int:
    """The next button of a game without blinds."""
    return seat_after(sorted(active), last)


def _checked(active: Sequence[int]) -> list[int]:
    if len(set(active)) < 2:
        raise BadSeats(Reason("two_active"))
    return sorted(set(active))


def seat_after(seats: list[int], seat: int) -> int:
    return next((other for other in seats if other > seat), seats[0])


def _before(seats: list[int], seat: int) -> int:
    return next((other for other in reversed(seats) if other < seat), seats[-1])
