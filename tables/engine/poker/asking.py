"""What is asked in windows that no step of a game opens.

How often the rest of the board is dealt: docs/rules/poker.md 7.8. Whether a hand that nobody must
see is shown: docs/rules/poker.md 7.9.
"""

from __future__ import annotations

from typing import Any

from tables.engine.errors import MalformedAction, NoSuchAction
from tables.engine.poker.choosing import chosen
from tables.engine.poker.showdown import hand_values, shown_hand
from tables.engine.poker.state import State
from tables.engine.poker.vocabulary import Deal
from tables.engine.poker.windows import RUNS, close_window, open_window
from tables.engine.protocol import Action, Json

RUN_IT, SHOW, MUCK = "run_it", "show", "muck"
LEAST_RUNS = 2


def ask_runs(state: State) -> None:
    """Ask all who are in how often the rest of the board is dealt, once, if it may be at all."""
    if most_runs(state) < LEAST_RUNS:
        return
    rare = state.rarely()
    if rare.runs:
        return
    rare.runs_at, rare.kept = state.step, len(state.board)
    open_window(state, RUNS, state.living())


def most_runs(state: State) -> int:
    """How often the rest of the board may be dealt: as the table says, and as the stub lasts."""
    if state.game.boards > 1:
        return 1
    deals = [step for step in state.game.steps[state.step + 1 :] if isinstance(step, Deal)]
    cards = sum(step.board + state.game.burns for step in deals)
    return min(state.options.runs, (len(state.deck) - state.next_card) // cards) if cards else 1


def legal_asked(state: State, place: int) -> list[Json]:
    if state.now is RUNS:
        return [{"name": RUN_IT, "options": list(range(1, most_runs(state) + 1))}]
    held = len(state.down[place]) + len(state.up[place])
    show = {"name": SHOW, "least_cards": 1, "most_cards": held, "of": held}
    return [{"name": MUCK}, show]


def default_asked(state: State) -> Json:
    return {"name": RUN_IT, "choice": 1} if state.now is RUNS else {"name": MUCK}


def answer(state: State, place: int, action: Action, default: bool) -> None:
    """Take an answer. Raises NoSuchAction, MalformedAction, BadCardChoice."""
    if state.now is RUNS:
        _run_it(state, place, action, default)
    else:
        _show_or_muck(state, place, action, default)


def _run_it(state: State, place: int, action: Action, default: bool) -> None:
    """The least that anybody has said holds, so one who says once ends it."""
    if action.get("name") != RUN_IT:
        raise NoSuchAction(str(action.get("name")), (RUN_IT,))
    rare, choice = state.rarely(), _choice(state, action)
    rare.said[place] = choice
    state.pending = [] if choice == 1 else [other for other in state.pending if other != place]
    _tell(state, "run_answered", place, default, choice=choice)
    if not state.pending:
        rare.runs = min(said for said in rare.said if said)
        close_window(state)
        state.tell("runs_agreed", {"runs": rare.runs})


def _choice(state: State, action: Action) -> int:
    choice: Any = action.get("choice")
    most = most_runs(state)
    if type(choice) is not int or not 1 <= choice <= most:
        raise MalformedAction(f"choice must be a whole number from 1 to {most}")
    return choice


def _show_or_muck(state: State, place: int, action: Action, default: bool) -> None:
    """Show all cards, some of them, or none."""
    name = action.get("name")
    held = state.down[place] + state.up[place]
    if name == SHOW:
        cards = chosen(state, place, action, 1, len(held))
        if len(cards) == len(held):
            state.shown[place] = 1
            state.tell("hand_shown", shown_hand(state, place, hand_values(state, [place])))
        else:
            rare = state.rarely()
            rare.seen = rare.seen or [[] for _ in state.numbers]
            rare.seen[place] = [position for position in held if position in cards]
            _tell(state, "cards_shown", place, default, cards=state.texts(rare.seen[place]))
    elif name == MUCK:
        _tell(state, "hand_mucked", place, default)
    else:
        raise NoSuchAction(str(name), (MUCK, SHOW))
    state.pending.remove(place)
    if not state.pending:
        close_window(state)


def _tell(state: State, kind: str, place: int, default: bool, **facts: Any) -> None:
    public: Json = {"seat": state.numbers[place], **facts}
    if default:
        public["default"] = True
    state.tell(kind, public)
