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


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[1]", "no JSON object"),
        ("{", "line 1"),
        ('{"colour": 1}', "unknown: colour"),
        ('{"qualifier": "seven"}', "one of queen"),
        ('{"paytables": {"lucky": {"pair": 1}}}', "paytables.lucky: no such wager"),
        ('{"pair_plus": {"quads": 1}}', "paytables.pair_plus.quads: known lines"),
        ('{"pair_plus": {"pair": -1}}', "paytables.pair_plus.pair: odds are a whole number"),
        ('{"pair_plus": {"pair": 1.5}}', "odds are a whole number"),
        ('{"pair_plus": {"pair": NaN}}', "odds are a whole number"),
        ('{"pair_plus": {"pair": 1000001}}', "0 to 1000000"),
        ('{"pair_plus": {"pair": 1, "pair": 2}}', "pair stands there twice"),
        ('{"pair_plus": [1]}', "paytables.pair_plus: must be an object"),
        ('{"group": "lucky", "pays": {}}', "paytables.lucky"),
        ('{"paytables": null}', "paytables: must be an object"),
        ('{"most_spot_minor": 0}', "above 0"),
    ],
)
def test_what_is_no_set_of_rules_is_said_so(file: Path, text: str, words: str) -> None:
    file.write_text(text)
    with pytest.raises(CommandError, match=words) as refused:
        run("price", str(file))
    assert refused.value.returncode == 2


def test_a_game_that_has_no_paytables_is_said_so(file: Path) -> None:
    file.write_text("{}")
    with pytest.raises(CommandError, match="there is no game 'holdem'"):
        run("price", str(file), "--game", "holdem")


@pytest.mark.parametrize(
    "text",
    [
        {"pair_plus": HOUSE["pair_plus"]},
        {"group": "pair_plus", "pays": HOUSE["pair_plus"]},
        {"limits": {}, "spots_per_player": 2, "paytables": {"pair_plus": HOUSE["pair_plus"]}},
    ],
)
def test_odds_alone_are_priced(file: Path, text: Any) -> None:
    file.write_text(json.dumps(text))
    assert run("price", str(file))["wagers"]["pair_plus"]["house_edge"] == [128, 5_525]


def test_an_ante_bonus_alone_prices_ante_and_play(file: Path) -> None:
    file.write_text(json.dumps({"group": "ante_play", "pays": HOUSE["ante_bonus"]}))
    assert run("price", str(file))["wagers"]["ante"]["house_edge"] == [686_689, 20_358_520]


def test_a_strategy_is_simulated_against_its_price() -> None:
    told = run(
        "simulate", "three_card_poker", "--hands", "50000", "--strategy", "all", "--seed", "a"
    )
    assert told["inside"]
    assert told["wagers"]["ante"]["exact"] == [1_947_749, 25_448_150]


def test_games_between_players_have_no_strategy() -> None:
    with pytest.raises(CommandError):
        run("simulate", "holdem", "--strategy", "optimal")
