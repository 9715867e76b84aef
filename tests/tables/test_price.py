"""manage.py price and the strategies of manage.py simulate."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tables.engine.games.three_card_poker import STANDARD_PAYTABLES

HOUSE = {wager: next(iter(named.values())) for wager, named in STANDARD_PAYTABLES.items()}


def run(*arguments: str) -> Any:
    out = io.StringIO()
    call_command(*arguments, "--json", stdout=out)
    return json.loads(out.getvalue())


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "rules.json"


def test_a_file_is_priced_exactly(file: Path) -> None:
    file.write_text(json.dumps({"paytables": HOUSE}))
    priced = run("price", str(file))
    assert priced["allowed"]
    assert priced["wagers"]["pair_plus"]["house_edge"] == [128, 5_525]
    assert priced["wagers"]["ante"]["strategy"]["threshold"] == "Q-6-4"
    assert priced["wagers"]["six_card"]["percent"]["house_edge"] == "15.279"


def test_a_table_s_options_are_priced_too(file: Path) -> None:
    limits = {"ante": {"least_minor": 100, "most_minor": 100, "step_minor": 100}}
    file.write_text(json.dumps({"limits": limits, "version": 3, "paytables": HOUSE}))
    assert run("price", str(file))["allowed"]


def test_what_is_out_of_bounds_ends_with_status_one(file: Path) -> None:
    file.write_text(json.dumps({"paytables": HOUSE, "qualifier": "jack"}))
    with pytest.raises(SystemExit) as ended:
        run("price", str(file))
    assert ended.value.code == 1


@pytest.mark.parametrize("text", ["[1]", "{", '{"colour": 1}', '{"qualifier": "seven"}'])
def test_what_is_no_set_of_rules_is_said_so(file: Path, text: str) -> None:
    file.write_text(text)
    with pytest.raises(CommandError):
        run("price", str(file))


def test_a_strategy_is_simulated_against_its_price() -> None:
    told = run(
        "simulate", "three_card_poker", "--hands", "50000", "--strategy", "all", "--seed", "a"
    )
    assert told["inside"]
    assert told["wagers"]["ante"]["exact"] == [1_947_749, 25_448_150]


def test_games_between_players_have_no_strategy() -> None:
    with pytest.raises(CommandError):
        run("simulate", "holdem", "--strategy", "optimal")
