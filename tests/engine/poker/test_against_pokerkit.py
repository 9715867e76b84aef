"""Hand after hand in step with PokerKit, on the games both deal; `make lockstep` plays more."""

from __future__ import annotations

from typing import Any

import pytest

from tables.engine.poker import betting, showdown
from tests.engine.poker.lockstep import HALF_BET, ODD_CHIP, PEERS, RULES, play_many


@pytest.mark.parametrize("name", PEERS)
def test_same_turns_ranges_and_stacks_or_a_rule_that_says_why_not(name: str) -> None:
    found = play_many(name, "quick", 0, 40)
    assert found["unexplained"] == []
    assert set(found["differences"]) <= set(RULES)
    assert found["equal"] >= 20


def test_a_wrong_range_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = betting.raise_range

    def raise_range(state: Any, place: int) -> tuple[int, int] | None:
        limits = plain(state, place)
        return limits and (limits[0], limits[1] + 1)

    monkeypatch.setattr(betting, "raise_range", raise_range)
    assert play_many("pot-limit Omaha", "quick", 0, 5)["unexplained"]


def test_a_pot_for_the_wrong_hand_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = showdown.scores
    monkeypatch.setattr(
        showdown, "scores", lambda *told: [value and 10**9 - value for value in plain(*told)]
    )
    found = play_many("no-limit hold'em", "quick", 0, 30)
    assert found["unexplained"]
    assert ODD_CHIP not in found["differences"]


def test_rules_explain_what_is_theirs_alone() -> None:
    assert HALF_BET not in play_many("no-limit hold'em", "quick", 0, 40)["differences"]
