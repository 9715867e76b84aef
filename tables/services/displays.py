"""Devices and their tables: what is changed at the console changes on the screen by itself."""

from functools import partial
from typing import Any

from django.db import transaction

from casino.core import devices
from casino.core.models import Device, User
from casino.core.services import pit_require
from tables import hub
from tables.errors import TableNotFound
from tables.models import Table


@transaction.atomic
def enrol(
    *, name: str, profile: str, table_id: int | None, by: User, **settings: Any
) -> tuple[Device, str]:
    """A device and the code that lets its screen in. Raises RoleMissing, PitNotYours,
    TableNotFound, SettingRefused."""
    _check_table(table_id, by)
    device, _ = devices.device_enrol(name=name, table_id=table_id, by=by, profile=profile)
    if settings:
        devices.device_set(device=device, by=by, **settings)
    return device, devices.device_code(device=device, by=by)


@transaction.atomic
def change(*, device: Device, table_id: int | None, by: User, **settings: Any) -> None:
    """Point a device at a table and set it up; its screen shows it within a moment.

    Raises RoleMissing, PitNotYours, TableNotFound, SettingRefused.
    """
    _check_table(device.table_id, by)
    _check_table(table_id, by)
    former = device.table_id
    if settings:
        devices.device_set(device=device, by=by, **settings)
    if table_id != former:
        devices.device_move(device=device, table_id=table_id, by=by)
    _tell(former, device, "moved" if table_id != former else "set")


@transaction.atomic
def revoke(*, device: Device, by: User) -> None:
    """Show a device out: its screen goes dark at once. Raises RoleMissing, PitNotYours."""
    _check_table(device.table_id, by)
    devices.device_revoke(device=device, by=by)
    _tell(device.table_id, device, "revoked")


def _check_table(table_id: int | None, by: User) -> None:
    if table_id is None:
        return
    pit = Table.objects.filter(pk=table_id).values_list("pit", flat=True).first()
    if pit is None:
        raise TableNotFound(table_id)
    pit_require(by, pit)


def _tell(table_id: int | None, device: Device, why: str) -> None:
    """A push may be lost; then the screen hears of it within seconds, when its standing is looked
    at, or when it next asks for a ticket."""
    if table_id is None:
        return
    message = {"type": "table.device", "device": device.pk, "why": why}
    transaction.on_commit(partial(hub.tell, table_id, message), robust=True)
