"""Worked hands come out as worked out by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tables.engine.history.cases import case_expected, play_hand_case

DATA = Path(__file__).parents[2] / "data" / "hands"
CASES = [
    case for path in sorted(DATA.glob("*.json")) for case in json.loads(path.read_text())["cases"]
]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: dict[str, Any]) -> None:
    got, expected = play_hand_case(case), case_expected(case)
    assert {name: got[name] for name in expected} == expected, case["rule"]
