"""Screens, dealers' PINs and calls of the floor, at the console."""

import json
import re
from uuid import uuid4

import pytest
from django.test import Client

from casino.console.alerts import alerts_now
from casino.core.devices import pin_check
from casino.core.models import Device, IdempotencyKey, Role
from tables.models import FloorCall, Shift, Table
from tables.selectors import database_now
from tables.services import dealers, displays
from tests.cast import holdem_table, three_card_table
from tests.console.cast import console, console_of, staff

pytestmark = pytest.mark.django_db(transaction=True)

SETUP = {
    "name": "Desk 1", "profile": "display", "language": "pl", "distance_cm": 250,
    "density_percent": 100,
}  # fmt: skip


def said(client: Client, address: str, sent: dict[str, object]) -> str:
    page = client.post(f"/admin/devices/{address}", sent, follow=True)
    return " ".join(str(message) for message in page.context["messages"])


def code_in(words: str) -> str:
    found = re.search(r"\d{4} \d{4}", words)
    assert found is not None, words
    return found[0]


def test_the_floor_makes_a_code_and_a_screen_is_let_in_by_it_then_moved_and_shown_out() -> None:
    floor, table, other = console(Role.FLOOR), three_card_table(), holdem_table()
    code = code_in(said(floor, "new/", {**SETUP, "table": table.pk}))
    assert code not in floor.get("/admin/devices/").content.decode()
    screen = Client()
    page = screen.post("/display/", {"code": code}, follow=True)
    assert page.context["snapshot"]["table"]["name"] == table.name
    assert (page.context["config"]["language"], page.context["metres"]) == ("pl", 2.5)
    device = Device.objects.get()
    said(floor, f"{device.pk}/", {**SETUP, "table": other.pk})
    assert screen.get("/display/").context["snapshot"]["table"]["name"] == other.name
    said(floor, f"{device.pk}/revoke/", {})
    assert 'name="code"' in screen.get("/display/").content.decode()
    assert floor.get(f"/admin/devices/{device.pk}/").status_code == 404


def test_a_new_code_makes_the_screen_before_it_a_stranger() -> None:
    floor = console(Role.FLOOR)
    first, second = Client(), Client()
    first.post("/display/", {"code": code_in(said(floor, "new/", SETUP))})
    device = Device.objects.get()
    second.post("/display/", {"code": code_in(said(floor, f"{device.pk}/code/", {}))})
    assert b"assigned to no table" in second.get("/display/").content
    assert 'name="code"' in first.get("/display/").content.decode()


def test_a_pit_manager_gives_a_dealer_a_pin_that_is_shown_once() -> None:
    dora = staff(Role.DEALER, "Dora")
    manager = console(Role.PIT_MANAGER)
    once = {"once": str(uuid4())}
    words = said(manager, f"dealers/{dora.pk}/pin/", once)
    assert "done before" in said(manager, f"dealers/{dora.pk}/pin/", once)
    assert json.loads(IdempotencyKey.objects.get().response)["said"] == ""
    pin = re.search(r"\d{6}", words)
    assert pin is not None
    assert pin_check(dealer_id=dora.pk, pin=pin[0], pit="") == dora
    assert pin[0] not in manager.get("/admin/devices/").content.decode()


def called(table: Table, why: str = "help") -> FloorCall:
    device, _ = displays.enrol(
        name="Desk", profile="console", table_id=table.pk, by=staff(Role.FLOOR, "Fay")
    )
    return dealers.floor_call(device=device, why=why)


def test_a_call_of_the_floor_is_an_alert_until_it_is_answered() -> None:
    table = three_card_table()
    call = called(table)
    floor = console(Role.FLOOR)
    assert f"/admin/devices/calls/{call.pk}/answer/" in floor.get("/admin/pit/").content.decode()
    said(floor, f"calls/{call.pk}/answer/", {})
    assert [
        one for one in alerts_now([table], [], database_now()) if one.key.startswith("call")
    ] == []
    call.refresh_from_db()
    assert call.answered_by is not None


def test_staff_of_another_pit_neither_see_a_screen_nor_answer_its_table() -> None:
    table = three_card_table(pit="Salon")
    call = called(table)
    flora = staff(Role.FLOOR, "Flora")
    flora.pits = ["Main"]
    flora.save()
    client = console_of(flora)
    assert "<td>Desk</td>" not in client.get("/admin/devices/").content.decode()
    assert client.get(f"/admin/devices/calls/{call.pk}/answer/").status_code == 404
    assert client.get(f"/admin/devices/{call.device_id}/").status_code == 404


def test_the_floor_ends_the_shift_of_a_dealer_who_has_left() -> None:
    table = three_card_table()
    shift = Shift.objects.create(
        table=table, dealer=staff(Role.DEALER, "Dora"), device_id=1, began_at=database_now()
    )
    said(console(Role.FLOOR), f"shifts/{table.pk}/end/", {})
    shift.refresh_from_db()
    assert shift.end == "floor"
