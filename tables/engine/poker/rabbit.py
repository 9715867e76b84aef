"""The cards that would have come, shown to all when the others have folded.

They are those of the stub in the order in which they would have been dealt, burns left out; a
mucked card is never among them. Source: docs/rules/poker.md 7.10.
"""

from __future__ import annotations

from tables.engine.poker.state import State
from tables.engine.poker.vocabulary import Bet, Deal


def show_rabbit(state: State) -> None:
    """Show the rest of the board, where nothing else was still to come."""
    rest = [step for step in state.game.steps[state.step + 1 :] if not isinstance(step, Bet)]
    deals = [step for step in rest if isinstance(step, Deal) and not step.down and not step.up]
    if not deals or len(deals) < len(rest):
        return
    boards = state.game.boards
    found: list[list[int]] = [[] for _ in range(boards)]
    at = state.next_card
    for nth, step in enumerate(deals):
        to_come = sum(later.board for later in deals[nth:]) * boards
        at += state.game.burns and len(state.deck) - at > to_come
        for board in found:
            board += range(at, at + step.board)
            at += step.board
    state.rarely().rabbit = found
    cards = state.texts([position for board in found for position in board])
    state.tell("rabbit_shown", {"cards": cards, "boards": [state.texts(b) for b in found]})
