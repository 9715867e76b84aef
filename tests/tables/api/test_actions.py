from uuid import uuid4

import pytest

from tables.models import Table
from tests.cast import HOLDEM, Person, deal, holdem_table


@pytest.fixture
def button_ann(ann: Person, bob: Person) -> Table:
    """Heads-up with the button, and so the first decision, at Ann's seat."""
    table = holdem_table(options={**HOLDEM, "chip_minor": 50})
    ann.sits(table)
    bob.sits(table)
    Table.objects.filter(pk=table.pk).update(positions={"button": 2, "small": 2, "big": 1})
    deal(table)
    return table


def turn_of(table: Table) -> int:
    table.refresh_from_db()
    return table.turn_id


def test_an_action_is_answered_with_its_place_in_the_sequence(
    button_ann: Table, ann: Person, bob: Person
) -> None:
    before = ann.sees(button_ann)
    assert before["hand"]["turn"]["seats"] == [1]
    response = ann.client.act(button_ann, turn_of(button_ann), {"name": "call"})
    assert response.status_code == 200
    assert response.json() == {"seq": before["seq"] + 1, "replayed": False}
    events = bob.client.read(f"tables/{button_ann.pk}/events", from_seq=before["seq"]).json()
    (frame,) = events["frames"]
    assert events["seq"] == frame["seq"] == before["seq"] + 1
    assert frame["events"][0] == {
        "type": "called",
        "public": {"seat": 1, "amount_minor": 50, "bet_minor": 100, "stack_minor": 9_900},
    }
    assert frame["events"][-1]["type"] == "turn_opened"


def test_the_same_action_id_counts_once(button_ann: Table, ann: Person) -> None:
    turn, action_id = turn_of(button_ann), str(uuid4())
    first = ann.client.act(button_ann, turn, {"name": "call"}, action_id=action_id)
    again = ann.client.act(button_ann, turn, {"name": "call"}, action_id=action_id)
    assert again.status_code == 200
    assert again.json() == {"seq": first.json()["seq"], "replayed": True}


def test_a_refused_action_says_what_is_possible(button_ann: Table, ann: Person) -> None:
    turn = turn_of(button_ann)
    response = ann.client.act(button_ann, turn, {"name": "raise", "to_minor": 150})
    assert response.status_code == 409
    problem = response.json()
    assert (
        problem.items()
        >= {
            "type": "/problems/bet_too_small",
            "title": "Conflict",
            "status": 409,
            "code": "bet_too_small",
            "to_minor": 150,
            "least_to_minor": 200,
            "seq": ann.sees(button_ann)["seq"],
            "turn_id": turn,
        }.items()
    )
    assert problem["legal_actions"] == [
        {"name": "fold"},
        {"name": "call", "amount_minor": 50},
        {"name": "raise", "least_to_minor": 200, "most_to_minor": 10_000},
    ]


@pytest.mark.parametrize(
    ("action", "code"),
    [
        ({"name": "check"}, "cannot_check"),
        ({"name": "bet", "to_minor": 200}, "no_such_action"),
        ({"name": "dance"}, "no_such_action"),
        ({"name": "raise", "to_minor": 10_001}, "bet_too_large"),
        ({"name": "raise", "to_minor": 2**63 - 1}, "bet_too_large"),
        ({"name": "raise", "to_minor": -(2**63)}, "bet_too_small"),
    ],
)
def test_what_the_rules_do_not_allow_is_a_conflict(
    button_ann: Table, ann: Person, action: dict[str, object], code: str
) -> None:
    response = ann.client.act(button_ann, turn_of(button_ann), action)
    assert (response.status_code, response.json()["code"]) == (409, code)
    assert len(response.json()["legal_actions"]) == 3


@pytest.mark.parametrize(
    ("action", "why"),
    [
        ({}, "name"),
        ({"name": 7}, "name"),
        ({"name": None}, "name"),
        ({"name": "x" * 65}, "name is longer"),
        ({"name": "raise", "to_minor": 2**63}, "to_minor is too large"),
        ({"name": "raise", "to_minor": 10**300}, "to_minor is too large"),
        ({"name": "raise", "to_minor": 200.0}, "to_minor must be a whole number"),
        ({"name": "raise", "to_minor": True}, "to_minor must be a whole number"),
        ({"name": "raise", "to_minor": "200"}, "to_minor must be a whole number"),
        ({"name": "raise", "to_minor": None}, "to_minor is missing"),
        ({"name": "raise"}, "to_minor is missing"),
        ({"name": "bet", "wagers": {"ante": 1.5}}, "wagers.ante must be a whole number"),
        ({"name": "bet", "wagers": {"ante": False}}, "wagers.ante must be a whole number"),
        ({"name": "bet", "wagers": {"ante": [500]}}, "wagers.ante must be a whole number"),
        ({"name": "draw", "cards": [[0]]}, "cards.0 must be a whole number"),
        ({"name": "draw", "cards": list(range(61))}, "cards has more than 60"),
        ({"name": "fold", **{f"f{n}": 1 for n in range(20)}}, "more than 20 fields"),
        ({"name": "fold", "f" * 65: 1}, "too long a name"),
    ],
)
def test_an_action_of_the_wrong_shape_is_the_clients_mistake(
    button_ann: Table, ann: Person, action: dict[str, object], why: str
) -> None:
    response = ann.client.act(button_ann, turn_of(button_ann), action)
    assert (response.status_code, response.json()["code"]) == (400, "malformed_action")
    assert why in response.json()["detail"]
    assert len(response.json()["legal_actions"]) == 3


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"action_id": "7"}, "/action_id"),
        ({"action_id": None}, "/action_id"),
        ({"turn_id": "4"}, "/turn_id"),
        ({"turn_id": True}, "/turn_id"),
        ({"turn_id": 2**64}, "/turn_id"),
        ({"action": "fold"}, "/action"),
        ({"action": ["fold"]}, "/action"),
        ({"action": None}, "/action"),
        ({"to_minor": 200}, "/to_minor"),
    ],
)
def test_an_envelope_that_cannot_be_read_names_its_field(
    button_ann: Table, ann: Person, change: dict[str, object], pointer: str
) -> None:
    body = {"action_id": str(uuid4()), "turn_id": turn_of(button_ann), "action": {"name": "call"}}
    response = ann.client.send(f"tables/{button_ann.pk}/actions", body | change, key=None)
    assert (response.status_code, response.json()["code"]) == (400, "invalid_request")
    assert [error["pointer"] for error in response.json()["errors"]] == [pointer]


