"""Which game a table deals next: its own, or the next of its mix.

Source: docs/rules/mixed.md 1.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from tables.engine.games import Game, game_of, named, own_options
from tables.engine.games.mixed import (
    HANDS,
    MIXES,
    ORBITS,
    MixedGame,
    change_of,
    options_of,
    parts_of,
)
from tables.engine.poker.vocabulary import PokerGame
from tables.engine.protocol import Event
from tables.models import Hand, Table
from tables.selectors import database_now
from tables.services.writing import event


class Dealt(NamedTuple):
    """A game as it is dealt at a table."""

    game: Game
    options: Mapping[str, Any]


def game_now(table: Table) -> Dealt:
    """The game of the table's next hand. Raises UnknownGame, BadOptions."""
    mix = MIXES.get(table.game)
    if mix is None:
        game = named(table.game, table.options)
        assert not isinstance(game, MixedGame)
        return Dealt(game, own_options(table.options))
    parts = parts_of(mix, table.options)
    part = parts[(table.mix or {}).get("index", 0) % len(parts)]
    game = game_of(part.game)
    assert isinstance(game, PokerGame)
    return Dealt(game, options_of(part, game, table.options))


def every_game(table: Table) -> list[Dealt]:
    """All that the table will deal, in order. Raises UnknownGame, BadOptions."""
    mix = MIXES.get(table.game)
    if mix is None:
        return [game_now(table)]
    change_of(table.options)
    found = []
    for part in parts_of(mix, table.options):
        game = game_of(part.game)
        assert isinstance(game, PokerGame)
        found.append(Dealt(game, options_of(part, game, table.options)))
    return found


def moved_on(table: Table, hand: Hand) -> list[Event]:
    """After a settled hand: the next game of the mix, if its time has come.

    A carried pot is played for in its own game first.
    """
    if table.game not in MIXES or table.carry is not None:
        return []
    progress = table.mix or {"index": 0, "hands": 0, "since": hand.started_at.isoformat()}
    progress["hands"] += 1
    changed = is_over(table, progress)
    if changed:
        parts = parts_of(MIXES[table.game], table.options)
        now = database_now().isoformat()
        progress = {"index": (progress["index"] + 1) % len(parts), "hands": 0, "since": now}
    table.mix = progress
    Table.objects.filter(pk=table.pk).update(mix=progress)
    if not changed:
        return []
    dealt = game_now(table)
    game = {"id": dealt.game.id, "name": dealt.game.name, "limit": dealt.options.get("limit", "")}
    return [event("game_changed", game=game, stakes=dealt.options)]


def is_over(table: Table, progress: Mapping[str, Any]) -> bool:
    """Whether the running game has had its hands, orbits or minutes."""
    every, count = change_of(table.options)
    if every == HANDS:
        return bool(progress["hands"] >= count)
    if every == ORBITS:
        return bool(progress["hands"] >= count * max(table.seats.count(), 1))
    since = datetime.fromisoformat(progress["since"])
    return database_now() - since >= timedelta(minutes=count)
