"""A hand that stands still because its table was stopped: its turn waits without a deadline.

Source: docs/rules/interruptions.md 6.6.
"""

from datetime import datetime

from tables import beliefs, rules
from tables.models import Table
from tables.rules import NONE, Turn
from tables.selectors import database_now
from tables.services import naming
from tables.services.seating import Locked

WINDOW = "stopped"
EXTRA_MS = 5_000
"""What a player gets to find back into the hand, beside what he had left."""


def turn_held(locked: Locked) -> None:
    """Close the window of the turn that is open, and remember what was left of its time.

    Nor is the next game chosen at a table that stands still.
    """
    table = locked.table
    if table.hand_id is None and (given_up := naming.withdrawn(table)):
        locked.events += given_up
        locked.turn = NONE
    if table.hand_id is None or table.finished or table.turn is None:
        return
    left_ms = milliseconds_left(table.deadline, database_now())
    Table.objects.filter(pk=table.pk).update(held_ms=left_ms)
    locked.turn = Turn("open", {"window": WINDOW, "seats": []})


def turn_released(locked: Locked) -> None:
    """Open the window again: the same decision, with what was left of its time and a little more.

    A choice of the next game is asked anew.
    """
    table = locked.table
    if table.held_ms is None and table.turn is None:
        return
    belief = beliefs.lock(table.pk)
    held_ms = table.held_ms or 0
    Table.objects.filter(pk=table.pk).update(held_ms=None)
    if belief.state is None or belief.finished:
        return
    turn = rules.turn_after(belief.hand(), before=None, timing=table.timing, away=belief.absent)
    locked.turn = Turn("open", turn.public, held_ms + EXTRA_MS)


def milliseconds_left(deadline: datetime | None, now: datetime) -> int:
    return 0 if deadline is None else max(0, round((deadline - now).total_seconds() * 1000))
