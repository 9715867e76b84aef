"""What stands between two hands for the hands dealt otherwise: bomb pots, legs, kills.

It is kept in the table's `specials`, so it outlives every process. Source: docs/rules/poker.md 3.10
and 3.11.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from tables.engine.games import named, own_options
from tables.engine.poker.options import Options, options_of
from tables.engine.poker.special_options import BombPot
from tables.engine.poker.vocabulary import PokerGame
from tables.models import Seat, Table


@dataclass(frozen=True, slots=True)
class Specials:
    """since: hands dealt since the last bomb pot. ordered: the floor has asked for the next one.

    leg, kills: ids of the players who have won the last hand, and who owe a kill.
    """

    since: int = 0
    ordered: bool = False
    leg: int | None = None
    kills: int | None = None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def specials_of(table: Table) -> Specials:
    return Specials(**(table.specials or {}))


def rules_of(table: Table) -> tuple[PokerGame, Options] | None:
    """The game and options of a table that may deal hands otherwise; None for any other."""
    if all(table.options.get(name) is None for name in ("bomb_pot", "kill")):
        return None
    game = named(table.game, table.options)
    if not isinstance(game, PokerGame):
        return None
    return game, options_of(game, own_options(table.options))


def is_due(table: Table, bomb: BombPot, playing: Iterable[Seat]) -> bool:
    """Whether the next hand is a bomb pot: by the floor's order, by count, or by everybody's wish.

    Never a table's first hand, nor while a pot is carried.
    """
    if table.carry is not None or "big" not in (table.positions or {}):
        return False
    stands = specials_of(table)
    wishes = [seat.wants_bomb_pot for seat in playing]
    by_count = bomb.every_hands and stands.since + 1 >= bomb.every_hands
    return stands.ordered or bool(by_count) or (len(wishes) > 1 and all(wishes))


def facts(table: Table, seats: Iterable[Seat]) -> dict[str, Any] | None:
    """What comes next, as everybody may know it; None at a table that deals no such hands."""
    rules = rules_of(table)
    if rules is None:
        return None
    _, options = rules
    stands = specials_of(table)
    here = list(seats)
    playing = [seat for seat in here if seat.status == Seat.Status.PLAYING]
    number = {seat.player_id: seat.number for seat in here}
    bomb = options.bomb_pot
    return {
        "bomb_pot": bomb is not None and is_due(table, bomb, playing),
        "in_hands": max(0, bomb.every_hands - 1 - stands.since)
        if bomb is not None and bomb.every_hands
        else None,
        "asked": [seat.number for seat in playing if seat.wants_bomb_pot] if bomb else [],
        "leg": number.get(stands.leg or 0),
        "kills": number.get(stands.kills or 0),
    }
