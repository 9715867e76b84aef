"""Bomb pots: everybody antes, nobody bets before the flop, on one board or on two.

Source: docs/rules/poker.md 3.10.
"""

from __future__ import annotations

from dataclasses import replace

from tables.engine.errors import BadDefinition
from tables.engine.poker.options import Options
from tables.engine.poker.special_options import BombPot
from tables.engine.poker.vocabulary import AFTER_BLINDS, ANTES, Bet, PokerGame
from tables.engine.protocol import Json


def as_bomb_pot(game: PokerGame, bomb: BombPot, seats: int) -> PokerGame:
    """The game as a bomb pot deals it to so many; one board where the deck cannot serve more."""
    steps = tuple(
        step for step in game.steps if not (isinstance(step, Bet) and step.first == AFTER_BLINDS)
    )
    plain = replace(
        game,
        name=f"{game.name} bomb pot",
        steps=steps,
        forced=ANTES,
        most_seats=max(seats, game.least_seats),
        special="bomb_pot",
        source="docs/rules/poker.md 3.10",
    )
    for boards in range(bomb.boards, 1, -1):
        try:
            return replace(plain, boards=boards)
        except BadDefinition:
            continue  # the deck is too short for so many
    return plain


def bomb_options(options: Options) -> Json:
    """A table's options for a bomb pot: its ante, no blinds, the usual bets."""
    bomb = options.bomb_pot
    assert bomb is not None
    nothing = {"blinds_minor": None, "straddle": None, "bomb_pot": None, "kill": None}
    return {**options.to_json(), **nothing, "ante_minor": bomb.ante_minor}
