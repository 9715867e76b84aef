"""Running it twice or three times: everybody's consent, each run its part of each pot."""

from __future__ import annotations

from random import Random
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis.strategies import integers, lists

from tables.engine.errors import BadOptions, MalformedAction, NoSuchAction
from tables.engine.poker.hand import PokerHand, load
from tables.engine.poker.options import options_of
from tests.engine.poker.boards import all_in, hand_of, run_it
from tests.engine.poker.playing import do, ring_game, stacks_of, table_options

ACES, KINGS = "As Ad", "Kh Kc"
ACES_HOLD, KINGS_COME = "2c 7d 9h Js 4c", "3c 8d Kd Qs 5h"


def heads_up(*boards: str, runs: int = 2, **options: Any) -> PokerHand:
    return hand_of("holdem", [100, 100], [KINGS, ACES], list(boards), runs=runs, **options)


class TestWhoIsAsked:
    def test_all_who_are_in_at_once_when_only_board_cards_are_to_come(self) -> None:
        hand = heads_up(ACES_HOLD, KINGS_COME)
        all_in(hand)
        assert (hand.window, set(hand.waiting), hand.board) == ("run", {1, 2}, [])
        assert hand.legal(1) == [{"name": "run_it", "options": [1, 2]}]

    def test_the_hands_lie_open_when_they_are_asked(self) -> None:
        hand = heads_up(ACES_HOLD, KINGS_COME)
        all_in(hand)
        assert [p["cards"] for p in hand.view(None)["players"]] == [KINGS.split(), ACES.split()]

    def test_nobody_where_the_table_does_not_say_so(self) -> None:
        hand = heads_up(ACES_HOLD, KINGS_COME, runs=1)
        all_in(hand)
        assert hand.over

    def test_nobody_with_the_last_card_out(self) -> None:
        hand = heads_up(ACES_HOLD, KINGS_COME)
        do(hand, "call", "check", "check", "check", "check", "check")
        all_in(hand)
        assert hand.over

    def test_nobody_while_two_can_still_bet(self) -> None:
        stacks, hole = [100, 100, 10], [KINGS, ACES, "2h 2d"]
        hand = hand_of("holdem", stacks, hole, [ACES_HOLD, KINGS_COME], runs=2)
        do(hand, "raise 10", "call", "call")
        assert (hand.window, hand.street) == ("turn", "flop")

    def test_who_covers_the_others_is_asked_too(self) -> None:
        hand = hand_of("holdem", [300, 100], [KINGS, ACES], [ACES_HOLD, KINGS_COME], runs=2)
        all_in(hand)
        assert set(hand.waiting) == {1, 2}

    def test_nobody_in_games_that_deal_players_cards_of_their_own(self) -> None:
        for game_id in ("stud", "five_card_draw"):
            game = ring_game(game_id)
            assert options_of(game, table_options(game, runs=3)).runs == 3
        hand = hand_of("crazy_pineapple", [100, 100], ["Kh Kc 2s", "As Ad 3s"], [ACES_HOLD], runs=2)
        all_in(hand)
        assert hand.window == "discard"

    def test_after_the_discard_the_rest_is_board_alone(self) -> None:
        hand = hand_of("crazy_pineapple", [100, 100], ["Kh Kc 2s", "As Ad 3s"], [ACES_HOLD], runs=2)
        all_in(hand)
        do(hand, "discard 2", "discard 2")
        assert (hand.window, len(hand.board)) == ("run", 4)

    def test_only_as_often_as_the_stub_lasts(self) -> None:
        hole = [" ".join(ALL[nth * 6 : nth * 6 + 6]) for nth in range(6)]
        hand = hand_of("omaha6", [100] * 6, hole, [" ".join(ALL[36:41])], limit="no_limit", runs=3)
        all_in(hand)
        assert hand.legal(1) == [{"name": "run_it", "options": [1, 2]}]  # 16 cards are left

    def test_a_table_runs_it_three_times_at_most(self) -> None:
        game = ring_game("holdem")
        for runs in (0, 4, True, "2"):
            with pytest.raises(BadOptions, match="1, 2, 3"):
                options_of(game, table_options(game, runs=runs))


ALL = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


