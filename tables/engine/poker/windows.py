"""Windows that no step of a game opens; all who are asked decide at the same time."""

from __future__ import annotations

from collections.abc import Sequence

from tables.engine.poker.rare import Asked
from tables.engine.poker.state import State

RUNS, SHOWING = Asked("run"), Asked("show")
WINDOWS = {window.word: window for window in (RUNS, SHOWING)}


def open_window(state: State, window: Asked, places: Sequence[int]) -> None:
    rare = state.rarely()
    rare.asking = window.word
    rare.said = [0] * len(state.numbers)
    state.now = window
    state.pending = list(places)
    state.turn += 1


def close_window(state: State) -> None:
    """All have answered: the hand goes on from the step it stood at."""
    state.rarely().asking = ""
    state.now = state.game.steps[state.step]
