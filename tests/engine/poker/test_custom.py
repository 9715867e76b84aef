"""Composed games, wild ranks, the kill card, protection."""

from __future__ import annotations

from typing import Any

import pytest

from tables.engine.cards import parse_card
from tables.engine.errors import BadDefinition, BadSeats, NothingToCall
from tables.engine.games.custom import composed, warnings
from tables.engine.history.stacking import stacked_deck
from tables.engine.poker.bombs import as_bomb_pot
from tables.engine.poker.hand import PokerHand, start
from tables.engine.poker.special_options import BombPot
from tables.engine.poker.vocabulary import PokerGame
from tables.engine.protocol import SeatIn
from tests.engine.poker.playing import do, ring_game, scripted, stacks_of, table_options

THREE_CARD_LOWBALL: dict[str, Any] = {
    "id": "house_lowball",
    "name": "Three-card Triple-draw California Lowball, kings wild",
    "wild": "K",
    "most_seats": 6,
    "steps": [
        {"step": "deal", "street": "predraw", "down": 3},
        {"step": "bet", "first": "blinds"},
        {"step": "draw", "street": "draw1", "most": 3},
        {"step": "bet"},
        {"step": "draw", "street": "draw2", "most": 3},
        {"step": "bet", "tier": 1},
        {"step": "draw", "street": "draw3", "most": 3},
        {"step": "bet", "tier": 1},
    ],
}


def dealt(game: PokerGame, hole: list[str]) -> PokerHand:
    script = {"hole": [cards.split() for cards in hole], "board": [], "button": 0, "actions": []}
    hand, _ = start(
        game,
        [SeatIn(seat, 100) for seat in range(len(hole))],
        table_options(game, "fixed"),
        stacked_deck(game, script),
        button=0,
    )
    return hand


def checked_down(hand: PokerHand) -> dict[str, int]:
    while not hand.over:
        if hand.window != "turn":
            hand.expire()
        else:
            owes = any(choice["name"] == "call" for choice in hand.legal(hand.waiting[0]))
            do(hand, "call" if owes else "check")
    assert hand.result is not None
    return dict(hand.result["pots"][0]["awards"])


def test_a_named_game_may_be_changed_into_another() -> None:
    game = composed(ring_game("california_lowball"), THREE_CARD_LOWBALL)
    assert checked_down(dealt(game, ["Ks 2d 3c", "Ad 2c 4h", "Qh Qd Jc"])) == {"0": 6}
    assert warnings(game) == ["5 wild cards: more than 4 leave little to skill"]


def test_wild_cards_play_for_high_too() -> None:
    game = composed(ring_game("five_card_draw"), {"id": "deuces", "wild": "2"})
    assert warnings(game) == []
    hole = ["2s 2d 9c 9h 3s", "Ks Kd Kc Kh 3d"]
    hand = dealt(game, hole)
    events = []
    while not hand.over:
        events += (
            do(hand, "stand_pat")
            if hand.window == "draw"
            else do(hand, "call" if hand.price > hand.put[hand.pending[0]] else "check")
        )
    (shown,) = [e.public for e in events if e.type == "hand_shown" and e.public["seat"] == 1]
    assert shown["high"]["words"] == "Four of a kind, kings, three kicker"


@pytest.mark.parametrize(
    "changes",
    [
        {"most_seats": 11, "steps": [{"step": "deal", "street": "a", "down": 5}, {"step": "bet"}]},
        {"steps": [{"step": "deal", "street": "a", "down": 5}]},
        {"steps": [{"step": "bet"}]},
        {"steps": [{"step": "dance"}]},
        {"shares": [{"ranking": "luck"}]},
        {"shares": []},
        {"wild": "X"},
        {"limits": ["sky"]},
        {"deck": "99"},
        {"colour": "red"},
        {"steps": [
            {"step": "deal", "street": "a", "down": 2},
            {"step": "discard", "street": "a", "count": 2},
            {"step": "bet"},
        ]},
    ],
)  # fmt: skip
def test_what_cannot_be_dealt_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(BadDefinition):
        composed(ring_game("five_card_draw"), changes)


def test_a_qualifier_and_a_declaration_do_not_go_together() -> None:
    shares = [{"ranking": "bug_high"}, {"ranking": "8ob", "side": "low"}]
    with pytest.raises(BadDefinition):
        composed(ring_game("hilo_declare"), {"shares": shares})


