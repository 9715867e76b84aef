"""Seats by request: reserve, wait, be called, change, transfer, chance."""

from tables.models import Table
from tables.services import waiting
from tests.cast import Person, holdem_table
from tests.tables.api.test_seats import code_of


def test_a_seat_is_reserved_over_the_api_and_refused_to_others(
    holdem: Table, ann: Person, bob: Person
) -> None:
    path = f"tables/{holdem.pk}/reservations"
    answer = ann.client.send(path, {"seat": 3}, key=None)
    assert answer.status_code == 200
    assert answer.json()["seat"] == 3
    assert code_of(bob.client.send(path, {"seat": 3}, key=None)) == (409, "seat_held")
    refused = bob.client.send(f"tables/{holdem.pk}/seats", {"seat": 3, "buy_in_minor": 5_000})
    assert code_of(refused) == (409, "seat_held")
    assert ann.sits(holdem) == 3


def test_a_player_waits_is_called_and_sits_down(ann: Person, bob: Person, cleo: Person) -> None:
    duel = holdem_table("Duel", max_seats=2)
    ann.sits(duel)
    path = f"tables/{duel.pk}/waiting"
    assert code_of(cleo.client.send(path, key=None)) == (409, "seats_free")
    bob.sits(duel)
    assert cleo.client.send(path, key=None).json() == {"place": 1}
    (mine,) = cleo.client.read("waiting").json()["lists"]
    assert (mine["game"], mine["place"], mine["called"]) == ("holdem", 1, None)
    bob.client.send(f"tables/{duel.pk}/leave")
    waiting.lists_called()
    called = cleo.client.read("waiting").json()["lists"][0]["called"]
    assert called["table"] == duel.pk
    assert cleo.sits(duel) == called["seat"]
    assert cleo.client.read("waiting").json() == {"lists": []}


def test_a_place_on_a_list_is_given_up(ann: Person, bob: Person, cleo: Person) -> None:
    duel = holdem_table("Duel", max_seats=2)
    ann.sits(duel)
    bob.sits(duel)
    cleo.client.send(f"tables/{duel.pk}/waiting", key=None)
    gone = cleo.client.delete(f"/api/v1/tables/{duel.pk}/waiting")
    assert gone.status_code == 204
    assert code_of(cleo.client.delete(f"/api/v1/tables/{duel.pk}/waiting")) == (409, "not_waiting")


def test_a_player_changes_his_seat_and_his_table(holdem: Table, ann: Person) -> None:
    ann.sits(holdem, 5_000, seat=1)
    moved = ann.client.send(f"tables/{holdem.pk}/seat-change", {"seat": 4}, key=None)
    assert moved.json() == {"seat": 4, "moves_to": None}
    other = holdem_table("Beryl")
    went = ann.client.send(f"tables/{holdem.pk}/transfer", {"to_table": other.pk, "seat": 2})
    assert went.json() == {
        "table": other.pk, "seat": 2, "stack_minor": 5_000, "status": "playing",
    }  # fmt: skip
    assert ann.sees(other)["you"]["seat"] == 2
    assert ann.sees(holdem)["you"]["seat"] is None


def test_chance_seats_a_player(holdem: Table, ann: Person) -> None:
    body = {"game": "holdem", "currency": "EUR", "buy_in_minor": 5_000}
    answer = ann.client.send("seats/random", body)
    assert answer.status_code == 201
    assert answer.json()["table"] == holdem.pk
    nowhere = ann.client.send("seats/random", {**body, "game": "razz"})
    assert code_of(nowhere) == (409, "no_seat_anywhere")


def test_a_private_table_asks_for_its_code(ann: Person) -> None:
    private = holdem_table("Private", is_private=True)
    path, body = f"tables/{private.pk}/seats", {"buy_in_minor": 5_000}
    assert code_of(ann.client.send(path, body)) == (403, "invitation_needed")
    answer = ann.client.send(path, {**body, "invitation": private.invitation})
    assert answer.status_code == 201
    assert private.invitation not in ann.client.read(f"tables/{private.pk}").content.decode()
