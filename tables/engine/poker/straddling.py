"""Who straddles before a hand. Source: docs/rules/poker.md 3.9."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tables.engine.poker.button import seat_after
from tables.engine.poker.rare import STRADDLE
from tables.engine.poker.special_options import BUTTON, EITHER, LEFT
from tables.engine.protocol import Json

LEAST_SEATS = 4


def straddle_post(
    where: str | None, dealt: Sequence[int], button: int, big: int, wishing: Collection[int]
) -> Json | None:
    """The straddle of the next hand as `start` takes it; None when nobody makes one.

    where: what the table allows. dealt: seats dealt in, in order. wishing: those who want to
    straddle whenever they may. The button comes before the seat left of the big blind.
    """
    if where is None or len(dealt) < LEAST_SEATS:
        return None
    may = []
    if where in (BUTTON, EITHER) and button in dealt:
        may.append(button)
    if where in (LEFT, EITHER):
        may.append(seat_after(sorted(dealt), big))
    seat = next((seat for seat in may if seat in wishing), None)
    return None if seat is None else {"seat": seat, "kind": STRADDLE}
