"""Options by which a table settles what is equal: ties, odd chips, the bring-in; and its die."""

from __future__ import annotations

from typing import Any

import pytest

from tables.engine.errors import BadOptions
from tables.engine.games import start_hand
from tables.engine.games.custom import composed
from tables.engine.history.stacking import stacked_deck
from tables.engine.poker.hand import PokerHand, load
from tables.engine.poker.options import read_options
from tables.engine.protocol import SeatIn
from tests.engine.poker.playing import do, ring_game, scripted, stacks_of, table_options


def down(hand: PokerHand) -> dict[int, int]:
    """Check and call a hand to its end; the stacks."""
    while not hand.over:
        names = [choice["name"] for choice in hand.legal(hand.waiting[0])]
        do(hand, next(name for name in ("check", "call", "bring_in", "stand_pat") if name in names))
    return stacks_of(hand)


def jokers(hole: list[str], **options: Any) -> PokerHand:
    """Draw poker with a wild joker and deuces wild."""
    game = composed(
        ring_game("five_card_draw"),
        {"id": "jokers", "deck": "53", "wild": "2", "shares": [{"ranking": "wild_high"}]},
    )
    script = {"hole": [cards.split() for cards in hole], "board": [], "button": 0, "actions": []}
    seats = [SeatIn(seat, 100) for seat in range(len(hole))]
    table = table_options(game, "fixed", **options)
    hand, _ = start_hand(game, seats, table, stacked_deck(game, script), button=0)
    assert isinstance(hand, PokerHand)
    return hand


class TestNaturalsWin:
    ACES = ("As Ad 9c 7h 4s", "Jk Ac 9d 7s 4h")  # natural aces, and an ace with a joker

    def test_by_default_equal_hands_are_equal_natural_or_wild(self) -> None:
        assert down(jokers(list(self.ACES))) == {0: 100, 1: 100}

    def test_where_a_table_says_so_the_natural_hand_takes_the_pot(self) -> None:
        assert down(jokers(list(self.ACES), naturals_win=True)) == {0: 102, 1: 98}

    def test_of_two_wild_hands_the_one_with_fewer_wild_cards_wins(self) -> None:
        hole = ["Jk 2d Ac 9d 7s", "Ah As 2c 9h 7d"]  # three aces with two wild cards, and with one
        assert down(jokers(hole)) == {0: 100, 1: 100}
        assert down(jokers(hole, naturals_win=True)) == {0: 98, 1: 102}

    def test_as_many_wild_cards_share_as_before(self) -> None:
        hole = ["Jk Ad 9c 7h 4s", "2c Ac 9d 7s 4h"]
        assert down(jokers(hole, naturals_win=True)) == {0: 100, 1: 100}

    def test_a_wild_card_that_is_not_needed_does_not_count(self) -> None:
        hole = ["As Ks Qs Js Ts", "Ah Kh Qh Jh 2h"]
        assert down(jokers(hole, naturals_win=True)) == {0: 102, 1: 98}

    def test_a_declaration_of_both_wins_outright_by_its_natural_hand(self) -> None:
        hole = ["As 2s 3d 4d 6c", "Jk 2h 3c 4c 6d"]
        for naturals, stacks in ((False, {0: 98, 1: 102}), (True, {0: 102, 1: 98})):
            hand, _ = scripted("hilo_declare", [100, 100], hole=hole, naturals_win=naturals)
            do(hand, "call", "check", "stand_pat", "stand_pat", "check", "check")
            hand.act(0, {"name": "declare", "choice": "both"})
            hand.act(1, {"name": "declare", "choice": "low"})
            assert hand.over
            assert stacks_of(hand) == stacks


class TestOddChips:
    HOLE = ("Ah Ad", "As Ac", "2h 7d")
    BOARD = "Kd Qs 9s 4h 3c"

    @pytest.mark.parametrize(("odd_chips", "winner"), [("position", 0), ("suit", 1)])
    def test_by_suit_it_goes_to_the_top_card_of_the_better_suit(
        self, odd_chips: str, winner: int
    ) -> None:
        hand, _ = scripted(
            "holdem", [100, 100, 3], button=2, hole=list(self.HOLE), board=self.BOARD,
            odd_chips=odd_chips, blinds_minor=[1, 2], ante_minor=1,
        )  # fmt: skip
        do(hand, "fold", "call", "check", *["check"] * 6)
        # 7 chips: three antes and two blinds of 2; the odd one goes to the spade of the two aces.
        assert stacks_of(hand) == {winner: 101, 1 - winner: 100, 2: 2}

    @pytest.mark.parametrize(("odd_chips", "winner"), [("position", 1), ("suit", 0)])
    def test_in_razz_the_top_card_is_the_highest_of_the_low(
        self, odd_chips: str, winner: int
    ) -> None:
        hole = ["As 2h 3d 4c 8s Kh Qd", "Ah 2d 3c 4s 8d Kc Qs"]
        rake = {"basis_points": 2_000}  # one chip of six: five are shared
        hand, _ = scripted("razz", [100] * 2, hole=hole, odd_chips=odd_chips, rake=rake)
        assert down(hand) == {winner: 100, 1 - winner: 99}


