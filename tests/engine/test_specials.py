"""Hands dealt otherwise than usual keep every law of the others, by the simulator's own checks."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tables.engine.games import game_of
from tables.engine.history.simulation import FULL, Simulation
from tables.engine.history.stakes import default_options

BOMB = {"bomb_pot": {"ante_minor": 300, "boards": 2}}
ASKED = {"runs": 3, "show_window": True, "rabbit": True}


@pytest.mark.parametrize(
    ("game_id", "limit", "options"),
    [
        ("holdem", "no_limit", BOMB | ASKED),
        ("omaha8", "pot", BOMB | ASKED | {"straddle": "either"}),
        ("crazy_pineapple", "fixed", BOMB | {"kill": {"size": "half"}}),
        ("courchevel8", "no_limit", BOMB | ASKED),
        ("sviten", "pot", BOMB | ASKED),
        ("binglao", "pot", BOMB | ASKED),
        ("badugi", "fixed", {"kill": {}, "straddle": "left"} | ASKED),
    ],
)
def test_every_law_holds(game_id: str, limit: str, options: dict[str, Any]) -> None:
    game = game_of(game_id)
    table = default_options(game, limit, **options)
    simulation = Simulation([(game, table)], checks=FULL)
    for nth in range(4):
        simulation.play_one(Random(f"{game_id} {nth}"))
    assert simulation.figures.hands == 4
