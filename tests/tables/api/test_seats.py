from uuid import uuid4

import pytest

from casino.core.models import IdempotencyKey
from tables.models import Seat, Table
from tables.services import floor
from tests.cast import PURSE_MINOR, Person, deal, settle
from wallets.models import PlayerLimits


def code_of(response: object) -> tuple[int, str]:
    return response.status_code, response.json()["code"]  # type: ignore[attr-defined]


def test_a_player_sits_down_with_chips_of_his_wallet(holdem: Table, ann: Person) -> None:
    response = ann.client.send(f"tables/{holdem.pk}/seats", {"seat": 4, "buy_in_minor": 5_000})
    assert response.status_code == 201
    assert response.json() == {
        "seat": 4,
        "spots": 1,
        "stack_minor": 5_000,
        "status": "playing",
    }
    assert ann.cash_minor() == PURSE_MINOR - 5_000
    assert ann.sees(holdem)["you"]["seat"] == 4


def test_without_a_seat_named_the_first_free_one_is_taken(
    holdem: Table, ann: Person, bob: Person
) -> None:
    ann.sits(holdem, seat=1)
    assert bob.sits(holdem) == 2


@pytest.mark.parametrize(
    ("body", "code", "facts"),
    [
        (
            {"buy_in_minor": 999},
            "buy_in_out_of_range",
            {"amount_minor": 999, "least_minor": 1_000, "most_minor": 20_000},
        ),
        ({"buy_in_minor": 20_050}, "buy_in_out_of_range", {"most_minor": 20_000}),
        ({"buy_in_minor": 1_001}, "not_whole_chips", {"amount_minor": 1_001, "chip_minor": 50}),
        ({"buy_in_minor": 1_000, "seat": 7}, "no_such_seat", {"seat": 7, "max_seats": 6}),
        ({"buy_in_minor": 1_000, "seat": 0}, "no_such_seat", {"seat": 0}),
    ],
)
def test_a_buy_in_or_seat_that_cannot_be_is_refused_with_the_figures(
    holdem: Table, ann: Person, body: object, code: str, facts: dict[str, int]
) -> None:
    response = ann.client.send(f"tables/{holdem.pk}/seats", body)
    assert code_of(response) == (400, code)
    assert response.json().items() >= facts.items()
    assert ann.cash_minor() == PURSE_MINOR


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/buy_in_minor"),
        ({"buy_in_minor": "1000"}, "/buy_in_minor"),
        ({"buy_in_minor": 1000.0}, "/buy_in_minor"),
        ({"buy_in_minor": True}, "/buy_in_minor"),
        ({"buy_in_minor": None}, "/buy_in_minor"),
        ({"buy_in_minor": -1}, "/buy_in_minor"),
        ({"buy_in_minor": 2**63}, "/buy_in_minor"),
        ({"buy_in_minor": 10**40}, "/buy_in_minor"),
        ({"buy_in_minor": [1000]}, "/buy_in_minor"),
        ({"buy_in_minor": 1000, "seat": "1"}, "/seat"),
        ({"buy_in_minor": 1000, "seat": 2**40}, "/seat"),
        ({"buy_in_minor": 1000, "buyin": 5}, "/buyin"),
        ([], "/non_field_errors"),
        ("1000", "/non_field_errors"),
        (7, "/non_field_errors"),
    ],
)
def test_a_body_that_cannot_be_used_is_told_which_field(
    holdem: Table, ann: Person, body: object, pointer: str
) -> None:
    response = ann.client.send(f"tables/{holdem.pk}/seats", body)
    assert code_of(response) == (400, "invalid_request")
    assert [error["pointer"] for error in response.json()["errors"]] == [pointer]


def test_a_taken_seat_a_second_seat_and_a_full_table_are_refused(
    ann: Person, bob: Person, cleo: Person
) -> None:
    duel = floor.table_open(
        name="Duel", game="holdem", options={"big_blind_minor": 100}, currency="EUR",
        buy_in_least_minor=100, buy_in_most_minor=10_000, max_seats=2,
    )  # fmt: skip
    path = f"tables/{duel.pk}/seats"
    ann.sits(duel, 1_000)
    taken = bob.client.send(path, {"seat": 1, "buy_in_minor": 1_000})
    assert code_of(taken) == (409, "seat_taken")
    again = ann.client.send(path, {"buy_in_minor": 1_000})
    assert code_of(again) == (409, "already_seated")
    bob.sits(duel, 1_000)
    assert code_of(cleo.client.send(path, {"buy_in_minor": 1_000})) == (409, "table_full")


