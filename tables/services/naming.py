"""Dealer's choice: the button names the next game, the others agree or sit the hand out.

Two windows before the deal, both kept in the table's row: one of the button, one of all others at
once. The deck is committed when the game is known. Source: docs/rules/mixed.md 4.
"""

import secrets
from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models.functions import Now

from tables import choosing, jobs, rules
from tables.beliefs import Belief
from tables.choosing import (
    ACCEPT_GAME,
    AGREED,
    AGREEING,
    DECLINE_GAME,
    NAME_GAME,
    NAMING,
    Choice,
)
from tables.engine.errors import MalformedAction, NoSuchAction, NotYourTurn, RuleViolation
from tables.engine.games import part_game, varied
from tables.engine.games.custom import warnings
from tables.engine.games.mixed import MIXES, Part, parts_of
from tables.engine.poker import button
from tables.engine.protocol import Event
from tables.errors import NoHandInPlay, NotDealtIn, TurnPassed
from tables.models import Seat, Table
from tables.rules import KEEP, NONE, Turn
from tables.services import carrying, decks, rotating
from tables.services.writing import WRITTEN, Written, event, write

AGAIN_S = 1.0


def comes_first(table: Table) -> bool:
    """Whether a game must be named before the table's next hand; a carried pot keeps its own."""
    if not choosing.is_choice(table) or table.carry is not None:
        return False
    choice = choosing.choice_of(table)
    return choice is None or choice.stage != AGREED


def game_asked(table: Table, belief: Belief, stacks: Mapping[Seat, int]) -> None:
    """Ask the next button which game it names, unless somebody is asked already."""
    if choosing.choice_of(table) is not None:
        Table.objects.filter(pk=table.pk).update(next_deal_at=None)
        return
    numbers = sorted(seat.number for seat in stacks)
    last = (table.positions or {}).get("button")
    seat = secrets.choice(numbers) if last is None else button.next_button(last, numbers)
    players = {str(seat.number): seat.player_id for seat in stacks}
    _keep(table, Choice(NAMING, seat, players, [seat]), next_deal_at=None)
    write(
        table_id=table.pk,
        base_seq=belief.seq,
        events=[event("choice_opened", seat=seat, games=choosing.listed(table))],
        turn=_window(table, NAMING, [seat], [NAME_GAME]),
    )


def who_agreed(table: Table, stacks: Mapping[Seat, int]) -> Mapping[Seat, int]:
    """Of those who could be dealt in, those who were asked and have not declined.

    Nobody, if they are fewer than the game is dealt to.
    """
    choice = choosing.choice_of(table)
    if choice is None or table.carry is not None:
        return stacks
    agreed = {
        seat: chips
        for seat, chips in stacks.items()
        if choice.seat_of(seat.player_id) == seat.number and seat.number in choice.dealt_in
    }
    return agreed if len(agreed) >= rotating.game_now(table).game.seats[0] else {}


def dropped(table: Table) -> list[Event]:
    """Give up a choice that cannot be dealt; the next button names a game. [] if there is none."""
    choice = choosing.choice_of(table)
    if choice is None:
        return []
    _keep(table, None, positions={"button": choice.seat})
    return [event("game_dropped", seat=choice.seat)]


def withdrawn(table: Table) -> list[Event]:
    """Give up a choice that somebody is still asked for; the same button is asked anew."""
    choice = choosing.choice_of(table)
    if choice is None or choice.stage == AGREED:
        return []
    _keep(table, None)
    return [event("game_dropped", seat=choice.seat)]


def dealt(table: Table) -> None:
    """The named game has been dealt: it is the one before, for whoever names none."""
    choice = choosing.choice_of(table)
    if choice is not None:
        table.mix = {**(table.mix or {}), "last": choice.named}
        _keep(table, None)


def answer(
    belief: Belief, *, player_id: int, action_id: UUID, turn_id: int, action: Mapping[str, Any]
) -> Written:
    """What a player says to the choice that is open; the table's row is locked by the caller.

    Raises NoHandInPlay, NotDealtIn, TurnPassed, a RuleViolation; then nothing has changed.
    """
    table = Table.objects.get(pk=belief.table_id)
    choice = choosing.choice_of(table)
    if choice is None or choice.stage == AGREED:
        raise NoHandInPlay(belief.seq)
    seat = choice.seat_of(player_id)
    if seat is None:
        raise NotDealtIn(belief.seq)
    if belief.turn_id != turn_id:
        raise TurnPassed(turn_id, belief.turn_id, belief.seq)
    if seat not in choice.waiting:
        raise NotYourTurn(seat, tuple(choice.waiting))
    names = tuple(one["name"] for one in choosing.legal(table, player_id))
    if action.get("name") not in names:
        raise NoSuchAction(str(action.get("name")), names)
    if choice.stage == NAMING:
        step = _named(table, choice, _part_of(table, choice, action))
    else:
        step = _answered(table, choice, [seat], declines=action["name"] == DECLINE_GAME)
    return _write(table, belief, step, action_id=action_id)


