"""The door to liar's dice: start a hand, or go on with a stored one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tables.engine.bluff.common import CommonHand
from tables.engine.bluff.hand import FORMAT, BluffHand, checked_seats, opened
from tables.engine.bluff.passed import PassedHand
from tables.engine.bluff.vocabulary import COMMON, PASSED, BluffGame, read_options
from tables.engine.errors import BadSeats, BadState
from tables.engine.protocol import Event, SeatIn
from tables.engine.reasons import Reason

HANDS: dict[str, type[BluffHand]] = {COMMON: CommonHand, PASSED: PassedHand}


def start(
    game: BluffGame,
    seats: Sequence[SeatIn],
    options: Mapping[str, Any],
    deck: Sequence[int],
    *,
    first: int | None = None,
) -> tuple[BluffHand, list[Event]]:
    """Start a hand.

    seats: those dealt in, clockwise. deck: faces 1 to 6 in the order in which they are rolled.
    first: the seat that begins (the loser of the last challenge); None draws lots with dice.
    Raises BadOptions, BadSeats, BadState.
    """
    ante_minor = read_options(game, options).ante_minor
    checked_seats(game, seats, ante_minor)
    numbers = [seat.seat for seat in seats]
    if first is not None and first not in numbers:
        raise BadSeats(Reason("cannot_begin", seat=first))
    hand = HANDS[game.kind](game, options, numbers, [seat.stack_minor for seat in seats], deck)
    return hand, opened(hand, first)


def load(
    game: BluffGame, options: Mapping[str, Any], state: Sequence[Any], deck: Sequence[int]
) -> BluffHand:
    """The hand that was dumped, over its dice. Raises BadState."""
    if not state or state[0] != FORMAT:
        raise BadState(f"a hand of liar's dice of format {FORMAT} was expected")
    hand = HANDS[game.kind](game, options, state[6], state[7], deck)
    hand.restore(state)
    return hand
