"""Frames: an event row as text for sockets, serialised once for live play and replay."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

import orjson


class Row(NamedTuple):
    """An event row's public side."""

    table_id: int
    seq: int
    events: str
    turn: str | None
    at: datetime
    private_seats: Sequence[int]


def instant(at: datetime) -> str:
    """RFC 3339, UTC, milliseconds."""
    return at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03d}Z"


def frame(row: Row) -> str:
    """The public frame of an event row, as text: serialised once for every socket and replay."""
    events = row.events
    if row.turn is not None:
        opened = f'{{"type":"turn_opened","public":{row.turn}}}]'
        events = events[:-1] + ("," if len(events) > 2 else "") + opened
    return (
        f'{{"type":"events","table":{row.table_id},"seq":{row.seq},"prev":{row.seq - 1},'
        f'"at":"{instant(row.at)}","events":{events}}}'
    )


def with_private(text: str, parts: Sequence[dict[str, Any] | None]) -> str:
    """The same frame with one viewer's private part of each event."""
    message = orjson.loads(text)
    for event, part in zip(message["events"], parts, strict=False):
        if part is not None:
            event["private"] = part
    return orjson.dumps(message).decode()
