"""Games a house composes: checked before they are dealt, with a warning where they play badly.

Source: docs/rules/home.md 8.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tables.engine.cards import RANK_TEXT
from tables.engine.errors import BadDefinition
from tables.engine.poker.vocabulary import (
    DECKS,
    Arrange,
    Bet,
    Deal,
    Declare,
    Discard,
    Draw,
    Pass,
    PokerGame,
    Roll,
)
from tables.engine.rankings import RANKINGS

DYNAMIC = ("spit_high",)
"""Rankings that depend on a card of the deal."""

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


def check(game: PokerGame) -> None:
    """Raises BadDefinition for a game that nobody could deal or win."""
    steps = game.steps
    if not steps or not isinstance(steps[0], Deal):
        raise BadDefinition(game.id, "a hand begins with a deal")
    if not any(isinstance(step, Bet) for step in steps):
        raise BadDefinition(game.id, "there is no betting round")
    for share in game.shares:
        if share.ranking not in RANKINGS and share.ranking not in DYNAMIC:
            raise BadDefinition(game.id, f"no ranking {share.ranking!r}")
    if set(game.wild) - set(RANK_TEXT):
        raise BadDefinition(game.id, f"wild ranks are among {RANK_TEXT}")
    if isinstance(steps[-1], Declare) and any(_qualified(game, side) for side in ("high", "low")):
        raise BadDefinition(game.id, "a qualifier and a declaration do not go together")
    _check_cards(game)


def _check_cards(game: PokerGame) -> None:
    """Every step must find the cards it asks for."""
    held = 0
    for step in game.steps:
        if isinstance(step, Deal):
            held += step.down + step.up
        elif isinstance(step, (Discard, Pass)) and step.count >= held:
            raise BadDefinition(game.id, f"{step.count} of {held} cards cannot be given up")
        elif isinstance(step, Arrange) and step.count > held:
            raise BadDefinition(game.id, f"{step.count} of {held} cards cannot be arranged")
        elif isinstance(step, Draw):
            held += step.more
        if isinstance(step, Discard):
            held -= step.count
        if isinstance(step, Arrange):
            held = step.count
    rolls = sum(isinstance(step, Roll) for step in game.steps)
    if rolls > held:
        raise BadDefinition(game.id, f"{rolls} of {held} cards cannot be rolled")


def warnings(game: PokerGame) -> list[str]:
    """What a house should think about before it deals the game."""
    found = []
    jokers = len(DECKS[game.deck]) - 52 if len(DECKS[game.deck]) > 52 else 0
    wild = 4 * len(game.wild) + jokers
    if wild > MOST_WILD_CARDS:
        found.append(f"{wild} wild cards: more than {MOST_WILD_CARDS} leave little to skill")
    dealt = sum(step.down + step.up for step in game.steps if isinstance(step, Deal))
    if dealt > MOST_CARDS:
        found.append(f"{dealt} cards a player: more than {MOST_CARDS}")
    rounds = sum(isinstance(step, Bet) for step in game.steps)
    if rounds == 1 or rounds > MOST_ROUNDS:
        found.append(f"{rounds} betting round{'s' if rounds > 1 else ''}")
    sides = {share.side for share in game.shares}
    kind = "split" if len(sides) > 1 else ("low" if sides == {"low"} else "high")
    if kind == "split":
        if not _qualified(game, "low") and not isinstance(game.steps[-1], Declare):
            found.append("high-low with neither a qualifier nor a declaration")
        if game.most_seats < LEAST_HILO_SEATS:
            found.append(f"high-low with fewer than {LEAST_HILO_SEATS} seats")
    for rank in game.wild:
        if rank in ALREADY_GOOD[kind]:
            better = GOOD_WILD[kind]
            found.append(f"{rank} is already good here; {better} would be a better wild rank")
    return found


def _qualified(game: PokerGame, side: str) -> bool:
    return any(
        share.side == side and (share.at_least or share.ranking in ("7ob", "8ob", "9ob"))
        for share in game.shares
    )
