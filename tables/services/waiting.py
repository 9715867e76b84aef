"""Seats that are kept for somebody: reserved for a moment, or called from a waiting list.

One list for each kind of table (game, limit, stakes, currency), first come, first called; a call
keeps one seat for a time and then goes to the next. Source: docs/rules/seating.md 2 and 3.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from hmac import compare_digest
from typing import Any

from django.db import transaction

from casino.core.models import User
from tables import beliefs
from tables.engine.protocol import Event
from tables.errors import (
    AlreadySeated,
    FeederFirst,
    InvitationNeeded,
    NoSuchSeat,
    NotWaiting,
    SeatHeld,
    SeatsFree,
    SeatTaken,
    TableNotFound,
    TableNotOpen,
    TooManySeatsHeld,
)
from tables.frames import instant
from tables.lobby import kind_of
from tables.models import SeatHold, Table, Waiting
from tables.selectors import database_now
from tables.services.writing import event, write

RESERVED_S, CALLED_S = 60, 60
HELD_MOST = 3
TAKES = (Table.Status.OPEN, Table.Status.PAUSED)


def holds_of(table: Table) -> dict[int, int]:
    """By seat number, for whom it is kept now."""
    running = table.holds.filter(until__gt=database_now())
    return dict(running.values_list("number", "player_id"))


def seats_free(table: Table) -> list[int]:
    """Seats that anybody may take: of nobody, kept for nobody, and not for a feeder's players."""
    return [] if fed_by(table) is not None else seats_open(table)


def fed_by(table: Table) -> Table | None:
    """The must-move table whose players have the first right to this table's seats."""
    feeders = table.feeders.filter(status__in=TAKES, seats__isnull=False)
    return feeders.order_by("pk").first()


def check_not_fed(table: Table) -> None:
    """Raises FeederFirst."""
    if (feeder := fed_by(table)) is not None:
        raise FeederFirst(feeder.pk)


def seats_open(table: Table) -> list[int]:
    """Seats that nobody has and that are kept for nobody."""
    taken = {number for seat in table.seats.all() for number in seat.numbers}
    held = holds_of(table)
    return [n for n in range(1, table.max_seats + 1) if n not in taken and n not in held]


def check_invited(table: Table, invitation: str) -> None:
    """Raises InvitationNeeded at a private table for another code than its own."""
    if table.invitation and not compare_digest(table.invitation.encode(), invitation.encode()):
        raise InvitationNeeded


def seat_reserve(*, table_id: int, player: User, seat: int, invitation: str = "") -> datetime:
    """Keep a free seat for a player who is about to buy in; until when. Only one a table.

    Asked again for a seat that is kept for him already, it is kept no longer than it was.
    Raises TableNotOpen, InvitationNeeded, FeederFirst, NoSuchSeat, SeatTaken, SeatHeld,
    AlreadySeated, TooManySeatsHeld.
    """
    with transaction.atomic():
        belief = beliefs.lock(table_id)
        table = Table.objects.get(pk=table_id)
        if table.status not in TAKES:
            raise TableNotOpen(table.status)
        if (own := table.seats.filter(player=player).first()) is not None:
            raise AlreadySeated(own.number)
        check_invited(table, invitation)
        check_not_fed(table)
        if not 1 <= seat <= table.max_seats:
            raise NoSuchSeat(seat, table.max_seats)
        told = calls_made(table)
        holds = holds_of(table)
        if holds.get(seat, player.pk) != player.pk:
            raise SeatHeld(seat)
        if seat not in holds and seat not in seats_free(table):
            raise SeatTaken(seat)
        if seat in holds:
            until = table.holds.get(number=seat).until
        else:
            _check_held(table, player)
            until = database_now() + timedelta(seconds=RESERVED_S)
            _hold(table, seat, player.pk, until)
            told.append(event("seat_reserved", seat=seat, until=instant(until)))
        if told:
            write(table_id=table_id, base_seq=belief.seq, events=told)
    beliefs.forget(table_id)
    return until


def _check_held(table: Table, player: User) -> None:
    """Raises TooManySeatsHeld; two reservations of one player at once are looked at in turn."""
    User.objects.select_for_update(no_key=True).get(pk=player.pk)
    held = SeatHold.objects.filter(player=player, until__gt=database_now()).exclude(table=table)
    if held.count() >= HELD_MOST:
        raise TooManySeatsHeld(HELD_MOST)


def _table(table_id: int) -> Table:
    found = Table.objects.filter(pk=table_id).first()
    if found is None:
        raise TableNotFound(table_id)
    return found


