"""The worked cases of every ranking."""

from __future__ import annotations

from typing import Any

import pytest

from tables.engine.history.ranking_cases import play_ranking_case
from tests.engine.data import cases

FILES = (
    "ace_to_five", "ace_to_six", "badugi", "bug_high", "bug_low", "deuce_to_seven", "dice_bids",
    "dice_hand", "eight_or_better", "exposed", "high", "omaha_high", "omaha_low",
    "pineapple_discard", "spit", "stud_hilo", "three_card", "wild_high",
)  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_worked_cases_come_out_as_expected(name: str) -> None:
    wrong: list[Any] = [
        (case["id"], got)
        for case in cases(f"ranking/{name}")
        if (got := play_ranking_case(case)) != case["expected"]
    ]
    assert wrong == []
