"""Who may bet how much, and when a round is over."""

from __future__ import annotations

import pytest

from tables.engine.errors import (
    BetTooLarge,
    BetTooSmall,
    CannotCheck,
    CannotRaise,
    HandIsOver,
    MalformedAction,
    NoSuchAction,
    NothingToCall,
    NotInHand,
    NotWholeChips,
    NotYourTurn,
)
from tables.engine.poker.hand import PokerHand
from tests.engine.poker.playing import do, scripted, stacks_of


def raise_range(hand: PokerHand) -> tuple[int, int] | None:
    for choice in hand.legal(hand.waiting[0]):
        if "most_to_minor" in choice:
            return choice["least_to_minor"], choice["most_to_minor"]
    return None


def call_amount(hand: PokerHand) -> int:
    choices = {choice["name"]: choice for choice in hand.legal(hand.waiting[0])}
    return choices["call"]["amount_minor"] if "call" in choices else 0


def names(hand: PokerHand) -> set[str]:
    return {choice["name"] for choice in hand.legal(hand.waiting[0])}


def test_heads_up_the_button_posts_the_small_blind_and_acts_first_before_the_flop_only() -> None:
    hand, events = scripted("holdem", [100, 100], button=0)
    posted = [(e.public["seat"], e.public["kind"]) for e in events if e.type == "blind_posted"]
    assert posted == [(1, "big"), (0, "small")] or posted == [(0, "small"), (1, "big")]
    assert hand.waiting == (0,)
    do(hand, "call", "check")
    assert hand.waiting == (1,)


@pytest.mark.parametrize(
    ("blinds", "seats", "posted", "waits"),
    [
        ([1, 1, 2], 5, {1: 1, 2: 1, 3: 2}, 4),
        ([1, 1, 2], 3, {1: 1, 2: 1, 0: 2}, 1),
        ([1, 1, 2], 2, {0: 1, 1: 2}, 0),
        ([1, 1, 1, 2], 3, {1: 1, 2: 1, 0: 2}, 1),
    ],
)
def test_three_blinds_go_round_from_the_left_and_with_few_seats_the_first_fall_away(
    blinds: list[int], seats: int, posted: dict[int, int], waits: int
) -> None:
    hand, events = scripted("holdem", [100] * seats, button=0, blinds_minor=blinds)
    paid = [event.public for event in events if event.type == "blind_posted"]
    assert {blind["seat"]: blind["amount_minor"] for blind in paid} == posted
    assert hand.waiting == (waits,)
    assert hand.price == 2


def test_the_big_blind_may_raise_when_all_have_called() -> None:
    hand, _ = scripted("holdem", [100] * 4, button=0)
    do(hand, "fold", "fold", "call")
    assert hand.waiting == (2,)
    assert names(hand) == {"fold", "check", "raise"}
    do(hand, "raise 6")
    assert hand.waiting == (1,)


def test_an_all_in_raise_is_put_to_the_other_player() -> None:
    hand, _ = scripted("holdem", [2000, 1880], button=0, small_blind_minor=10, big_blind_minor=20)
    do(hand, "raise 180", "raise 1880")
    assert hand.waiting == (0,)
    assert call_amount(hand) == 1700
    do(hand, "fold")
    assert stacks_of(hand) == {0: 1820, 1: 2060}
    assert hand.result is not None
    assert hand.result["pots"][0]["amount_minor"] == 360


def test_a_raise_adds_at_least_the_last_raise_not_double_the_bet() -> None:
    hand, _ = scripted("holdem", [9000, 9000], button=0, small_blind_minor=50, big_blind_minor=100)
    do(hand, "raise 200", "raise 2179")
    with pytest.raises(BetTooSmall) as refused:
        do(hand, "raise 4157")
    assert refused.value.least_to_minor == 4158
    do(hand, "raise 4200")


def test_less_than_a_full_raise_is_possible_all_in() -> None:
    hand, _ = scripted("holdem", [1000, 1000, 1000, 150], button=0)
    do(hand, "call", "call", "call", "check")
    do(hand, "bet 100", "fold")
    assert raise_range(hand) == (148, 148)


def test_a_short_all_in_does_not_reopen_the_betting_to_those_who_have_acted() -> None:
    hand, _ = scripted("holdem", [1000, 1000, 152, 1000], button=0)
    do(hand, "call", "call", "call", "check")
    do(hand, "bet 100", "raise 150", "call")  # seat 3 calls 150
    assert hand.waiting == (0,)
    assert raise_range(hand) == (250, 998)  # has not acted yet
    do(hand, "call")
    assert hand.waiting == (1,)
    assert raise_range(hand) is None
    with pytest.raises(CannotRaise):
        do(hand, "raise 300")


