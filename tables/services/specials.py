"""Straddles, bomb pots and kill pots at a table: when they are dealt, and what a hand changes.

Source: docs/rules/poker.md 3.9 to 3.11.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from tables.engine.games import Game
from tables.engine.poker.bombs import as_bomb_pot, bomb_options
from tables.engine.poker.kills import Standing, kill_options, kill_post, standing_after
from tables.engine.poker.options import Options
from tables.engine.poker.straddling import straddle_post
from tables.engine.poker.vocabulary import PokerGame
from tables.engine.protocol import Event
from tables.models import Hand, Seat, Table
from tables.services.writing import event
from tables.specials import Specials, facts, is_due, rules_of, specials_of

BOMB_POT = "bomb_pot"


class Otherwise(NamedTuple):
    """The game and options by which the next hand is dealt, where they are not the table's own."""

    game: Game
    options: Mapping[str, Any]


def bomb_pot(
    table: Table, game: PokerGame, options: Options, stacks: Mapping[Seat, int]
) -> Otherwise | None:
    """The next hand as a bomb pot, if it is one."""
    bomb = options.bomb_pot
    if bomb is None or not is_due(table, bomb, stacks):
        return None
    return Otherwise(as_bomb_pot(game, bomb, len(stacks)), bomb_options(options))


def over_blind(
    table: Table,
    game: PokerGame,
    options: Options,
    stacks: Mapping[Seat, int],
    positions: Mapping[str, Any],
) -> tuple[dict[str, Any] | None, Otherwise | None]:
    """The blind over the big one that somebody of those dealt in puts in, and what it changes."""
    if options.kill is not None:
        kills = specials_of(table).kills
        seat = next((seat.number for seat in stacks if seat.player_id == kills), None)
        if seat is not None:
            return kill_post(options, seat), Otherwise(game, kill_options(options))
    if options.straddle is not None:
        dealt = sorted(seat.number for seat in stacks)
        wishing = {seat.number for seat in stacks if seat.straddles}
        at, big = positions["button"], positions["big"]
        return straddle_post(options.straddle, dealt, at, big, wishing), None
    return None, None


def hand_settled(table: Table, hand: Hand) -> list[Event]:
    """Count a settled hand; what of the next one is to be told. Not of a voided one."""
    rules = rules_of(table)
    if rules is None:
        return []
    game, options = rules
    before = facts(table, table.seats.all())
    stands = specials_of(table)
    if hand.definition.get("special") == BOMB_POT:
        stands = replace(stands, since=0, ordered=False)
        table.seats.update(wants_bomb_pot=False)
    else:
        stands = replace(stands, since=stands.since + 1)
        if options.kill is not None and hand.result is not None:
            stands = _killed_on(game, options, hand, stands)
    _keep(table, stands)
    after = facts(table, table.seats.all())
    return [] if after == before else [event("specials_changed", **(after or {}))]


def _killed_on(game: PokerGame, options: Options, hand: Hand, stands: Specials) -> Specials:
    """Who has a leg and who kills next; who was not dealt in has lost what he had."""
    assert options.kill is not None
    assert hand.result is not None
    player_of = {int(seat): facts["player"] for seat, facts in hand.seats.items()}
    seat_of = {player: seat for seat, player in player_of.items()}
    before = Standing(seat_of.get(stands.leg or 0), seat_of.get(stands.kills or 0))
    leg, kills = standing_after(game, options.kill, before, hand.result)
    return replace(stands, leg=player_of.get(leg or 0), kills=player_of.get(kills or 0))


def ordered(table: Table) -> list[Event]:
    """The floor has ordered a bomb pot: the next hand is one."""
    _keep(table, replace(specials_of(table), ordered=True))
    return told(table)


def told(table: Table) -> list[Event]:
    """What comes next, for everybody; nothing at a table that deals no such hands."""
    after = facts(table, table.seats.all())
    return [] if after is None else [event("specials_changed", **after)]


def _keep(table: Table, stands: Specials) -> None:
    table.specials = stands.to_json()
    Table.objects.filter(pk=table.pk).update(specials=table.specials)
