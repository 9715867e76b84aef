"""Bomb pots: antes of all, straight to the flop, each of two boards an equal part of every pot."""

from __future__ import annotations

import warnings
from random import Random
from typing import Any

import orjson
import pokerkit
import pytest
from hypothesis import given, settings
from hypothesis.strategies import integers, lists
from pokerkit import Mode

from tables.engine.errors import BadDefinition, BadOptions
from tables.engine.games import game_from_json
from tables.engine.poker.bombs import as_bomb_pot, bomb_options
from tables.engine.poker.hand import PokerHand, load, start
from tables.engine.poker.options import options_of
from tables.engine.poker.vocabulary import PokerGame
from tables.engine.protocol import SeatIn
from tests.engine.poker.boards import all_in, deck_of
from tests.engine.poker.lockstep import AUTOMATIC
from tests.engine.poker.playing import do, ring_game, stacks_of, table_options

ALL = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


def bomb(
    game_id: str,
    stacks: list[int],
    hole: list[str],
    boards: list[str],
    limit: str | None = None,
    ante: int = 5,
    **options: Any,
) -> PokerHand:
    """Stacks and hands by seat from 1; the last seat has the button."""
    game = ring_game(game_id)
    table = table_options(
        game, limit, bomb_pot={"ante_minor": ante, "boards": len(boards)}, **options
    )
    read = options_of(game, table)
    assert read.bomb_pot is not None
    hand, _ = start(
        as_bomb_pot(game, read.bomb_pot, len(stacks)),
        [SeatIn(seat, stack) for seat, stack in enumerate(stacks, 1)],
        bomb_options(read),
        deck_of(hole, boards, at_once=True),
        button=len(stacks),
    )
    return hand


HOLE = ["Ah Ad", "Kh Kc", "Qh Qc", "6s 5d", "Tc 6h"]
ACES, KINGS = "2c 7d 9h Js 4c", "3c 8d Kd Ts 5h"


def checked_down(hand: PokerHand) -> PokerHand:
    while not hand.over:
        do(hand, "check")
    return hand


class TestTheDeal:
    def test_all_ante_and_the_first_round_is_on_the_flop_of_both_boards(self) -> None:
        hand = bomb("holdem", [100] * 5, HOLE, [ACES, KINGS])
        assert hand.street == "flop"
        assert (hand.waiting, hand.pot()) == ((1,), 25)
        look = hand.view(None)
        assert look["boards"] == [ACES.split()[:3], KINGS.split()[:3]]
        assert (look["special"], look["board"]) == ("bomb_pot", ACES.split()[:3])

    def test_one_burn_a_street_and_the_first_board_before_the_second(self) -> None:
        hand = checked_down(bomb("holdem", [100] * 5, HOLE, [ACES, KINGS]))
        assert hand.view(None)["boards"] == [ACES.split(), KINGS.split()]
        assert hand.next_card == 10 + 3 + 10

    def test_who_cannot_pay_the_ante_is_all_in_for_what_he_has(self) -> None:
        hand = bomb("holdem", [100, 3, 100], HOLE[:3], [ACES])
        assert [p["status"] for p in hand.view(None)["players"]] == ["live", "all_in", "live"]

    def test_the_least_bet_is_the_usual_big_blind(self) -> None:
        hand = bomb("holdem", [100] * 3, HOLE[:3], [ACES])
        assert hand.legal(1)[-1] == {"name": "bet", "least_to_minor": 2, "most_to_minor": 95}

    def test_on_one_board_it_is_as_any_hand(self) -> None:
        hand = checked_down(bomb("holdem", [100] * 3, HOLE[:3], [ACES]))
        assert "boards" not in hand.view(None)
        assert stacks_of(hand) == {1: 110, 2: 95, 3: 95}

    def test_a_stored_hand_goes_on_with_both_boards(self) -> None:
        hand = bomb("holdem", [100] * 3, HOLE[:3], [ACES, KINGS])
        do(hand, "bet 10")
        game = game_from_json(orjson.loads(orjson.dumps(hand.game.to_json())))
        assert isinstance(game, PokerGame)
        state = orjson.loads(orjson.dumps(hand.dump()))
        again = load(game, orjson.loads(orjson.dumps(hand.options.to_json())), state, hand.deck)
        assert again.view(None) == hand.view(None)
        assert do(again, "call", "fold") == do(hand, "call", "fold")

    def test_where_the_deck_is_too_short_for_two_boards_there_is_one(self) -> None:
        game = ring_game("omaha5")
        options = options_of(game, table_options(game, bomb_pot={"ante_minor": 5, "boards": 2}))
        assert options.bomb_pot is not None
        assert as_bomb_pot(game, options.bomb_pot, 7).boards == 2  # 35 + 3 burns + 10
        assert as_bomb_pot(game, options.bomb_pot, 8).boards == 1

    def test_nobody_is_asked_to_run_two_boards_again(self) -> None:
        hand = bomb("holdem", [100] * 3, HOLE[:3], [ACES, KINGS], runs=3)
        all_in(hand)
        assert hand.over

    def test_what_would_have_come_is_shown_of_both_boards(self) -> None:
        hand = bomb("holdem", [100] * 2, HOLE[:2], [ACES, KINGS], rabbit=True)
        do(hand, "bet 10", "fold")
        assert hand.view(None)["rabbit"] == [ACES.split()[3:], KINGS.split()[3:]]


