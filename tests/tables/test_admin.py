"""The tables' records in the console."""

import json

import pytest
from django.test import Client
from django.urls import NoReverseMatch, reverse

from casino.core.models import Role
from tables import jobs
from tables.models import Paytable, Table
from tests.cast import HOLDEM, deal, holdem_table, person
from wallets import services as wallets

pytestmark = pytest.mark.django_db(transaction=True)

MODELS = ["table", "paytable", "seat", "hand", "deck", "cut", "clocksheld"]
LOOKERS = {
    Role.FLOOR, Role.PIT_MANAGER, Role.DEALER, Role.GAME_MATHS,
    Role.SURVEILLANCE, Role.COMPLIANCE, Role.ADMIN,
}  # fmt: skip
NEW = {
    "name": "Opal",
    "game": "holdem",
    "currency": "EUR",
    "chip_minor": 50,
    "max_seats": 6,
    "min_players": 2,
    "buy_in_least_minor": 1_000,
    "buy_in_most_minor": 20_000,
    "timing": "{}",
    "options": json.dumps(HOLDEM),
    "float_minor": 0,
}


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "send", lambda *task: True)


def console_of(role: Role) -> Client:
    client = Client()
    client.force_login(person(f"The {role.value}"[:24], role).user)
    return client


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


def test_a_pit_manager_opens_a_table() -> None:
    client = console_of(Role.PIT_MANAGER)
    assert client.get(page("table", "add")).status_code == 200
    answer = client.post(page("table", "add"), NEW)
    assert answer.status_code == 302, answer.context["errors"]
    table = Table.objects.get(name="Opal")
    assert table.options["chip_minor"] == 50
    assert table.decks.count() == table.decks_per_hand == 4
    assert wallets.balances_of(account_ids=table.accounts.values())


def test_a_table_that_could_not_be_dealt_stays_a_form_with_its_error() -> None:
    client = console_of(Role.PIT_MANAGER)
    for change, words in (
        ({"options": '{"limit": "no_limit"}'}, "big_blind_minor"),
        ({"max_seats": 11}, "max_seats"),
        ({"timing": '{"lunch_s": 5}'}, "timing.lunch_s"),
        ({"options": "[1]"}, "option"),
        ({"chip_minor": 0}, "chip_minor"),
        ({"float_minor": 500}, "float_minor"),
    ):
        answer = client.post(page("table", "add"), {**NEW, **change})
        assert answer.status_code == 200
        assert words in answer.content.decode()
    assert not Table.objects.exists()


def test_a_game_of_the_house_s_own_is_composed_in_the_console_and_warned_about() -> None:
    client = console_of(Role.PIT_MANAGER)
    custom = {"name": "Aces", "base": "five_card_draw", "changes": {"wild": "A"}}
    options = json.dumps({"big_blind_minor": 100, "custom": custom})
    form = {**NEW, "game": "custom", "options": options}
    answer = client.post(page("table", "add"), form, follow=True)
    assert "Aces: A is already good here; 2 would be a better wild rank" in answer.content.decode()
    assert Table.objects.get().options["custom"] == custom
    custom["changes"] = {"wild": "Z"}
    form["options"] = json.dumps({"big_blind_minor": 100, "custom": custom})
    answer = client.post(page("table", "add"), {**form, "name": "Zs"})
    assert "wild ranks are among" in answer.content.decode()


def test_the_floor_opens_no_table() -> None:
    assert console_of(Role.FLOOR).get(page("table", "add")).status_code == 403


def test_name_and_timing_change_and_options_until_the_first_hand() -> None:
    table = holdem_table()
    client = console_of(Role.FLOOR)
    form = {"name": "Opal", "timing": '{"action_s": 30}', "options": json.dumps(table.options)}
    assert client.post(page("table", "change", table.pk), form).status_code == 302
    table.refresh_from_db()
    assert (table.name, table.timing) == ("Opal", {"action_s": 30})
    Table.objects.filter(pk=table.pk).update(hand_number=1)
    form["options"] = json.dumps({**HOLDEM, "big_blind_minor": 500})
    form["game"] = "omaha"
    assert client.post(page("table", "change", table.pk), form).status_code == 302
    after = Table.objects.get(pk=table.pk)
    assert (after.options, after.game) == (table.options, "holdem")