def time_out(belief: Belief) -> None:
    """The time is up: the game before is named, or who is silent agrees. The row is locked."""
    table = Table.objects.get(pk=belief.table_id)
    choice = choosing.choice_of(table)
    if choice is None or choice.stage == AGREED:
        return
    if choice.stage == NAMING:
        part = _usual(table, len(choice.players))
        step = _given_up(table) if part is None else _named(table, choice, part, default=True)
    else:
        step = _answered(table, choice, choice.waiting, declines=False, default=True)
    _write(table, belief, step)


Step = tuple[list[Event], Turn, Choice | None, bool]
"""What an answer causes: events, what becomes of the window, the choice, whether all is said."""


def _write(table: Table, belief: Belief, step: Step, action_id: UUID | None = None) -> Written:
    events, turn, choice, is_done = step
    written = write(
        table_id=table.pk,
        base_seq=belief.seq,
        events=events,
        turn=turn,
        action_id=action_id,
        on_time=action_id is not None,
    )
    if written.code != WRITTEN:
        return written
    if choice is None:
        _keep(table, None, next_deal_at=Now() + timedelta(seconds=AGAIN_S))
    elif is_done:
        _keep(table, choice, next_deal_at=Now())
        jobs.deal_hand(table.pk, table.hand_number + 1)
    else:
        _keep(table, choice)
    return written


def _part_of(table: Table, choice: Choice, action: Mapping[str, Any]) -> Part:
    """The part an action names. Raises MalformedAction, and what the rules refuse."""
    parts = parts_of(MIXES[table.game], table.options)
    nth, changes = action.get("nth"), action.get("changes")
    if type(nth) is not int or not 0 <= nth < len(parts):
        raise MalformedAction(f"nth is the place of a game in the list, 0 to {len(parts) - 1}")
    part = parts[nth]
    if changes:
        if not choosing.may_vary(table) or not isinstance(changes, Mapping):
            raise MalformedAction("changes: an object, where the table takes games with changes")
        part = varied(part, changes)
    rotating.tried(rotating.dealt_by(table, part), len(choice.players), table.buy_in_least_minor)
    return part


def _usual(table: Table, seats: int) -> Part | None:
    """The game before, else the first of the list that can be dealt to so many."""
    for part in (choosing.part_now(table), *parts_of(MIXES[table.game], table.options)):
        try:
            rotating.tried(rotating.dealt_by(table, part), seats, table.buy_in_least_minor)
        except RuleViolation:
            continue
        return part
    return None


def _named(table: Table, choice: Choice, part: Part, *, default: bool = False) -> Step:
    """The game is known: its deck is committed, and the others are asked."""
    others = [int(seat) for seat in choice.players if int(seat) != choice.seat]
    game = part_game(part)
    public: dict[str, Any] = {
        "seat": choice.seat,
        "game": choosing.named_facts(part, game),
        "stakes": choosing.stakes_of(table, part, game),
    }
    if part.custom is not None:
        public |= {"definition": game.to_json(), "warnings": warnings(game)}
    if default:
        public["default"] = True
    after = Choice(AGREEING, choice.seat, choice.players, others, named=part.to_json())
    events = [event("game_named", **public), decks.deck_commit(table, game)]
    return events, _window(table, AGREEING, others, [ACCEPT_GAME, DECLINE_GAME]), after, False


def _answered(
    table: Table, choice: Choice, seats: Any, *, declines: bool, default: bool = False
) -> Step:
    events = []
    for seat in tuple(seats):
        choice = choice.answered(seat, declines=declines)
        late = {"default": True} if default else {}
        events.append(
            event("game_declined", seat=seat, **late)
            if declines
            else event("game_accepted", seat=seat, **late)
        )
    game = rotating.game_now(table).game
    least = max(game.seats[0], carrying.least_players(table))
    if len(choice.dealt_in) < least:
        given_up = _given_up(table)
        return [*events, *given_up[0]], *given_up[1:]
    if choice.waiting:
        return events, KEEP, choice, False
    stored = {**choice.to_json(), "stage": AGREED}
    return events, NONE, Choice(**stored), True


def _given_up(table: Table) -> Step:
    return dropped(table), NONE, None, False


def _window(table: Table, stage: str, seats: list[int], actions: list[str]) -> Turn:
    window = choosing.WINDOWS[stage]
    seconds = table.timing.get(f"{window}_s", rules.DEFAULT_S[window])
    public = {"window": window, "seats": seats, "actions": actions}
    return Turn("open", public, round(1000 * seconds))


def _keep(table: Table, choice: Choice | None, **columns: Any) -> None:
    """Store what is chosen, beside the mix's level and its game before."""
    stored = None if choice is None else choice.to_json()
    table.mix = {**(table.mix or {}), "choice": stored}
    Table.objects.filter(pk=table.pk).update(mix=table.mix, **columns)
