"""What house players decide: always something legal, and lively enough to be worth watching."""

from random import Random
from typing import Any

import pytest

from casino.house.strategy import (
    QUEEN_SIX_FOUR,
    RANKS,
    Spot,
    Temper,
    answer,
    banked_bet,
    banked_choice,
    ring_action,
    strength,
)
from tables.engine.games import GAMES, start_hand
from tables.engine.protocol import Hand, SeatIn

NO_LIMIT = {"limit": "no_limit", "small_blind_minor": 50, "big_blind_minor": 100}
FIXED = {"limit": "fixed", "small_blind_minor": 50, "big_blind_minor": 100}
POT = {"limit": "pot", "small_blind_minor": 50, "big_blind_minor": 100}


def spot_of(hand: Hand, seat: int) -> Spot:
    legal = {choice["name"]: choice for choice in hand.legal(seat)}
    view = hand.view(seat)
    raising = legal.get("bet") or legal.get("raise") or {}
    players = view["players"]
    return Spot(
        cards=tuple(next(p for p in players if p["seat"] == seat)["cards"]),
        board=tuple(view["board"]),
        pot_minor=view["pot_minor"],
        call_minor=legal.get("call", {}).get("amount_minor", 0),
        least_to_minor=raising.get("least_to_minor"),
        most_to_minor=raising.get("most_to_minor"),
        is_open=not any(p["bet_minor"] for p in players),
        others=sum(p["status"] != "folded" for p in players) - 1,
    )


def played(game: str, options: dict[str, Any], players: int, random: Random) -> dict[str, Any]:
    """A hand between house players with unequal stacks; an illegal action would raise."""
    deck = list(range(52))
    random.shuffle(deck)
    stacks = [random.choice((1_000, 2_000, 4_000, 15_000)) for _ in range(players)]
    seats = [SeatIn(seat, stack) for seat, stack in enumerate(stacks, start=1)]
    hand, _ = start_hand(GAMES[game], seats, options, deck, button=random.randint(1, players))
    while not hand.over:
        seat = hand.waiting[0]
        temper = Temper(random.uniform(-0.06, 0.06), random.uniform(-0.06, 0.06))
        hand.act(seat, ring_action(spot_of(hand, seat), temper, random))
    assert hand.result is not None
    return hand.result


def test_about_a_third_of_holdem_hands_reach_showdown_and_some_make_side_pots() -> None:
    random = Random(1)
    results = [played("holdem", NO_LIMIT, 3 + deal % 4, random) for deal in range(400)]
    assert 0.25 < sum(result["showdown"] for result in results) / len(results) < 0.45
    assert sum(len(result["pots"]) > 1 for result in results) >= 3


@pytest.mark.parametrize(("game", "options"), [("holdem", FIXED), ("omaha", POT)])
def test_every_decision_is_legal_in_other_limits_too(game: str, options: dict[str, Any]) -> None:
    random = Random(2)
    for deal in range(100):
        played(game, options, 2 + deal % 5, random)


def test_better_cards_feel_better() -> None:
    ascending = [
        strength(("7c", "2d"), ()),
        strength(("Kc", "Jc"), ()),
        strength(("Ac", "Ad"), ()),
    ]
    assert ascending == sorted(ascending)
    board = ("Ah", "9s", "4c")
    assert strength(("Ac", "Kd"), board) > strength(("9c", "Kd"), board)
    assert strength(("9c", "9d"), board) > strength(("Ac", "4d"), board)
    assert strength(("3c", "2c"), ("5h", "4s", "Ac")) > strength(("Ad", "5c"), ("5h", "4s", "Ac"))


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        (("Qc", "6d", "4h"), "play"),
        (("Qc", "6d", "3h"), "fold"),
        (("Qc", "5d", "4h"), "fold"),
        (("Qc", "7d", "2h"), "play"),
        (("Jc", "Td", "8h"), "fold"),
        (("Kc", "3d", "2h"), "play"),
        (("2c", "2d", "3h"), "play"),
        (("2c", "5c", "7c"), "play"),
        (("Ac", "2d", "3h"), "play"),
        (("4c", "2d", "3h"), "play"),
    ],
)
def test_queen_six_four_is_the_least_hand_to_play(cards: tuple[str, ...], name: str) -> None:
    assert banked_choice(cards) == {"name": name}
    assert tuple(RANKS[rank] for rank in QUEEN_SIX_FOUR) == ("Q", "6", "4")


def test_a_bet_keeps_the_play_stake_and_stays_within_the_limits() -> None:
    random = Random(3)
    ante = {"least_minor": 500, "most_minor": 2_000, "step_minor": 100}
    side = {"least_minor": 100, "most_minor": 1_000, "step_minor": 100}
    limits = {"ante": ante, "pair_plus": side, "six_card": side}
    placed = []
    for _ in range(500):
        stack_minor = random.randrange(1_000, 12_000)
        bet = banked_bet(limits, stack_minor, random)
        if bet is not None:
            placed.append(wagers := bet["wagers"])
            assert sum(wagers.values()) + wagers["ante"] <= stack_minor
            for wager, amount in wagers.items():
                assert limits[wager]["least_minor"] <= amount <= limits[wager]["most_minor"]
                assert amount % 100 == 0
    assert {"pair_plus", "six_card"} < {wager for wagers in placed for wager in wagers}


def test_the_button_names_any_listed_game_at_times_changed_and_others_mostly_agree() -> None:
    games = [{"nth": nth, "id": "stud", "name": "Stud", "limit": "fixed"} for nth in range(3)]
    offer = {"name": "name_game", "games": games, "changes": True}
    random = Random(3)
    named = [answer([offer], random) for _ in range(200)]
    assert {action["nth"] for action in named} == {0, 1, 2}
    assert 10 < sum("changes" in action for action in named) < 60
    fixed = [answer([{**offer, "changes": False}], random) for _ in range(50)]
    assert not any("changes" in action for action in fixed)
    asked = [{"name": "accept_game"}, {"name": "decline_game"}]
    said = [answer(asked, random)["name"] for _ in range(200)]
    assert 150 < said.count("accept_game") < 200


def test_who_cannot_pay_an_ante_and_its_play_sits_the_round_out() -> None:
    limits = {"ante": {"least_minor": 500, "most_minor": 2_000, "step_minor": 100}}
    assert all(banked_bet(limits, 999, Random(seed)) is None for seed in range(20))