def test_a_pair_to_win_high_and_no_pair_to_win_low() -> None:
    shares = [
        {"ranking": "high", "at_least": "pair"},
        {"ranking": "a5", "side": "low", "at_least": "no_pair"},
    ]
    game = composed(ring_game("five_card_draw"), {"id": "pairs", "shares": shares})
    assert checked_down(dealt(game, ["As Qd 9c 7h 3s", "Ks Kd 8c 4h 2d"])) == {"0": 2, "1": 2}
    assert checked_down(dealt(game, ["As Ad 9c 7h 3s", "Ks Kd 8c 4h 2d"])) == {"0": 4}


DEALT = {"step": "deal", "street": "predraw", "down": 5}


@pytest.mark.parametrize(
    ("base", "changes", "warned"),
    [
        ("five_card_draw", {"wild": "23"}, ["8 wild cards: more than 4 leave little to skill"]),
        ("gardena_jackpots", {"wild": "2"}, ["5 wild cards: more than 4 leave little to skill"]),
        ("five_card_draw",
         {"most_seats": 5, "steps": [{**DEALT, "down": 10}, {"step": "bet"}]},
         ["10 cards a player: more than 9", "1 betting round"]),
        ("five_card_draw", {"steps": [DEALT, {"step": "bet"}]}, ["1 betting round"]),
        ("five_card_draw",
         {"steps": [{**DEALT, "street": f"s{nth}", "down": 1} if step == "deal" else {"step": step}
                    for nth in range(6) for step in ("deal", "bet")]},
         ["6 betting rounds"]),
        ("omaha8", {"shares": [{"ranking": "high"}, {"ranking": "a5", "side": "low"}]},
         ["high-low with neither a qualifier nor a declaration"]),
        ("omaha8", {"most_seats": 4}, ["high-low with fewer than 5 seats"]),
        ("hilo_declare", {}, []),
        ("california_lowball", {"wild": "3", "deck": "52"},
         ["3 is already good here; K would be a better wild rank"]),
        ("california_hilo", {"wild": "K", "deck": "52"},
         ["K is already good here; 9 would be a better wild rank"]),
        ("california_hilo", {"wild": "9", "deck": "52"}, []),
    ],
)  # fmt: skip
def test_each_thing_a_house_should_think_about_has_its_warning(
    base: str, changes: dict[str, Any], warned: list[str]
) -> None:
    assert warnings(composed(ring_game(base), changes)) == warned


def test_warnings() -> None:
    changes = {"id": "split", "most_seats": 4,
               "shares": [{"ranking": "high"}, {"ranking": "a5", "side": "low"}]}  # fmt: skip
    game = composed(ring_game("five_card_draw"), changes)
    assert len(warnings(game)) == 2
    game = composed(ring_game("five_card_draw"), {"id": "aces", "wild": "A"})
    assert warnings(game) == ["A is already good here; 2 would be a better wild rank"]


