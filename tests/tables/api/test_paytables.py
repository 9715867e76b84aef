"""Paytables and odds over REST: from a draft to what players read."""

from typing import Any

import pytest

from casino.core.models import Role
from tables.engine.games.three_card_poker import STANDARD_PAYTABLES
from tables.models import Table
from tests.cast import THREE_CARD, Person, deal, person

LEAN = {
    "paytables": {
        **THREE_CARD["paytables"],
        "pair_plus": STANDARD_PAYTABLES["pair_plus"]["1-3-6-30-40"],
    }
}


@pytest.fixture
def maths() -> Person:
    return person("Maths", Role.GAME_MATHS)


@pytest.fixture
def second() -> Person:
    return person("Second", Role.GAME_MATHS)


def drafted(by: Person, content: dict[str, Any] = LEAN) -> int:
    body = {"game": "three_card_poker", "name": "lean", "content": content}
    response = by.client.send("paytables", body)
    assert response.status_code == 201, response.content
    return int(response.json()["id"])


def step(by: Person, number: int, name: str, **body: Any) -> Any:
    return by.client.send(f"paytables/{number}/{name}", body)


def test_a_version_from_draft_to_the_players(
    three_card: Table, maths: Person, second: Person, ann: Person
) -> None:
    number = drafted(maths)
    priced = step(maths, number, "price").json()
    assert priced["prices"]["pair_plus"]["house_edge"] == [402, 5_525]
    asked = step(maths, number, "ask", tables=[three_card.pk], reason="thinner").json()
    assert (asked["status"], asked["tables"]) == ("asked", [])
    assert step(maths, number, "approve").json()["code"] == "approval_same_person"
    approved = step(second, number, "approve", note="seen").json()
    assert (approved["status"], approved["tables"]) == ("approved", [three_card.pk])
    odds = ann.client.read(f"tables/{three_card.pk}/odds").json()
    assert odds["paytable"] == {"id": number, "name": "lean", "version": 1}
    pair_plus = next(wager for wager in odds["wagers"] if wager["id"] == "pair_plus")
    assert pair_plus["percent"]["house_edge"] == "7.276"


def test_odds_are_those_of_the_version_in_force(three_card: Table, ann: Person) -> None:
    ann.sits(three_card)
    deal(three_card)
    odds = ann.client.read(f"tables/{three_card.pk}/odds").json()
    assert odds["in_play"] == odds["paytable"]
    ante, pair_plus, six_card = odds["wagers"]
    assert ante["house_edge"] == [686_689, 20_358_520]
    assert ante["percent"]["element_of_risk"] == "2.015"
    assert ante["strategy"]["threshold"] == "Q-6-4"
    assert pair_plus["lines"][-1] == {
        "line": "pair", "words": "pair", "pays": 1, "chance": [72, 425], "hands": 3_744,
    }  # fmt: skip
    assert six_card["percent"]["return"] == "84.721"


def test_a_poker_table_has_no_odds(holdem: Table, ann: Person) -> None:
    answer = ann.client.read(f"tables/{holdem.pk}/odds")
    assert (answer.status_code, answer.json()["code"]) == (404, "no_odds")


def test_the_figure_is_told_when_a_return_is_refused(maths: Person) -> None:
    number = drafted(maths, {**LEAN, "qualifier": "jack"})
    answer = step(maths, number, "price")
    assert (answer.status_code, answer.json()["code"]) == (409, "return_out_of_bounds")
    assert answer.json()["return_percent"] == "103.3309"


def test_a_draft_is_changed_and_what_was_asked_for_is_not(maths: Person) -> None:
    number = drafted(maths)
    path = f"/api/v1/paytables/{number}"
    again = {"content": {**LEAN, "deal": "singly"}}
    assert maths.client.put(path, again, format="json").json()["content"]["deal"] == "singly"
    assert maths.client.put(path, {"content": {"x": 1}}, format="json").status_code == 400
    step(maths, number, "price")
    step(maths, number, "ask", tables=[], reason="x")
    refused = maths.client.put(path, again, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "paytable_not_possible")


def test_a_version_can_be_refused(maths: Person, second: Person) -> None:
    number = drafted(maths)
    step(maths, number, "price")
    step(maths, number, "ask", tables=[], reason="x")
    assert step(second, number, "refuse").json()["status"] == "refused"
    assert step(second, number, "approve").status_code == 409


def test_versions_are_listed_by_pages_with_the_standard_ones_beside(maths: Person) -> None:
    numbers = [drafted(maths) for _ in range(3)]
    page = maths.client.read("paytables", limit=2, game="three_card_poker").json()
    assert [row["id"] for row in page["paytables"]] == numbers[:0:-1]
    rest = maths.client.read("paytables", limit=2, cursor=page["next"]).json()
    assert [row["id"] for row in rest["paytables"]] == numbers[:1]
    assert set(page["standard"]) >= {"ante_bonus", "pair_plus", "six_card"}


@pytest.mark.parametrize("role", [Role.PLAYER, Role.FLOOR, Role.DEALER, Role.SURVEILLANCE])
def test_who_may_not_draft(role: Role) -> None:
    body = {"game": "three_card_poker", "name": "lean", "content": LEAN}
    answer = person("Someone", role).client.send("paytables", body)
    assert (answer.status_code, answer.json()["code"]) == (403, "role_missing")


def test_a_version_that_is_not_there(maths: Person) -> None:
    assert maths.client.read("paytables/777").json()["code"] == "paytable_not_found"
    assert step(maths, 777, "price").status_code == 404