def test_an_opening_all_in_below_the_least_bet_does_not_reopen_for_those_who_checked() -> None:
    hand, _ = scripted("holdem", [100, 100, 5], button=0, small_blind_minor=2, big_blind_minor=4)
    do(hand, "call", "call", "check", "check")
    do(hand, "bet 1")  # seat 2 is all-in for 1
    assert raise_range(hand) == (5, 96)
    do(hand, "call")
    assert hand.waiting == (1,)
    assert raise_range(hand) is None


class TestFixedLimit:
    def test_one_bet_and_three_raises_then_the_cap(self) -> None:
        hand, _ = scripted("holdem", [500] * 3, button=0, limit="fixed", small_bet_minor=10,
                           small_blind_minor=5, big_blind_minor=10)  # fmt: skip
        do(hand, "call", "call", "check")
        do(hand, "bet 10", "raise 20", "raise 30", "raise 40")
        assert names(hand) == {"fold", "call"}
        with pytest.raises(CannotRaise):
            do(hand, "raise 50")

    def test_the_blind_counts_as_the_bet(self) -> None:
        hand, _ = scripted("holdem", [500] * 3, button=0, limit="fixed")
        do(hand, "raise 4", "raise 6", "raise 8")
        assert "raise" not in names(hand)

    def test_half_a_bet_all_in_counts_as_one(self) -> None:
        hand, _ = scripted("holdem", [500, 500, 35], button=0, limit="fixed",
                           small_blind_minor=10, big_blind_minor=20)  # fmt: skip
        do(hand, "call", "call", "check")
        do(hand, "check", "bet 15")
        assert call_amount(hand) == 15
        assert raise_range(hand) == (35, 35)

    def test_less_than_half_a_bet_all_in_may_be_completed(self) -> None:
        hand, _ = scripted("holdem", [500, 500, 28], button=0, limit="fixed",
                           small_blind_minor=10, big_blind_minor=20)  # fmt: skip
        do(hand, "call", "call", "check")
        do(hand, "check", "bet 8")
        assert call_amount(hand) == 8
        assert raise_range(hand) == (20, 20)
        do(hand, "call")
        assert hand.waiting == (1,)  # checked: a wager under half does not re-open
        assert raise_range(hand) is None

    def test_short_all_ins_add_up(self) -> None:
        hand, _ = scripted("holdem", [500, 500, 23, 25], button=0, limit="fixed",
                           small_blind_minor=5, big_blind_minor=10)  # fmt: skip
        do(hand, "call", "call", "call", "check")
        do(hand, "bet 10", "raise 13", "raise 15")
        assert raise_range(hand) == (25, 25)
        do(hand, "call")
        assert hand.waiting == (1,)
        assert raise_range(hand) == (25, 25)

    def test_a_bet_of_another_amount_is_refused(self) -> None:
        hand, _ = scripted("holdem", [500] * 3, button=0, limit="fixed")
        with pytest.raises(BetTooLarge):
            do(hand, "raise 5")
        with pytest.raises(BetTooSmall):
            do(hand, "raise 3")

    def test_the_only_amount_may_be_left_out(self) -> None:
        hand, _ = scripted("holdem", [500] * 3, button=0, limit="fixed")
        do(hand, "raise")
        assert hand.price == 4


class TestPotLimit:
    def test_first_in_with_blinds_of_5_and_10_goes_to_35(self) -> None:
        hand, _ = scripted("omaha", [500] * 4, button=0, limit="pot",
                           small_blind_minor=5, big_blind_minor=10)  # fmt: skip
        assert raise_range(hand) == (20, 35)
        with pytest.raises(BetTooLarge):
            do(hand, "raise 36")
        do(hand, "raise 35")

    def test_the_small_blind_first_in_goes_to_three_big_blinds(self) -> None:
        hand, _ = scripted("omaha", [500] * 3, button=0, limit="pot")
        do(hand, "fold")
        assert raise_range(hand) == (4, 6)

    def test_half_pot_is_rounded_down(self) -> None:
        hand, _ = scripted("holdem", [500] * 3, button=0, limit="half_pot")
        assert raise_range(hand) == (4, 4)  # 2 + (3 + 2) // 2
        do(hand, "call", "call", "check")
        assert raise_range(hand) == (2, 3)
        do(hand, "bet 3")
        assert raise_range(hand) == (6, 9)  # 3 + (9 + 3) // 2

    def test_the_most_never_falls_below_the_least(self) -> None:
        hand, _ = scripted("holdem", [500] * 2, button=0, limit="half_pot",
                           small_blind_minor=1, big_blind_minor=10)  # fmt: skip
        assert raise_range(hand) == (20, 20)


