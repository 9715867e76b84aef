"""Must-move: a feeder's players move to open seats of its main table, the longest seated first.

Source: docs/rules/seating.md 7.
"""

import logging

from django.db import transaction

from casino.core.log import log
from casino.core.models import Role, User
from casino.core.services import pit_require, role_require
from tables.engine.protocol import Event
from tables.errors import FeederNotPossible, TableError
from tables.lobby import kind_of
from tables.models import Seat, Table
from tables.services import moving, waiting
from tables.services.seating import Locked, table_locked
from tables.services.writing import event
from wallets.errors import WalletError

logger = logging.getLogger(__name__)
RUNNERS = (Role.FLOOR, Role.PIT_MANAGER, Role.ADMIN)


def feeder_set(*, table_id: int, main_id: int | None, by: User | None = None) -> Table:
    """Let a table feed another one of its kind; None: it stands for itself again.

    Raises RoleMissing, PitNotYours, FeederNotPossible.
    """
    if by is not None:
        role_require(by, RUNNERS)
    with table_locked(table_id) as locked:
        table = locked.table
        main = None if main_id is None else Table.objects.get(pk=main_id)
        if by is not None:
            pit_require(by, *(each.pit for each in (table, main) if each is not None))
        if main is not None:
            _check(table, main)
        table.feeds = main
        table.save(update_fields=["feeds"])
        table.seats.update(must_move_to=None)
        locked.events.append(
            event("table_changed", status=table.status, feeds=None if main is None else main.name)
        )
        log("table.feeds", f"table:{table_id}", by, {"main": main_id})
    return table


def _check(table: Table, main: Table) -> None:
    if main.pk == table.pk or main.feeds_id is not None or table.feeders.exists():
        raise FeederNotPossible("a main table feeds no other, and a feeder is fed by none")
    if kind_of(main) != kind_of(table) or main.chip_minor != table.chip_minor:
        raise FeederNotPossible("both tables deal the same game at the same stakes and chips")
    if "spots_per_player" in table.options:
        raise FeederNotPossible("only players among themselves have a main game")


def check_alike(table: Table) -> None:
    """Whether a table that is to be changed is still of one kind with those it feeds or that feed
    it. Raises FeederNotPossible."""
    if table.feeds is not None:
        _check(table, table.feeds)
    for feeder in table.feeders.all():
        _check(feeder, table)


def must_moves_made() -> int:
    """Call the longest seated of each feeder to open seats, and move whoever is in no hand.

    Returns how many moved. Safe to repeat.
    """
    moved = 0
    feeders = Table.objects.filter(feeds__isnull=False, status__in=waiting.TAKES)
    for feeder in feeders.order_by("pk"):
        moved += _fed(feeder.pk, feeder.feeds_id or 0)
    return moved


def _fed(feeder_id: int, main_id: int) -> int:
    first, second = sorted((feeder_id, main_id))
    with table_locked(first) as one, table_locked(second) as two:
        here, there = (one, two) if first == feeder_id else (two, one)
        if there.table.status not in waiting.TAKES or here.table.carry is not None:
            here.table.seats.update(must_move_to=None)
            return 0
        free = waiting.seats_open(there.table)
        there_already = there.table.seats.values("player")
        staying = here.table.seats.exclude(status=Seat.Status.LEAVING).exclude(
            player__in=there_already
        )
        moved = called = 0
        for seat in staying.select_related("player").order_by("taken_at", "pk"):
            is_called = called < len(free)
            if is_called and not here.in_hand(seat):
                is_called = _moved(here, there, seat)
                moved += is_called
            elif is_called or seat.must_move_to_id is not None:
                _marked(here, there, seat, is_called)
            called += is_called
        return moved


def _marked(here: Locked, there: Locked, seat: Seat, is_called: bool) -> None:
    """Whether he moves when his hand is over; a seat that has gone meanwhile calls nobody."""
    if is_called == (seat.must_move_to_id is not None):
        return
    seat.must_move_to = there.table if is_called else None
    seat.save(update_fields=["must_move_to"])
    if is_called:
        here.events.append(_told(seat, there.table))


def _told(seat: Seat, main: Table) -> Event:
    return event("must_move", seat=seat.number, to_table=main.pk, name=main.name)


def _moved(here: Locked, there: Locked, seat: Seat) -> bool:
    """What he owed he owes there; being made to move costs nothing.

    Who cannot move now (a pause, a limit, an exclusion) stays, and is passed over.
    """
    owed = seat.owes_big, seat.owes_small
    told = len(here.events), len(there.events)
    if seat.must_move_to_id is None:
        here.events.append(_told(seat, there.table))
    try:
        with transaction.atomic():
            place = moving.transferred(here, there, seat, None, seat.posts, must=True)
    except (TableError, WalletError) as error:
        logger.debug("table %s: seat %s cannot move: %s", here.table.pk, seat.number, error)
        del here.events[told[0] :], there.events[told[1] :]
        Seat.objects.filter(pk=seat.pk).update(must_move_to=None)
        return False
    place.owes_big, place.owes_small = owed
    place.save(update_fields=["owes_big", "owes_small"])
    return True