def list_join(*, table_id: int, player: User, invitation: str = "") -> int:
    """Wait for a seat at this kind of table; the place on the list, 1 is next. Once a kind.

    Raises TableNotFound, TableNotOpen, InvitationNeeded, AlreadySeated, SeatsFree (somewhere he
    could sit down at once).
    """
    table = _table(table_id)
    if table.status not in TAKES:
        raise TableNotOpen(table.status)
    check_invited(table, invitation)
    kind = kind_of(table)
    for other in tables_of(kind):
        if (own := other.seats.filter(player=player).first()) is not None:
            raise AlreadySeated(own.number)
    with transaction.atomic():
        first = Waiting.objects.filter(kind=kind, called_to=None).first()
        for other in tables_of(kind) if first is None else ():
            if seats_free(other):
                raise SeatsFree(other.pk)
        entry, _ = Waiting.objects.get_or_create(player=player, kind=kind)
    return place_of(entry)


def place_of(entry: Waiting) -> int:
    return Waiting.objects.filter(kind=entry.kind, pk__lte=entry.pk, called_to=None).count()


def list_leave(*, table_id: int, player: User) -> None:
    """Raises TableNotFound, NotWaiting."""
    kind = kind_of(_table(table_id))
    gone, _ = Waiting.objects.filter(player=player, kind=kind).delete()
    if not gone:
        raise NotWaiting


def lists_of(player_id: int) -> list[dict[str, Any]]:
    """Where a player waits, and to which seat he is called."""
    found = []
    for entry in Waiting.objects.filter(player_id=player_id):
        game, limit, big, currency, _ = entry.kind.split("|")
        called = None
        if entry.called_to_id is not None and entry.called_until is not None:
            hold = SeatHold.objects.filter(table=entry.called_to_id, player_id=player_id).first()
            called = {
                "table": entry.called_to_id,
                "seat": None if hold is None else hold.number,
                "until": instant(entry.called_until),
            }
        found.append(
            {
                "game": game, "limit": limit, "stakes_minor": int(big), "currency": currency,
                "place": None if called else place_of(entry), "called": called,
            }
        )  # fmt: skip
    return found


def tables_of(kind: str) -> list[Table]:
    game = kind.partition("|")[0]
    tables = Table.objects.filter(game=game, status__in=TAKES)
    return [table for table in tables if kind_of(table) == kind]


def calls_made(table: Table) -> list[Event]:
    """Keep each free seat of a table for the next on its list; the table's row is locked.

    Whose call has run out is off the list. Returns what to tell the table.
    """
    now, kind = database_now(), kind_of(table)
    table.holds.filter(until__lte=now).delete()
    Waiting.objects.filter(kind=kind, called_until__lte=now).delete()
    if table.status not in TAKES:
        return []
    told = []
    queue = Waiting.objects.select_for_update(skip_locked=True).filter(kind=kind, called_to=None)
    for seat, entry in zip(seats_free(table), queue, strict=False):
        until = now + timedelta(seconds=CALLED_S)
        entry.called_to, entry.called_until = table, until
        entry.save(update_fields=["called_to", "called_until"])
        _hold(table, seat, entry.player_id, until)
        told.append(event("seat_called", seat=seat, until=instant(until)))
    return told


def served(table: Table, player_id: int) -> None:
    """Who has sat down waits no longer, and needs no seat kept."""
    table.holds.filter(player_id=player_id).delete()
    Waiting.objects.filter(player_id=player_id, kind=kind_of(table)).delete()


def lists_called() -> int:
    """Call from every list that has a free seat; how many tables were told. Safe to repeat."""
    told = 0
    kinds = set(Waiting.objects.values_list("kind", flat=True))
    for table in (one for kind in kinds for one in tables_of(kind)):
        with transaction.atomic():
            belief = beliefs.lock(table.pk)
            events = calls_made(Table.objects.get(pk=table.pk))
            if events:
                write(table_id=table.pk, base_seq=belief.seq, events=events)
                told += 1
        beliefs.forget(table.pk)
    return told


def lengths() -> Mapping[str, int]:
    """How many wait for each kind of table."""
    counts: dict[str, int] = {}
    for kind in Waiting.objects.filter(called_to=None).values_list("kind", flat=True):
        counts[kind] = counts.get(kind, 0) + 1
    return counts


def _hold(table: Table, seat: int, player_id: int, until: datetime) -> None:
    table.holds.filter(player_id=player_id).delete()
    table.holds.filter(number=seat).delete()
    SeatHold.objects.create(table=table, number=seat, player_id=player_id, until=until)
