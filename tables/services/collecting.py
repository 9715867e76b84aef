"""Time collection: what each seat pays by the half hour instead of a part of the pots.

Source: docs/rules/poker.md 9.6.
"""

from datetime import datetime, timedelta

from tables.engine.protocol import Event
from tables.errors import TimeFeeOwed
from tables.frames import instant
from tables.models import Seat, Table
from tables.selectors import database_now, seat_facts, stacks_of
from tables.services import counting
from tables.services.writing import event
from wallets import services as wallets


def time_collected(table: Table) -> list[Event]:
    """Take the fee from every seat if its time has come; what to tell, [] when it has not.

    Who cannot pay sits out and owes it. The table's row is locked, no hand is in play; a pot that
    is carried to the next deal is still the same hand.
    """
    if not table.time_fee_minor or table.carry is not None:
        return []
    now, due = database_now(), table.time_fee_due
    every = timedelta(seconds=table.time_fee_every_s)
    if due is not None and now < due:
        return []
    table.time_fee_due = now + every if due is None else due + ((now - due) // every + 1) * every
    table.save(update_fields=["time_fee_due"])
    if due is None:  # the table's first hand since it opened: it is paid for from then on
        return []
    seats = list(table.seats.exclude(status=Seat.Status.LEAVING).order_by("number"))
    stacks = {number: stack.chips_minor for number, stack in stacks_of(table, seats).items()}
    paying = [seat for seat in seats if stacks[seat.number] >= table.time_fee_minor]
    unpaid = [seat for seat in seats if seat not in paying]
    for seat in paying:
        _take(table, seat, table.time_fee_minor, due)
    for seat in unpaid:
        seat.owes_time_minor, seat.status = table.time_fee_minor, Seat.Status.SITTING_OUT
        seat.save(update_fields=["owes_time_minor", "status"])
    told = event(
        "time_collected",
        amount_minor=table.time_fee_minor,
        seats=[seat.number for seat in paying],
        unpaid=[seat.number for seat in unpaid],
        next_at=instant(table.time_fee_due),
    )
    changed = []
    for seat in seats:
        paid = table.time_fee_minor if seat in paying else 0
        left_minor = stacks[seat.number] - paid
        changed.append(event("seat_changed", stack_minor=left_minor, **seat_facts(seat)))
    return [told, *changed]


def debt_paid(table: Table, seat: Seat) -> int:
    """Before a player who owes a time collection plays on he pays it; what it was.

    Raises TimeFeeOwed when his chips do not reach.
    """
    owed = seat.owes_time_minor
    if not owed:
        return 0
    chips = stacks_of(table, [seat])[seat.number].chips_minor
    if chips < owed:
        raise TimeFeeOwed(owed, chips)
    seat.owes_time_minor = 0
    seat.save(update_fields=["owes_time_minor"])
    _take(table, seat, owed, database_now())
    return owed


def _take(table: Table, seat: Seat, fee_minor: int, at: datetime) -> None:
    key = f"table:{table.pk}:time:{instant(at)}:{seat.pk}"
    wallets.time_collect(
        table_id=table.pk,
        seat_account_id=seat.account_id,
        rake_account_id=table.accounts["rake"],
        amount_minor=fee_minor,
        key=key,
    )
    counting.time_collected(table.pk, fee_minor, key)
