"""Kitchen-table games, and the Omahas with a die or a draw in them."""

from __future__ import annotations

import pytest

from tables.engine.errors import BadOptions
from tables.engine.poker.variants import by_die
from tests.engine.poker.playing import do, ring_game, scripted


def test_cards_passed_are_chosen_before_any_is_seen_and_a_folded_neighbour_is_skipped() -> None:
    hand, _ = scripted("anaconda", [100] * 3)
    assert hand.window == "pass"
    held = [list(down) for down in hand.down]
    events = do(hand, "pass_cards 0 1 2", "pass_cards 0 1 2")
    assert [event.type for event in events] == ["pass_chosen", "pass_chosen"]
    do(hand, "pass_cards 0 1 2")
    assert hand.down[1] == held[1][3:] + held[0][:3]  # to the left
    do(hand, "bet", "fold", "call")
    before = [list(down) for down in hand.down]
    do(hand, "pass_cards 0 1", "pass_cards 0 1")
    assert hand.down[0] == before[0][2:] + before[2][:2]


def test_anaconda_rolled_and_with_a_bet_before_the_pass_has_eight_rounds() -> None:
    hand, _ = scripted("anaconda", [100] * 2, rollout=True, bet_before_pass=True)
    streets = []
    while not hand.over:
        if hand.window == "turn":
            streets.append(hand.street)
            do(hand, "check", "check")
        else:
            hand.expire()
    assert streets == [
        "before_pass", "deal", "pass_right", "pass_left1", "roll1", "roll2", "roll3", "roll4",
    ]  # fmt: skip


def test_rolled_cards_come_up_in_the_order_in_which_they_were_put() -> None:
    hand, _ = scripted("shotgun", [100] * 2, hole=["As Ad 7h 4c 2d", "Ks Kd Kh 8c 3d"])
    do(hand, "check", "check", "stand_pat", "stand_pat")
    events = do(hand, "arrange 4 3 2 1 0", "arrange 0 1 2 3 4")
    (rolled,) = [event.public["up"] for event in events if event.type == "cards_rolled"]
    assert rolled == {"1": ["3d"], "0": ["As"]}
    looks = {player["seat"]: player for player in hand.view(None)["players"]}
    assert looks[1]["up"] == ["3d"]
    assert looks[1]["down"] == 4


def test_shotgun_may_be_played_for_low() -> None:
    hand, _ = scripted("shotgun", [100] * 2, hole=["As 2d 7h 4c 3d", "Ks Kd Kh 8c 3c"], low="a5")
    while not hand.over:
        if hand.window == "turn":
            do(hand, "check")
        else:
            hand.expire()
    assert hand.result is not None
    assert hand.result["pots"][0]["awards"] == {"0": 2}


@pytest.mark.parametrize(("only", "winner"), [(False, "0"), (True, "1")])
def test_the_spit_and_its_rank_are_wild_or_the_spit_alone(only: bool, winner: str) -> None:
    hand, _ = scripted(
        "spit_in_the_ocean",
        [100] * 2,
        hole=["Qs Qh 6c 9h", "Ks Kd Kc 2d"],
        board="6d",
        only_spit_wild=only,
    )
    do(hand, "check", "check", "stand_pat", "stand_pat", "check", "check")
    assert hand.result is not None
    assert list(hand.result["pots"][0]["awards"]) == (["1"] if winner else [])


def test_spit_is_turned_up_at_the_first_call_or_after_the_deal() -> None:
    hand, _ = scripted("spit_in_the_ocean", [100] * 2, spit_called=True)
    assert hand.window == "spit"
    hand.act(0, {"name": "spit"})
    assert len(hand.board) == 1
    assert hand.window == "turn"
    assert [len(held) for held in hand.down] == [5, 5]
    hand, _ = scripted("spit_in_the_ocean", [100] * 2, spit_called=True)
    while hand.window == "spit":
        hand.expire()
    assert len(hand.board) == 1


@pytest.mark.parametrize(
    ("die", "hole", "sides"), [(1, 4, 1), (3, 6, 1), (4, 4, 2), (5, 5, 2), (6, 6, 2)]
)
def test_the_die_sets_the_cards_and_the_shares_of_binglao(die: int, hole: int, sides: int) -> None:
    hand, events = scripted("binglao", [100] * 3, die=die)
    assert events[0].type == "die_rolled"
    assert {len(held) for held in hand.down} == {hole}
    assert len(hand.game.shares) == sides


def test_binglao_needs_its_die() -> None:
    with pytest.raises(BadOptions):
        by_die(ring_game("binglao"), 0)