def test_a_change_that_a_hand_in_play_forbids_is_told() -> None:
    table = holdem_table()
    for name in ("Ann", "Bob"):
        person(name).sits(table)
    deal(table)
    client = console_of(Role.FLOOR)
    form = {"name": "Opal", "timing": '{"action_s": 30}'}
    answer = client.post(page("table", "change", table.pk), form, follow=True)
    assert "is in play" in answer.content.decode()
    assert Table.objects.get(pk=table.pk).name == "Amber"


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


LEAN = {"paytables": {"ante_bonus": {"straight_flush": 5, "three_of_a_kind": 4, "straight": 1}}}


def test_a_version_of_the_paytables_goes_from_its_author_to_a_second_person() -> None:
    author, second = console_of(Role.GAME_MATHS), console_of(Role.ADMIN)
    form = {"game": "three_card_poker", "name": "lean", "content": json.dumps(LEAN)}
    assert author.get(page("paytable", "add")).status_code == 200
    wrong = author.post(page("paytable", "add"), {**form, "content": '{"qualifier": "seven"}'})
    assert "qualifier" in wrong.content.decode()
    assert author.post(page("paytable", "add"), form).status_code == 302
    made = Paytable.objects.get(name="lean")
    change = page("paytable", "change", made.pk)
    assert author.get(change).status_code == 200
    asked = {"content": json.dumps(LEAN), "ask_reason": "first of its kind"}
    assert author.post(change, asked).status_code == 302
    made.refresh_from_db()
    assert (made.status, made.prices is not None) == ("asked", True)

    def run(client: Client, action: str) -> str:
        chosen = {"action": action, "_selected_action": [made.pk]}
        answer = client.post(page("paytable", "changelist"), chosen, follow=True)
        return str(answer.content.decode())

    run(author, "approve")
    made.refresh_from_db()
    assert made.status == "asked"
    run(second, "approve")
    made.refresh_from_db()
    assert made.status == "approved"
    assert "cannot be priced" in run(author, "price")


def test_a_version_that_favours_the_player_is_not_asked_for() -> None:
    author = console_of(Role.GAME_MATHS)
    content = {**LEAN, "qualifier": "jack"}
    form = {"game": "three_card_poker", "name": "kind", "content": json.dumps(content)}
    author.post(page("paytable", "add"), {**form, "ask_reason": "why not"})
    answer = author.get(page("paytable", "changelist"))
    assert "103.3309 %" in answer.content.decode()
    assert not Paytable.objects.filter(status="asked").exists()


UNREADABLE = [
    "[" * 3_000 + "]" * 3_000,
    '{"big_blind_minor":' + "9" * 5_000 + "}",
    '{"name":"\\ud800"}',
    '{"name":"\\u0000"}',
    '{"big_blind_minor":NaN}',
]


@pytest.mark.parametrize("field", ["options", "timing"])
@pytest.mark.parametrize("text", UNREADABLE, ids=["deep", "long", "half", "nul", "nan"])
def test_json_that_cannot_be_read_or_stored_is_an_error_of_the_form(field: str, text: str) -> None:
    answer = console_of(Role.PIT_MANAGER).post(page("table", "add"), {**NEW, field: text})
    assert answer.status_code == 200
    assert field in answer.context["adminform"].form.errors
    assert not Table.objects.exists()


@pytest.mark.parametrize("address", ["?game=%00", "?game__exact=a%00", "%00/change/"])
def test_an_address_that_no_row_can_have_is_refused(address: str) -> None:
    answer = console_of(Role.PIT_MANAGER).get(page("table", "changelist") + address)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")
