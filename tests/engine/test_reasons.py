"""Why something is refused: a code and facts for programs, a sentence for people."""

import pickle
import re
from pathlib import Path

import pytest

from casino.errors import problem
from tables.engine.errors import BadDefinition, BadOptions
from tables.engine.games import named
from tables.engine.reasons import SENTENCES, Reason

HOUSE = Path(__file__).parents[2]
USED = re.compile(r"Reason\(\s*\"(\w+)\"((?:\s*,\s*\w+=)?)")


def test_every_reason_is_given_somewhere_and_each_that_is_given_has_a_sentence() -> None:
    given: set[str] = set()
    for folder in ("tables", "casino"):
        for file in (HOUSE / folder).rglob("*.py"):
            given |= {found[1] for found in USED.finditer(file.read_text())}
    assert given == set(SENTENCES)


def test_a_reason_is_its_sentence_and_survives_being_sent_to_another_process() -> None:
    error = BadOptions("runs", Reason("not_one_of", known=(1, 2, 3)))
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) == "option runs: must be one of 1, 2, 3"
    assert (again.reason.code, again.reason.facts) == ("not_one_of", {"known": (1, 2, 3)})


def test_a_program_is_told_the_code_of_a_reason_and_of_the_reason_in_it() -> None:
    steps = [{"step": "deal", "street": "a", "down": -1}, {"step": "bet"}]
    with pytest.raises(BadDefinition) as refused:
        named("custom", {"custom": {"name": "Own", "base": "holdem", "changes": {"steps": steps}}})
    told = problem(refused.value)
    assert told is not None
    assert told["reason"] == "step 1, deal: deals no cards"
    assert told["reason_code"] == "in_step"
    assert told["reason_facts"] == {
        "nth": 1,
        "step": "deal",
        "fault": {"code": "deals_nothing", "facts": {}},
    }
