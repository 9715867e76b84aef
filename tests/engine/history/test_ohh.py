"""Hands written in the Open Hand History format, held against its schema and added up again."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError

from tables.engine.history.ohh import GAME_TYPES, json_text, ohh, why_no_ohh
from tables.engine.history.record import Amount
from tests.engine.history.records import record_of, whole_hands
from tests.engine.poker.playing import do, ring_game, scripted, table_options

SCHEMA = Path(__file__).resolve().parents[3] / "docs" / "schemas" / "open-hand-history.json"
VALIDATOR = Draft202012Validator(json.loads(SCHEMA.read_text()))


def finishing(document: dict[str, Any]) -> list[Decimal]:
    """Stacks at the end, by what the document alone says."""
    hand = document["ohh"]
    put = [Decimal(0)] * len(hand["players"])
    folded = set()
    for told in hand["rounds"]:
        for action in told["actions"]:
            put[action["player_id"]] += action.get("amount", 0)
            if action["action"] == "Fold":
                folded.add(action["player_id"])
    order = sorted(put)
    stacks = [player["starting_stack"] for player in hand["players"]]
    for player, amount in enumerate(put):
        uncalled = max(Decimal(0), amount - order[-2])
        stacks[player] -= amount - uncalled
    for pot in hand["pots"]:
        for win in pot["player_wins"]:
            stacks[win["player_id"]] += win["win_amount"]
    return stacks


@pytest.mark.parametrize("game_id", sorted(GAME_TYPES))
@pytest.mark.parametrize("viewer", [None, 2])
def test_every_document_is_of_the_schema_and_adds_up(game_id: str, viewer: int | None) -> None:
    for limit in ("no_limit", "pot", "fixed"):
        options = table_options(
            ring_game(game_id), limit, rake={"basis_points": 500}, runs=2,
            cap_big_blinds=20 if limit == "pot" else None,
        )  # fmt: skip
        for hand, events in whole_hands(game_id, options, 5, stacks=(20, 90)):
            record = record_of(hand, events, options, viewer=viewer, exponent=2)
            assert why_no_ohh(record) == ""
            document = json.loads(ohh(record), parse_float=Decimal)
            VALIDATOR.validate(json.loads(ohh(record)))
            assert [stack * 100 for stack in finishing(document)] == hand.stacks


def test_a_board_dealt_twice_is_two_rounds_of_the_same_street() -> None:
    options = table_options(ring_game("holdem"), "no_limit", runs=2)
    found = []
    for hand, events in whole_hands("holdem", options, 40, stacks=(8, 12)):
        document = json.loads(ohh(record_of(hand, events, options)))["ohh"]
        if "Run_It_Twice" in document["flags"]:
            found.append([told["street"] for told in document["rounds"]])
    assert found
    assert all(streets.count("River") == 2 for streets in found)


def test_the_viewer_is_the_hero_and_only_his_cards_are_dealt_in_it() -> None:
    hand, events = scripted("holdem", [100, 100], hole=["Kc 7s", "2d 4s"], button=0)
    events += do(hand, "raise 6", "fold")
    options = table_options(ring_game("holdem"), "no_limit")
    text = ohh(record_of(hand, events, options, viewer=1))
    document = json.loads(text)["ohh"]
    assert document["hero_player_id"] == 0
    dealt = [a for a in document["rounds"][0]["actions"] if a["action"] == "Dealt Cards"]
    assert [action["cards"] for action in dealt] == [["2d", "4s"]]
    assert "Kc" not in text
    raised = next(a for a in document["rounds"][0]["actions"] if a["action"] == "Raise")
    assert raised["amount"] == 5  # what he added to his small blind, not what he raised to
    assert "Observed" in json.loads(ohh(record_of(hand, events, options)))["ohh"]["flags"]


@pytest.mark.parametrize("game_id", ["stud", "badugi", "courchevel", "pineapple", "short_deck"])
def test_games_it_has_no_words_for_are_refused_by_name(game_id: str) -> None:
    game = ring_game(game_id)
    options = table_options(game)
    hand, events = next(iter(whole_hands(game_id, options, 1, stacks=(50, 50))))
    assert game.name in why_no_ohh(record_of(hand, events, options))


def test_the_schema_refuses_what_the_specification_does() -> None:
    options = table_options(ring_game("holdem"), "no_limit")
    hand, events = next(iter(whole_hands("holdem", options, 1, stacks=(50, 50))))
    document = json.loads(ohh(record_of(hand, events, options)))
    document["ohh"]["rounds"][0]["actions"][0]["action"] = "Bet"
    with pytest.raises(ValidationError):
        VALIDATOR.validate(document)
    document["ohh"]["rounds"][0]["actions"][0]["action"] = "Bring In"
    with pytest.raises(ValidationError):
        VALIDATOR.validate(document)


@pytest.mark.parametrize("text", ['a "b" \\ c', "line\nbreak", "Zażółć 🂡", "\x00\x1f"])
def test_any_name_can_be_read_again(text: str) -> None:
    assert json.loads(json_text({"name": [text, Amount("1.50"), True, None, 3]})) == {
        "name": [text, 1.5, True, None, 3]
    }