class TestBringIn:
    HOLE = ("4c 5c 2s", "6d 7d 2c", "9h Th Ks")

    @pytest.mark.parametrize(("tie", "seat"), [("suit", 1), ("position", 0)])
    def test_equal_low_cards_are_decided_by_suit_or_by_position(self, tie: str, seat: int) -> None:
        hand, _ = scripted(
            "stud", [100] * 3, button=2, hole=list(self.HOLE), limit="fixed", bring_in_tie=tie
        )
        assert hand.waiting == (seat,)
        assert hand.legal(seat)[0]["name"] == "bring_in"

    @pytest.mark.parametrize(("tie", "seat"), [("suit", 0), ("position", 1)])
    def test_in_razz_the_highest_cards_are(self, tie: str, seat: int) -> None:
        hole = ["4c 5c Ks", "6d 7d Kc", "9h Th 2s"]
        hand, _ = scripted("razz", [100] * 3, button=0, hole=hole, limit="fixed", bring_in_tie=tie)
        assert hand.waiting == (seat,)


class TestBinglaosDie:
    MAP = ("2 high", "3 high", "4 8ob", "4 9ob", "5 7ob", "6 8ob")

    @pytest.mark.parametrize(("face", "cards", "sides"), [(1, 2, 1), (4, 4, 2), (6, 6, 2)])
    def test_a_table_may_say_what_each_face_stands_for(
        self, face: int, cards: int, sides: int
    ) -> None:
        hand, _ = scripted("binglao", [100] * 3, die=face, die_map=list(self.MAP))
        assert {len(down) for down in hand.down} == {cards}
        assert len(hand.game.shares) == sides
        again = load(ring_game("binglao"), hand.options, hand.dump(), hand.deck)
        assert again.game == hand.game
        assert hand.options.to_json()["die_map"] == list(self.MAP)

    @pytest.mark.parametrize(
        "wrong", [["4 high"] * 5, ["7 high"] * 6, ["4 a5"] * 6, "4 high", [4] * 6]
    )
    def test_another_map_has_six_faces_that_can_be_dealt(self, wrong: Any) -> None:
        game = ring_game("binglao")
        with pytest.raises(BadOptions):
            read_options(game, table_options(game, die_map=wrong))

    def test_a_game_without_a_die_takes_no_map(self) -> None:
        game = ring_game("omaha")
        with pytest.raises(BadOptions):
            read_options(game, table_options(game, die_map=list(self.MAP)))


class TestCap:
    """docs/rules/poker.md 4.8."""

    HOLE = ("As Ac", "Kh Kd", "2h 7d")
    BOARD = "Qs 9s 4h 3c 5d"

    def hand(self, stacks: list[int], **options: Any) -> PokerHand:
        hand, _ = scripted(
            "holdem",
            stacks,
            hole=list(self.HOLE),
            board=self.BOARD,
            **{"limit": "no_limit"} | options,
        )
        return hand

    def test_nobody_puts_more_than_so_many_big_blinds_into_a_hand(self) -> None:
        hand = self.hand([500, 400, 300], cap_big_blinds=20)
        assert hand.view(None)["most_to_minor"] == 40
        (event, *_) = hand.act(hand.waiting[0], {"name": "raise", "to_minor": 40})
        assert event.public["all_in"]
        assert event.public["stack_minor"] == 460  # what lies behind is his all the same
        do(hand, "call", "call")
        assert hand.over
        assert stacks_of(hand) == {0: 580, 1: 360, 2: 260}

    def test_who_has_less_than_the_cap_is_all_in_for_that_and_side_pots_form(self) -> None:
        hand = self.hand([25, 400, 300], cap_big_blinds=20)
        hand.act(hand.waiting[0], {"name": "raise", "to_minor": 25})
        hand.act(hand.waiting[0], {"name": "raise", "to_minor": 40})
        do(hand, "call")
        assert hand.over
        assert stacks_of(hand) == {0: 75, 1: 390, 2: 260}

    def test_what_is_kept_out_survives_the_store(self) -> None:
        hand = self.hand([500, 400, 300], cap_big_blinds=20)
        again = load(hand.game, hand.options, hand.dump(), hand.deck)
        assert again.view(None) == hand.view(None)
        assert [player["stack_minor"] for player in again.view(None)["players"]] == [500, 399, 298]

    def test_in_games_without_blinds_the_small_bet_counts(self) -> None:
        game = ring_game("stud")
        options = read_options(game, table_options(game, cap_big_blinds=5))
        hand, _ = scripted("stud", [100, 100], hole=["", ""], cap_big_blinds=5)
        assert [stack + 1 for stack in hand.stacks] == [5 * options.bets_minor[0]] * 2

    @pytest.mark.parametrize("cap", [4, 0, -1, True, 7.5, "20"])
    def test_a_cap_below_five_big_blinds_or_none_at_all_is_refused(self, cap: Any) -> None:
        game = ring_game("holdem")
        with pytest.raises(BadOptions):
            read_options(game, table_options(game, cap_big_blinds=cap))
