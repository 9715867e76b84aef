"""What may be said as an action: small and plain, and only a game's changes a little deeper."""

from typing import Any

import pytest

from tables.engine.errors import MalformedAction
from tables.shapes import action_checked

STEP = {"step": "deal", "street": "a", "down": 5}


def named(changes: Any) -> dict[str, Any]:
    return {"name": "name_game", "nth": 0, "changes": changes}


@pytest.mark.parametrize(
    "action",
    [
        {"name": "fold"},
        {"name": "bet", "to_minor": 500},
        {"name": "draw", "cards": [0, 4]},
        {"name": "bet", "wagers": {"ante": 500}},
        named({"wild": "K", "burns": False, "steps": [STEP], "other": None}),
        named({"shares": [{"ranking": "high", "hole": [2], "board": [3]}]}),
    ],
)
def test_a_plain_action_is_passed_on_as_it_is(action: dict[str, Any]) -> None:
    assert action_checked(action) == action


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ([], "an action is an object"),
        ({"to_minor": 5}, "has a name"),
        ({"name": "bet", "to_minor": 1.5}, "to_minor must be a whole number"),
        ({"name": "bet", "to_minor": 2**63}, "too large"),
        ({"name": "bet", "wagers": {"ante": {"deep": 1}}}, "wagers.ante must be"),
        ({"name": "draw", "cards": [[0]]}, "cards.0 must be"),
        (named({"steps": [{"step": {"more": {"more": 1}}}]}), "changes.steps.0.step.more"),
        (named({"steps": [STEP] * 61}), "more than 60 entries"),
        (named({"name": "n" * 65}), "longer than 64"),
        (named({"most_seats": 2.5}), "changes.most_seats must be"),
        (named({f"field{nth}": 1 for nth in range(21)}), "more than 20 fields"),
    ],
)
def test_what_is_not_plain_is_refused_with_the_field_at_fault(action: Any, words: str) -> None:
    with pytest.raises(MalformedAction) as refused:
        action_checked(action)
    assert words in str(refused.value)
