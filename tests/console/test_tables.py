"""Tables opened by a form, copied, revised by version, kept as templates, given hours."""

from datetime import time
from typing import Any

import pytest
from django.test import Client

from casino.core.models import LogEntry, Role, User
from tables.models import Schedule, Table, Template
from tables.services import opening
from tests.cast import deal, holdem_table, person
from tests.console.cast import console, console_of, staff
from tests.console.test_kinds import filled

pytestmark = pytest.mark.django_db(transaction=True)
NEW = "/admin/tables/new/?game=holdem&currency=EUR"


@pytest.fixture
def manager() -> Client:
    return console(Role.PIT_MANAGER, "Petra")


def test_a_table_is_opened_from_the_form(manager: Client) -> None:
    page = manager.get(NEW).content.decode()
    assert "Big blind" in page
    answer = manager.post(NEW, filled("holdem", pit="West", then="open"))
    assert answer.status_code == 302, answer.context["form"].errors
    table = Table.objects.get(name="Amber")
    assert (table.status, table.pit, table.buy_in_least_minor) == ("open", "West", 5_000)
    assert table.options["big_blind_minor"] == 200
    assert manager.get(answer.url).status_code == 200


def test_what_cannot_be_opened_is_told_beside_the_field_and_nothing_is_kept(
    manager: Client,
) -> None:
    answer = manager.post(NEW, filled("holdem", o__big_blind_minor="", then="open"))
    assert answer.status_code == 422
    page = answer.content.decode()
    assert page.index("the last blind must be the largest") > page.index("o.big_blind_minor")
    holdem_table("Amber")
    taken = manager.post(NEW, filled("holdem"))
    assert "name" in taken.context["form"].errors
    assert Table.objects.count() == 1


def test_the_preview_tells_the_deal_and_names_the_fields_at_fault(manager: Client) -> None:
    where = "/admin/tables/preview/?game=omaha8&currency=EUR"
    said = manager.post(where, filled("omaha8")).json()
    assert said["errors"] == {}
    assert "4 cards down to each player" in said["told"]
    assert "1.00 / 2.00" in said["told"]
    wrong = manager.post(where, filled("omaha8", o__big_blind_minor="x")).json()
    assert list(wrong["errors"]) == ["o.big_blind_minor"]
    assert Table.objects.count() == 0


def test_a_game_nobody_knows_has_no_form(manager: Client) -> None:
    for game in ("chess", "composed:1", "composed:x", "custom"):
        assert manager.get(f"/admin/tables/new/?game={game}").status_code == 404


def test_cloned_kept_as_a_template_and_opened_from_it(manager: Client) -> None:
    table = holdem_table("Amber")
    assert manager.post(f"/admin/tables/{table.pk}/clone/", {"name": "Birch"}).status_code == 302
    assert Table.objects.get(name="Birch").status == "draft"
    manager.post(f"/admin/tables/{table.pk}/template/", {"name": "No limit 0.50/1"})
    template = Template.objects.get()
    where = f"/admin/templates/{template.pk}/open/"
    assert manager.post(where, {"name": "Cedar", "then": "open"}).status_code == 302
    assert Table.objects.get(name="Cedar").status == "open"
    assert manager.post(where, {"name": "Cedar"}).status_code == 422
    page = manager.get("/admin/tables/").content.decode()
    assert "No limit 0.50/1" in page
    assert "no limit 0.50/1" in page


def as_it_stands(client: Client, table: Table) -> dict[str, Any]:
    form = client.get(f"/admin/tables/{table.pk}/").context["form"]
    said = {}
    for name in form.fields:
        value = form[name].value()
        if value not in (None, False, ""):
            said[name] = form.fields[name].prepare_value(value)
    return {name: "on" if value is True else str(value) for name, value in said.items()}


def test_a_draft_is_revised_by_version_and_a_played_one_only_when_it_is_empty(
    manager: Client,
) -> None:
    table = opening.table_clone(table_id=holdem_table("Amber").pk, name="Birch")
    where, said = f"/admin/tables/{table.pk}/", as_it_stands(manager, table)
    unchanged = manager.post(where, said | {"name": "Birch"})
    assert unchanged.status_code == 302, unchanged.context["form"].errors
    table.refresh_from_db()
    assert table.version == 1  # nothing was changed
    assert manager.post(where, said | {"o.big_blind_minor": "4"}).status_code == 302
    table.refresh_from_db()
    assert (table.version, table.options["big_blind_minor"]) == (2, 400)
    manager.post(f"/admin/pit/{table.pk}/open/")
    answer = manager.post(where, said | {"o.big_blind_minor": "2"})
    assert answer.status_code == 422
    assert "Pause the table first" in answer.content.decode()
    renamed = manager.post(
        where, as_it_stands(manager, table) | {"name": "Beech", "timing.action_s": "30"}
    )
    assert renamed.status_code == 302
    table.refresh_from_db()
    assert (table.name, table.timing, table.version) == ("Beech", {"action_s": 30}, 2)


def test_hours_are_kept_and_logged(manager: Client) -> None:
    table = holdem_table()
    where = f"/admin/tables/{table.pk}/schedule/"
    assert "checked" in manager.get(where).content.decode()
    sent = {"opens": "18:00", "closes": "03:00", "weekdays": ["4", "5"], "is_on": "on"}
    assert manager.post(where, sent).status_code == 302
    found = Schedule.objects.get()
    assert (found.opens, found.weekdays, found.is_on) == (time(18), [4, 5], True)
    assert LogEntry.objects.filter(kind="table.scheduled").count() == 1
    assert manager.post(where, {**sent, "opens": "25:00"}).status_code == 422


def limited(role: Role, *pits: str) -> User:
    user = staff(role, "Lim")
    user.pits = list(pits)
    user.save()
    return user


def test_staff_of_a_pit_see_and_run_its_tables_alone() -> None:
    own, other = holdem_table("Amber", pit="West"), holdem_table("Birch", pit="East")
    client = console_of(limited(Role.PIT_MANAGER, "West"))
    for page in ("/admin/tables/", "/admin/pit/"):
        text = client.get(page).content.decode()
        assert "Amber" in text
        assert "Birch" not in text
    for where in (f"tables/{other.pk}/", f"tables/{other.pk}/clone/", f"pit/{other.pk}/pause/",
                  f"pit/{other.pk}/void/"):  # fmt: skip
        assert client.get(f"/admin/{where}").status_code == 404, where
        assert client.post(f"/admin/{where}").status_code == 404, where
    assert client.post(f"/admin/pit/{own.pk}/pause/").status_code == 302
    refused = client.post(NEW, filled("holdem", name="Cedar", pit="East"))
    assert refused.status_code == 422
    assert "you do not work in pit East" in refused.content.decode().replace("You", "you")
    moved = client.post(f"/admin/tables/{own.pk}/", as_it_stands(client, own) | {"pit": "East"})
    assert moved.status_code == 422
    assert Table.objects.get(pk=own.pk).pit == "West"


def test_hands_of_other_pits_are_not_found() -> None:
    other = holdem_table("Birch", pit="East")
    for name in ("Ann", "Bob"):
        person(name).sits(other)
    hand = deal(other)
    client = console_of(limited(Role.FLOOR, "West"))
    assert client.get(f"/admin/hands/{hand.pk}/").status_code == 404
    assert "Birch" not in client.get("/admin/hands/").content.decode()