def test_a_table_that_closes_takes_nobody_and_says_what_it_is(holdem: Table, ann: Person) -> None:
    floor.table_close(table_id=holdem.pk)
    response = ann.client.send(f"tables/{holdem.pk}/seats", {"buy_in_minor": 1_000})
    assert code_of(response) == (409, "table_not_open")
    assert response.json()["its_status"] == "closed"
    assert response.json()["status"] == 409


def test_more_than_the_wallet_holds_is_refused_and_moves_nothing(
    three_card: Table, holdem: Table, ann: Person
) -> None:
    ann.sits(three_card, 50_000)
    ann.sits(holdem, 20_000)
    ann.client.send(f"tables/{holdem.pk}/leave")
    poor = ann.client.send(f"tables/{three_card.pk}/top-ups", {"amount_minor": 100})
    assert code_of(poor) == (400, "buy_in_out_of_range")
    other = floor.table_open(
        name="High", game="holdem", options={"big_blind_minor": 1_000}, currency="EUR",
        buy_in_least_minor=60_000, buy_in_most_minor=90_000, max_seats=6,
    )  # fmt: skip
    response = ann.client.send(f"tables/{other.pk}/seats", {"buy_in_minor": 60_000})
    assert code_of(response) == (409, "insufficient_funds")
    assert response.json()["balance_minor"] == 50_000
    assert ann.cash_minor() == 50_000
    assert not Seat.objects.filter(table=other).exists()


def test_an_excluded_player_may_not_sit_down_but_may_always_leave(
    holdem: Table, three_card: Table, ann: Person
) -> None:
    ann.sits(holdem)
    PlayerLimits.objects.update_or_create(player_id=ann.user.pk, defaults={"self_excluded": True})
    response = ann.client.send(f"tables/{three_card.pk}/seats", {"buy_in_minor": 1_000})
    assert code_of(response) == (403, "player_excluded")
    assert ann.client.send(f"tables/{holdem.pk}/leave").json()["left"] is True
    assert ann.cash_minor() == PURSE_MINOR


@pytest.mark.parametrize("name", ["seats", "top-ups", "leave"])
@pytest.mark.parametrize(
    ("key", "code"),
    [
        (None, "idempotency_key_required"),
        ("two words", "idempotency_key_malformed"),
        ("x" * 101, "idempotency_key_malformed"),
    ],
)
def test_money_does_not_move_without_a_key(
    holdem: Table, ann: Person, name: str, key: str | None, code: str
) -> None:
    body = {"seats": {"buy_in_minor": 1_000}, "top-ups": {"amount_minor": 50}}.get(name)
    response = ann.client.send(f"tables/{holdem.pk}/{name}", body, key=key)
    assert code_of(response) == (400, code)


def test_a_repeat_under_its_key_is_answered_and_not_done_again(holdem: Table, ann: Person) -> None:
    path, key = f"tables/{holdem.pk}/seats", str(uuid4())
    first = ann.client.send(path, {"buy_in_minor": 5_000}, key=key)
    again = ann.client.send(path, {"buy_in_minor": 5_000}, key=key)
    assert again.json() == first.json()
    assert again.status_code == 201
    assert again["Idempotent-Replayed"] == "true"
    assert ann.cash_minor() == PURSE_MINOR - 5_000
    other = ann.client.send(path, {"buy_in_minor": 6_000}, key=key)
    assert code_of(other) == (422, "idempotency_key_reused")


def test_a_refused_request_leaves_its_key_free(holdem: Table, ann: Person) -> None:
    path, key = f"tables/{holdem.pk}/seats", str(uuid4())
    assert ann.client.send(path, {"buy_in_minor": 1}, key=key).status_code == 400
    assert ann.client.send(path, {"buy_in_minor": 1_000}, key=key).status_code == 201


