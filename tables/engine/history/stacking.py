"""A deck arranged so that named cards come out where a script wants them.

The script tells who has folded before each street, so every position that will be dealt is known
beforehand; burns and the rest of the deck are filled with cards the script does not name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tables.engine.cards import CARD_TEXT, parse_card
from tables.engine.errors import BadDefinition, CardNotInDeck
from tables.engine.poker.vocabulary import DECKS, CallSpit, Deal, Draw, PokerGame
from tables.engine.reasons import Reason

Script = Mapping[str, Any]


def stacked_deck(game: PokerGame, script: Script) -> list[int]:
    """The deck of a scripted hand: hole cards by seat, board, actions with what a draw receives.

    Raises CardNotInDeck if the script names a card twice or one that is not in the game's deck.
    """
    deck = DECKS[game.deck]
    wanted = _Dealing(game, script).positions()
    named = [card for card in wanted if card is not None]
    spare = [card for card in deck if card not in named]
    if len(spare) + len(named) != len(deck):
        twice = {card for card in named if named.count(card) > 1 or card not in deck}
        raise CardNotInDeck(", ".join(CARD_TEXT[card] for card in twice), game.id)
    return [spare.pop() if card is None else card for card in wanted] + spare


def received(script: Script, street: str, seat: int) -> list[int]:
    """Cards a seat's draw on a street receives."""
    return [
        parse_card(text)
        for action in script["actions"]
        if action["street"] == street and action["seat"] == seat
        for text in action.get("receive", ())
    ]


class _Dealing:
    """Walks a game's steps as the engine deals them, taking cards from the script."""

    def __init__(self, game: PokerGame, script: Script) -> None:
        self.game = game
        self.script = script
        self.hands = [[parse_card(text) for text in hand] for hand in script["hole"]]
        for action in script["actions"]:
            if action.get("action") == "dealt":
                self.hands[action["seat"]] += [parse_card(text) for text in action["cards"]]
        self.board = [parse_card(text) for text in script["board"]]
        self.size = len(DECKS[game.deck])
        self.out: list[int | None] = []
        self.streets = street_names(game)
        self.folds = self._folds()
        seats = len(self.hands)
        self.order = [(script["button"] + nth) % seats for nth in range(1, seats + 1)]

    def positions(self) -> list[int | None]:
        """Cards in dealing order; None where any card will do."""
        stub = [parse_card(text) for text in self.script.get("stub_after_deal", ())]
        for step in self.game.steps:
            if stub and not isinstance(step, (Deal, CallSpit)):
                return self.out + list(stub)
            if isinstance(step, Deal):
                self._deal(step)
            elif isinstance(step, Draw):
                for seat in self._live(step.street):
                    self._draw(step, seat)
        return self.out[: self.size]

    def _deal(self, step: Deal) -> None:
        live = self._live(step.street)
        needed = len(live) * (step.down + step.up) + step.board
        stub = self.size - len(self.out)
        common = step.common_if_short and needed > stub
        if self.game.burns and self.out and stub > (1 if common else needed):
            self.out.append(None)
        for _ in range(0 if common else step.down + step.up):
            self.out += [self._next(self.hands[seat]) for seat in live]
        self.out += [self._next(self.board) for _ in range(1 if common else step.board)]

    def _draw(self, step: Draw, seat: int) -> None:
        """What a draw receives; any cards where the script does not say."""
        cards = received(self.script, step.street, seat)
        thrown = [
            len(action["discard"]) + step.more
            for action in self.script["actions"]
            if action["street"] == step.street and action["seat"] == seat and "discard" in action
        ]
        self.out += cards
        self.out += [None] * (sum(thrown) - len(cards))

    def _next(self, cards: list[int]) -> int | None:
        return cards.pop(0) if cards else None

    def _live(self, street: str) -> list[int]:
        """Seats still in when a street begins, from the button's left."""
        at = self.streets.index(street)
        return [seat for seat in self.order if self.folds.get(seat, at) >= at]

    def _folds(self) -> dict[int, int]:
        """Seat -> number of the street on which it folds."""
        found = {}
        actions: Sequence[Script] = self.script["actions"]
        for action in actions:
            if action.get("action") == "fold" and not action.get("refused"):
                found[action["seat"]] = self.streets.index(self._known(action["street"]))
        return found

    def _known(self, street: str) -> str:
        if street not in self.streets:
            raise BadDefinition(self.game.id, Reason("no_street", street=street))
        return street


def street_names(game: PokerGame) -> list[str]:
    """The streets of a game, in order, each once."""
    return list(dict.fromkeys(step.street for step in game.steps if hasattr(step, "street")))