class TestConsent:
    def test_the_least_that_anybody_says_holds(self) -> None:
        hand = heads_up(ACES_HOLD, KINGS_COME, runs=3)
        all_in(hand)
        events = run_it(hand, 3, 2)
        assert [e.public for e in events[:3]] == [
            {"seat": 1, "choice": 3}, {"seat": 2, "choice": 2}, {"runs": 2},
        ]  # fmt: skip
        assert hand.view(None)["runs"] == 2

    def test_one_who_says_once_ends_it_for_all(self) -> None:
        hand = heads_up(ACES_HOLD, KINGS_COME)
        all_in(hand)
        run_it(hand, 1)
        assert hand.over
        assert stacks_of(hand) == {1: 0, 2: 200}

    def test_who_says_nothing_says_once(self) -> None:
        hand = heads_up(ACES_HOLD, KINGS_COME)
        all_in(hand)
        hand.act(2, {"name": "run_it", "choice": 2})
        events = hand.expire()
        assert events[0].public == {"seat": 1, "choice": 1, "default": True}
        assert hand.over
        assert "boards" not in hand.view(None)

    def test_when_nobody_answers_it_is_run_once(self) -> None:
        hand = heads_up(ACES_HOLD, KINGS_COME)
        all_in(hand)
        hand.expire()
        assert hand.over

    def test_it_is_asked_once(self) -> None:
        hand = heads_up(ACES_HOLD, KINGS_COME)
        all_in(hand)
        turn = hand.turn
        run_it(hand, 2, 2)
        assert (hand.over, hand.turn) == (True, turn)

    def test_anything_else_is_refused_and_changes_nothing(self) -> None:
        hand = heads_up(ACES_HOLD, KINGS_COME)
        all_in(hand)
        before = orjson.dumps(hand.dump())
        for choice in (0, 3, True, "2", None):
            with pytest.raises(MalformedAction):
                hand.act(1, {"name": "run_it", "choice": choice})
        with pytest.raises(NoSuchAction):
            hand.act(1, {"name": "fold"})
        assert orjson.dumps(hand.dump()) == before

    def test_a_hand_stored_between_two_answers_goes_on(self) -> None:
        hand = heads_up(ACES_HOLD, KINGS_COME)
        all_in(hand)
        run_it(hand, 2)
        again = load(hand.game, hand.options, orjson.loads(orjson.dumps(hand.dump())), hand.deck)
        assert (again.window, again.waiting) == ("run", (2,))
        assert run_it(again, 2) == run_it(hand, 2)
        assert again.view(None) == hand.view(None)


