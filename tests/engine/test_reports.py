"""Faults that players and operators have met elsewhere, each shown to be impossible here.

Those about bets, pots, the button, draws, stud and showdowns have their tests beside those parts.
"""

from __future__ import annotations

from typing import Any

import pytest

from tables.engine.cards import parse_cards
from tables.engine.errors import CardNotInDeck
from tables.engine.poker.hand import start
from tables.engine.protocol import SeatIn
from tables.engine.rankings.badugi import RANKING as BADUGI
from tables.engine.rankings.deuce_to_seven import deuce_to_seven
from tables.engine.rankings.high import RANKING as HIGH
from tables.engine.rankings.high import high
from tables.engine.rankings.three_card import RANKING as THREE_CARD
from tables.engine.rankings.three_card import three_card
from tables.engine.rankings.wild import BUG_HIGH, WILD_HIGH, wild_cards, wild_high
from tests.engine.poker.playing import cards, do, ring_game, scripted, stacks_of, table_options


def class_of(ranking: Any, text: str) -> str:
    return str(ranking.words(ranking.value(cards(text)))[0])


def test_the_odd_chip_goes_to_high_and_a_tied_low_is_split_on_its_own() -> None:
    hand, _ = scripted(
        "omaha8",
        [9, 9, 9],
        button=2,
        hole=["Ac 2c Qd Jc", "As 2s Qh Js", "Kd Kh 9d 9h"],
        board="Ks 3d 4h 8c 9s",
        limit="no_limit",
    )
    do(hand, "raise 9", "call", "call")
    assert hand.result is not None
    (pot,) = hand.result["pots"]
    assert (pot["amount_minor"], pot["high"], pot["low"]) == (27, {"2": 14}, {"0": 7, "1": 6})


def test_who_posts_what_he_owes_is_dealt_in_with_a_live_bet() -> None:
    game = ring_game("holdem")
    hand, _ = start(
        game,
        [SeatIn(seat, 100) for seat in range(4)],
        table_options(game, small_blind_minor=5, big_blind_minor=10),
        list(range(52)),
        button=0,
        posts=[
            {"seat": 1, "kind": "small"},
            {"seat": 2, "kind": "big"},
            {"seat": 3, "kind": "live"},
        ],
    )
    assert stacks_of(hand)[3] == 90
    assert hand.waiting == (3,)
    assert [choice["name"] for choice in hand.legal(3)] == ["fold", "check", "raise"]


def test_two_players_may_raise_without_end_where_the_table_says_so() -> None:
    hand, _ = scripted("holdem", [500] * 2, button=0, limit="fixed", uncapped_heads_up=True)
    do(hand, *[f"raise {to}" for to in range(4, 24, 2)])
    assert "raise" in [choice["name"] for choice in hand.legal(hand.waiting[0])]


def test_a_wheel_is_five_high_and_aces_do_not_wrap() -> None:
    assert high(cards("As 2d 3c 4h 5s")) < high(cards("2c 3d 4d 5c 6h"))
    assert class_of(HIGH, "As 2d 3c 4h 5s") == "straight"
    assert class_of(HIGH, "Qs Kd Ac 2h 3s") == "high_card"


def test_in_deuce_to_seven_an_ace_is_high_alone() -> None:
    ace_high = deuce_to_seven(cards("Ac 2d 3h 4s 5c"))
    assert ace_high > deuce_to_seven(cards("2c 2d 7h 8s 9c"))
    assert ace_high < deuce_to_seven(cards("Kc 5d 4h 3s 2c"))


def test_a_badugi_keeps_as_many_cards_as_it_can() -> None:
    text = "As Ah 2s 3d"
    value = BADUGI.value(cards(text))
    assert set(BADUGI.playing(cards(text), value)) == set(cards("Ah 2s 3d"))
    assert value > BADUGI.value(cards("Ks Qh Jd Jc"))


@pytest.mark.parametrize(
    ("board", "nets"),
    [("Ks Qd 9h 2c 3d", {"0": 100, "1": -100}), ("2c 3d 8h Ks Qd", {"0": 0, "1": 0})],
)
def test_a_low_is_paid_only_where_there_is_one(board: str, nets: dict[str, int]) -> None:
    hand, _ = scripted(
        "omaha8", [100, 100], button=0, hole=["Kc Kd Jh Th", "As 4s 7c 7d"], board=board,
        limit="no_limit",
    )  # fmt: skip
    do(hand, "raise 100", "call")
    assert hand.result is not None
    assert hand.result["nets_minor"] == nets


def test_one_wild_card_stands_for_one_card() -> None:
    deuces = wild_high(wild_cards([0]))
    value = deuces.value(cards("5c 6h 7d 9c 4d 2s Tc"))
    assert deuces.words(value) == ("straight", "Straight, ten high")


def test_a_joker_is_what_the_game_says_it_is() -> None:
    joker = "Ad 3s 5c 5h Jk"
    assert BUG_HIGH.words(BUG_HIGH.value(cards(joker)))[0] == "two_pair"
    assert BUG_HIGH.value(cards(joker)) == high(cards("Ad As 5c 5h 3s"))
    assert class_of(WILD_HIGH, joker) == "three_of_a_kind"
    game = ring_game("five_card_draw")
    with pytest.raises(CardNotInDeck):
        start(game, [SeatIn(1, 100), SeatIn(2, 100)], table_options(game),
              [*range(51), *parse_cards(["Jk"])], button=1)  # fmt: skip


def test_a_stub_too_short_for_the_last_street_of_stud_gives_one_card_to_all() -> None:
    hand, _ = scripted("stud", [100] * 8)
    while not hand.over:
        seat = hand.waiting[0]
        names = [choice["name"] for choice in hand.legal(seat)]
        hand.act(seat, {"name": next(n for n in ("check", "call", "bring_in") if n in names)})
    assert len(hand.board) == 1
    assert [len(held) for held in hand.down] == [2] * 8


def test_king_queen_jack_is_a_straight_of_three_cards() -> None:
    assert class_of(THREE_CARD, "Ks Qd Jc") == "straight"
    top, bottom = three_card(cards("As Kd Qc")), three_card(cards("As 2d 3c"))
    assert top > three_card(cards("Ks Qd Jc")) > bottom > three_card(cards("As 9s 4s"))
    assert three_card(cards("Ks Qd Jc")) > three_card(cards("As 9d 4h"))


def test_five_cards_and_three_have_orders_of_their_own() -> None:
    assert high(cards("9h 7h 5h 3h 2h")) > high(cards("9c 8d 7s 6h 5c"))
    assert three_card(cards("9h 7h 2h")) < three_card(cards("9c 8d 7s"))
    assert three_card(cards("2c 2d 2h")) > three_card(cards("As Kd Qc"))
