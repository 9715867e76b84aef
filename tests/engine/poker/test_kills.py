"""Kill pots: a third blind by who has won, at higher limits."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tables.engine.errors import BadOptions
from tables.engine.poker.hand import PokerHand, start
from tables.engine.poker.kills import Standing, kill_options, kill_post, standing_after
from tables.engine.poker.options import options_of
from tables.engine.poker.special_options import Kill
from tables.engine.protocol import Json, SeatIn
from tests.engine.poker.playing import do, ring_game, shuffled, stacks_of, table_options

GAME = ring_game("holdem")
LIMIT = {"small_blind_minor": 5, "big_blind_minor": 10}


def killed(seat: int = 4, size: str = "full", stacks: dict[int, int] | None = None) -> PokerHand:
    """Limit 10 and 20, blinds 5 and 10 in seats 2 and 3, the button on seat 1."""
    options = options_of(GAME, table_options(GAME, "fixed", **LIMIT, kill={"size": size}))
    held = dict.fromkeys((1, 2, 3, 4, 5), 200) | (stacks or {})
    posts = [{"seat": 2, "kind": "small"}, {"seat": 3, "kind": "big"}, kill_post(options, seat)]
    hand, _ = start(
        GAME, [SeatIn(n, chips) for n, chips in held.items()], kill_options(options),
        shuffled(GAME, Random(3)), button=1, posts=posts,
    )  # fmt: skip
    return hand


def legal(hand: PokerHand) -> dict[str, Json]:
    return {choice["name"]: choice for choice in hand.legal(hand.waiting[0])}


class TestTheHand:
    def test_the_kill_is_the_bet_and_the_limits_are_twice_as_high(self) -> None:
        hand = killed()
        assert legal(hand)["check"] == {"name": "check"}
        assert legal(hand)["raise"]["least_to_minor"] == 40
        do(hand, "check")
        assert legal(hand)["call"]["amount_minor"] == 20

    def test_the_killer_acts_in_his_turn_and_the_blinds_in_theirs(self) -> None:
        hand = killed(seat=5)
        order = []
        while hand.street == "preflop":
            order += hand.waiting
            do(hand, "call" if "call" in legal(hand) else "check")
        assert order == [4, 5, 1, 2, 3]
        assert stacks_of(hand) == dict.fromkeys((1, 2, 3, 4, 5), 180)

    def test_later_streets_are_bet_at_the_higher_limit(self) -> None:
        hand = killed()
        do(hand, "check", "call", "call", "call", "call")
        assert legal(hand)["bet"]["least_to_minor"] == 20
        do(hand, *["check"] * 5)
        assert legal(hand)["bet"]["least_to_minor"] == 40

    def test_the_kill_counts_as_the_bet_for_the_cap(self) -> None:
        hand = killed()
        do(hand, "raise", "raise", "raise")
        assert "raise" not in legal(hand)
        assert hand.price == 80

    def test_half_a_kill_is_half_as_much_again(self) -> None:
        hand = killed(size="half")
        assert stacks_of(hand)[4] == 185
        assert legal(hand)["raise"]["least_to_minor"] == 30

    def test_a_blind_that_kills_adds_what_is_missing(self) -> None:
        hand = killed(seat=3)
        assert stacks_of(hand)[3] == 180
        assert hand.view(None)["over_blind"] == {"kind": "kill", "seat": 3, "to_minor": 20}

    def test_who_cannot_pay_it_in_full_is_all_in_and_the_price_stays(self) -> None:
        hand = killed(stacks={4: 12})
        assert hand.waiting == (5,)
        assert legal(hand)["call"]["amount_minor"] == 20


def won(*pots: dict[str, int], street: str = "river") -> Json:
    return {
        "street": street,
        "pots": [
            {"awards": pot, "amount_minor": sum(pot.values())} for pot in pots
        ],
    }  # fmt: skip


class TestWhoKills:
    @pytest.mark.parametrize(
        ("before", "result", "after"),
        [
            (Standing(), won({"4": 60}), Standing(4)),
            (Standing(4), won({"4": 60}), Standing(4, 4)),
            (Standing(4, 4), won({"4": 60}), Standing(4, 4)),
            (Standing(4), won({"2": 60}), Standing(2)),
            (Standing(4), won({"4": 30, "2": 30}), Standing(4)),
            (Standing(4), won({"3": 30, "2": 30}), Standing()),
            (Standing(4, 4), won({"4": 30, "2": 30}), Standing(4, 4)),
            (Standing(4), won({"4": 60}, {"4": 20}), Standing(4, 4)),
            (Standing(4), won({"4": 60}, {"2": 20}), Standing(4)),
            (Standing(4), won({"4": 60}, street="preflop"), Standing(4)),
            (Standing(), won({"4": 15}, street="preflop"), Standing(4)),
            (Standing(4), won({"4": 39}), Standing(4)),
            (Standing(4), won({}), Standing(4)),
        ],
    )
    def test_two_in_a_row(self, before: Standing, result: Json, after: Standing) -> None:
        assert standing_after(GAME, Kill(from_minor=40), before, result) == after

    @pytest.mark.parametrize(
        ("result", "kills"),
        [
            (won({"4": 60}), 4),
            (won({"4": 39}), None),
            (won({"4": 60}, street="preflop"), None),
            (won({"4": 30, "2": 30}), None),
            (won({"4": 60}, {"2": 10}), None),
        ],
    )
    def test_after_a_scoop(self, result: Json, kills: int | None) -> None:
        rule = Kill(after="scoop", from_minor=40)
        assert standing_after(GAME, rule, Standing(), result) == Standing(None, kills)


class TestOptions:
    @pytest.mark.parametrize(
        ("limit", "kill", "said"),
        [
            ("no_limit", {}, "a fixed limit and two blinds"),
            ("fixed", {"size": "double"}, "full, half"),
            ("fixed", {"after": "three"}, "two_in_a_row, scoop"),
            ("fixed", {"after": "scoop"}, "from which pot on"),
            ("fixed", {"from_minor": -1}, "at least 0"),
            ("fixed", {"leg": 1}, "not part of it"),
            ("fixed", True, "an object or null"),
        ],
    )
    def test_faults_are_named(self, limit: str, kill: Any, said: str) -> None:
        with pytest.raises(BadOptions, match=said):
            options_of(GAME, table_options(GAME, limit, **LIMIT, kill=kill))

    def test_half_a_kill_must_be_whole_chips(self) -> None:
        stakes = {**LIMIT, "chip_minor": 5}
        options_of(GAME, table_options(GAME, "fixed", **stakes, kill={"size": "half"}))
        stakes = {"small_blind_minor": 5, "big_blind_minor": 5, "chip_minor": 5}
        with pytest.raises(BadOptions, match="whole number of chips"):
            options_of(GAME, table_options(GAME, "fixed", **stakes, kill={"size": "half"}))

    def test_games_without_blinds_have_none(self) -> None:
        stud = ring_game("stud")
        with pytest.raises(BadOptions, match="two blinds"):
            options_of(stud, table_options(stud, "fixed", kill={}))