def test_a_retry_whose_first_answer_was_lost_gets_it_and_moves_no_money(
    holdem: Table, ann: Person
) -> None:
    ann.sits(holdem, 5_000)
    path, key, body = f"tables/{holdem.pk}/top-ups", str(uuid4()), {"amount_minor": 15_000}
    first = ann.client.send(path, body, key=key)
    seq = ann.sees(holdem)["seq"]
    IdempotencyKey.objects.filter(key=key).delete()  # as after a crash before the record
    again = ann.client.send(path, body, key=key)
    assert again.json() == first.json() == {"stack_minor": 20_000}
    assert ann.cash_minor() == PURSE_MINOR - 20_000
    assert ann.sees(holdem)["seq"] == seq


def test_a_late_retry_does_not_sit_down_anew_without_chips(holdem: Table, ann: Person) -> None:
    path, key = f"tables/{holdem.pk}/seats", str(uuid4())
    assert ann.client.send(path, {"buy_in_minor": 5_000}, key=key).status_code == 201
    ann.client.send(f"tables/{holdem.pk}/leave")
    IdempotencyKey.objects.filter(key=key).delete()  # as after a crash, or when it was swept
    again = ann.client.send(path, {"buy_in_minor": 5_000}, key=key)
    assert code_of(again) == (409, "buy_in_spent")
    assert ann.sees(holdem)["seats"] == []
    assert ann.cash_minor() == PURSE_MINOR


def test_two_players_may_use_the_same_key(holdem: Table, ann: Person, bob: Person) -> None:
    path = f"tables/{holdem.pk}/seats"
    for player in (ann, bob):
        response = player.client.send(path, {"buy_in_minor": 1_000}, key="first")
        assert response.status_code == 201


def test_a_top_up_shows_all_chips_and_stops_at_the_tables_most(holdem: Table, ann: Person) -> None:
    ann.sits(holdem, 5_000)
    path = f"tables/{holdem.pk}/top-ups"
    assert ann.client.send(path, {"amount_minor": 1_000}).json() == {"stack_minor": 6_000}
    response = ann.client.send(path, {"amount_minor": 14_050})
    assert code_of(response) == (400, "buy_in_out_of_range")
    assert response.json()["most_minor"] == 14_000


def test_who_leaves_between_hands_is_paid_at_once(holdem: Table, ann: Person) -> None:
    ann.sits(holdem, 5_000)
    response = ann.client.send(f"tables/{holdem.pk}/leave")
    assert response.json() == {"left": True, "paid_out_minor": 5_000}
    assert ann.cash_minor() == PURSE_MINOR
    assert code_of(ann.client.send(f"tables/{holdem.pk}/leave")) == (409, "not_seated")


def test_who_leaves_in_a_hand_is_paid_when_it_is_settled(
    heads_up: Table, ann: Person, bob: Person
) -> None:
    hand = heads_up.hands.get()
    response = bob.client.send(f"tables/{heads_up.pk}/leave")
    assert response.json() == {"left": False, "paid_out_minor": None}
    turn = bob.sees(heads_up)["hand"]["turn"]
    assert turn["seats"] == [1] or turn["seats"] == [2]
    actor = ann if turn["seats"] == [1] else bob
    assert actor.client.act(heads_up, turn["turn_id"], {"name": "fold"}).status_code == 200
    settle(heads_up, hand)
    assert [seat["player"] for seat in ann.sees(heads_up)["seats"]] == ["Ann"]
    assert (
        ann.cash_minor() + bob.cash_minor() + ann.sees(heads_up)["seats"][0]["stack_minor"]
        == 2 * PURSE_MINOR
    )


def test_sitting_out_and_coming_back_show_at_the_seat(holdem: Table, ann: Person) -> None:
    ann.sits(holdem)
    path = f"tables/{holdem.pk}"
    assert ann.client.send(f"{path}/sit-out", key=None).json() == {"status": "sitting_out"}
    assert ann.sees(holdem)["seats"][0]["status"] == "sitting_out"
    assert ann.client.send(f"{path}/return", {}, key=None).json() == {"status": "playing"}
    assert ann.sees(holdem)["seats"][0]["status"] == "playing"
    response = ann.client.send(f"{path}/sit-out", {"for": 5}, key=None)
    assert code_of(response) == (400, "invalid_request")


