"""Cards onto the table: one at a time from the button's left, a burn before later streets.

No burn where the stub would fall short by it.

One event a street tells all that was dealt; each seat's own down cards are its private part.
Source: docs/rules/poker.md 2; docs/rules/stud.md 1.11.
"""

from __future__ import annotations

from typing import Any

from tables.engine.cards import CARD_TEXT
from tables.engine.poker.state import State
from tables.engine.poker.vocabulary import CallSpit, Deal


def deal(state: State, step: Deal) -> None:
    """Deal a step to every live place and to the board."""
    first = state.streets == 0
    opened = not first and step.street != state.street
    state.streets += step.street != state.street
    state.street = step.street
    stub = len(state.deck) - state.next_card
    needed = state.live.count(True) * (step.down + step.up) + step.board * state.game.boards
    common = step.common_if_short and needed > stub
    spare = stub - (1 if common else needed)
    if state.game.burns and not first and spare > 0 and spare > cards_to_come(state):
        state.next_card += 1
    if (step.down or step.up) and not common:
        if opened and not step.board:
            state.tell("street_opened", {"street": step.street})
        _deal_hands(state, step)
    if step.board or common:
        deal_board(state, step.street, step.board or 1)
        for nth in range(1, state.game.boards):
            boards = state.rarely().boards
            if len(boards) < nth:
                boards.append([])
            _deal_further(state, step.street, step.board, nth)


def is_face_up(state: State, card: int) -> bool:
    """Whether a card lies open: on a board, before a place, or as the card it may refuse."""
    rare = state.rare
    open_cards = [state.board, *state.up, *([] if rare is None else rare.boards)]
    if state.offered >= 0:
        open_cards.append([state.offered])
    return any(state.deck[position] == card for cards in open_cards for position in cards)


def cards_to_come(state: State) -> int:
    """Cards that the steps after this one deal to those who are in."""
    found, common, living = 0, False, state.live.count(True)
    for step in state.game.steps[state.step + 1 :]:
        if isinstance(step, Deal):
            found += step.board * state.game.boards
            found += 1 if step.common_if_short else living * (step.down + step.up)
        elif isinstance(step, CallSpit):
            common = not state.board
    return found + common


def _deal_hands(state: State, step: Deal) -> None:
    at, numbers = state.next_card, state.numbers
    order = state.living()
    count = len(order)
    ups_at = at + count * step.down
    end = ups_at + count * step.up
    positions = list(range(at, end))  # a list is sliced faster than a range
    texts = [CARD_TEXT[card] for card in state.deck[at:end]]
    downs = ups_at - at
    private: dict[int, dict[str, Any]] = {}
    down: dict[str, int] = {}
    up: dict[str, list[str]] = {}
    if step.down:
        for nth, place in enumerate(order):
            seat = numbers[place]
            state.down[place] += positions[nth:downs:count]
            private[seat] = {"cards": texts[nth:downs:count]}
            down[str(seat)] = step.down
    if step.up:
        for nth, place in enumerate(order, downs):
            state.up[place] += positions[nth::count]
            up[str(numbers[place])] = texts[nth::count]
    state.next_card = end
    state.tell("cards_dealt", {"street": step.street, "down": down, "up": up}, private or None)


def deal_further_runs(state: State) -> None:
    """Deal the rest of the board again from the stub, as often as all have agreed.

    The cards that lay there before stay on every board. Source: docs/rules/poker.md 7.8.
    """
    rare = state.rare
    if rare is None or rare.runs < 2:
        return
    for nth in range(1, rare.runs):
        rare.boards.append(state.board[: rare.kept])
        for step in state.game.steps[rare.runs_at + 1 :]:
            if isinstance(step, Deal):
                state.next_card += state.game.burns
                _deal_further(state, step.street, step.board, nth)


def _deal_further(state: State, street: str, count: int, nth: int) -> None:
    """Turn up common cards on a board behind the first."""
    board = state.rarely().boards[nth - 1]
    at = state.next_card
    state.next_card = at + count
    dealt = list(range(at, at + count))
    board += dealt
    public = {"street": street, "cards": state.texts(dealt), "board": state.texts(board)}
    state.tell("board_dealt", {**public, "board_no": nth + 1})


def deal_board(state: State, street: str, count: int) -> None:
    """Turn up common cards."""
    at = state.next_card
    state.next_card = at + count
    dealt = list(range(at, at + count))
    state.board += dealt
    state.tell(
        "board_dealt",
        {"street": street, "cards": state.texts(dealt), "board": state.texts(state.board)},
    )