class TestMoney:
    def test_each_board_decides_half_the_odd_chip_to_the_first(self) -> None:
        hand = checked_down(bomb("holdem", [100] * 5, HOLE, [ACES, KINGS]))
        assert stacks_of(hand) == {1: 95 + 13, 2: 95 + 12, 3: 95, 4: 95, 5: 95}

    def test_rake_is_taken_once_before_the_pot_is_divided(self) -> None:
        hand = bomb("holdem", [100] * 5, HOLE, [ACES, KINGS], rake={"basis_points": 500})
        checked_down(hand)
        assert hand.result is not None
        assert hand.result["rake_minor"] == 1
        assert stacks_of(hand) == {1: 95 + 12, 2: 95 + 12, 3: 95, 4: 95, 5: 95}

    def test_side_pots_and_boards_to_the_chip(self) -> None:
        """Antes of 5, seat 2 has 20: main 60, side 2 x 30. Seat 2 has the best of board two."""
        hand = bomb("holdem", [50, 20, 50], HOLE[:3], [ACES, KINGS])
        do(hand, "bet 45", "call", "call")
        assert hand.over
        # Main 60: 30 to the aces, 30 to the kings. Side 60: both boards to the aces but board two
        # without the kings is queens against aces: aces.
        assert stacks_of(hand) == {1: 30 + 60, 2: 30, 3: 0}
        assert hand.result is not None
        assert [[line["awards"] for line in pot["boards"]] for pot in hand.result["pots"]] == [
            [{"1": 30}, {"2": 30}], [{"1": 30}, {"1": 30}],
        ]  # fmt: skip

    def test_high_low_on_two_boards_is_four_parts(self) -> None:
        """33 in the pot: 17 and 16. Board one: high 9, low 8. Board two: no low, high 16."""
        hole = ["As 2s Qd Jh", "Kh Kc Td 9c", "7c 7h 6h 6s"]
        hand = bomb("omaha8", [100] * 3, hole, ["3d 4c 8d Ks 9h", "Kd Qs Qc Js 6d"], ante=11)
        checked_down(hand)
        told = [(a["board_no"], a["share"], a["winners"]) for a in hand.awards]
        assert told == [(1, "high", {"2": 9}), (1, "low", {"1": 8}), (2, "high", {"2": 16})]

    def test_a_side_pot_with_one_claimant_is_his_without_a_board(self) -> None:
        hand = bomb("holdem", [100, 20, 100], HOLE[:3], [ACES, KINGS])
        do(hand, "bet 50", "call", "call", "bet 20", "fold")
        assert [award.get("board_no") for award in hand.awards] == [1, 2, None]
        assert sum(stacks_of(hand).values()) == 220

    def test_all_others_fold_and_the_last_takes_both_boards(self) -> None:
        hand = bomb("holdem", [100] * 3, HOLE[:3], [ACES, KINGS])
        do(hand, "bet 10", "fold", "fold")
        assert stacks_of(hand) == {1: 110, 2: 95, 3: 95}


