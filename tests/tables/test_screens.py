"""A screen's own address: let in once by a code, it shows whatever the house makes of it."""

import json
from typing import Any

import pytest
from django.test import Client

from casino.core.devices import device_token, pin_give
from casino.core.models import Device, Role, User
from tables import board, jobs
from tables.models import Table
from tables.services import dealers, displays
from tables.services.seating import seat_take
from tests.cast import deal, holdem_table, person, three_card_table

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "send", lambda *task: True)


@pytest.fixture
def paula() -> User:
    return person("Paula", Role.PIT_MANAGER).user


@pytest.fixture
def at() -> Table:
    return three_card_table()


def let_in(by: User, profile: str = "display", table: Table | None = None) -> tuple[Client, Device]:
    """A browser that typed the code of a new device."""
    device, code = displays.enrol(
        name="Screen", profile=profile, table_id=None if table is None else table.pk, by=by
    )
    client = Client()
    assert client.post("/display/", {"code": code}).headers["Location"] == "/display/"
    return client, device


def config_of(page: Any) -> dict[str, Any]:
    config: dict[str, Any] = page.context["config"]
    return config


def does(client: Client, **deed: object) -> Any:
    return client.post("/display/deeds", json.dumps(deed), content_type="application/json")


def test_a_stranger_is_asked_for_a_code_and_sees_nothing_else(at: Table) -> None:
    page = Client().get("/display/").content.decode()
    assert 'name="code"' in page
    assert at.name not in page


def test_a_code_lets_a_screen_in_and_keeps_it_in_without_a_sign_in(at: Table, paula: User) -> None:
    client, device = let_in(paula, table=at)
    cookie = client.cookies["device"]
    assert cookie["httponly"]
    assert (cookie["samesite"], cookie["path"]) == ("Strict", "/display")
    after_a_power_cut = Client()
    after_a_power_cut.cookies["device"] = cookie.value
    page = after_a_power_cut.get("/display/")
    assert page.context["snapshot"]["table"]["id"] == at.pk
    assert device_token(device) not in page.content.decode()


