"""Each of the ten risks has tests, and the table that names them is true."""

from __future__ import annotations

import re

import pytest

from tests.flows.redteam import further
from tests.flows.redteam.attacks import ATTACKS
from tests.plugin import ROOT

ROW = re.compile(r"^\| API(\d+) ([^|]+) \|[^|]+\|([^|]+)\|$", re.MULTILINE)
ROWS = ROW.findall((ROOT / "docs" / "security.md").read_text(encoding="utf-8"))
GROUPS = {tried.group for tried in ATTACKS}
assert further.KINDS


def test_all_ten_are_there() -> None:
    assert [int(number) for number, _, _ in ROWS] == list(range(1, 11))


@pytest.mark.parametrize(("number", "risk", "named"), ROWS, ids=[row[1].strip() for row in ROWS])
def test_a_risk_is_tried_by_tests_that_exist(number: str, risk: str, named: str) -> None:
    tests = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", named)
    assert tests or "attacks" in named
    for file, test in tests:
        text = (ROOT / file).read_text(encoding="utf-8")
        assert re.search(rf"^(async )?def {test}\(", text, re.MULTILINE), f"{file}::{test}"
    if "attacks" in named:
        groups = re.findall(r'"([^"]+)"', named.partition("attacks")[2])
        assert groups
        assert set(groups) <= GROUPS
