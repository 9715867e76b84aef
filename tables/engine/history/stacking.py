"""A deck arranged so that named cards come out where a script wants them.

The script tells who has folded before each street, so every position that will be dealt is known
beforehand; burns and the rest of the deck are filled with cards the script does not name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tables.engine.cards import CARD_TEXT, parse_card
from tables.engine.errors import BadDefinition, CardNotInDeck
from tables.engine.poker.vocabulary import DECKS, Deal, PokerGame

Script = Mapping[str, Any]


def stacked_deck(game: PokerGame, script: Script) -> list[int]:
    """The deck of a scripted hand : hole cards by seat, board, actions.

    Raises CardNotInDeck if the script names a card twice or one that is not in the game's deck.
    """
    wanted = list(_dealt(game, script))
    named = [card for card in wanted if card is not None]
    spare = [card for card in DECKS[game.deck] if card not in named]
    if len(spare) + len(named) != len(DECKS[game.deck]):
        twice = [card for card in named if named.count(card) > 1 or card not in DECKS[game.deck]]
        raise CardNotInDeck(", ".join(CARD_TEXT[card] for card in twice), game.id)
    deck = [spare.pop() if card is None else card for card in wanted]
    return deck + spare


def _dealt(game: PokerGame, script: Script) -> list[int | None]:
    """Cards in dealing order; None where any card will do."""
    folded = _folds(game, script)
    hands = [[parse_card(text) for text in hand] for hand in script["hole"]]
    board = [parse_card(text) for text in script["board"]]
    seats = len(hands)
    order = [(script["button"] + nth) % seats for nth in range(1, seats + 1)]
    out: list[int | None] = []
    seen = -1
    for step in game.steps:
        if not isinstance(step, Deal):
            continue
        seen += 1
        if game.burns and seen:
            out.append(None)
        live = [seat for seat in order if folded.get(seat, len(game.steps)) >= seen]
        for _ in range(step.down + step.up):
            out += [hands[seat].pop(0) if hands[seat] else None for seat in live]
        out += [board.pop(0) if board else None for _ in range(step.board)]
    return out


def _folds(game: PokerGame, script: Script) -> dict[int, int]:
    """Seat -> number of the street (0 the first) on which it folds."""
    streets = [step.street for step in game.steps if isinstance(step, Deal)]
    found = {}
    actions: Sequence[Script] = script["actions"]
    for action in actions:
        if action.get("action") == "fold" and not action.get("refused"):
            if action["street"] not in streets:
                raise BadDefinition(game.id, f"has no street {action['street']!r}")
            found[action["seat"]] = streets.index(action["street"])
    return found
