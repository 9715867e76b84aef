"""Who deals at a table, and what the floor is called for: what everybody may know of it."""

from typing import Any

from tables.frames import instant
from tables.models import FloorCall, Shift, Table


def dealer_facts(table_id: int) -> dict[str, Any] | None:
    """The dealer who is signed on; None while nobody is."""
    shift = Shift.objects.select_related("dealer").filter(table_id=table_id, ended_at=None).first()
    if shift is None:
        return None
    return {
        "name": shift.dealer.display_name,
        "since": instant(shift.began_at),
        "break_since": None if shift.break_since is None else instant(shift.break_since),
        "confirmed_hand": shift.confirmed_hand_id,
    }


def calls_open(table: Table) -> list[dict[str, Any]]:
    """Calls of the floor that nobody has answered; one to void a hand ends with the hand."""
    standing = FloorCall.objects.filter(table_id=table.pk, answered_at=None).order_by("pk")
    return [
        {
            "call": call.pk,
            "why": call.why,
            "hand_id": call.hand_id,
            "since": instant(call.called_at),
        }
        for call in standing
        if call.why != FloorCall.Why.VOID or call.hand_id == table.hand_id
    ]
