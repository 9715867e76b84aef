"""Layers, odd chips, rake: where every chip goes."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis.strategies import booleans, integers, lists, tuples

from tables.engine.errors import BadOptions
from tables.engine.poker.hand import start
from tables.engine.poker.options import Drop, Rake, read_options
from tables.engine.poker.pots import drops, layers, portions, rakes, split, uncalled
from tables.engine.protocol import SeatIn
from tests.engine.poker.playing import do, ring_game, scripted, stacks_of, table_options


@given(chips=integers(0, 10**7), rest=integers(0, 24), winners=integers(1, 10))
def test_splitting_keeps_every_chip(chips: int, rest: int, winners: int) -> None:
    shares = split(chips * 25 + rest, winners, chip_minor=25)
    assert sum(shares) == chips * 25 + rest
    assert max(shares) - min(shares) <= 25 + rest


@given(amount=integers(0, 10**7), parts=lists(integers(1, 3), min_size=1, max_size=4))
def test_portions_keep_every_chip_and_favour_the_first(amount: int, parts: list[int]) -> None:
    found = portions(amount, parts)
    assert sum(found) == amount
    assert found[0] >= amount * parts[0] // sum(parts)


@given(
    seats=lists(tuples(integers(0, 50), booleans()), min_size=2, max_size=10), extra=integers(0, 9)
)
def test_pots_hold_all_chips_and_a_player_wins_from_a_rival_no_more_than_he_put_in(
    seats: list[tuple[int, bool]], extra: int
) -> None:
    paid = [amount for amount, _ in seats]
    live = [lives for _, lives in seats]
    if not any(live):
        return
    pots = layers(paid, live, extra)
    assert sum(pot.amount_minor for pot in pots) == sum(paid) + extra
    assert all(pot.places for pot in pots)
    most_live = max(amount for amount, lives in seats if lives)
    for place, lives in enumerate(live):
        if lives and paid[place] < most_live:
            wins = sum(pot.amount_minor for pot in pots if place in pot.places)
            assert wins == sum(min(amount, paid[place]) for amount in paid) + extra


@given(lists(integers(0, 100), min_size=2, max_size=10))
def test_what_is_uncalled_is_above_every_other_contribution(paid: list[int]) -> None:
    place, excess = uncalled(paid)
    if excess:
        paid[place] -= excess
    assert sorted(paid)[-1] == sorted(paid)[-2]


@pytest.mark.parametrize(("best", "stacks"), [("a", {0: 196, 1: 4}), ("b", {0: 0, 1: 200})])
def test_heads_up_a_player_wins_only_what_he_matched(best: str, stacks: dict[int, int]) -> None:
    aces, kings = "As Ad", "Ks Kd"
    hole = [aces, kings] if best == "a" else [kings, aces]
    hand, _ = scripted("holdem", [98, 102], hole=hole, board="2c 3c 7h 8h 9d")
    do(hand, "raise 98", "call")
    assert stacks_of(hand) == stacks


def test_a_side_pot_may_be_tied_while_the_main_pot_has_one_winner() -> None:
    hand, _ = scripted(
        "holdem",
        [100, 300, 300, 300],
        hole=["As Ad", "Kc Qd", "Kd Qc", "Jc 4d"],
        board="Ac Kh Ts 6h 3d",
    )
    do(hand, "raise 300", "call", "call", "call")
    assert stacks_of(hand) == {0: 400, 1: 300, 2: 300, 3: 0}


def test_the_odd_chip_goes_to_the_first_winner_left_of_the_button() -> None:
    hand, _ = scripted(
        "holdem",
        [100] * 3,
        button=1,
        hole=["Ad Kc", "2c 2d", "Ac Kd"],
        board="Qs Js Td 5h 6h",
        ante_minor=1,
    )
    do(hand, "call", "call", "check")
    do(hand, *["check"] * 9)
    assert hand.result is not None
    (pot,) = hand.result["pots"]
    assert (pot["amount_minor"], pot["awards"]) == (9, {"2": 5, "0": 4})


def test_uncalled_chips_are_not_part_of_the_pot() -> None:
    hand, events = scripted("holdem", [60, 50], hole=["As Ad", "Ks Kd"], board="2c 3c 7h 8h 9d")
    do(hand, "raise 10", "call")
    do(hand, "check", "check", "check", "check")
    events += do(hand, "check", "bet 50", "call")
    assert stacks_of(hand) == {0: 110, 1: 0}
    assert hand.result is not None
    assert hand.result["pots"][0]["amount_minor"] == 100
    assert [e.public["amount_minor"] for e in events if e.type == "uncalled_returned"] == [10]


def test_a_short_ante_makes_its_own_main_pot() -> None:
    hand, _ = scripted(
        "holdem",
        [3, 100, 100],
        button=0,
        hole=["As Ad", "Ks Kd", "Qs Qd"],
        board="2c 3c 7h 8h 9d",
        ante_minor=5,
    )
    while not hand.over:
        do(hand, "check" if hand.price == hand.put[hand.pending[0]] else "call")
    assert hand.result is not None
    main, side = hand.result["pots"]
    assert (main["amount_minor"], main["eligible"]) == (9, [0, 1, 2])
    assert (side["amount_minor"], side["eligible"]) == (8, [1, 2])


class TestRake:
    def test_no_flop_no_drop(self) -> None:
        rake = {"basis_points": 500, "no_flop_no_drop": True}
        hand, _ = scripted("holdem", [500] * 3, button=0, rake=rake,
                           small_blind_minor=5, big_blind_minor=10)  # fmt: skip
        do(hand, "raise 30", "fold", "fold")
        assert hand.result is not None
        assert hand.result["rake_minor"] == 0
        assert hand.result["nets_minor"]["0"] == 15

    def test_is_taken_before_splitting_and_capped_for_the_hand(self) -> None:
        rake = {"basis_points": 1000, "caps_minor": {"2": 3, "3": 10}}
        hand, _ = scripted("holdem", [50, 100, 100], hole=["As Ad", "Ks Kd", "Qs Qd"],
                           board="2c 3c 7h 8h 9d", rake=rake)  # fmt: skip
        do(hand, "raise 50", "raise 100", "call")
        assert hand.result is not None
        assert [pot["rake_minor"] for pot in hand.result["pots"]] == [10, 0]
        assert stacks_of(hand) == {0: 140, 1: 100, 2: 0}

    def test_the_cap_is_that_of_the_players_dealt_in(self) -> None:
        rake = Rake(500, ((2, 1), (4, 3)))
        assert [rake.cap_minor(players) for players in (2, 3, 4, 9)] == [1, 1, 3, 3]

    @given(lists(integers(1, 1000), min_size=1, max_size=5), integers(0, 1000), integers(1, 25))
    def test_is_that_of_one_pot_of_all_chips_rounded_down_once(
        self, pots: list[int], points: int, chip: int
    ) -> None:
        found = rakes(pots, Rake(points), 6, chip)
        due = sum(pots) * points // 10_000
        due -= due % chip
        whole = [amount - amount % chip for amount in pots]
        assert all(0 <= taken <= amount for taken, amount in zip(found, whole, strict=True))
        assert due - chip * len(pots) < sum(found) <= due
        if chip == 1 or points <= 500 <= whole[0]:
            assert sum(found) == due

    def test_a_pot_without_a_whole_chip_gives_none(self) -> None:
        assert rakes([490, 16], Rake(500), 6, 25) == [25, 0]
        assert rakes([450, 40, 16], Rake(500), 6, 25) == [0, 25, 0]

    def test_nobody_is_left_with_less_than_nothing_by_a_side_pot_below_a_chip(self) -> None:
        rake = {"basis_points": 500, "caps_minor": {"2": 100}}
        hand, _ = scripted("holdem", [124, 124, 128, 130],
                           hole=["As Ad", "2s 4d", "Ks Kd", "Qs Qd"],
                           board="2c 3c 7h 8h 9d", rake=rake, chip_minor=25,
                           limit="no_limit", blinds_minor=[25, 50], min_bet_minor=50)  # fmt: skip
        do(hand, "raise 130", "call", "call", "call")
        assert hand.result is not None
        assert [pot["rake_minor"] for pot in hand.result["pots"]] == [25, 0]
        assert stacks_of(hand) == {0: 471, 1: 0, 2: 8, 3: 2}


class TestDrop:
    """docs/rules/poker.md 9.7."""

    RAKE: ClassVar = {"basis_points": 500, "caps_minor": {"2": 10}}

    def won(self, bet: int, **drop: Any) -> dict[str, Any]:
        """A hand of two that is bet to `bet` each and checked down."""
        hand, _ = scripted("holdem", [500, 500], rake=self.RAKE, drop=drop, limit="no_limit")
        do(hand, f"raise {bet}", "call", *["check"] * 6)
        assert hand.result is not None
        return hand.result

    def test_it_is_taken_after_the_rake_from_pots_of_a_size(self) -> None:
        result = self.won(75, amount_minor=2, from_minor=40)
        (pot,) = result["pots"]
        assert (pot["amount_minor"], pot["rake_minor"], pot["drop_minor"]) == (150, 7, 2)
        assert sum(pot["awards"].values()) == 141
        assert result["drop_minor"] == 2
        assert self.won(15, amount_minor=2, from_minor=40)["drop_minor"] == 0

    def test_a_part_of_the_pot_is_capped(self) -> None:
        assert self.won(75, basis_points=200)["drop_minor"] == 3
        assert self.won(75, basis_points=200, most_minor=2)["drop_minor"] == 2

    def test_no_flop_no_drop(self) -> None:
        hand, events = scripted("holdem", [500, 500], drop={"amount_minor": 2})
        events = do(hand, "fold")
        assert hand.result is not None
        assert hand.result["drop_minor"] == 0
        assert events[-1].public["drop_minor"] == 0

    def test_it_goes_on_to_side_pots_and_leaves_a_pot_at_least_empty(self) -> None:
        assert drops([10, 30], [4, 0], Drop(amount_minor=9), 1) == [6, 3]
        assert drops([10], [4], Drop(amount_minor=9), 4) == [4]
        assert drops([10, 0], [0, 0], Drop(amount_minor=9, from_minor=11), 1) == [0, 0]

    @pytest.mark.parametrize(
        "drop",
        [
            {},
            {"amount_minor": 2, "basis_points": 100},
            {"amount_minor": -2},
            {"basis_points": 10_001},
            {"amount_minor": 2, "most_minor": 5},
            {"basis_points": 100, "most_minor": 0},
            {"percent": 3},
            [2],
        ],
    )
    def test_a_drop_that_says_nothing_or_too_much_is_refused(self, drop: Any) -> None:
        game = ring_game("holdem")
        with pytest.raises(BadOptions):
            read_options(game, table_options(game, drop=drop))


class TestPosts:
    def test_a_dead_small_blind_leaves_only_the_big_one(self) -> None:
        game = ring_game("holdem")
        hand, events = start(
            game,
            [SeatIn(1, 100), SeatIn(2, 100), SeatIn(4, 100)],
            table_options(game),
            list(range(52)),
            button=2,
            posts=[{"seat": 4, "kind": "big"}],
        )
        posted = [e.public for e in events if e.type == "blind_posted"]
        assert [(p["seat"], p["kind"]) for p in posted] == [(4, "big")]
        assert hand.waiting == (1,)
        do(hand, "call", "call", "check")
        assert hand.waiting == (4,)

    def test_missed_blinds_one_live_one_dead(self) -> None:
        game = ring_game("holdem")
        hand, _ = start(
            game,
            [SeatIn(seat, 100) for seat in (1, 2, 3, 4)],
            table_options(game),
            list(range(52)),
            button=1,
            posts=[{"seat": 4, "kind": "live"}, {"seat": 4, "kind": "dead"}],
        )
        assert stacks_of(hand)[4] == 97
        assert hand.pot() == 6
        assert hand.waiting == (4,)
        assert {choice["name"] for choice in hand.legal(4)} == {"fold", "check", "raise"}
        do(hand, "check", "fold", "fold", "check")
        assert hand.pot() == 6
        do(hand, *["check"] * 6)
        assert hand.result is not None
        assert [pot["amount_minor"] for pot in hand.result["pots"]] == [6]
