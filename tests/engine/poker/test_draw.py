"""Drawing, reshuffling, openers, checked sevens, declarations."""

from __future__ import annotations

import pytest

from tables.engine.errors import BadCardChoice, BadState, NeedsOpeners
from tables.engine.history.stacking import stacked_deck
from tables.engine.poker.hand import PokerHand, start
from tables.engine.protocol import Event, SeatIn
from tests.engine.poker.playing import do, ring_game, scripted, stacks_of, table_options


def told(events: list[Event], kind: str) -> list[dict[str, object]]:
    return [event.public for event in events if event.type == kind]


def test_numbers_are_announced_by_all_before_anybody_is_served() -> None:
    hand, _ = scripted("five_card_draw", [100] * 3)
    do(hand, "call", "call", "check")
    events = do(hand, "draw 0 1", "draw 4", "stand_pat")
    assert [event.type for event in events[:5]] == [
        "draw_announced", "draw_announced", "draw_announced", "cards_drawn", "cards_drawn",
    ]  # fmt: skip
    assert [event.public["count"] for event in events[:3]] == [2, 1, 0]
    assert events[3].private is not None
    assert list(events[3].private) == [1]


@pytest.mark.parametrize("cards", [[5], [0, 0], [-1], ["0"], [True], "01", None])
def test_cards_are_named_by_their_place_in_the_hand(cards: object) -> None:
    hand, _ = scripted("five_card_draw", [100] * 3)
    do(hand, "call", "call", "check")
    with pytest.raises(BadCardChoice):
        hand.act(1, {"name": "draw", "cards": cards})


def six_draw(first: int, second: int) -> PokerHand:
    """Triple draw, six players: `first` cards changed at the first draw, then `second` by one."""
    game = ring_game("triple_draw_27")
    hand, _ = start(
        game,
        [SeatIn(seat, 100) for seat in range(6)],
        table_options(game),
        list(range(52)),
        button=5,
    )
    do(hand, *["call"] * 5, "check")
    while first:
        count = min(5, first)
        first -= count
        do(hand, "draw " + " ".join(map(str, range(count))))
    while hand.window == "draw":
        do(hand, "stand_pat")
    do(hand, *["check"] * 6)
    do(hand, "draw " + " ".join(map(str, range(second))))
    while hand.window == "draw":
        do(hand, "stand_pat")
    return hand


def test_the_stub_is_used_first_then_the_muck_without_the_drawers_own_discards() -> None:
    hand = six_draw(21, 3)
    assert hand.window == "reshuffle"
    assert hand.waiting == ()
    assert len(hand.drawn) == 1  # the last card of the stub
    own = set(hand.thrown[0])
    order = sorted(hand.mucked, key=lambda position: position not in own)  # his own come first
    events = hand.reshuffle(order)
    assert "cards_drawn" in [event.type for event in events]
    assert not own & set(hand.down[0])
    assert hand.window == "turn"


def test_a_reshuffle_takes_exactly_what_is_mucked() -> None:
    hand = six_draw(21, 3)
    with pytest.raises(BadState):
        hand.reshuffle(hand.mucked[1:])
    with pytest.raises(BadState):
        hand.reshuffle([hand.down[1][0], *hand.mucked[1:]])


