"""Mixed games: which game is dealt next, and what a table's bets mean in it.

A mix is a value: its parts in order. The button of a table stands still while stud is dealt and
the table's `change` says when the next part comes. Source: docs/rules/mixed.md 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from tables.engine.errors import BadOptions
from tables.engine.poker.vocabulary import ANTES, BRING_IN, FIXED, NO_LIMIT, POT, PokerGame

HANDS, ORBITS, MINUTES = "hands", "orbits", "minutes"
CHANGES = (HANDS, ORBITS, MINUTES)
DEFAULT_CHANGE = {"every": MINUTES, "count": 20}
OF_THE_MIX = ("small_bet_minor", "big_blind_minor", "change", "limit", "games")
# What a table says once for all its games.
OF_EVERY_GAME = ("chip_minor", "rake", "max_raises", "uncapped_heads_up", "auto_muck")


@dataclass(frozen=True, slots=True)
class Part:
    """A game of a mix, and the limit it is played at."""

    game: str
    limit: str = FIXED


@dataclass(frozen=True, slots=True)
class MixedGame:
    """parts: the games in the order in which they come."""

    family: ClassVar[str] = "mixed"

    id: str
    name: str
    parts: tuple[Part, ...]
    most_seats: int
    source: str

    @property
    def seats(self) -> range:
        return range(2, self.most_seats + 1)

    @property
    def limits(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(part.limit for part in self.parts))


HORSE = MixedGame(
    "horse", "HORSE",
    tuple(Part(game) for game in ("holdem", "omaha8", "razz", "stud", "stud8")),
    most_seats=8, source="docs/rules/mixed.md 2",
)  # fmt: skip
EIGHT_GAME = MixedGame(
    "eight_game", "8-Game",
    (
        *(Part(game) for game in ("triple_draw_27", "holdem", "omaha8", "razz", "stud", "stud8")),
        Part("holdem", NO_LIMIT), Part("omaha", POT),
    ),
    most_seats=6, source="docs/rules/mixed.md 3",
)  # fmt: skip
MIXES = {mix.id: mix for mix in (HORSE, EIGHT_GAME)}


def parts_of(mix: MixedGame, options: Mapping[str, Any]) -> tuple[Part, ...]:
    """What a table plays: the mix's own parts, or those its options list or limit.


    options: `games`, a list of {game, limit}; `limit`, one for every game of the mix.
    Raises BadOptions.
    """
    listed = options.get("games")
    if listed is not None:
        if not isinstance(listed, list) or not listed:
            raise BadOptions("games", "a list of at least one game")
        try:
            return tuple(Part(str(item["game"]), str(item.get("limit", FIXED))) for item in listed)
        except (KeyError, TypeError, AttributeError):
            raise BadOptions("games", "each has a game, and a limit unless it is fixed") from None
    limit = options.get("limit")
    return mix.parts if not limit else tuple(Part(part.game, limit) for part in mix.parts)


def change_of(options: Mapping[str, Any]) -> tuple[str, int]:
    """When the next game comes: after so many hands, orbits or minutes. Raises BadOptions."""
    change = options.get("change") or DEFAULT_CHANGE
    every, count = change.get("every"), change.get("count", 1)
    if every not in CHANGES or type(count) is not int or count < 1:
        raise BadOptions("change", f"every one of {', '.join(CHANGES)}, count at least 1")
    return every, count


def options_of(part: Part, game: PokerGame, options: Mapping[str, Any]) -> dict[str, Any]:
    """What the mix's bets mean in one of its games. Raises BadOptions.

    In fixed limit `small_bet_minor` is the small bet, and the big blind where there are blinds;
    antes and bring-in follow by the game's own custom. In the other limits `big_blind_minor`, by
    default the small bet, is the big blind or the least bet.
    """
    for name in options:
        if name not in OF_THE_MIX and name not in OF_EVERY_GAME:
            raise BadOptions(str(name), "is not an option of a mix")
    small_bet = options.get("small_bet_minor")
    if type(small_bet) is not int or small_bet < 1:
        raise BadOptions("small_bet_minor", "must be a whole number above 0")
    shared = {name: options[name] for name in OF_EVERY_GAME if name in options}
    unit = small_bet if part.limit == FIXED else options.get("big_blind_minor", small_bet)
    bet = {"small_bet_minor": unit} if part.limit == FIXED else {"min_bet_minor": unit}
    if game.forced not in (ANTES, BRING_IN):
        bet["big_blind_minor"] = unit
    elif part.limit != FIXED:
        bet["small_bet_minor"] = unit
    return {**shared, **bet, "limit": part.limit}