class TestSpreadLimit:
    def test_any_amount_between_the_two_figures_and_a_raise_at_least_the_last(self) -> None:
        hand, _ = scripted("holdem", [500] * 3, button=0, limit="spread", spread_minor=[2, 10])
        assert raise_range(hand) == (4, 12)
        do(hand, "call", "call", "check")
        assert raise_range(hand) == (2, 10)
        do(hand, "bet 7")
        assert raise_range(hand) == (14, 17)

    def test_it_is_capped_like_fixed_limit(self) -> None:
        hand, _ = scripted("holdem", [500] * 3, button=0, limit="spread", spread_minor=[2, 10])
        do(hand, "raise 4", "raise 6", "raise 8")
        assert raise_range(hand) is None


def test_no_raise_is_offered_when_nobody_else_can_call_it() -> None:
    hand, _ = scripted("holdem", [100, 20, 100], button=0)
    do(hand, "fold", "raise 20")
    assert names(hand) == {"fold", "call"}


def test_a_lone_player_with_chips_is_not_asked_for_bets() -> None:
    hand, _ = scripted("holdem", [100, 20, 100], button=0)
    do(hand, "fold", "raise 20", "call")
    assert hand.over


def test_a_short_big_blind_still_makes_a_full_price() -> None:
    hand, _ = scripted("holdem", [100, 100, 7], button=0, small_blind_minor=5, big_blind_minor=10)
    assert stacks_of(hand)[2] == 0
    assert call_amount(hand) == 10


def test_bets_are_whole_chips_but_all_in_is_always_allowed() -> None:
    hand, _ = scripted("holdem", [1003, 1000, 1000], button=0, chip_minor=25,
                       small_blind_minor=25, big_blind_minor=50)  # fmt: skip
    with pytest.raises(NotWholeChips):
        do(hand, "raise 110")
    do(hand, "raise 1003")


def test_after_an_all_in_between_whole_chips_the_next_fixed_raise_is_whole_again() -> None:
    hand, _ = scripted("holdem", [1000, 1000, 167, 1000], button=3, limit="fixed", chip_minor=25,
                       small_blind_minor=50, big_blind_minor=100)  # fmt: skip
    do(hand, "raise 167")
    assert raise_range(hand) == (275, 275)
    do(hand, "raise 275")


class TestRefusals:
    def test_out_of_turn(self) -> None:
        hand, _ = scripted("holdem", [100] * 3, button=0)
        with pytest.raises(NotYourTurn) as refused:
            hand.act(1, {"name": "fold"})
        assert refused.value.waiting == (0,)

    def test_not_dealt_in(self) -> None:
        hand, _ = scripted("holdem", [100] * 3, button=0)
        with pytest.raises(NotInHand):
            hand.act(9, {"name": "fold"})

    def test_a_check_that_is_not_free(self) -> None:
        hand, _ = scripted("holdem", [100] * 3, button=0)
        with pytest.raises(CannotCheck) as refused:
            do(hand, "check")
        assert refused.value.call_minor == 2

    def test_a_call_of_nothing(self) -> None:
        hand, _ = scripted("holdem", [100] * 3, button=0)
        do(hand, "call", "call")
        with pytest.raises(NothingToCall):
            do(hand, "call")

    def test_a_bet_where_there_is_one(self) -> None:
        hand, _ = scripted("holdem", [100] * 3, button=0)
        with pytest.raises(NoSuchAction):
            do(hand, "bet 4")

    def test_a_raise_without_an_amount(self) -> None:
        hand, _ = scripted("holdem", [100] * 3, button=0)
        with pytest.raises(MalformedAction):
            do(hand, "raise")

    @pytest.mark.parametrize("amount", [-600, 0, 1])
    def test_amounts_below_the_least(self, amount: int) -> None:
        hand, _ = scripted("holdem", [100] * 3, button=0)
        with pytest.raises(BetTooSmall):
            do(hand, f"raise {amount}")

    @pytest.mark.parametrize("amount", ["1e3", 5.0, True, [4]])
    def test_amounts_that_are_no_whole_numbers(self, amount: object) -> None:
        hand, _ = scripted("holdem", [100] * 3, button=0)
        with pytest.raises(MalformedAction):
            hand.act(0, {"name": "raise", "to_minor": amount})

    def test_after_the_end(self) -> None:
        hand, _ = scripted("holdem", [100] * 3, button=0)
        do(hand, "fold", "fold")
        with pytest.raises(HandIsOver):
            hand.act(0, {"name": "fold"})
        with pytest.raises(HandIsOver):
            hand.expire()


class TestTimeOut:
    def test_checks_where_that_is_free(self) -> None:
        hand, _ = scripted("holdem", [100] * 3, button=0)
        do(hand, "call", "call")
        (event, *_) = hand.expire()
        assert event.type == "checked"
        assert event.public == {"seat": 2, "default": True}

    def test_folds_to_a_bet(self) -> None:
        hand, _ = scripted("holdem", [100] * 3, button=0)
        (event, *_) = hand.expire()
        assert event.type == "folded"
        assert event.public == {"seat": 0, "default": True}
