"""Hands that are over, in every form that they can take, as one viewer may know them."""

import json
import tomllib

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tables import beliefs
from tables.models import Hand, Table
from tables.services import expiring
from tests.cast import Person, deal, settle
from tests.tables.dealing_cast import clock_to


def called_down(table: Table, *players: Person) -> Hand:
    hand = deal(table)
    actors = {facts["player"]: player for player in players
              for facts in hand.seats.values() if facts["player"] == player.user.pk}  # fmt: skip
    while not (belief := beliefs.read(table.pk)).finished:
        seat = belief.hand().waiting[0]
        names = {choice["name"] for choice in belief.hand().legal(seat)}
        actor = actors[hand.seats[str(seat)]["player"]]
        name = "check" if "check" in names else "call"
        assert actor.client.act(table, belief.turn_id, {"name": name}).status_code == 200
    settle(table, hand)
    hand.refresh_from_db()
    return hand


@pytest.fixture
def hand(holdem: Table, ann: Person, bob: Person) -> Hand:
    ann.sits(holdem)
    bob.sits(holdem)
    return called_down(holdem, ann, bob)


def own_cards(person: Person, hand: Hand) -> list[str]:
    told = person.client.read(f"hands/{hand.pk}").json()
    return [
        card
        for frame in told["frames"]
        for event in frame["events"]
        if event["type"] == "cards_dealt" and "private" in event
        for card in event["private"]["cards"]
    ]


def test_a_hand_says_which_forms_it_can_take(hand: Hand, ann: Person) -> None:
    told = ann.client.read(f"hands/{hand.pk}").json()
    assert told["formats"] == ["native", "phh", "ohh", "text"]
    assert told["formats_refused"] == {}


def test_each_form_is_of_its_own_kind(hand: Hand, ann: Person) -> None:
    read = {
        name: ann.client.read(f"hands/{hand.pk}", format=name) for name in ("phh", "ohh", "text")
    }
    assert {name: answer.status_code for name, answer in read.items()} == dict.fromkeys(read, 200)
    assert tomllib.loads(read["phh"].content.decode())["hand"] == hand.pk
    assert json.loads(read["ohh"].content)["ohh"]["game_number"] == str(hand.pk)
    assert read["text"].content.decode().startswith(f"Croupier Hand #{hand.pk}: Hold'em No Limit")
    assert read["text"]["Content-Type"].startswith("text/plain")
    assert f"hand-{hand.pk}.phh" in read["phh"]["Content-Disposition"]


def test_the_accept_header_does_not_stand_in_the_way(hand: Hand, ann: Person) -> None:
    answer = ann.client.get(f"/api/v1/hands/{hand.pk}?format=text", HTTP_ACCEPT="text/plain")
    assert answer.status_code == 200


def test_a_form_that_the_hand_cannot_take_is_refused_with_the_reason(
    three_card: Table, ann: Person
) -> None:
    ann.sits(three_card, seat=1)
    hand = deal(three_card)
    belief = beliefs.read(three_card.pk)
    action = {"name": "bet", "wagers": {"ante": 500}}
    assert ann.client.act(three_card, belief.turn_id, action).status_code == 200
    while not beliefs.read(three_card.pk).finished:
        step(three_card)
    settle(three_card, hand)
    told = ann.client.read(f"hands/{hand.pk}").json()
    assert told["formats"] == ["native", "text"]
    refused = ann.client.read(f"hands/{hand.pk}", format="ohh")
    assert (refused.status_code, refused.json()["code"]) == (406, "format_not_available")
    assert refused.json()["reason"] == told["formats_refused"]["ohh"]
    assert refused.json()["formats"] == ["native", "text"]
    text = ann.client.read(f"hands/{hand.pk}", format="text").content.decode()
    assert "Ann: bets ante 5.00" in text


def step(table: Table) -> None:
    """Close the bets, or decide."""
    clock_to(table, 5_000)
    expiring.turn_expire(table_id=table.pk, turn_id=beliefs.read(table.pk).turn_id)


def test_nobody_s_form_holds_another_s_hidden_cards(
    holdem: Table, ann: Person, bob: Person, cleo: Person, fred: Person
) -> None:
    ann.sits(holdem)
    bob.sits(holdem)
    hand = deal(holdem)
    turn = ann.sees(holdem)["hand"]["turn"]
    folder = {1: ann, 2: bob}[turn["seats"][0]]
    assert folder.client.act(holdem, turn["turn_id"], {"name": "fold"}).status_code == 200
    settle(holdem, hand)
    cards = {person.name: own_cards(person, hand) for person in (ann, bob)}
    assert all(len(held) == 2 for held in cards.values())
    between = {"native": '","', "phh": "", "ohh": '", "', "text": " "}
    for viewer in (ann, bob, cleo, fred):
        for form, glue in between.items():
            told = viewer.client.read(f"hands/{hand.pk}", format=form).content.decode()
            for owner, held in cards.items():
                assert (glue.join(held) in told) == (owner == viewer.name)


def test_an_unknown_form_and_a_hand_in_play_are_refused(heads_up: Table, ann: Person) -> None:
    running = heads_up.hands.get()
    assert ann.client.read(f"hands/{running.pk}", format="text").status_code == 404
    assert ann.client.read(f"hands/{running.pk}", format="pdf").status_code == 400


def test_own_hands_are_exported_a_line_each(
    holdem: Table, ann: Person, bob: Person, cleo: Person
) -> None:
    ann.sits(holdem)
    bob.sits(holdem)
    hands = [called_down(holdem, ann, bob) for _ in range(3)]
    page = ann.client.read("hands/export", format="phh", limit=2)
    assert page["Content-Type"] == "application/x-ndjson"
    lines = [json.loads(line) for line in page.content.splitlines()]
    assert [line["id"] for line in lines] == [hands[2].pk, hands[1].pk]
    one = ann.client.read(f"hands/{hands[2].pk}", format="phh").content.decode()
    assert lines[0]["history"] == one
    rest = ann.client.get(page["Link"].partition("<")[2].partition(">")[0])
    assert [json.loads(line)["id"] for line in rest.content.splitlines()] == [hands[0].pk]
    assert "Link" not in rest
    assert cleo.client.read("hands/export").content == b""


def test_an_export_reads_as_often_for_many_hands_as_for_one(
    holdem: Table, ann: Person, bob: Person
) -> None:
    ann.sits(holdem)
    bob.sits(holdem)
    for _ in range(3):
        called_down(holdem, ann, bob)
    counts = []
    for limit in (1, 3):
        with CaptureQueriesContext(connection) as queries:
            assert ann.client.read("hands/export", limit=limit).status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]
