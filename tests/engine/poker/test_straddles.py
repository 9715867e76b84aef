"""Straddles: twice the big blind, live, last to act before the flop."""

from __future__ import annotations

from random import Random
from typing import Any

import orjson
import pytest

from tables.engine.errors import BadOptions
from tables.engine.poker.hand import PokerHand, load, start
from tables.engine.poker.options import options_of
from tables.engine.poker.straddling import straddle_post
from tables.engine.protocol import SeatIn
from tests.engine.poker.playing import do, ring_game, shuffled, stacks_of, table_options

SEATS = [1, 2, 3, 4, 5]


def straddled(
    seat: int = 4, stacks: dict[int, int] | None = None, limit: str = "no_limit", **options: Any
) -> PokerHand:
    """Blinds 1 and 2 in seats 2 and 3, the button on seat 1."""
    game = ring_game("holdem")
    held = dict.fromkeys(SEATS, 100) | (stacks or {})
    hand, _ = start(
        game,
        [SeatIn(number, chips) for number, chips in held.items()],
        table_options(game, limit, straddle="either", **options),
        shuffled(game, Random(7)),
        button=1,
        posts=[
            {"seat": 2, "kind": "small"},
            {"seat": 3, "kind": "big"},
            {"seat": seat, "kind": "straddle"},
        ],
    )
    return hand


def raise_to(hand: PokerHand) -> tuple[int, int]:
    choice = next(c for c in hand.legal(hand.waiting[0]) if "most_to_minor" in c)
    return choice["least_to_minor"], choice["most_to_minor"]


class TestLeftOfTheBigBlind:
    def test_the_seat_to_his_left_acts_first_and_the_straddler_last(self) -> None:
        hand = straddled()
        order = []
        while hand.street == "preflop":
            order += hand.waiting
            do(hand, "check" if hand.legal(hand.waiting[0])[1]["name"] == "check" else "call")
        assert order == [5, 1, 2, 3, 4]

    def test_it_is_live_the_straddler_may_raise_when_all_have_called(self) -> None:
        hand = straddled()
        do(hand, "call", "call", "call", "call")
        assert [choice["name"] for choice in hand.legal(4)] == ["fold", "check", "raise"]
        assert hand.view(None)["call_minor"] == 0

    def test_a_call_costs_the_straddle_and_the_least_raise_adds_what_it_added(self) -> None:
        hand = straddled()
        assert hand.legal(5)[1] == {"name": "call", "amount_minor": 4}
        assert raise_to(hand) == (6, 100)

    def test_in_pot_limit_the_straddle_counts_as_chips_in_the_pot(self) -> None:
        hand = straddled(limit="pot")
        assert raise_to(hand)[1] == 4 + (1 + 2 + 4 + 4)

    def test_in_fixed_limit_it_is_the_first_raise(self) -> None:
        hand = straddled(limit="fixed")
        assert raise_to(hand) == (6, 6)
        do(hand, "raise", "raise")
        assert [c["name"] for c in hand.legal(hand.waiting[0])] == ["fold", "call"]

    def test_after_the_flop_the_small_blind_begins_and_the_least_bet_is_the_big_blind(self) -> None:
        hand = straddled()
        do(hand, "call", "call", "call", "call", "check")
        assert hand.street == "flop"
        assert hand.waiting == (2,)
        assert raise_to(hand)[0] == 2

    def test_who_has_less_than_twice_the_big_blind_makes_none(self) -> None:
        hand = straddled(stacks={4: 3})
        assert hand.waiting == (4,)
        assert hand.legal(4)[1] == {"name": "call", "amount_minor": 2}
        assert "over_blind" not in hand.view(None)

    def test_who_has_just_as_much_is_all_in_and_keeps_his_claim(self) -> None:
        hand = straddled(stacks={4: 4})
        do(hand, "call", "fold", "fold", "fold")
        assert hand.over
        assert sum(stacks_of(hand).values()) == 404

    def test_the_view_says_whose_it_is_and_a_stored_hand_goes_on(self) -> None:
        hand = straddled()
        assert hand.view(None)["over_blind"] == {"kind": "straddle", "seat": 4, "to_minor": 4}
        again = load(hand.game, hand.options, orjson.loads(orjson.dumps(hand.dump())), hand.deck)
        assert again.view(5) == hand.view(5)
        assert do(again, "call", "call") == do(hand, "call", "call")

    def test_a_player_who_owes_a_big_blind_posts_it_and_straddles_over_it(self) -> None:
        game = ring_game("holdem")
        posts = [
            {"seat": 2, "kind": "small"}, {"seat": 3, "kind": "big"}, {"seat": 4, "kind": "live"},
            {"seat": 4, "kind": "straddle"},
        ]  # fmt: skip
        hand, _ = start(
            game, [SeatIn(n, 100) for n in SEATS], table_options(game), shuffled(game, Random(1)),
            button=1, posts=posts,
        )  # fmt: skip
        assert stacks_of(hand)[4] == 96
        assert hand.legal(5)[1]["amount_minor"] == 4


class TestOnTheButton:
    def test_the_small_blind_acts_first_and_the_button_last(self) -> None:
        hand = straddled(seat=1)
        order = []
        while hand.street == "preflop":
            order += hand.waiting
            do(hand, "check" if hand.legal(hand.waiting[0])[1]["name"] == "check" else "call")
        assert order == [2, 3, 4, 5, 1]


class TestWhoMay:
    @pytest.mark.parametrize(
        ("where", "wishing", "seat"),
        [
            ("left", {1, 2, 4, 5}, 4),
            ("left", {1, 2, 3, 5}, None),
            ("button", {1, 4}, 1),
            ("button", {4}, None),
            ("either", {1, 4}, 1),
            ("either", {4}, 4),
            (None, {1, 4}, None),
        ],
    )
    def test_left_of_the_big_blind_the_button_or_either_the_button_first(
        self, where: str | None, wishing: set[int], seat: int | None
    ) -> None:
        post = straddle_post(where, SEATS, 1, 3, wishing)
        assert post == (None if seat is None else {"seat": seat, "kind": "straddle"})

    def test_with_fewer_than_four_nobody_straddles(self) -> None:
        assert straddle_post("left", [1, 2, 3], 1, 3, {1, 2, 3}) is None

    def test_an_empty_seat_on_the_button_straddles_not(self) -> None:
        assert straddle_post("button", [2, 3, 4, 5], 1, 3, {1}) is None

    def test_a_table_without_two_blinds_allows_none(self) -> None:
        for game, stakes in (("stud", {}), ("holdem", {"blinds_minor": [1, 2, 4]})):
            value = ring_game(game)
            with pytest.raises(BadOptions, match="two blinds"):
                options_of(value, table_options(value, straddle="left", **stakes))

    def test_only_a_word_of_the_table_is_taken(self) -> None:
        game = ring_game("holdem")
        with pytest.raises(BadOptions, match="None, left, button, either"):
            options_of(game, table_options(game, straddle="under the gun"))

    def test_two_blinds_over_the_big_one_are_refused(self) -> None:
        game = ring_game("holdem")
        posts = [{"seat": 3, "kind": "big"}, {"seat": 4, "kind": "straddle"}]
        posts += [{"seat": 5, "kind": "kill"}]
        with pytest.raises(BadOptions, match="at most one"):
            start(
                game, [SeatIn(n, 100) for n in SEATS], table_options(game),
                shuffled(game, Random(1)), button=1, posts=posts,
            )  # fmt: skip
