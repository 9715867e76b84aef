"""What a seat costs beside the bets: told to everybody before he sits down."""

from typing import Any

from tables.frames import instant
from tables.models import Table


def time_collection(table: Table) -> dict[str, Any] | None:
    """What every seat pays by the clock, and when next; null where nothing is taken."""
    if not table.time_fee_minor:
        return None
    due = table.time_fee_due
    return {
        "amount_minor": table.time_fee_minor,
        "every_s": table.time_fee_every_s,
        "next_at": None if due is None else instant(due),
    }
