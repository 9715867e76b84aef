"""Hands dealt otherwise than usual, as a table's options allow: straddles, bomb pots, kill pots."""

from __future__ import annotations

from dataclasses import replace

from tables.engine.history.stakes import Chance, Setup
from tables.engine.poker.bombs import as_bomb_pot, bomb_options
from tables.engine.poker.kills import kill_options, kill_post
from tables.engine.poker.options import options_of
from tables.engine.poker.rare import STRADDLE
from tables.engine.poker.straddling import LEAST_SEATS
from tables.engine.poker.vocabulary import PokerGame

SHARE = 0.5
"""Of the hands that could be dealt so, how many are."""


def specially(setup: Setup, random: Chance) -> Setup:
    """Now and then a hand that the table's options allow beside the usual one."""
    game = setup.game
    if not isinstance(game, PokerGame) or setup.carry is not None:
        return setup
    options = options_of(game, setup.options)
    if not (options.bomb_pot or options.kill or options.straddle) or random.random() > SHARE:
        return setup
    seats = [seat.seat for seat in setup.seats]
    if options.bomb_pot and (random.random() < SHARE or not (options.kill or options.straddle)):
        dealt = as_bomb_pot(game, options.bomb_pot, len(seats))
        return replace(setup, game=dealt, options=bomb_options(options))
    if options.kill:
        post = kill_post(options, random.choice(seats))
        return replace(setup, options=kill_options(options), posts=(post,))
    if options.straddle and len(seats) >= LEAST_SEATS:
        return replace(setup, posts=({"seat": random.choice(seats), "kind": STRADDLE},))
    return setup