class TestMoney:
    def test_each_run_decides_half_of_the_pot(self) -> None:
        hand = heads_up(ACES_HOLD, KINGS_COME)
        all_in(hand)
        run_it(hand, 2, 2)
        assert stacks_of(hand) == {1: 100, 2: 100}
        assert hand.view(None)["boards"] == [ACES_HOLD.split(), KINGS_COME.split()]
        assert [(a["board_no"], a["winners"]) for a in hand.awards] == [
            (1, {"2": 100}), (2, {"1": 100}),
        ]  # fmt: skip

    def test_three_runs_and_odd_chips_one_each_to_the_first_of_them(self) -> None:
        hand = hand_of(
            "holdem", [101, 100], [KINGS, ACES],
            [KINGS_COME, ACES_HOLD, "2s 7h 9d Jc 4d"], runs=3, limit="no_limit",
        )  # fmt: skip
        all_in(hand)
        run_it(hand, 3, 3)
        assert [a["amount_minor"] for a in hand.awards] == [67, 67, 66]
        assert stacks_of(hand) == {1: 1 + 67, 2: 133}

    def test_cards_that_lie_there_stay_on_every_board(self) -> None:
        kept, first, second = "2c 7d 9h", "2c 7d 9h Js 4c", "2c 7d 9h Kd 4d"
        hand = hand_of("holdem", [100, 100], [KINGS, ACES], [first, second], kept=3, runs=2)
        do(hand, "call", "check")
        all_in(hand)
        assert hand.texts(hand.board) == kept.split()
        run_it(hand, 2, 2)
        assert hand.view(None)["boards"] == [first.split(), second.split()]
        assert stacks_of(hand) == {1: 100, 2: 100}

    def test_the_first_run_is_the_board_that_would_have_come_anyway(self) -> None:
        once, twice = heads_up(ACES_HOLD, KINGS_COME), heads_up(ACES_HOLD, KINGS_COME)
        for hand in (once, twice):
            all_in(hand)
        run_it(once, 1)
        run_it(twice, 2, 2)
        assert once.texts(once.board) == twice.view(None)["boards"][0] == ACES_HOLD.split()

    def test_side_pots_rake_runs_and_odd_chips_to_the_chip(self) -> None:
        """Seats 1 and 2 have 40, seat 3 has 15. Main 45, side 50; 5 % of 95 is 4, 2 of each.

        Main 43: 22 and 21. Side 48: 24 and 24. First run: seat 3 has the best hand, seat 1 beats
        seat 2. Second: the board plays, all share: 21 is 7 each, 24 is 12 each.
        """
        hand = hand_of(
            "holdem", [40, 40, 15], ["Kh Kc", "Qh Qc", "Ac Ad"],
            ["2c 7d 9h Jh 4c", "Ts Js Qs Ks As"], runs=2,
            rake={"basis_points": 500, "no_flop_no_drop": False},
        )  # fmt: skip
        all_in(hand)
        assert set(hand.waiting) == {1, 2, 3}
        run_it(hand, 2, 2, 2)
        assert stacks_of(hand) == {1: 24 + 12 + 7, 2: 12 + 7, 3: 22 + 7}
        assert hand.result is not None
        assert [pot["rake_minor"] for pot in hand.result["pots"]] == [2, 2]
        lines = [[line["amount_minor"] for line in p["boards"]] for p in hand.result["pots"]]
        assert lines == [[24, 21], [26, 24]]

    def test_the_rake_is_that_of_one_run(self) -> None:
        raked = []
        for choices in ((1,), (2, 2)):
            hand = heads_up(ACES_HOLD, KINGS_COME, rake={"basis_points": 500})
            all_in(hand)
            run_it(hand, *choices)
            assert hand.result is not None
            raked.append(hand.result["rake_minor"])
        assert raked == [10, 10]

    def test_high_low_each_run_is_split_by_itself(self) -> None:
        """A pot of 203 (the folded small blind is in it): 102 and 101.

        First run: seat 2 takes low, seat 3 high; second: nobody has a low, high takes all.
        """
        hand = hand_of(
            "omaha8", [100, 101, 101], ["7c 7h 8c 8h", "As 2s Qd Jh", "Kh Kc Td 9c"],
            ["3d 4c 8d Ks 9h", "Kd Qs Qc 6h 6d"], runs=2, limit="no_limit",
        )  # fmt: skip
        do(hand, "raise 101", "fold", "call")
        assert hand.window == "run"
        run_it(hand, 2, 2)
        assert [(a["board_no"], a["share"], a["winners"]) for a in hand.awards] == [
            (1, "high", {"3": 51}), (1, "low", {"2": 51}), (2, "high", {"3": 101}),
        ]  # fmt: skip
        assert stacks_of(hand) == {1: 99, 2: 51, 3: 152}

    def test_a_shown_hand_is_named_for_every_board(self) -> None:
        hand = heads_up(ACES_HOLD, KINGS_COME)
        all_in(hand)
        events = run_it(hand, 2, 2)
        kings = next(e.public for e in events if e.type == "hand_shown" and e.public["seat"] == 1)
        assert [side["high"]["class"] for side in kings["boards"]] == ["pair", "three_of_a_kind"]
        assert kings["high"] == kings["boards"][0]["high"]
        assert hand.view(None)["shown"]["1"] == kings


@settings(max_examples=40, deadline=None, derandomize=True)
@given(stacks=lists(integers(3, 60), min_size=2, max_size=6), runs=integers(1, 3), seed=integers(0))
def test_all_in_hands_pay_every_chip_whatever_the_runs(
    stacks: list[int], runs: int, seed: int
) -> None:
    random = Random(seed)
    deck = random.sample(ALL, 52)
    hole = [" ".join(deck[nth * 2 : nth * 2 + 2]) for nth in range(len(stacks))]
    rest = deck[2 * len(stacks) :]
    boards = [" ".join(rest[nth * 5 : nth * 5 + 5]) for nth in range(runs)]
    hand = hand_of("holdem", stacks, hole, boards, runs=max(runs, 2), rake={"basis_points": 700})
    all_in(hand)
    if hand.window == "run":
        run_it(hand, *([1] if runs == 1 else [runs] * len(hand.waiting)))
    assert hand.over
    assert hand.result is not None
    assert sum(hand.stacks) + hand.result["rake_minor"] == sum(stacks)
    for pot in hand.result["pots"]:
        lines = pot.get("boards", [])
        assert not lines or sum(line["amount_minor"] for line in lines) == pot["amount_minor"]
        parts = [sum(line["awards"].values()) for line in lines]
        assert not parts or (max(parts) - min(parts) <= 1 and parts == sorted(parts, reverse=True))