@pytest.mark.parametrize(
    ("raw", "status", "code"),
    [
        (b"", 400, "invalid_request"),
        (b"{", 400, "parse_error"),
        (b'{"turn_id": NaN}', 400, "parse_error"),
        (b'{"turn_id": 1' + b"0" * 5000 + b"}", 400, "parse_error"),
        (b"[" * 100_000, 400, "parse_error"),
        (b'{"action":' * 30 + b"1" + b"}" * 30, 400, "parse_error"),
        (b'{"action": {"name": "\\ud800"}}', 400, "parse_error"),
        (b'{"action": {"name": "\\u0000"}}', 400, "parse_error"),
        (b'{"action": {"name": "\xff"}}', 400, "parse_error"),
        (b'{"action": "' + b"x" * 300_000 + b'"}', 413, "body_too_large"),
    ],
)
def test_a_body_that_is_no_plain_json_is_refused(
    button_ann: Table, ann: Person, raw: bytes, status: int, code: str
) -> None:
    response = ann.client.post(
        f"/api/v1/tables/{button_ann.pk}/actions", raw, content_type="application/json"
    )
    assert (response.status_code, response.json()["code"]) == (status, code)


def test_only_json_is_read(button_ann: Table, ann: Person) -> None:
    response = ann.client.post(
        f"/api/v1/tables/{button_ann.pk}/actions", "turn_id=4", content_type="text/plain"
    )
    assert (response.status_code, response.json()["code"]) == (415, "unsupported_media_type")


def test_a_late_click_does_not_hit_the_next_decision(
    button_ann: Table, ann: Person, bob: Person
) -> None:
    turn = turn_of(button_ann)
    ann.client.act(button_ann, turn, {"name": "call"})
    response = bob.client.act(button_ann, turn, {"name": "check"})
    assert (response.status_code, response.json()["code"]) == (409, "turn_passed")
    assert response.json()["current_turn_id"] == response.json()["turn_id"] == turn_of(button_ann)
    assert response.json()["legal_actions"][0] == {"name": "fold"}


def test_a_turn_is_its_owners(button_ann: Table, bob: Person, cleo: Person) -> None:
    turn = turn_of(button_ann)
    response = bob.client.act(button_ann, turn, {"name": "fold"})
    assert (response.status_code, response.json()["code"]) == (409, "not_your_turn")
    assert response.json()["legal_actions"] == []
    response = cleo.client.act(button_ann, turn, {"name": "fold"})
    assert (response.status_code, response.json()["code"]) == (409, "not_dealt_in")


def test_an_action_at_no_table_is_not_found(ann: Person) -> None:
    missing = Table(pk=12345)
    response = ann.client.act(missing, 1, {"name": "fold"})
    assert (response.status_code, response.json()["code"]) == (404, "table_not_found")
    assert "legal_actions" not in response.json()


def test_a_bet_against_the_house_moves_chips_into_play(three_card: Table, ann: Person) -> None:
    ann.sits(three_card, 10_000)
    deal(three_card)
    bet = {"name": "bet", "wagers": {"ante": 1_000, "pair_plus": 500}}
    assert ann.client.act(three_card, turn_of(three_card), bet).status_code == 200
    seat = ann.sees(three_card)["seats"][0]
    assert seat["stack_minor"] == 10_000 - 1_000 - 1_000 - 500  # the Play stake is reserved
    response = ann.client.act(three_card, turn_of(three_card), {"name": "clear"})
    assert response.status_code == 200
    assert ann.sees(three_card)["seats"][0]["stack_minor"] == 10_000


@pytest.mark.parametrize(
    ("wagers", "code"),
    [
        ({"ante": 400}, "wager_too_small"),
        ({"ante": 10_100}, "stack_too_short"),
        ({"ante": 550}, "wager_off_step"),
        ({"ante": 500, "lucky": 500}, "unknown_wager"),
        ({"six_card": 500}, "wager_needs_another"),
        ({}, "nothing_staked"),
    ],
)
def test_a_bet_the_placard_does_not_offer_is_refused(
    three_card: Table, ann: Person, wagers: dict[str, int], code: str
) -> None:
    ann.sits(three_card, 10_000)
    deal(three_card)
    response = ann.client.act(three_card, turn_of(three_card), {"name": "bet", "wagers": wagers})
    assert response.status_code in (400, 409)
    if code != "stack_too_short":  # above the most is told before the stack is looked at
        assert response.json()["code"] == code
    assert response.json()["legal_actions"][0]["name"] == "bet"
    assert ann.sees(three_card)["seats"][0]["stack_minor"] == 10_000
