"""The one way an event row is written: SQL function tables_act(), then the frame after commit."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

import orjson
from django.conf import settings
from django.db import connection, transaction

from casino.core.statements import Call, one_row
from tables import screens, vault
from tables.engine.protocol import Event
from tables.events import event_label
from tables.frames import Row
from tables.rules import KEEP, Ending, Turn
from wallets.ledger import ledger_errors

WRITTEN, REPLAY, STALE, LATE = range(4)

ACT = "SELECT * FROM tables_act(%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s)"


@dataclass(frozen=True, slots=True)
class Written:
    code: int
    seq: int
    turn: str | None
    turn_id: int
    at: datetime


def extend(
    *, table_id: int, base_seq: int, events: Sequence[Event], by_ms: int, clock: str
) -> None:
    """Give the open turn `by_ms` from now, on a player's own clock, and push it after commit.

    The caller holds the table's row, so nobody else has written since `base_seq`.
    """
    public = orjson.dumps([{"type": e.type, "public": e.public} for e in events]).decode()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT * FROM tables_extend(%s, %s, %s, %s, %s)",
            [table_id, base_seq, public, by_ms, clock],
        )
        seq, turn, at = cursor.fetchone()
    row = Row(table_id, seq, public, turn, at, ())
    transaction.on_commit(partial(screens.publish, row), robust=True)


def event(type: str, **public: Any) -> Event:
    return Event(type, public, None)


def row_sides(
    events: Sequence[Event], table_id: int, seq: int
) -> tuple[str, bytes | None, list[int]]:
    """What a row keeps of its events: all may know, sealed what seats may know, and which seats."""
    public = orjson.dumps([{"type": e.type, "public": e.public} for e in events]).decode()
    seats = sorted({seat for e in events if e.private for seat in e.private})
    if not seats:
        return public, None, []
    parts = [
        {str(seat): part for seat, part in e.private.items()} if e.private else None for e in events
    ]
    return public, vault.seal(orjson.dumps(parts), event_label(table_id, seq)), seats


def write(
    *,
    table_id: int,
    base_seq: int,
    events: Sequence[Event],
    state: str | None = None,
    turn: Turn = KEEP,
    action_id: UUID | None = None,
    on_time: bool = False,
    stakes: Sequence[str] = (),
    ending: Ending | None = None,
    also: Call | None = None,
) -> Written:
    """Write one event row on top of `base_seq` and push its frame after commit.

    state: the hand's new state as JSON text; None keeps it, "" clears it.
    on_time: the write counts only while the running window is open.
    stakes: packed by the wallets for this very write, posted in the same transaction; what the
    ledger refuses raises its error and nothing is written.
    also: what is done in the same statement; only where the caller holds the table's row.
    Returns what became of it; only WRITTEN changed anything.
    """
    public, private, seats = row_sides(events, table_id, base_seq + 1)
    values = [
        table_id,
        base_seq,
        action_id,
        public,
        private,
        orjson.dumps(seats).decode(),
        state,
        turn.mode,
        orjson.dumps(turn.public).decode(),
        turn.time_ms,
        on_time,
        settings.GRACE_MS,
        "[" + ",".join(stakes) + "]" if stakes else None,
        None if ending is None else orjson.dumps(ending.result).decode(),
        None if ending is None else orjson.dumps(ending.view).decode(),
    ]
    with ledger_errors():
        if also is None:
            written = Written(*one_row(ACT, values))
        else:
            statement = f"SELECT a.*, {also.text} FROM ({ACT}) AS a"  # noqa: S608
            *found, _ = one_row(statement, [*also.values, *values])
            written = Written(*found)
    if written.code == WRITTEN:
        row = Row(table_id, written.seq, public, written.turn, written.at, seats)
        transaction.on_commit(partial(screens.publish, row), robust=True)
    return written
