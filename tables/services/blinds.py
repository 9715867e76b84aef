"""Who is dealt in to the next hand of a table, where button and blinds are, who posts.

The rules are those of `tables.engine.poker.entering`; what a seat owes stands in its row. Source:
docs/rules/poker.md 1.2 to 1.12.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tables import beliefs, choosing
from tables.engine.cards import CARD_TEXT, FULL_DECK
from tables.engine.poker import button, entering
from tables.engine.poker.button import Positions
from tables.engine.poker.entering import Entrant, Last, Lineup
from tables.engine.poker.options import options_of
from tables.engine.poker.vocabulary import BLINDS, BLINDS_OR_ANTES, BRING_IN, PokerGame
from tables.engine.protocol import Event
from tables.models import Seat, Table
from tables.selectors import seat_facts
from tables.services import carrying, decks, rotating, specials
from tables.services.specials import Otherwise
from tables.services.writing import event

POSITIONS = ("button", "small", "big", "before")


@dataclass(frozen=True)
class LinedUp:
    """Those dealt in with their chips, button and blinds as the table keeps them, what to tell.

    otherwise: what is dealt, where that is not the table's own game by its own options.
    """

    stacks: Mapping[Seat, int]
    positions: dict[str, Any]
    events: list[Event] = field(default_factory=list)
    otherwise: Otherwise | None = None


def lined_up(table: Table, stacks: Mapping[Seat, int], least: int) -> LinedUp | None:
    """Line up for the next hand those of `stacks` who have paid or pay their way in.

    None when they are fewer than `least`. Changes what seats owe, and who sits out for a blind
    that reached him; the table's row is locked by the caller and dealt on.
    """
    if len(stacks) < least:
        return None
    seats = beliefs.seats_of(table)
    owed = {str(seat.number): [seat.player_id, seat.owes_big, seat.owes_small] for seat in seats}
    absent = [seat for seat in seats if seat.status != Seat.Status.PLAYING]
    found = _lined_up(table, stacks, absent, least)
    if found is not None and found.positions:
        found.positions["was"] = {"positions": _kept(table.positions), "owed": owed}
    return found


def undone(table: Table) -> None:
    """A voided hand counts as not dealt: button and debts are what they were before it.

    Where it was the first one its button stays. The table's row is locked by the caller.
    """
    positions = table.positions or {}
    if "was" not in positions:
        return
    before = positions["was"]["positions"] or {"button": positions["button"]}
    table.positions, table.button = before, before["button"]
    table.save(update_fields=["positions", "button"])
    for number, (player, big, small) in positions["was"]["owed"].items():
        table.seats.filter(number=number, player_id=player).update(owes_big=big, owes_small=small)


def _kept(positions: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if not positions:
        return None
    return {name: positions[name] for name in POSITIONS if name in positions}


def _lined_up(
    table: Table, stacks: Mapping[Seat, int], absent: Sequence[Seat], least: int
) -> LinedUp | None:
    game, options = rotating.game_now(table)
    numbers = [seat.number for seat in stacks]
    if not isinstance(game, PokerGame):
        return LinedUp(stacks, {})
    read = options_of(game, options)
    has_two_blinds = len(read.blinds_minor) == 2
    last = table.positions or {}
    choice = choosing.choice_of(table)
    if choice is not None and table.carry is None:
        at = button.next_button(choice.seat - 1, numbers)  # his own seat, if he has not left it
        if game.forced not in (BLINDS, BLINDS_OR_ANTES) or not has_two_blinds:
            return LinedUp(stacks, {"button": at})
        return _everybody(stacks, button.first_positions(numbers, at))
    if last and (game.forced == BRING_IN or carrying.is_dealt_again(table)):
        # Blinds resume where they stood when the mix comes back to a game that has them.
        return LinedUp(stacks, _kept(last) or {})
    if game.forced not in (BLINDS, BLINDS_OR_ANTES) or not has_two_blinds:
        at, events = (button.next_button(last["button"], numbers), []) if last else _drawn(numbers)
        return LinedUp(stacks, {"button": at}, events)
    if (otherwise := specials.bomb_pot(table, game, read, stacks)) is not None:
        return LinedUp(stacks, _kept(last) or {}, otherwise=otherwise)
    found = _by_blinds(stacks, absent, last, least)
    if found is None or not (read.kill or read.straddle):
        return found
    post, otherwise = specials.over_blind(table, game, read, found.stacks, found.positions)
    if post is not None:
        found.positions["posts"].append(post)
    return replace(found, otherwise=otherwise)


def _everybody(stacks: Mapping[Seat, int], positions: Positions) -> LinedUp:
    kept = {name: getattr(positions, name) for name in ("button", "small", "big")}
    return LinedUp(stacks, {**kept, "before": positions.small, "posts": positions.posts()})


def _by_blinds(
    stacks: Mapping[Seat, int], absent: Sequence[Seat], last: Mapping[str, Any], least: int
) -> LinedUp | None:
    seats = {seat.number: seat for seat in stacks}
    entrants = [entrant_of(seat, plays=True) for seat in stacks]
    everyone = [*entrants, *(entrant_of(seat, plays=False) for seat in absent)]
    events: list[Event] = []
    lineup: Lineup | None
    if "big" not in last or all(entrant.owes for entrant in entrants):
        at = last.get("button") if "big" not in last else None
        if at is None:
            at, events = _drawn(list(seats))
        lineup = entering.first_lineup(everyone, at)
    else:
        lineup = entering.next_lineup(_last_of(last), everyone, least)
        if lineup is not None:
            _count_orbits(absent, last["big"], lineup.last.positions.big)
    if lineup is None:
        return None
    events += _written(lineup, {**seats, **{seat.number: seat for seat in absent}})
    at = lineup.last.positions
    positions = {
        "button": at.button, "small": at.small, "big": at.big, "before": lineup.last.before,
        "posts": list(lineup.posts),
    }  # fmt: skip
    return LinedUp({seats[n]: stacks[seats[n]] for n in lineup.dealt}, positions, events)


def _count_orbits(absent: Iterable[Seat], was: int, big: int) -> None:
    for seat in absent:
        if entering.passed(was, seat.number, big):
            seat.orbits_away += 1
            seat.save(update_fields=["orbits_away"])


def _last_of(last: Mapping[str, Any]) -> Last:
    positions = Positions(last["button"], last["small"], last["big"])
    return Last(positions, last.get("before", last["small"]))


def entrant_of(seat: Seat, *, plays: bool) -> Entrant:
    refuses = not (seat.auto_post or seat.agrees_to_blind)
    return Entrant(
        seat.number,
        plays,
        seat.owes_big,
        seat.owes_small,
        posts=seat.posts,
        declines_big=refuses or seat.sits_out_at == Seat.SitsOut.BIG_BLIND,
        declines_small=refuses,
    )


def _drawn(numbers: Sequence[int]) -> tuple[int, list[Event]]:
    """A card for each, face up; the highest takes the button."""
    order = decks.fresh_order(FULL_DECK)
    cards = dict(zip(numbers, order, strict=False))
    at = entering.highest_card(cards)
    shown = {str(seat): CARD_TEXT[card] for seat, card in cards.items()}
    return at, [event("button_drawn", cards=shown, button=at)]


def _written(lineup: Lineup, seats: Mapping[int, Seat]) -> list[Event]:
    """Keep what every seat owes now; tell of those for whom something has changed."""
    put_in = {post["seat"] for post in lineup.posts}
    events = []
    for entrant in lineup.entrants:
        seat = seats[entrant.seat]
        before = _columns(seat)
        seat.owes_big, seat.owes_small = entrant.owes_big, entrant.owes_small
        if seat.number in lineup.declined:
            seat.status = Seat.Status.SITTING_OUT
            seat.sits_out_at = Seat.SitsOut.NEVER
        if seat.number in put_in:
            seat.agrees_to_blind = False
        if _columns(seat) == before:
            continue
        seat.save(update_fields=FIELDS)
        if before[:3] != _columns(seat)[:3]:
            events.append(event("seat_changed", stack_minor=None, **seat_facts(seat)))
    return events


FIELDS = ("status", "owes_big", "owes_small", "sits_out_at", "agrees_to_blind")


def _columns(seat: Seat) -> list[Any]:
    return [getattr(seat, name) for name in FIELDS]


def owes_at_first(table: Table) -> bool:
    """Whether who sits down now owes a big blind: a game with blinds is running."""
    return "big" in (table.positions or {}) and not choosing.is_choice(table)
