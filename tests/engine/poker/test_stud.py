"""Stud: who brings in, who acts first, the double bet, the common card."""

from __future__ import annotations

import pytest

from tables.engine.errors import CannotRaise
from tests.engine.poker.playing import do, scripted, stacks_of

FILL = ["4c 5c", "6d 7d", "9h Th"]


def offered(hand: object) -> dict[str, int]:
    choices = hand.legal(hand.waiting[0])  # type: ignore[attr-defined]
    return {
        choice["name"]: choice.get("least_to_minor", choice.get("amount_minor", 0))
        for choice in choices
    }


def test_the_lowest_card_brings_in_clubs_before_the_other_suits() -> None:
    hand, _ = scripted("stud", [100] * 3, hole=["4c 5c 2d", "6d 7d 2c", "9h Th Ks"], limit="fixed")
    assert hand.waiting == (1,)
    assert offered(hand) == {"bring_in": 2, "complete": 4}


def test_razz_is_brought_in_by_the_highest_card_ace_low() -> None:
    hand, _ = scripted("razz", [100] * 3, hole=["4c 5c Ad", "6d 7d Kc", "9h Th Ks"], limit="fixed")
    assert hand.waiting == (2,)


def test_who_is_all_in_on_the_ante_leaves_the_bring_in_to_his_left() -> None:
    hand, _ = scripted(
        "stud", [100, 1, 100], hole=["4c 5c Jd", "6d 7d 2c", "9h Th Ks"], limit="fixed"
    )
    assert hand.waiting == (2,)
    assert offered(hand) == {"fold": 0, "bring_in": 2, "complete": 4}
    do(hand, "fold")
    assert hand.over


def test_a_short_bring_in_still_makes_a_full_price() -> None:
    hand, _ = scripted(
        "stud", [100, 2, 100], hole=["4c 5c Jd", "6d 7d 2c", "9h Th Ks"], limit="fixed"
    )
    assert offered(hand) == {"bring_in": 1}
    with pytest.raises(CannotRaise):
        do(hand, "complete 1")
    do(hand, "bring_in")
    assert hand.stacks[hand.numbers.index(1)] == 0
    assert offered(hand) == {"fold": 0, "call": 2, "complete": 4}


def test_the_best_board_acts_first_and_an_ace_is_high() -> None:
    hand, _ = scripted(
        "stud",
        [100] * 3,
        hole=["4c 5c 2d Ac", "6d 7d 3c Kc", "9h Th Js Qd"],
        limit="fixed",
    )
    do(hand, "bring_in", "call", "call")
    assert hand.waiting == (0,)


class TestOpenPairOnFourthStreet:
    def pair(self, **options: object) -> object:
        hand, _ = scripted(
            "stud",
            [100] * 3,
            hole=["4c 5c 2d Ac", "6d 7d 9c 9s", "9h Th Js Qd"],
            limit="fixed",
            **options,
        )
        do(hand, "bring_in", "call", "call")
        return hand

    def test_small_and_big_are_open_to_all(self) -> None:
        hand = self.pair()
        assert offered(hand) == {"fold": 0, "check": 0, "bet": 4, "double_bet": 8}

    def test_after_a_small_bet_both_raises_are_open(self) -> None:
        hand = self.pair()
        do(hand, "bet 4")  # type: ignore[arg-type]
        assert offered(hand) == {"fold": 0, "call": 4, "raise": 8, "double_bet": 12}

    def test_after_a_big_one_only_big_raises(self) -> None:
        hand = self.pair()
        do(hand, "double_bet")  # type: ignore[arg-type]
        assert offered(hand) == {"fold": 0, "call": 8, "raise": 16}

    def test_the_table_may_switch_it_off(self) -> None:
        assert "double_bet" not in offered(self.pair(no_double_bet=True))


def test_an_all_in_of_half_the_missing_chips_counts_as_the_completion() -> None:
    hand, _ = scripted(
        "stud", [100, 100, 4], hole=["4c 5c 2d", "6d 7d 3c", "9h Th Ks"], limit="fixed"
    )
    do(hand, "bring_in", "call", "complete 3")
    assert offered(hand) == {"fold": 0, "call": 1, "raise": 7}


def test_who_called_the_bring_in_may_raise_a_completion() -> None:
    for limit in ("fixed", "no_limit"):
        hand, _ = scripted(
            "stud", [100] * 3, hole=["4c 5c 2d", "6d 7d 3c", "9h Th Ks"], limit=limit
        )
        do(hand, "bring_in", "call", "complete 4", "call")
        assert hand.waiting == (1,)
        assert "raise" in offered(hand)


def test_a_bring_in_alone_wins_the_antes() -> None:
    hand, _ = scripted("stud", [100] * 3, hole=["4c 5c 2d", "6d 7d 3c", "9h Th Ks"], limit="fixed")
    do(hand, "bring_in", "fold", "fold")
    assert stacks_of(hand) == {0: 102, 1: 99, 2: 99}