def test_a_wrong_code_is_refused_and_the_third_locks_the_screen_out() -> None:
    client = Client()
    answers = [client.post("/display/", {"code": "12345678"}) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [403, 403, 403, 429]
    assert "15 min" in answers[-1].content.decode()


def test_a_moved_screen_shows_its_new_table_and_its_old_ticket_is_refused(
    at: Table, paula: User
) -> None:
    client, device = let_in(paula, table=at)
    other = holdem_table()
    displays.change(device=device, table_id=other.pk, by=paula)
    assert client.post(f"/display/{at.pk}/ticket").status_code == 403
    assert client.get("/display/").context["snapshot"]["table"]["id"] == other.pk
    displays.change(device=device, table_id=None, by=paula)
    assert b"assigned to no table" in client.get("/display/").content


def test_a_link_follows_its_device_to_another_table(at: Table, paula: User) -> None:
    device, _ = displays.enrol(name="Link", profile="display", table_id=at.pk, by=paula)
    client = Client()
    page = client.get(f"/display/{at.pk}?key={device_token(device)}", follow=True)
    assert page.context["snapshot"]["table"]["id"] == at.pk
    other = holdem_table()
    displays.change(device=device, table_id=other.pk, by=paula)
    page = client.get(f"/display/{at.pk}", follow=True)
    assert page.context["snapshot"]["table"]["id"] == other.pk
    assert "key" not in page.request["QUERY_STRING"]


def test_a_revoked_screen_is_a_stranger_again(at: Table, paula: User) -> None:
    client, device = let_in(paula, table=at)
    displays.revoke(device=device, by=paula)
    assert client.post(f"/display/{at.pk}/ticket").status_code == 403
    assert 'name="code"' in client.get("/display/").content.decode()


def test_a_screen_is_told_at_once_when_the_console_changes_it(
    at: Table, paula: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, device = let_in(paula, table=at)
    told: list[tuple[int, str]] = []
    monkeypatch.setattr(
        "tables.hub.tell", lambda table_id, message: told.append((table_id, message["why"]))
    )
    displays.change(device=device, table_id=at.pk, by=paula, distance_cm=300)
    displays.change(device=device, table_id=holdem_table().pk, by=paula)
    displays.revoke(device=device, by=paula)
    assert told == [(at.pk, "set"), (at.pk, "moved"), (device.table_id, "revoked")]


def test_how_far_away_and_in_which_language_is_the_device_s(at: Table, paula: User) -> None:
    client, device = let_in(paula, table=at)
    displays.change(
        device=device, table_id=at.pk, by=paula, distance_cm=350, language="both", sounds=True
    )
    page = client.get("/display/")
    assert 'data-metres="3.5"' in page.content.decode()
    assert (config_of(page)["language"], config_of(page)["sounds"]) == ("both", True)
    assert "deeds_url" not in config_of(page)


def test_a_dealer_signs_on_at_his_console_and_works(at: Table, paula: User) -> None:
    client, _ = let_in(paula, "console", at)
    dora = person("Dora", Role.DEALER).user
    pin = pin_give(dealer=dora, by=paula)
    assert config_of(client.get("/display/"))["deeds_url"] == "/display/deeds"
    assert client.get("/display/deeds").json() == {"dealers": [{"id": dora.pk, "name": "Dora"}]}
    refused = does(client, deed="sign_on", dealer_id=dora.pk, pin="x")
    assert (refused.status_code, refused.json()["code"]) == (403, "pin_refused")
    assert does(client, deed="sign_on", dealer_id=dora.pk, pin=pin).json() == {"done": True}
    assert does(client, deed="close_bets", turn_id=1).json()["code"] == "bets_not_open"
    assert does(client, deed="call", why="help").status_code == 200
    assert does(client, deed="break").status_code == 200
    assert does(client, deed="sign_off").status_code == 200


@pytest.mark.parametrize(
    "deed", [{}, {"deed": "rob_bank"}, {"deed": "call"}, {"deed": "close_bets", "turn_id": "1"}, []]
)
def test_a_deed_that_cannot_be_read_is_refused(at: Table, paula: User, deed: object) -> None:
    client, _ = let_in(paula, "console", at)
    answer = client.post("/display/deeds", json.dumps(deed), content_type="application/json")
    assert answer.status_code == 400


def test_deeds_are_for_consoles_with_the_page_s_own_crumb(at: Table, paula: User) -> None:
    assert does(Client(), deed="break").status_code == 403
    screen, _ = let_in(paula, table=at)
    assert does(screen, deed="call", why="help").json()["code"] == "not_a_dealers_console"
    assert screen.get("/display/deeds").json()["code"] == "not_a_dealers_console"
    console, _ = let_in(paula, "console", at)
    careful = Client(enforce_csrf_checks=True)
    careful.cookies["device"] = console.cookies["device"].value
    assert does(careful, deed="call", why="help").status_code == 403


def test_the_floor_board_is_for_its_screens_and_for_staff(at: Table, paula: User) -> None:
    floor, _ = let_in(paula, "floor")
    assert [one["id"] for one in floor.get("/display/").context["board"]["tables"]] == [at.pk]
    assert floor.get("/display/floor/now").json()["tables"][0]["name"] == at.name
    display, _ = let_in(paula, table=at)
    player = Client()
    player.force_login(person("Ann").user)
    for stranger in (Client(), display, player):
        assert stranger.get("/display/floor").status_code == 403
        assert stranger.get("/display/floor/now").status_code == 403
    staff = Client()
    staff.force_login(paula)
    assert staff.get("/display/floor").status_code == 200


def test_the_floor_board_tells_who_plays_deals_and_calls_and_no_hidden_card(paula: User) -> None:
    table = holdem_table()
    for name in ("Ann", "Bob"):
        seat_take(
            table_id=table.pk, player=person(name).user, seat=None, buy_in_minor=5_000, key=name
        )
    desk, _ = displays.enrol(name="Desk", profile="console", table_id=table.pk, by=paula)
    dealers.floor_call(device=desk, why="dispute")
    hand = deal(table)
    (tile,) = board.board()["tables"]
    facts = tile["hand"]
    assert (facts["id"], facts["in_it"], facts["players"]) == (hand.pk, 2, 2)
    assert (facts["amount_minor"], facts["waiting"] != []) == (150, True)
    assert [call["why"] for call in tile["floor_calls"]] == ["dispute"]
    assert "cards" not in json.dumps(tile)
    assert board.board(["Elsewhere"])["tables"] == []