class TestSviten:
    def drawn_one(self) -> object:
        hand, _ = scripted("sviten", [100] * 2)
        do(hand, "call", "check", "check", "check", "draw 0", "stand_pat")
        return hand

    def test_a_single_card_drawn_is_shown_and_may_be_taken(self) -> None:
        hand = self.drawn_one()
        assert hand.window == "offer"  # type: ignore[attr-defined]
        offered = hand.offered  # type: ignore[attr-defined]
        do(hand, "take")  # type: ignore[arg-type]
        assert hand.up[0] == [offered]  # type: ignore[attr-defined]

    def test_or_refused_for_the_next_card_face_down(self) -> None:
        hand = self.drawn_one()
        offered = hand.offered  # type: ignore[attr-defined]
        do(hand, "refuse")  # type: ignore[arg-type]
        assert offered + 1 in hand.down[0]  # type: ignore[attr-defined]
        assert len(hand.down[0]) == 5  # type: ignore[attr-defined]

    def test_draws_leave_the_board_its_cards(self) -> None:
        hand, _ = scripted("sviten", [100] * 6)
        do(hand, *["call"] * 5, "check", *["check"] * 6, *["draw 0 1 2 3 4"] * 6)
        assert hand.window == "reshuffle"
        assert hand.next_card == 50
        while hand.window == "reshuffle":
            hand.reshuffle(hand.mucked)
        do(hand, *["check"] * 12)
        assert hand.over
        assert hand.board[3:] == [50, 51]

    def test_half_goes_to_the_best_five_held(self) -> None:
        hand, _ = scripted(
            "sviten", [100] * 2, hole=["As Ad 7h 7c 2d", "Ks Qd Jh Tc 9d"], board="Ah 8c 4s 3h 5c"
        )
        do(hand, "call", "check", "check", "check", "stand_pat", "stand_pat")
        do(hand, *["check"] * 4)
        assert hand.result is not None
        (pot,) = hand.result["pots"]
        assert (pot["high"], pot["hand"]) == ({"0": 2}, {"1": 2})


@pytest.mark.parametrize(
    ("game_id", "most"),
    [
        ("omaha5", 8), ("omaha6", 7), ("courchevel", 8), ("triple_draw_27", 6), ("binglao", 6),
        ("sviten", 6), ("anaconda", 7), ("stud", 8), ("holdem", 10), ("double_five_card_draw", 6),
    ],
)  # fmt: skip
def test_seats(game_id: str, most: int) -> None:
    assert ring_game(game_id).seats == range(2, most + 1)
    assert ring_game("q_ball").seats == range(3, 9)


class TestPineapple:
    def test_each_discards_one_after_the_flop_unseen(self) -> None:
        hand, _ = scripted("crazy_pineapple", [100] * 2)
        do(hand, "call", "check", "check", "check")
        assert hand.window == "discard"
        (event, *_) = do(hand, "discard 1")
        assert event.public == {"seat": 1, "count": 1}
        do(hand, "discard 0")
        assert hand.street == "turn"
        assert [len(held) for held in hand.down] == [2, 2]

    def test_lazy_pineapple_keeps_three_and_plays_two(self) -> None:
        hand, _ = scripted(
            "lazy_pineapple", [100] * 2, hole=["As Ks Qs", "2c 5d 7h"], board="Js Ts 8d 4c 3h"
        )
        events = do(hand, "call", "check", *["check"] * 6)
        (shown,) = [
            event.public for event in events
            if event.type == "hand_shown" and event.public["seat"] == 0
        ]  # fmt: skip
        assert shown["high"]["class"] == "high_card"


def test_short_deck_has_no_card_below_the_six() -> None:
    hand, _ = scripted("short_deck", [100] * 2)
    assert min(hand.deck) == 16
    assert len(hand.deck) == 36


@pytest.mark.parametrize(
    ("game_id", "option"),
    [
        ("holdem", "declare"), ("california_lowball", "declare"), ("sviten", "declare"),
        ("holdem", "rollout"), ("stud", "rollout"), ("badugi", "rollout"), ("shotgun", "rollout"),
        ("crazy_pineapple", "rollout"), ("holdem", "bet_before_pass"), ("anaconda", "spit_called"),
    ],
)  # fmt: skip
def test_an_option_that_a_game_has_no_room_for_is_refused_before_the_deal(
    game_id: str, option: str
) -> None:
    with pytest.raises(BadOptions) as refused:
        scripted(game_id, [100] * 2, **{option: True})
    assert refused.value.option == option


def test_a_declared_omaha_low_still_plays_two_of_the_hand() -> None:
    hand, _ = scripted(
        "omaha8", [100] * 2, hole=["As 9d 9h Kc", "Ks Kd 5h 6c"], board="2c 3c 4h Th Jd",
        declare=True,
    )  # fmt: skip
    do(hand, "call", "check", *["check"] * 6, "declare high", "declare low")
    assert hand.result is not None
    (pot,) = hand.result["pots"]
    assert (pot["high"], pot["low"]) == ({"1": 2}, {"0": 2})
    assert [share.hole for share in hand.game.shares] == [(2,), (2,)]
