"""Windows that no step of a game opens: how often the rest of the board is dealt.

All who are asked decide at the same time. Source: docs/rules/poker.md 7.8.
"""

from __future__ import annotations

from typing import Any

from tables.engine.errors import MalformedAction, NoSuchAction
from tables.engine.poker.rare import Asked, Rare
from tables.engine.poker.state import State
from tables.engine.poker.vocabulary import Deal
from tables.engine.protocol import Action, Json

RUN_IT = "run_it"
RUNS = Asked("run")
WINDOWS = {window.word: window for window in (RUNS,)}
LEAST_RUNS = 2


def ask_runs(state: State) -> None:
    """Ask all who are in how often the rest of the board is dealt, once, if it may be at all."""
    if most_runs(state) < LEAST_RUNS:
        return
    rare = state.rarely()
    if rare.runs:
        return
    rare.runs_at, rare.kept = state.step, len(state.board)
    _open(state, rare, RUNS, state.living())


def most_runs(state: State) -> int:
    """How often the rest of the board may be dealt: as the table says, and as the stub lasts."""
    if state.game.boards > 1:
        return 1
    deals = [step for step in state.game.steps[state.step + 1 :] if isinstance(step, Deal)]
    cards = sum(step.board + state.game.burns for step in deals)
    return min(state.options.runs, (len(state.deck) - state.next_card) // cards) if cards else 1


def _open(state: State, rare: Rare, window: Asked, places: list[int]) -> None:
    rare.asking = window.word
    rare.said = [0] * len(state.numbers)
    state.now = window
    state.pending = places
    state.turn += 1


def legal_asked(state: State) -> list[Json]:
    return [{"name": RUN_IT, "options": list(range(1, most_runs(state) + 1))}]


def default_asked() -> Json:
    return {"name": RUN_IT, "choice": 1}


def answer(state: State, place: int, action: Action, default: bool) -> None:
    """Take an answer; the least that anybody has said holds, so one who says once ends it.

    Raises NoSuchAction, MalformedAction.
    """
    if action.get("name") != RUN_IT:
        raise NoSuchAction(str(action.get("name")), (RUN_IT,))
    rare, choice = state.rarely(), _choice(state, action)
    rare.said[place] = choice
    state.pending = [] if choice == 1 else [other for other in state.pending if other != place]
    public: Json = {"seat": state.numbers[place], "choice": choice}
    if default:
        public["default"] = True
    state.tell("run_answered", public)
    if not state.pending:
        rare.runs = min(said for said in rare.said if said)
        rare.asking = ""
        state.now = state.game.steps[state.step]
        state.tell("runs_agreed", {"runs": rare.runs})


def _choice(state: State, action: Action) -> int:
    choice: Any = action.get("choice")
    most = most_runs(state)
    if type(choice) is not int or not 1 <= choice <= most:
        raise MalformedAction(f"choice must be a whole number from 1 to {most}")
    return choice
