"""The events of hands, whether they still lie one by one or are packed: the one place for both."""

from collections.abc import Iterable
from typing import Any, Protocol

import orjson

from casino.core.rows import columns, row_from
from casino.core.statements import all_rows
from tables import vault
from tables.models import Event

OF_HANDS = "FROM tables_events_of(%s::bigint[]) AS tables_event ORDER BY hand_id, seq"


class Sealed(Protocol):
    """The private side of an event row."""

    @property
    def table_id(self) -> int: ...
    @property
    def seq(self) -> int: ...
    @property
    def private(self) -> bytes | memoryview | None: ...


def of_hand(hand_id: int) -> list[Event]:
    """A hand's event rows in order, as they were written."""
    return of_hands([hand_id])


def of_hands(hand_ids: Iterable[int]) -> list[Event]:
    """The event rows of several hands, hand by hand in the order of their ids."""
    found = all_rows(f"SELECT {columns(Event)} {OF_HANDS}", [list(hand_ids)])
    return [row_from(Event, row) for row in found]


def event_label(table_id: int, seq: int) -> str:
    """What the private parts of an event row are bound to."""
    return f"event:{table_id}:{seq}"


def parts_of(row: Sealed) -> list[dict[str, Any] | None]:
    """Every seat's private part of each event of a row; none where it has none. Never for a viewer.

    Raises SecretUnreadable.
    """
    if row.private is None:
        return []
    parts: list[dict[str, Any] | None] = orjson.loads(
        vault.unseal(row.private, event_label(row.table_id, row.seq))
    )
    return parts