class TestKillCard:
    def killed(self) -> dict[str, Any]:
        hand, _ = scripted(
            "stud+kill_card", [100, 20, 100], hole=["4c 5c 2d Kh", "6d 7d 3c 9s", "9h Th Ks Qd"],
            limit="fixed",
        )  # fmt: skip
        do(hand, "bring_in", "call", "call")
        assert hand.over
        assert hand.result is not None
        return dict(hand.result)

    def test_face_up_it_ends_the_deal_and_all_chips_stay(self) -> None:
        result = self.killed()
        assert result["pots"] == []
        assert result["carry_minor"] == 9
        assert result["carry"]["pots"] == [[9, [0, 1, 2]]]
        assert result["carry"]["seats"] == [0, 1, 2]

    def test_face_down_it_does_nothing(self) -> None:
        hand, _ = scripted(
            "stud+kill_card", [100] * 3, hole=["Kh 5c 2d Ac", "6d 7d 3c 9s", "9h Th Ks Qd"],
            limit="fixed",
        )  # fmt: skip
        do(hand, "bring_in", "call", "call")
        assert not hand.over

    def test_those_still_in_alone_are_dealt_in_again_and_pay_again(self) -> None:
        carry = self.killed()["carry"]
        game = ring_game("stud+kill_card")
        seats = [SeatIn(0, 97), SeatIn(1, 17), SeatIn(2, 97)]
        options = table_options(game, "fixed")
        with pytest.raises(BadSeats):
            start(game, seats[:2], options, list(range(52)), button=0, carry=carry)
        hand, _ = start(game, seats, options, list(range(52)), button=0, carry=carry)
        assert hand.pot() == 12

    def test_who_is_all_in_is_dealt_in_without_paying_for_what_he_has_built(self) -> None:
        carry = {"carry_minor": 30, "pots": [[30, [0, 1, 2]]], "seats": [0, 1, 2], "button": 0}
        game = ring_game("holdem+kill_card")
        script = {"hole": [["As", "Ad"], ["Ks", "Kd"], ["Qs", "Qd"]],
                  "board": ["2c", "3c", "7h", "8h", "9d"], "button": 0, "actions": []}  # fmt: skip
        hand, _ = start(
            game, [SeatIn(0, 0), SeatIn(1, 50), SeatIn(2, 50)], table_options(game),
            stacked_deck(game, script), button=0, carry=carry,
        )  # fmt: skip
        do(hand, "call", "check", *["check"] * 6)
        assert hand.result is not None
        assert [pot["awards"] for pot in hand.result["pots"]] == [{"0": 30}, {"1": 4}]

    def dealt_in_order(self, game: PokerGame, cards: str, **options: Any) -> PokerHand:
        first = [parse_card(card) for card in cards.split()]
        deck = first + [card for card in range(52) if card not in first]
        seats = [SeatIn(0, 100), SeatIn(1, 100)]
        hand, _ = start(game, seats, table_options(game, **options), deck, button=0)
        return hand

    def is_dead(self, hand: PokerHand) -> bool:
        return bool(hand.result and not hand.result["pots"] and hand.result["carry_minor"])

    def test_a_card_that_may_be_refused_is_face_up(self) -> None:
        cards = "2c 3c 4c 5c 6c 7d 8d 9d Td Jd 2h 3h 4h"
        hand = self.dealt_in_order(ring_game("sviten+kill_card"), f"{cards} Kh")
        do(hand, "call", "check", "check", "check", "draw 0", "stand_pat")
        assert self.is_dead(hand)
        assert (hand.window, hand.waiting) == ("", ())
        hand = self.dealt_in_order(ring_game("sviten+kill_card"), f"{cards} 5h Kh")
        do(hand, "call", "check", "check", "check", "draw 0", "stand_pat", "refuse")
        assert not hand.over
        assert len(hand.board) == 4

    @pytest.mark.parametrize("place", [2, 10])
    def test_so_is_the_spit_however_it_is_turned_up(self, place: int) -> None:
        cards = ["2c", "3c", "4c", "5c", "6c", "7d", "8d", "9d", "Td", "Jd"]
        cards[place:] = ["Kh"]
        game = ring_game("spit_in_the_ocean+kill_card")
        hand = self.dealt_in_order(game, " ".join(cards), spit_called=True)
        do(hand, *["spit"] if place < 10 else ["pass"] * 10)
        assert self.is_dead(hand)

    def test_so_is_a_card_that_is_rolled(self) -> None:
        game = composed(ring_game("shotgun"), {"id": "killed", "kill": "Kh"})
        hand = self.dealt_in_order(game, "2c 3c 4c Kh 6c 7d 8d 9d Td Jd")
        do(hand, "check", "check", "stand_pat", "stand_pat", *["arrange 0 1 2 3 4"] * 2)
        assert hand.window == "turn"
        do(hand, "check", "check")
        assert self.is_dead(hand)
        assert hand.street == "roll2"

    def test_so_is_every_board(self) -> None:
        game = ring_game("holdem+kill_card")
        two = as_bomb_pot(game, BombPot(4, boards=2), 2)
        hand = self.dealt_in_order(two, "2c 3c 4c 5c 6c 7d 8d 9d Kh", limit="no_limit")
        assert self.is_dead(hand)
        runs = "2c 3c 4c 5c 6c 7d 8d 9d Td Jd Qd 2d 3d 4d Kh"
        hand = self.dealt_in_order(game, runs, runs=2)
        do(hand, "raise 100", "call")
        for seat in hand.waiting:
            hand.act(seat, {"name": "run_it", "choice": 2})
        assert self.is_dead(hand)


class TestProtection:
    def test_who_cannot_be_heard_is_all_in_for_what_is_in(self) -> None:
        hand, _ = scripted(
            "holdem", [100] * 3, hole=["As Ad", "Ks Kd", "Qs Qd"], board="2c 3c 7h 8h 9d"
        )
        do(hand, "raise 10", "call", "call", "check", "check", "bet 20", "call")
        (event, *_) = hand.protect(2)
        assert event.public == {"seat": 2, "set_aside_minor": 90}
        do(hand, *["check"] * 4)
        assert hand.result is not None
        assert [pot["amount_minor"] for pot in hand.result["pots"]] == [30, 40]
        assert stacks_of(hand) == {0: 140, 1: 70, 2: 90}

    def test_where_checking_is_free_there_is_nothing_to_protect(self) -> None:
        hand, _ = scripted("holdem", [100] * 3)
        do(hand, "call", "call")
        with pytest.raises(NothingToCall):
            hand.protect(2)