class TestJackpots:
    def test_opening_without_jacks_is_refused_and_changes_nothing(self) -> None:
        hand, _ = scripted("gardena_jackpots", [100] * 2, hole=["Ts Td 8h 6d 3c", "9s 9d 2c 4h 5s"])
        before = str(hand.dump())
        with pytest.raises(NeedsOpeners):
            do(hand, "bet 4")
        assert str(hand.dump()) == before

    def test_whether_a_seat_could_open_is_not_to_be_read_from_its_choices(self) -> None:
        for hole in ("Ts Td 8h 6d 3c", "Js Jd 8h 6d 3c"):
            hand, _ = scripted("gardena_jackpots", [100] * 2, hole=["9s 9d 2c 4h 5s", hole])
            assert hand.waiting == (1,)
            assert [choice["name"] for choice in hand.legal(1)] == ["fold", "check", "bet"]

    @pytest.mark.parametrize(
        ("cards", "opens"),
        [
            ("Jk As 9d 4c 2h", True),
            ("Jk Js Jd 4c 2h", True),
            ("Jk 2s 4s 7s 9s", True),
            ("Jk Ts Td 4c 4h", True),
            ("Jk Qs Jd Tc 2h", False),
            ("Kc Jc 9c 7c Jh", True),
        ],
    )
    def test_what_opens(self, cards: str, opens: bool) -> None:
        hand, _ = scripted("gardena_jackpots", [100] * 2, hole=["3s 3d 2c 4d 5s", cards])
        if opens:
            do(hand, "bet 4")
        else:
            with pytest.raises(NeedsOpeners):
                do(hand, "bet 4")

    def test_openers_are_shown_at_the_end_even_if_they_were_split(self) -> None:
        hand, events = scripted(
            "gardena_jackpots", [100] * 2, hole=["9s 9d 2c 4h 5s", "Kc Jc 9c 7c Jh"]
        )
        events += do(hand, "bet 4", "call", "draw 4", "stand_pat", "bet 8", "fold")
        assert told(events, "openers_shown") == [{"seat": 1, "cards": ["Jc", "Jh"]}]

    def test_openers_rise_with_each_deal_passed_out_and_stay_at_aces(self) -> None:
        carry: dict[str, object] | None = None
        openers, carried = [], []
        for _ in range(5):
            hand, _ = scripted("progressive_jackpots", [100] * 3, carry=carry)
            openers.append(hand.needed)
            carried.append(hand.carried)
            do(hand, "check", "check", "check")
            assert hand.result is not None
            assert hand.result["pots"] == []
            carry = hand.result["carry"]
        hand, _ = scripted("progressive_jackpots", [100] * 3, carry=carry)
        assert [*openers, hand.needed] == ["J", "Q", "K", "A", "A", "A"]
        assert [*carried, hand.carried] == [0, 3, 6, 9, 12, 15]

    @pytest.mark.parametrize(
        ("game_id", "openers"), [("gardena_jackpots", "QQQ"), ("progressive_jackpots", "QKA")]
    )
    def test_a_table_s_own_openers_hold_in_the_deals_after_one_passed_out(
        self, game_id: str, openers: str
    ) -> None:
        carry, needed = None, ""
        for _ in range(3):
            hand, _ = scripted(game_id, [100] * 2, carry=carry, openers="Q")
            needed += hand.needed
            do(hand, "check", "check")
            assert hand.result is not None
            carry = hand.result["carry"]
        assert needed == openers

    def test_a_pot_without_trips_is_carried_and_not_raked(self) -> None:
        hand, _ = scripted(
            "gardena_jackpots",
            [100] * 2,
            hole=["9s 9d 2c 4h 5s", "Kc Jc 9c 7c Jh"],
            rake={"basis_points": 1000},
        )
        do(hand, "bet 4", "call", "stand_pat", "stand_pat", "check", "check")
        assert hand.result is not None
        assert hand.result["pots"][0]["awards"] == {}
        assert hand.result["carry"] == {"carry_minor": 10, "openers": "J"}
        assert hand.result["rake_minor"] == 0

    def test_a_side_pot_with_one_claimant_left_needs_no_trips(self) -> None:
        hand, _ = scripted(
            "gardena_jackpots",
            [5, 100, 100],
            hole=["9s 9d 2c 4h 5s", "Kc Jc 9c 7c Jh", "2s 3s 5d 7h 8h"],
        )
        do(hand, "bet 4", "call", "call", "stand_pat", "stand_pat", "stand_pat", "bet 8", "call")
        assert hand.result is not None
        assert hand.result["carry_minor"] == 31
        hand, _ = scripted(
            "gardena_jackpots",
            [5, 100, 100],
            hole=["9s 9d 2c 4h 5s", "Kc Jc 9c 7c Jh", "2s 3s 5d 7h 8h"],
        )
        do(hand, "bet 4", "raise 8", "call", "call", *["stand_pat"] * 3, "bet 8", "fold")
        assert hand.result is not None
        assert [pot["awards"] for pot in hand.result["pots"]] == [{}, {"1": 8}]


LOWBALL = {"limit": "fixed", "small_blind_minor": 2, "big_blind_minor": 4}
ANTES = {"big_blind_minor": 0, "small_blind_minor": 0, "small_bet_minor": 4, "ante_minor": 1}
TWO_SEVENS = ["Ks Kd Qh Jc Td", "7s 6d 4h 3c 2d", "7h 6h 4c 3d 2s"]


