"""Every endpoint by everybody who might knock."""

import pytest

from casino.core.models import Role, Scope
from tables.models import Table
from tests.cast import Client, Person, client_of, person

READS = ("games", "tables", "tables/{table}", "tables/{table}/events", "hands/{hand}")
OWN_READS = ("hands",)
MOVES = {
    "seats": {"buy_in_minor": 1_000},
    "top-ups": {"amount_minor": 1_000},
    "tips": {"amount_minor": 100},
    "leave": {},
    "sit-out": {},
    "return": {},
    "actions": {
        "action_id": "3f8e2c1a-0000-4000-8000-000000000001",
        "turn_id": 1,
        "action": {"name": "fold"},
    },
}
STAFF = [role for role in Role if role != Role.PLAYER]


def read(client: Client, path: str, table: Table) -> tuple[int, str]:
    response = client.read(path.format(table=table.pk, hand=999))
    return response.status_code, response.json().get("code", "")


def move(client: Client, name: str, table: Table) -> tuple[int, str]:
    response = client.send(f"tables/{table.pk}/{name}", MOVES[name])
    return response.status_code, response.json().get("code", "")


@pytest.mark.parametrize("path", [*READS, *OWN_READS])
def test_nobody_reads_without_signing_in(holdem: Table, path: str) -> None:
    assert read(Client(), path, holdem) == (401, "not_authenticated")


@pytest.mark.parametrize("name", MOVES)
def test_nobody_plays_without_signing_in(holdem: Table, name: str) -> None:
    assert move(Client(), name, holdem) == (401, "not_authenticated")


@pytest.mark.parametrize("path", [*READS, *OWN_READS])
def test_a_dead_token_is_told_apart_from_none(holdem: Table, path: str) -> None:
    assert read(Client("ck_nobody"), path, holdem) == (401, "token_invalid")


@pytest.mark.parametrize("role", STAFF)
def test_who_works_here_reads_what_everybody_may_see_and_never_plays(
    holdem: Table, role: Role
) -> None:
    client = person("Staff", role).client
    assert [read(client, path, holdem)[0] for path in READS] == [200, 200, 200, 200, 404]
    for path in OWN_READS:
        assert read(client, path, holdem) == (403, "role_missing")
    for name in MOVES:
        assert move(client, name, holdem) == (403, "role_missing")


def test_a_reading_token_reads_and_does_nothing_else(holdem: Table, ann: Person) -> None:
    client = client_of(ann.user, Scope.READ)
    assert [read(client, path, holdem)[0] for path in READS] == [200, 200, 200, 200, 404]
    assert read(client, "hands", holdem)[0] == 200
    for name in MOVES:
        assert move(client, name, holdem) == (403, "scope_missing")


def test_a_playing_token_plays_without_reading(holdem: Table, ann: Person) -> None:
    client = client_of(ann.user, Scope.PLAY)
    for path in (*READS, *OWN_READS):
        assert read(client, path, holdem) == (403, "scope_missing")
    assert move(client, "seats", holdem)[0] == 201


@pytest.mark.parametrize("name", [name for name in MOVES if name != "seats"])
def test_moves_are_for_those_who_sit_there(
    holdem: Table, ann: Person, bob: Person, name: str
) -> None:
    ann.sits(holdem)
    status, code = move(bob.client, name, holdem)
    assert (status, code) == (409, "no_hand_in_play" if name == "actions" else "not_seated")


@pytest.mark.parametrize("number", ["7777", str(2**63 - 1), str(2**63), "9" * 19, "9" * 60, "-1"])
def test_a_table_that_cannot_be_is_not_found(ann: Person, number: str) -> None:
    for path in (f"tables/{number}", f"tables/{number}/events", f"hands/{number}"):
        assert ann.client.read(path).status_code == 404
    for name, body in MOVES.items():
        response = ann.client.send(f"tables/{number}/{name}", body)
        assert response.status_code == 404
        assert response["Content-Type"].startswith("application/problem+json")
    assert ann.client.send(f"tables/{number}/tickets").status_code == 404


def test_reads_are_throttled_by_person_and_actions_never(
    heads_up: Table, ann: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("casino.core.throttling.ReadThrottle.rate", "3/min")
    statuses = [ann.client.read("tables").status_code for _ in range(4)]
    assert statuses == [200, 200, 200, 429]
    refused = ann.client.read("games")
    assert refused.json()["code"] == "throttled"
    assert int(refused["Retry-After"]) > 0
    assert bob.client.read("tables").status_code == 200
    for _ in range(5):
        assert ann.client.act(heads_up, 1, {"name": "fold"}).status_code == 409
