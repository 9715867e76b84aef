"""`manage.py play_cases`, as an outsider runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tables.management.commands.play_cases import answer, player_of

ROOT = Path(__file__).parent.parent.parent
DATA = ROOT / "tests" / "data"


def play(*files: Path) -> subprocess.CompletedProcess[str]:
    """Run the command with a database and a broker that nobody answers at."""
    nowhere = {
        "DATABASE_URL": "postgresql://app@127.0.0.1:1/nothing",
        "REDIS_URL": "redis://127.0.0.1:1/0",
    }
    return subprocess.run(
        [sys.executable, "manage.py", "play_cases", *map(str, files)],
        cwd=ROOT,
        env={**os.environ, **nowhere},
        capture_output=True,
        text=True,
        check=False,
    )


def lines_of(done: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_every_case_of_every_file_is_answered_in_order() -> None:
    files = [
        DATA / "three_card_poker" / "settlements.json",
        DATA / "paytables" / "prices.json",
        DATA / "ranking" / "dice_bids.json",
    ]
    done = play(*files)
    assert (done.returncode, done.stderr) == (0, "")
    cases = [case for file in files for case in json.loads(file.read_text())["cases"]]
    assert [line["id"] for line in lines_of(done)] == [case["id"] for case in cases]
    for case, line in zip(cases, lines_of(done), strict=True):
        assert line["ok"]
        if "expected" in case:
            assert line["got"] == case["expected"]
            continue
        figures = ("stake", "returned", "net")
        wagers = case["expect"]["wagers"].items()
        assert line["got"] == {
            "wagers": {wager: {name: known[name] for name in figures} for wager, known in wagers},
            "net": case["expect"]["net"],
        }


def test_a_file_settles_by_the_odds_it_states(tmp_path: Path) -> None:
    case = {
        "id": "one",
        "bets": {"ante": 0, "pair_plus": 100, "six_card": 0},
        "player": ["Qc", "Qd", "7h"],
        "dealer": ["Ks", "9d", "3c"],
        "decision": None,
        "policy": {"pp_on_fold": "forfeit", "six_on_fold": "settle"},
    }
    file = tmp_path / "cases.json"
    about = 'Odds are to 1: {"pair_plus_odds": {"pair": 2}}'
    file.write_text(json.dumps({"kind": "three_card_poker", "about": about, "cases": [case]}))
    (line,) = lines_of(play(file))
    assert line["got"] == {
        "wagers": {"pair_plus": {"stake": 100, "returned": 300, "net": 200}},
        "net": 200,
    }


def test_a_case_that_cannot_be_played_is_said_so_and_the_next_is_played(tmp_path: Path) -> None:
    wrong = {"id": "wrong", "type": "high", "a": ["Zz"], "b": ["As"]}
    right = {"id": "right", "type": "high", "a": ["As"], "b": ["Ks"]}
    file = tmp_path / "cases.json"
    file.write_text(json.dumps({"kind": "ranking", "cases": [wrong, right]}))
    done = play(file)
    assert done.returncode == 1
    assert lines_of(done) == [
        {"id": "wrong", "ok": False, "error": "UnknownCard: 'Zz' is not a card"},
        {"id": "right", "ok": True, "got": 1},
    ]


def test_a_file_without_cases_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "cases.json"
    file.write_text(json.dumps({"kind": "roulette", "cases": []}))
    done = play(file)
    assert done.returncode == 1
    assert "holds no cases" in done.stderr


def test_an_answer_that_is_not_the_expected_one_is_not_ok(tmp_path: Path) -> None:
    wrong = {"id": "wrong", "type": "high", "a": ["As"], "b": ["Ks"], "expected": -1}
    file = tmp_path / "cases.json"
    file.write_text(json.dumps({"kind": "ranking", "cases": [wrong]}))
    done = play(file)
    assert done.returncode == 1
    assert lines_of(done) == [{"id": "wrong", "ok": False, "got": 1}]


def test_a_hand_that_says_nothing_of_its_end_is_answered_with_all_there_is(tmp_path: Path) -> None:
    case = json.loads((DATA / "hands" / "pots.json").read_text())["cases"][0]
    expect = case.pop("expect")
    file = tmp_path / "cases.json"
    file.write_text(json.dumps({"kind": "hands", "cases": [case]}))
    (line,) = lines_of(play(file))
    assert line["ok"]
    assert {name: line["got"][name] for name in expect} == expect
    assert {"shows_first", "carry_to_next_deal", "next_openers"} < set(line["got"])


SPOT = {
    "bets": {"ante": 100}, "player": ["Kh", "8d", "3c"], "dealer": ["Js", "Td", "8h"],
    "decision": "play",
}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"bets": {"ante": 100, "lucky": 5}}, "there is no bet 'lucky'"),
        ({"bets": {"ante": 100, "play": 100}}, "there is no bet 'play'"),
        ({"bets": {"ante": -100}}, "a whole number of minor units"),
        ({"bets": {"ante": 10.5}}, "a whole number of minor units"),
        ({"bets": {"ante": True}}, "a whole number of minor units"),
        ({"bets": [100]}, "bets: an object"),
        ({"dealer": ["Js", "Td", "Kh"]}, "in it twice"),
        ({"player": ["Kh", "8d"]}, "three cards each"),
        ({"player": ["Jk", "8d", "3c"]}, "not in the deck"),
        ({"player": ["Kx", "8d", "3c"]}, "is not a card"),
        ({"decision": None}, "has to decide"),
        ({"decision": "raise"}, "knows no decision"),
        ({"policy": {"pp_on_fold": "maybe"}}, "forfeit, keep, settle"),
    ],
)
def test_a_spot_that_cannot_be_is_refused_in_words(change: dict[str, Any], words: str) -> None:
    stored = {"kind": "three_card_poker", "about": ""}
    line = answer({"id": 1, **SPOT, **change}, player_of(stored))
    assert not line["ok"]
    assert words in line["error"]


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ({"group": "lucky", "pays": {}}, "there is no 'lucky'"),
        ({"group": "pair_plus"}, "an object of odds"),
        ({"group": "pair_plus", "pays": [1]}, "an object of odds"),
        ({"group": "pair_plus", "pays": {"pair": -1}}, "odds are a whole number"),
        ({"group": "six_card", "pays": {"pair": 1}}, "known lines"),
    ],
)
def test_a_paytable_that_cannot_be_is_refused_in_words(case: dict[str, Any], words: str) -> None:
    line = answer({"id": 1, **case}, player_of({"kind": "paytables"}))
    assert not line["ok"]
    assert words in line["error"]