class TestCheckedSeven:
    def test_wins_nothing_put_in_after_the_draw(self) -> None:
        hole = ["Ks Kd Qh Jc Td", "7s 6d 4h 3c 2d", "8s 6h 4c 3d 2s"]
        hand, _ = scripted("california_lowball", [100] * 3, hole=hole, **LOWBALL)
        do(hand, "fold", "call", "check", "stand_pat", "stand_pat", "check", "bet 8", "call")
        assert hand.result is not None
        before, after = hand.result["pots"]
        assert (before["amount_minor"], before["eligible"]) == (8, [1, 2])
        assert before["awards"] == {"1": 8}
        assert (after["amount_minor"], after["eligible"]) == (16, [2])
        assert after["awards"] == {"2": 16}

    def test_the_best_of_the_others_takes_what_all_barred_hands_called(self) -> None:
        hand, _ = scripted("california_lowball", [100] * 3, hole=TWO_SEVENS, **LOWBALL)
        do(hand, "raise 8", "call", "call", *["stand_pat"] * 3)
        do(hand, "check", "check", "bet 8", "call", "call")
        assert hand.result is not None
        before, after = hand.result["pots"]
        assert before["awards"] == {"1": 12, "2": 12}
        assert (after["eligible"], after["awards"]) == ([0], {"0": 24})

    def test_the_bar_falls_when_only_barred_hands_are_left(self) -> None:
        hand, _ = scripted("california_lowball", [100] * 3, hole=TWO_SEVENS, **LOWBALL)
        do(hand, "fold", "call", "check", "stand_pat", "stand_pat", "check", "check")
        assert hand.result is not None
        assert len(hand.result["pots"]) == 1


class TestDeclaration:
    def played(self, *declared: str) -> list[dict[str, object]]:
        hand, _ = scripted(
            "hilo_declare",
            [100] * 3,
            hole=["8s 6h 4c 3c 2h", "Jk 5s 4d 3h 2c", "6s 5c 4h 3d 2s"],
            **ANTES,
        )
        do(hand, "bet 4", "call", "call", *["stand_pat"] * 3, *["check"] * 3)
        assert set(hand.waiting) == {0, 1, 2}
        events = do(hand, *[f"declare {side}" for side in declared])
        assert not any("choice" in event.public for event in events)
        assert hand.result is not None
        return list(hand.result["pots"])

    def test_a_scooper_that_ties_for_a_half_wins_nothing(self) -> None:
        (pot,) = self.played("both", "high", "low")  # seats 1, 2, 0
        assert pot["awards"] == {"2": 8, "0": 7}
        assert pot["eligible"] == [0, 1, 2]

    def test_all_failing_scoopers_share_when_nobody_else_is_left(self) -> None:
        (pot,) = self.played("both", "both", "both")
        assert pot["awards"] == {"1": 5, "2": 5, "0": 5}

    def test_a_side_nobody_declares_goes_to_the_other(self) -> None:
        (pot,) = self.played("low", "low", "low")
        assert pot["awards"] == {"1": 15}

    def test_time_out_declares_high(self) -> None:
        hand, _ = scripted("hilo_declare", [100] * 2, **ANTES)
        do(hand, "bet 4", "call", "stand_pat", "stand_pat", "check", "check")
        hand.expire()
        assert hand.declared == ["high", "high"]


def test_four_before_draws_one_more_than_is_thrown_away() -> None:
    hand, _ = scripted("four_before_five_card_draw", [100] * 2)
    do(hand, "call", "check")
    assert [choice["name"] for choice in hand.legal(hand.waiting[0])] == ["draw"]
    do(hand, "draw", "draw 0 1 2 3")
    assert [len(held) for held in hand.down] == [5, 5]


def test_q_ball_is_played_for_one_two_two_and_four_units() -> None:
    hand, _ = scripted("q_ball", [100] * 3)
    sizes = []
    while not hand.over:
        if hand.window == "draw":
            do(hand, "stand_pat")
            continue
        choices = {choice["name"]: choice for choice in hand.legal(hand.waiting[0])}
        if "bet" in choices:
            sizes.append(choices["bet"]["least_to_minor"])
            do(hand, "bet")
        elif "call" in choices:
            do(hand, "call")
        else:
            do(hand, "check")
    assert sizes == [4, 4, 8]
    assert stacks_of(hand) != {0: 100}


def test_johnson_passed_out_twice_keeps_the_antes_for_a_new_deal() -> None:
    hand, _ = scripted("johnson", [100] * 3)
    do(hand, *["check"] * 6)
    assert hand.result is not None
    assert hand.result["carry_minor"] == 3


def test_a_stacked_deck_holds_every_card_once() -> None:
    game = ring_game("five_card_draw")
    script = {"hole": [["As", "Kd"], []], "board": [], "button": 0, "actions": []}
    assert sorted(stacked_deck(game, script)) == list(range(52))
