"""Which game a table deals next: its own, or the next of its mix.

Source: docs/rules/mixed.md 1.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from tables import choosing, rules
from tables.engine.errors import BadOptions
from tables.engine.games import CUSTOM, Game, named, own_options, part_game
from tables.engine.games.custom import warnings
from tables.engine.games.mixed import (
    HANDS,
    MIXES,
    ORBITS,
    MixedGame,
    Part,
    at_level,
    change_of,
    level_minutes,
    levels_of,
    options_of,
    parts_of,
)
from tables.engine.poker.vocabulary import PokerGame
from tables.engine.protocol import Event, SeatIn
from tables.engine.reasons import Reason
from tables.models import Hand, Table
from tables.selectors import database_now
from tables.services.writing import event


class Dealt(NamedTuple):
    """A game as it is dealt at a table."""

    game: Game
    options: Mapping[str, Any]


def game_now(table: Table) -> Dealt:
    """The game of the table's next hand. Raises UnknownGame, BadOptions."""
    if table.game in MIXES:
        return dealt_by(table, choosing.part_now(table))
    game = named(table.game, table.options)
    assert not isinstance(game, MixedGame)
    return Dealt(game, own_options(table.options))


def dealt_by(table: Table, part: Part) -> Dealt:
    game = part_game(part)
    return Dealt(game, choosing.stakes_of(table, part, game))


def coming(table: Table) -> Game | None:
    """The game whose deck can be committed already; None while its button has not named it."""
    if choosing.is_choice(table) and choosing.next_game(table) is None:
        return None
    return game_now(table).game


def follows(table: Table) -> Game | None:
    """The game that is surely dealt after the one in play; None where that may change."""
    return None if table.game in MIXES else game_now(table).game


def every_game(table: Table) -> list[Dealt]:
    """All that the table will deal, in order. Raises UnknownGame, BadOptions."""
    mix = MIXES.get(table.game)
    if mix is None:
        return [game_now(table)]
    if mix.by_button and "change" in table.options:
        raise BadOptions("change", Reason("button_changes"))
    change_of(table.options)
    level_minutes(table.options)
    found = []
    for level in range(max(1, len(levels_of(table.options)))):
        options = at_level(table.options, level)
        for part in parts_of(mix, table.options):
            game = part_game(part)
            found.append(Dealt(game, options_of(part, game, options)))
    return found


def warnings_of(table: Table) -> list[str]:
    """What to think about before a table deals the games that it has composed."""
    return [
        f"{dealt.game.name}: {warning}"
        for dealt in every_game(table)
        if isinstance(dealt.game, PokerGame) and dealt.game.id == CUSTOM
        for warning in warnings(dealt.game)
    ]


def tried(dealt: Dealt, seats: int, stack_minor: int) -> None:
    """Deal to so many seats for trial. Raises what the rules refuse."""
    cards, dice = rules.deck_of(dealt.game)
    rules.start(
        dealt.game.to_json(),
        [SeatIn(seat, stack_minor) for seat in range(1, seats + 1)],
        dealt.options,
        [*cards, *(nth % 6 for nth in range(dice))],
        button=None if dealt.game.family == "banked" else 1,
    )


def moved_on(table: Table, hand: Hand) -> list[Event]:
    """After a settled hand: the next game of the mix and the next level, if their time has come.

    A carried pot is played for in its own game first.
    """
    mix = MIXES.get(table.game)
    if mix is None or table.carry is not None:
        return []
    began = hand.started_at.isoformat()
    progress = {"index": 0, "hands": 0, "since": began, "level": 0, **(table.mix or {})}
    progress.setdefault("level_since", progress["since"])
    progress["hands"] += 1
    now = database_now()
    is_raised = progress["level"] + 1 < len(levels_of(table.options)) and is_past(
        progress["level_since"], level_minutes(table.options), now
    )
    if is_raised:
        progress |= {"level": progress["level"] + 1, "level_since": now.isoformat()}
    is_changed = not mix.by_button and is_over(table, progress, now)
    if is_changed:
        parts = parts_of(mix, table.options)
        progress["index"] = (progress["index"] + 1) % len(parts)
        progress |= {"hands": 0, "since": now.isoformat()}
    table.mix = progress
    Table.objects.filter(pk=table.pk).update(mix=progress)
    if mix.by_button or not (is_changed or is_raised):
        return []
    dealt, part = game_now(table), choosing.part_now(table)
    game = choosing.named_facts(part, part_game(part))
    return [event("game_changed", game=game, stakes=dealt.options)]


def is_over(table: Table, progress: Mapping[str, Any], now: datetime) -> bool:
    """Whether the running game has had its hands, orbits or minutes."""
    every, count = change_of(table.options)
    if every == HANDS:
        return bool(progress["hands"] >= count)
    if every == ORBITS:
        return bool(progress["hands"] >= count * max(table.seats.count(), 1))
    return is_past(progress["since"], count, now)


def is_past(since: str, minutes: int, now: datetime) -> bool:
    return now - datetime.fromisoformat(since) >= timedelta(minutes=minutes)
