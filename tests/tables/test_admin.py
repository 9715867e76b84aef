"""The tables' records in the console."""

from datetime import time

import pytest
from django.apps import apps
from django.test import Client
from django.urls import NoReverseMatch, reverse

from casino.core.models import Role
from tables import jobs
from tables.models import Table
from tables.services.opening import schedule_set, template_save
from tests.cast import deal, holdem_table, person, three_card_table
from tests.console.cast import once_more

pytestmark = pytest.mark.django_db(transaction=True)

MODELS = ["table", "paytable", "seat", "hand", "deck", "cut", "clocksheld"]
LOOKERS = {
    Role.FLOOR, Role.PIT_MANAGER, Role.DEALER, Role.GAME_MATHS,
    Role.SURVEILLANCE, Role.COMPLIANCE, Role.ADMIN,
}  # fmt: skip


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "send", lambda *task: True)


def console_of(role: Role) -> Client:
    client = Client()
    client.force_login(person(f"The {role.value}"[:24], role).user)
    return once_more(client)


def page(model: str, kind: str, *args: object) -> str:
    return reverse(f"admin:tables_{model}_{kind}", args=args)


@pytest.mark.parametrize("role", [role for role in Role if role != Role.PLAYER])
def test_lists_open_to_their_roles_alone(role: Role) -> None:
    client = console_of(role)
    for model in MODELS:
        looks = LOOKERS - {Role.DEALER, Role.GAME_MATHS} if model == "clocksheld" else LOOKERS
        answer = client.get(page(model, "changelist"))
        assert answer.status_code == (200 if role in looks else 403)


@pytest.mark.parametrize("model", ["handsecret", "event", "pulse", "seedcommitment"])
def test_what_is_secret_has_no_page(model: str) -> None:
    with pytest.raises(NoReverseMatch):
        page(model, "changelist")


def test_history_is_read_and_nothing_more() -> None:
    table = holdem_table()
    ann, bob = person("Ann"), person("Bob")
    ann.sits(table)
    bob.sits(table)
    hand = deal(table)
    client = console_of(Role.ADMIN)
    for model, key in (
        ("seat", table.seats.first().pk), ("hand", hand.pk), ("deck", hand.deck_id),
    ):  # fmt: skip
        assert client.get(page(model, "change", key)).status_code == 200
        assert client.post(page(model, "change", key), {}).status_code == 403
        assert client.get(page(model, "add")).status_code == 403
        assert client.post(page(model, "delete", key)).status_code == 403


@pytest.mark.parametrize("model", ["table", "paytable", "schedule", "template"])
def test_what_has_a_page_of_the_consoles_own_has_no_form_of_json_beside_it(model: str) -> None:
    table = three_card_table()
    schedule_set(
        table_id=table.pk, opens=time(10), closes=time(4), weekdays=[0], is_on=True, by=None
    )
    template_save(name="Usual", table_id=table.pk)
    client = console_of(Role.ADMIN)
    assert client.get(page(model, "add")).status_code == 403
    row = apps.get_model("tables", model).objects.first()
    change = page(model, "change", row.pk)
    shown = client.get(change).content.decode()
    assert 'name="_save"' not in shown
    assert "<textarea" not in shown
    assert client.post(change, {"name": "Opal", "options": "{}"}).status_code == 403
    if model in ("table", "paytable"):
        assert f'href="/admin/{model}s/{row.pk}/"' in shown


def test_actions_steer_the_tables_that_were_ticked() -> None:
    first, second = holdem_table("Amber"), holdem_table("Birch")
    client = console_of(Role.FLOOR)

    def run(action: str) -> str:
        form = {"action": action, "_selected_action": [first.pk, second.pk]}
        answer = client.post(page("table", "changelist"), form, follow=True)
        return str(answer.content.decode())

    for action, status in (
        ("pause", "paused"), ("resume", "open"), ("drain", "closed"), ("resume", "open"),
        ("close", "closed"),
    ):  # fmt: skip
        run(action)
        assert set(Table.objects.values_list("status", flat=True)) == {status}
    assert "cannot become paused" in run("pause")


def test_a_looker_gets_no_actions() -> None:
    table = holdem_table()
    client = console_of(Role.SURVEILLANCE)
    form = {"action": "close", "_selected_action": [table.pk]}
    client.post(page("table", "changelist"), form)
    table.refresh_from_db()
    assert table.status == "open"


@pytest.mark.parametrize("address", ["?game=%00", "?game__exact=a%00", "%00/change/"])
def test_an_address_that_no_row_can_have_is_refused(address: str) -> None:
    answer = console_of(Role.PIT_MANAGER).get(page("table", "changelist") + address)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")
