"""What a dealer does at his table's console: shifts, breaks, relief, and his four deeds.

All of it is told as events of the table. The console is the device; who stands at it is the shift.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from casino.core.devices import DEALERS, pin_check
from casino.core.log import log
from casino.core.models import Device, Role, User
from casino.core.services import pit_require, role_require
from tables.errors import (
    CallUnknown,
    DealerElsewhere,
    NobodySignedOn,
    NotADealersConsole,
    NothingToPay,
)
from tables.frames import instant
from tables.models import FloorCall, Hand, Shift, Table
from tables.selectors import database_now
from tables.services import expiring
from tables.services.seating import Locked, table_locked
from tables.services.writing import event

ANSWERERS = (Role.FLOOR, Role.PIT_MANAGER, Role.ADMIN)


def sign_on(*, device: Device, dealer_id: int, pin: str) -> Shift:
    """A dealer takes the table over; whoever dealt there before is relieved.

    Signing on again ends his own break. Raises NotADealersConsole, PinRefused, LockedOut,
    RoleMissing, PitNotYours, DealerElsewhere.
    """
    table_id = table_of(device)
    pit = Table.objects.values_list("pit", flat=True).get(pk=table_id)
    dealer = pin_check(dealer_id=dealer_id, pin=pin, pit=pit)
    with table_locked(table_id) as locked:
        now = database_now()
        former = shift_open(table_id)
        if former is not None and former.dealer_id == dealer.pk:
            if former.break_since is not None:
                locked.events.append(event("dealer_back", dealer=dealer.display_name))
                log("shift.back", f"table:{table_id}", dealer)
            former.break_since, former.device_id = None, device.pk
            former.save(update_fields=["break_since", "device_id"])
            return former
        other = Shift.objects.select_related("table").filter(dealer=dealer, ended_at=None).first()
        if other is not None:
            raise DealerElsewhere(other.table.name)
        told: dict[str, Any] = {"dealer": dealer.display_name, "since": instant(now)}
        if former is not None:
            _end(former, Shift.End.RELIEVED, now)
            told["relieves"] = former.dealer.display_name
        shift = Shift.objects.create(
            table_id=table_id, dealer=dealer, device_id=device.pk, began_at=now
        )
        locked.events.append(event("dealer_on", **told))
        facts = {"device": device.pk, "relieves": None if former is None else former.dealer_id}
        log("shift.began", f"table:{table_id}", dealer, facts)
    return shift


def sign_off(*, device: Device) -> None:
    """Raises NotADealersConsole, NobodySignedOn."""
    with _at_work(device, also_on_a_break=True) as (locked, shift):
        _end(shift, Shift.End.OFF, database_now())
        locked.events.append(event("dealer_off", dealer=shift.dealer.display_name))
        log("shift.ended", f"table:{shift.table_id}", shift.dealer)


def shift_end(*, table_id: int, by: User) -> None:
    """The floor signs a dealer off who has left. Raises RoleMissing, PitNotYours, NobodySignedOn"""
    role_require(by, ANSWERERS)
    with table_locked(table_id) as locked:
        pit_require(by, locked.table.pit)
        shift = shift_open(table_id)
        if shift is None:
            raise NobodySignedOn(table_id)
        _end(shift, Shift.End.FLOOR, database_now())
        locked.events.append(event("dealer_off", dealer=shift.dealer.display_name))
        log("shift.ended", f"table:{table_id}", by, {"dealer": shift.dealer_id})


def break_begin(*, device: Device) -> None:
    """The console does nothing for anybody until he signs on again. Raises as signing off does."""
    with _at_work(device) as (locked, shift):
        now = database_now()
        Shift.objects.filter(pk=shift.pk).update(break_since=now)
        name = shift.dealer.display_name
        locked.events.append(event("dealer_break", dealer=name, since=instant(now)))
        log("shift.break", f"table:{shift.table_id}", shift.dealer)


def bets_close(*, device: Device, turn_id: int) -> None:
    """No more bets, before the time is up. Raises NotADealersConsole, NobodySignedOn, BetsNotOpen.

    turn_id: the betting window the dealer looked at.
    """
    table_id = table_of(device)
    shift = _signed_on(device, table_id)
    expiring.betting_close(table_id=table_id, turn_id=turn_id)
    log("bets.closed_early", f"table:{table_id}", shift.dealer, {"turn": turn_id})


def payouts_confirm(*, device: Device, hand_id: int) -> None:
    """The chips of the last settled hand have been paid and taken.

    Raises NotADealersConsole, NobodySignedOn, NothingToPay.
    """
    with _at_work(device) as (locked, shift):
        table_id = locked.table.pk
        last = Hand.objects.filter(table_id=table_id, status=Hand.Status.SETTLED).order_by(
            "-number"
        )
        if last.values_list("pk", flat=True).first() != hand_id:
            raise NothingToPay(hand_id)
        if shift.confirmed_hand_id == hand_id:
            raise NothingToPay(hand_id)
        Shift.objects.filter(pk=shift.pk).update(confirmed_hand_id=hand_id)
        name = shift.dealer.display_name
        locked.events.append(event("payouts_confirmed", hand_id=hand_id, dealer=name))
        log("payouts.confirmed", f"hand:{hand_id}", shift.dealer, {"table": table_id})


def floor_call(*, device: Device, why: str) -> FloorCall:
    """Call the floor, for a void too; calling twice is calling once.

    Help may be called while nobody is signed on; a void only by a dealer, while a hand is in play.
    Raises NotADealersConsole, NobodySignedOn, CallUnknown, NothingToPay.
    """
    if why not in FloorCall.Why.values:
        raise CallUnknown(why)
    table_id = table_of(device)
    with table_locked(table_id) as locked:
        shift = shift_open(table_id)
        is_here = shift is not None and shift.device_id == device.pk and shift.break_since is None
        hand_id = locked.table.hand_id
        if why == FloorCall.Why.VOID:
            if not is_here:
                raise NobodySignedOn(table_id)
            if hand_id is None:
                raise NothingToPay(0)
        dealer = shift.dealer if is_here and shift is not None else None
        open_ones = FloorCall.objects.filter(table_id=table_id, why=why, answered_at=None)
        if why == FloorCall.Why.VOID:
            open_ones = open_ones.filter(hand_id=hand_id)
        if (standing := open_ones.first()) is not None:
            return standing
        now = database_now()
        call = FloorCall.objects.create(
            table_id=table_id, why=why, hand_id=hand_id, device_id=device.pk, dealer=dealer,
            called_at=now,
        )  # fmt: skip
        locked.events.append(
            event("floor_called", call=call.pk, why=why, hand_id=hand_id, since=instant(now))
        )
        log("floor.called", f"table:{table_id}", dealer, {"why": why, "hand": hand_id})
    return call


def floor_answer(*, call_id: int, by: User) -> None:
    """The floor sees to a call; twice is once. Raises RoleMissing, PitNotYours, CallUnknown."""
    role_require(by, ANSWERERS)
    call = FloorCall.objects.filter(pk=call_id).first()
    if call is None:
        raise CallUnknown(str(call_id))
    with table_locked(call.table_id) as locked:
        pit_require(by, locked.table.pit)
        answered = FloorCall.objects.filter(pk=call_id, answered_at=None).update(
            answered_at=database_now(), answered_by=by
        )
        if answered:
            locked.events.append(event("floor_answered", call=call_id, why=call.why))
            log("floor.answered", f"table:{call.table_id}", by, {"call": call_id})


def table_of(device: Device) -> int:
    """The table a dealer's console stands at. Raises NotADealersConsole."""
    if device.profile != Device.Profile.CONSOLE or device.table_id is None:
        raise NotADealersConsole(device.pk)
    if not Table.objects.filter(pk=device.table_id).exists():
        raise NotADealersConsole(device.pk)
    return device.table_id


def shift_open(table_id: int) -> Shift | None:
    return Shift.objects.select_related("dealer").filter(table_id=table_id, ended_at=None).first()


def _signed_on(device: Device, table_id: int, *, also_on_a_break: bool = False) -> Shift:
    """The shift at this very console, of a dealer who still is one."""
    shift = shift_open(table_id)
    if shift is None or shift.device_id != device.pk:
        raise NobodySignedOn(table_id)
    if shift.break_since is not None and not also_on_a_break:
        raise NobodySignedOn(table_id)
    role_require(shift.dealer, DEALERS)
    return shift


@contextmanager
def _at_work(device: Device, *, also_on_a_break: bool = False) -> Iterator[tuple[Locked, Shift]]:
    table_id = table_of(device)
    with table_locked(table_id) as locked:
        yield locked, _signed_on(device, table_id, also_on_a_break=also_on_a_break)


def _end(shift: Shift, why: Shift.End, now: datetime) -> None:
    Shift.objects.filter(pk=shift.pk).update(ended_at=now, end=why, break_since=None)
