"""Games a house composes: checked before they are dealt, with a warning where they play badly.

Source: docs/rules/home.md 8.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tables.engine.games.checks import check, is_qualified
from tables.engine.poker.vocabulary import DECKS, Bet, Deal, Declare, Draw, PokerGame
from tables.engine.reasons import Reason

MOST_WILD_CARDS, MOST_CARDS, MOST_ROUNDS, LEAST_HILO_SEATS = 4, 9, 5, 5
GOOD_WILD = {"high": "2", "low": "K", "split": "9"}
"""Good choices of a wild rank: one that is of no use by itself."""
ALREADY_GOOD = {"high": "TJQKA", "low": "A2345", "split": "A2345TJQK"}


def composed(base: PokerGame | None, changes: Mapping[str, Any]) -> PokerGame:
    """A game from scratch, or as changes to a named one, in the JSON form of `PokerGame.to_json`.

    Raises BadDefinition if it cannot be dealt.
    """
    data = {**(base.to_json() if base is not None else {}), **changes}
    game = PokerGame.from_json(data)
    check(game)
    return game


def warnings(game: PokerGame) -> list[Reason]:
    """What a house should think about before it deals the game."""
    found = []
    jokers = len(DECKS[game.deck]) - 52 if len(DECKS[game.deck]) > 52 else 0
    wild = 4 * len(game.wild) + jokers
    if wild > MOST_WILD_CARDS:
        found.append(Reason("many_wild", count=wild, most=MOST_WILD_CARDS))
    dealt = sum(
        step.down + step.up if isinstance(step, Deal) else step.more
        for step in game.steps
        if isinstance(step, (Deal, Draw))
    )
    if dealt > MOST_CARDS:
        found.append(Reason("many_cards", count=dealt, most=MOST_CARDS))
    rounds = sum(isinstance(step, Bet) for step in game.steps)
    if rounds == 1 or rounds > MOST_ROUNDS:
        found.append(Reason("many_rounds", count=rounds) if rounds > 1 else Reason("one_round"))
    sides = {share.side for share in game.shares}
    kind = "split" if len(sides) > 1 else ("low" if sides == {"low"} else "high")
    if kind == "split":
        is_split_fairly = any(is_qualified(share) for share in game.shares if share.side == "low")
        if not is_split_fairly and not any(isinstance(step, Declare) for step in game.steps):
            found.append(Reason("unqualified"))
        if game.most_seats < LEAST_HILO_SEATS:
            found.append(Reason("few_seats", least=LEAST_HILO_SEATS))
    for rank in game.wild:
        if rank in ALREADY_GOOD[kind]:
            better = GOOD_WILD[kind]
            found.append(Reason("good_already", rank=rank, better=better))
    return found
