"""An integrator's way through the sandbox, by REST alone."""

from __future__ import annotations

from typing import Any

from tables.models import Table
from tables.services import dealing
from tests.cast import Person, person
from wallets.models import PLAY_MONEY


def made(who: Person, **changes: Any) -> tuple[Table, str]:
    stakes = {"small_blind_minor": 50, "big_blind_minor": 100}
    body = {"name": "Mine", "game": "holdem", "options": stakes, "max_seats": 2} | changes
    answer = who.client.send("sandbox/tables", body)
    assert answer.status_code == 201, answer.content
    told = answer.json()
    return Table.objects.get(pk=told["table"]), told["invitation"]


def sits(who: Person, at: Table, invitation: str) -> None:
    assert who.client.send("sandbox/deposits", {"amount_minor": 50_000}).status_code == 201
    body = {"buy_in_minor": 10_000, "invitation": invitation}
    assert who.client.send(f"tables/{at.pk}/seats", body).status_code == 201


def test_a_hand_is_asked_for_dealt_and_marked_and_its_table_closes():
    ann, ben = person("ann"), person("ben")
    at, invitation = made(ann)
    assert at.currency == PLAY_MONEY
    sits(ann, at, invitation)
    script = {"seats": {"1": {"hand": "four of a kind"}, "2": {"cards": ["Ah", "Ad"]}}}
    asked = ann.client.send(f"sandbox/tables/{at.pk}/script", {"script": script}, key=None)
    assert (asked.status_code, asked.json()["status"]) == (201, "waiting")
    sits(ben, at, invitation)
    hand = dealing.hand_open(table_id=at.pk, number=1)
    assert hand is not None
    (told,) = ann.client.read(f"sandbox/tables/{at.pk}/script").json()
    assert (told["status"], told["hand"]) == ("dealt", hand.pk)
    snapshot = ben.client.read(f"tables/{at.pk}").json()
    assert snapshot["hand"]["cut"]["mode"] == "scripted"
    assert snapshot["hand"]["view"]["players"][1]["cards"] == ["Ah", "Ad"]
    clock = ann.client.send(f"sandbox/tables/{at.pk}/clock", {"left_ms": None}, key=None)
    assert clock.json() == {"left_ms": None}
    assert ann.client.read(f"tables/{at.pk}").json()["hand"]["turn"]["deadline"] is None
    assert ann.client.delete(f"/api/v1/sandbox/tables/{at.pk}").status_code == 204
    at.refresh_from_db()
    assert at.status == Table.Status.DRAINING


def test_three_card_poker_needs_no_stakes_and_a_script_may_be_withdrawn():
    ann = person("ann")
    at, invitation = made(ann, game="three_card_poker", options={})
    sits(ann, at, invitation)
    path = f"/api/v1/sandbox/tables/{at.pk}/script"
    ann.client.send(path.removeprefix("/api/v1/"), {"script": {}}, key=None)
    assert ann.client.delete(path).status_code == 204
    assert ann.client.read(path.removeprefix("/api/v1/")).json()[0]["status"] == "withdrawn"


def test_who_asks_wrongly_is_told_what_is_wrong():
    ann = person("ann")
    at, _ = made(ann)
    path = f"sandbox/tables/{at.pk}"
    away = ann.client.send(f"{path}/script", {"script": {}}, key=None)
    assert (away.status_code, away.json()["code"]) == (409, "not_seated")
    odd = ann.client.send(f"{path}/script", {"script": {"die": 9}}, key=None)
    assert (odd.status_code, odd.json()["code"], odd.json()["field"]) == (400, "bad_script", "die")
    both = ann.client.send(f"{path}/clock", {"left_ms": 1, "advance_ms": 1}, key=None)
    assert both.status_code == 400
    assert ann.client.send(f"{path}/clock", {}, key=None).status_code == 400


def test_a_house_without_a_sandbox_says_so(settings):
    ann = person("ann")
    at, _ = made(ann)
    settings.SANDBOX = False
    for path in ("sandbox/deposits", "sandbox/tables"):
        answer = ann.client.send(path, {"amount_minor": 1})
        assert (answer.status_code, answer.json()["code"]) == (404, "no_sandbox")
    assert ann.client.delete(f"/api/v1/sandbox/tables/{at.pk}").status_code == 404
