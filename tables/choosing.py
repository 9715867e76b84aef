"""Which game of a mix comes next; in dealer's choice, who names it and who has agreed to it.

What is chosen between two hands stands in the table's `mix`, so it outlives every process.
Source: docs/rules/mixed.md 1 and 4.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from tables.engine.games import part_game
from tables.engine.games.mixed import MIXES, Part, at_level, options_of, parts_of
from tables.engine.poker.vocabulary import PokerGame
from tables.models import Table

NAMING, AGREEING, AGREED = "naming", "agreeing", "agreed"
NAME_GAME, ACCEPT_GAME, DECLINE_GAME = "name_game", "accept_game", "decline_game"
WINDOWS = {NAMING: "name_game", AGREEING: "agree"}


@dataclass(frozen=True, slots=True)
class Choice:
    """seat: whose choice it is. players: by seat (as text), everybody who is asked, him included.

    waiting: seats whose answer is awaited. named: the game, in the JSON form of a `Part`.
    """

    stage: str
    seat: int
    players: Mapping[str, int]
    waiting: Sequence[int]
    declined: Sequence[int] = ()
    named: Mapping[str, Any] | None = None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def seat_of(self, player_id: int) -> int | None:
        found = (int(seat) for seat, player in self.players.items() if player == player_id)
        return next(found, None)

    def answered(self, seat: int, *, declines: bool) -> "Choice":
        waiting = [other for other in self.waiting if other != seat]
        declined = [*self.declined, seat] if declines else self.declined
        return replace(self, waiting=waiting, declined=declined)

    @property
    def dealt_in(self) -> list[int]:
        """Seats that will be dealt in as far as anybody has said."""
        return [int(seat) for seat in self.players if int(seat) not in self.declined]


def is_choice(table: Table) -> bool:
    mix = MIXES.get(table.game)
    return mix is not None and mix.by_button


def choice_of(table: Table) -> Choice | None:
    """What is being chosen, or was agreed and is not dealt yet."""
    stored = (table.mix or {}).get("choice")
    return None if stored is None else Choice(**stored)


def part_now(table: Table) -> Part:
    """The part of the table's mix that its next hand is dealt by, as far as that is known."""
    mix, progress = MIXES[table.game], table.mix or {}
    parts = parts_of(mix, table.options)
    if not mix.by_button:
        return parts[int(progress.get("index", 0)) % len(parts)]
    choice = choice_of(table)
    named = choice.named if choice is not None and choice.named else progress.get("last")
    return parts[0] if named is None else Part.from_json(named)


def stakes_of(table: Table, part: Part, game: PokerGame) -> dict[str, Any]:
    """The options a part is dealt by at the running level of the table's clock."""
    options = at_level(table.options, (table.mix or {}).get("level", 0))
    return options_of(part, game, options)


def next_game(table: Table) -> dict[str, Any] | None:
    """The game that comes next, for the placard; None while nobody has named one."""
    if is_choice(table):
        choice = choice_of(table)
        if table.carry is None and (choice is None or choice.named is None):
            return None
    part = part_now(table)
    return named_facts(part, part_game(part))


def named_facts(part: Part, game: PokerGame) -> dict[str, Any]:
    return {"id": game.id, "name": game.name, "limit": part.limit}


def listed(table: Table) -> list[dict[str, Any]]:
    """The table's games as the button may name them, by their place in its list."""
    parts = parts_of(MIXES[table.game], table.options)
    return [{"nth": nth, **named_facts(part, part_game(part))} for nth, part in enumerate(parts)]


def may_vary(table: Table) -> bool:
    """Whether a listed game may be named with changes."""
    return bool(table.options.get("variants", True))


def legal(table: Table, player_id: int) -> list[dict[str, Any]]:
    """What a player may say to the choice that is open."""
    choice = choice_of(table)
    seat = None if choice is None else choice.seat_of(player_id)
    if choice is None or seat not in choice.waiting:
        return []
    if choice.stage == NAMING:
        return [{"name": NAME_GAME, "games": listed(table), "changes": may_vary(table)}]
    return [{"name": ACCEPT_GAME}, {"name": DECLINE_GAME}]


def choice_facts(table: Table) -> dict[str, Any] | None:
    """The choice as everybody may see it."""
    choice = choice_of(table)
    if choice is None:
        return None
    return {
        "seat": choice.seat,
        "window": WINDOWS.get(choice.stage, ""),
        "waiting": list(choice.waiting),
        "declined": list(choice.declined),
        "games": listed(table),
        "game": next_game(table),
    }