class TestOptions:
    def test_faults_are_named(self) -> None:
        game = ring_game("holdem")
        for fault, said in (
            ({"boards": 2}, "whole number"),
            ({"ante_minor": 0}, "at least 1"),
            ({"ante_minor": 5, "boards": 3}, "1, 2"),
            ({"ante_minor": 5, "every_hands": 1001}, "at most 1000"),
            ({"ante_minor": 5, "twice": 1}, "not part of it"),
            ([5], "an object or null"),
        ):
            with pytest.raises(BadOptions, match=said):
                options_of(game, table_options(game, bomb_pot=fault))
        with pytest.raises(BadOptions, match="in chips of 5"):
            options_of(game, table_options(game, bomb_pot={"ante_minor": 7}, chip_minor=5,
                                           small_blind_minor=5, big_blind_minor=10))  # fmt: skip

    @pytest.mark.parametrize("game_id", ["stud", "five_card_draw", "spit_in_the_ocean"])
    def test_games_without_blinds_and_a_board_have_none(self, game_id: str) -> None:
        game = ring_game(game_id)
        with pytest.raises(BadOptions, match="without"):
            options_of(game, table_options(game, bomb_pot={"ante_minor": 5}))

    def test_two_boards_need_a_winner_on_each(self) -> None:
        low = ring_game("omaha8").to_json()
        low |= {"boards": 2, "shares": [{"ranking": "8ob", "side": "low"}], "most_seats": 6}
        with pytest.raises(BadDefinition, match="each part"):
            game_from_json(low)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    stacks=lists(integers(1, 60), min_size=2, max_size=6), boards=integers(1, 2), seed=integers(0)
)
def test_every_chip_is_paid_whatever_is_bet(stacks: list[int], boards: int, seed: int) -> None:
    random = Random(seed)
    deck = random.sample(ALL, 52)
    hole = [" ".join(deck[nth * 4 : nth * 4 + 4]) for nth in range(len(stacks))]
    rest = deck[4 * len(stacks) :]
    laid = [" ".join(rest[nth * 5 : nth * 5 + 5]) for nth in range(boards)]
    hand = bomb("omaha8", stacks, hole, laid, "no_limit", rake={"basis_points": 700})
    while not hand.over:
        choices = hand.legal(hand.waiting[0])
        choice = random.choice(choices)
        figure = f" {choice['most_to_minor']}" if "most_to_minor" in choice else ""
        do(hand, choice["name"] + figure)
    assert hand.result is not None
    assert sum(hand.stacks) + hand.result["rake_minor"] == sum(stacks)


@pytest.mark.parametrize("seed", range(20))
def test_two_boards_pay_as_pokerkit_pays(seed: int) -> None:
    warnings.simplefilter("ignore")
    random = Random(seed)
    deck, count = random.sample(ALL, 52), random.randint(2, 5)
    stacks = [random.randint(8, 40) for _ in range(count)]
    hole = [" ".join(deck[nth * 2 : nth * 2 + 2]) for nth in range(count)]
    rest = deck[2 * count :]
    boards = [" ".join(rest[nth * 5 : nth * 5 + 5]) for nth in range(2)]
    hand = bomb("holdem", stacks, hole, boards)
    peer = pokerkit.NoLimitTexasHoldem.create_state(
        AUTOMATIC, True, 5, (0, 0), 2, stacks, count, mode=Mode.CASH_GAME, starting_board_count=2
    )
    while peer.can_deal_hole():
        place = peer.hole_dealee_index
        peer.deal_hole(hole[place].split()[len(peer.hole_cards[place])])
    while peer.actor_index is not None:
        peer.check_or_call()
    laid = iter(
        card
        for begin, end in ((0, 3), (3, 4), (4, 5))
        for board in boards
        for card in board.split()[begin:end]
    )
    while peer.status:
        if peer.can_burn_card():
            peer.burn_card("??")
        elif peer.can_select_runout_count():
            peer.select_runout_count(None)
        elif peer.can_deal_board():
            peer.deal_board("".join(next(laid) for _ in range(peer.board_dealing_count)))
        else:
            choices = {choice["name"]: choice for choice in hand.legal(hand.waiting[0])}
            more = next((c for c in choices.values() if "most_to_minor" in c), None)
            if more:
                do(hand, f"{more['name']} {more['most_to_minor']}")
                peer.complete_bet_or_raise_to(more["most_to_minor"])
            else:
                do(hand, "call" if "call" in choices else "check")
                peer.check_or_call()
    assert hand.over
    theirs, ours = list(peer.stacks), list(stacks_of(hand).values())
    tied = sum(len(award["winners"]) > 1 for award in hand.awards)
    assert sum(abs(a - b) for a, b in zip(theirs, ours, strict=True)) <= 2 * tied
