"""Mixed games: which game is dealt next, and what a table's bets mean in it.

A mix is a value: its parts in order. The button of a table stands still while stud is dealt and
the table's `change` says when the next part comes; in dealer's choice the button says it.
Source: docs/rules/mixed.md 1 and 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from tables.engine.errors import BadOptions
from tables.engine.poker.vocabulary import (
    ANTES,
    BRING_IN,
    FIXED,
    NO_LIMIT,
    POT,
    SPREAD,
    PokerGame,
)
from tables.engine.reasons import Reason

HANDS, ORBITS, MINUTES = "hands", "orbits", "minutes"
CHANGES = (HANDS, ORBITS, MINUTES)
DEFAULT_CHANGE = {"every": MINUTES, "count": 20}
BETS = ("small_bet_minor", "big_blind_minor", "spread_minor")
OF_THE_MIX = (*BETS, "change", "limit", "games", "levels", "level_minutes", "variants")
# What a table says once for all its games.
OF_EVERY_GAME = (
    "chip_minor", "rake", "max_raises", "uncapped_heads_up", "auto_muck", "naturals_win",
    "odd_chips", "bring_in_tie", "cap_big_blinds", "runs", "show_window", "rabbit", "drop",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Part:
    """A game of a mix, and the limit it is played at.

    custom: what composes the game where it is none of the catalogue, as a table's option.
    """

    game: str
    limit: str = FIXED
    custom: Mapping[str, Any] | None = None

    def to_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {"game": self.game, "limit": self.limit}
        return found if self.custom is None else {**found, "custom": dict(self.custom)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Part:
        return cls(str(data["game"]), str(data["limit"]), data.get("custom"))


@dataclass(frozen=True, slots=True)
class MixedGame:
    """parts: the games in the order in which they come.

    by_button: the button names the next one of them instead.
    """

    family: ClassVar[str] = "mixed"

    id: str
    name: str
    parts: tuple[Part, ...]
    most_seats: int
    source: str
    by_button: bool = False

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
DEALERS_CHOICE = MixedGame(
    "dealers_choice", "Dealer's Choice",
    tuple(
        Part(game)
        for game in (
            "holdem", "omaha", "omaha8", "crazy_pineapple", "stud", "stud8", "razz",
            "five_card_draw", "california_lowball", "badugi", "spit_in_the_ocean", "shotgun",
        )
    ),
    most_seats=8, source="docs/rules/mixed.md 4", by_button=True,
)  # fmt: skip
MIXES = {mix.id: mix for mix in (HORSE, EIGHT_GAME, DEALERS_CHOICE)}


def parts_of(mix: MixedGame, options: Mapping[str, Any]) -> tuple[Part, ...]:
    """What a table plays: the mix's own parts, or those its options list or limit.

    options: `games`, a list of {game, limit, custom}; `limit`, one for every game of the mix.
    Raises BadOptions.
    """
    listed = options.get("games")
    if listed is not None:
        if not isinstance(listed, list) or not listed:
            raise BadOptions("games", Reason("no_games"))
        try:
            return tuple(
                Part(str(item["game"]), str(item.get("limit") or FIXED), item.get("custom"))
                for item in listed
            )
        except (KeyError, TypeError, AttributeError):
            raise BadOptions("games", Reason("games_each")) from None
    limit = options.get("limit")
    return mix.parts if not limit else tuple(Part(part.game, limit) for part in mix.parts)


def change_of(options: Mapping[str, Any]) -> tuple[str, int]:
    """When the next game comes: after so many hands, orbits or minutes. Raises BadOptions."""
    change = options.get("change") or DEFAULT_CHANGE
    every, count = change.get("every"), change.get("count", 1)
    if every not in CHANGES or type(count) is not int or count < 1:
        raise BadOptions("change", Reason("change_every", known=tuple(CHANGES)))
    return every, count


def levels_of(options: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The bets of each level of the table's clock, the first in force at once; [] for one for ever.

    Raises BadOptions.
    """
    levels = options.get("levels", [])
    if not isinstance(levels, list) or not all(isinstance(level, Mapping) for level in levels):
        raise BadOptions("levels", Reason("levels"))
    for level in levels:
        if "small_bet_minor" not in level or set(level) - set(BETS):
            raise BadOptions("levels", Reason("levels_each", known=BETS[1:]))
    return levels


def level_minutes(options: Mapping[str, Any]) -> int:
    """How long a level lasts: as long as a game that changes by the clock, else twenty minutes.

    Raises BadOptions.
    """
    every, count = change_of(options)
    usual = count if every == MINUTES else DEFAULT_CHANGE["count"]
    minutes = options.get("level_minutes", usual)
    if type(minutes) is not int or minutes < 1:
        raise BadOptions("level_minutes", Reason("minutes"))
    return minutes


def at_level(options: Mapping[str, Any], level: int) -> dict[str, Any]:
    """A mix's options with the bets of a level of its clock, the last one going on for ever."""
    levels = levels_of(options)
    if not levels:
        return dict(options)
    bets = {name: held for name, held in options.items() if name not in BETS}
    return {**bets, **levels[min(level, len(levels) - 1)]}


def options_of(part: Part, game: PokerGame, options: Mapping[str, Any]) -> dict[str, Any]:
    """What the mix's bets mean in one of its games. Raises BadOptions.

    In fixed limit `small_bet_minor` is the small bet, and the big blind where there are blinds;
    antes and bring-in follow by the game's own custom. In the other limits `big_blind_minor`, by
    default the small bet, is the big blind or the least bet.
    """
    for name in options:
        if name not in OF_THE_MIX and name not in OF_EVERY_GAME:
            raise BadOptions(str(name), Reason("not_of_a_mix"))
    small_bet = options.get("small_bet_minor")
    if type(small_bet) is not int or small_bet < 1:
        raise BadOptions("small_bet_minor", Reason("not_positive"))
    limit = part.limit
    shared = {name: options[name] for name in OF_EVERY_GAME if name in options}
    unit = small_bet if limit == FIXED else options.get("big_blind_minor", small_bet)
    bet = {"small_bet_minor": unit} if limit == FIXED else {"min_bet_minor": unit}
    if game.forced not in (ANTES, BRING_IN):
        bet["big_blind_minor"] = unit
    elif limit != FIXED:
        bet["small_bet_minor"] = unit
    if limit == SPREAD and "spread_minor" in options:
        bet["spread_minor"] = options["spread_minor"]
    return {**shared, **bet, "limit": limit}