def test_who_sits_out_is_not_dealt_in(
    holdem: Table, ann: Person, bob: Person, cleo: Person
) -> None:
    for player in (ann, bob, cleo):
        player.sits(holdem)
    ann.client.send(f"tables/{holdem.pk}/sit-out", key=None)
    assert set(deal(holdem).seats) == {"2", "3"}


def test_a_player_takes_several_spots_and_gives_one_up(three_card: Table, ann: Person) -> None:
    Table.objects.filter(pk=three_card.pk).update(
        options={**three_card.options, "spots_per_player": 2}
    )
    path = f"tables/{three_card.pk}"
    body = {"seat": 3, "buy_in_minor": 5_000, "spots": 2}
    answer = ann.client.send(f"{path}/seats", body).json()
    assert answer == {"seat": 3, "spots": 2, "stack_minor": 5_000, "status": "playing"}
    assert ann.sees(three_card)["seats"][0]["spots"] == 2
    assert ann.client.send(f"{path}/spots", {"spots": 1}).json() == {"seat": 3, "spots": 1}
    assert code_of(ann.client.send(f"{path}/spots", {"spots": 3})) == (400, "too_many_spots")
    for wrong in ({}, {"spots": "2"}, {"spots": 2.0}, {"spots": -1}, {"spots": 2, "seat": 1}):
        assert ann.client.send(f"{path}/spots", wrong).status_code == 400, wrong


def test_at_a_table_of_single_spots_a_second_is_refused(three_card: Table, ann: Person) -> None:
    body = {"buy_in_minor": 5_000, "spots": 2}
    refused = ann.client.send(f"tables/{three_card.pk}/seats", body)
    assert code_of(refused) == (400, "too_many_spots")
    assert ann.cash_minor() == PURSE_MINOR


def test_a_player_chooses_at_his_seat_and_sees_what_stands(holdem: Table, ann: Person) -> None:
    ann.sits(holdem)
    path = f"/api/v1/tables/{holdem.pk}/seat"
    response = ann.client.patch(path, {"auto_post": False, "posts": True}, format="json")
    stands = {
        "posts": True, "auto_post": False, "agrees_to_blind": False, "straddles": False,
        "wants_bomb_pot": False, "sits_out_at": None,
        "tops_up_to_minor": None,
    }  # fmt: skip
    assert response.json() == stands
    assert ann.sees(holdem)["you"]["choices"] == stands
    for body in ({"posts": "yes"}, {"posts": 1}, {"pots": True}):
        refused = ann.client.patch(path, body, format="json")
        assert code_of(refused) == (400, "invalid_request")


def test_a_choice_without_a_seat_is_refused(holdem: Table, ann: Person) -> None:
    response = ann.client.patch(f"/api/v1/tables/{holdem.pk}/seat", {"posts": True}, format="json")
    assert code_of(response) == (409, "not_seated")


def test_sitting_out_may_wait_for_the_end_of_the_hand(
    heads_up: Table, ann: Person, bob: Person
) -> None:
    path = f"tables/{heads_up.pk}/sit-out"
    assert ann.client.send(path, {"at": "hand"}, key=None).json() == {"status": "playing"}
    assert ann.sees(heads_up)["you"]["choices"]["sits_out_at"] == "hand"
    turn = ann.sees(heads_up)["hand"]["turn"]
    actor = ann if ann.sees(heads_up)["you"]["seat"] in turn["seats"] else bob
    assert actor.client.act(heads_up, turn["turn_id"], {"name": "fold"}).status_code == 200
    settle(heads_up, heads_up.hands.get())
    mine = next(one for one in ann.sees(heads_up)["seats"] if one["player"] == "Ann")
    assert mine["status"] == "sitting_out"
    assert code_of(ann.client.send(path, {"at": "noon"}, key=None)) == (400, "invalid_request")
