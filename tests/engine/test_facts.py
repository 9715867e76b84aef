"""Single facts of the rules, each held against the engine that deals live hands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tables.engine.bluff.hand import BluffHand
from tables.engine.bluff.play import start as start_bluff
from tables.engine.bluff.vocabulary import BluffGame
from tables.engine.cards import RANK_TEXT, parse_cards
from tables.engine.errors import RuleViolation
from tables.engine.games import GAMES, WITH_KILL_CARD
from tables.engine.games.mixed import MIXES
from tables.engine.poker.hand import start
from tables.engine.poker.openers import may_open
from tables.engine.poker.options import read_options
from tables.engine.poker.variants import by_die
from tables.engine.poker.vocabulary import BRING_IN, DECKS, POT
from tables.engine.protocol import Event, SeatIn
from tables.engine.rankings.high import CLASSES, high
from tables.engine.rankings.tables import category_of, ranks_of
from tests.engine.data import cases
from tests.engine.poker.playing import do, ring_game, table_options

Fact = dict[str, Any]

FACTS: dict[str, Fact] = {fact["id"]: fact for fact in cases("facts/facts")}

NOT_DEALT_YET: dict[str, str] = {}
"""Facts about games that are not in the catalogue, with what they wait for."""

GAME_OF_WORDS = {"omaha 5 cards": "omaha5"}


def may_open_jacks(fact: Fact) -> None:
    cards = tuple(parse_cards(fact["cards"]))
    assert may_open(cards, "J") == fact["expected"]["may_open_jacks"]


def is_a_pair_that_opens(fact: Fact) -> None:
    cards, expected = tuple(parse_cards(fact["cards"])), fact["expected"]
    value = high(cards)
    assert CLASSES[category_of(value)] == expected["category"]
    assert RANK_TEXT[ranks_of(value)[0]] == expected["of"]
    assert may_open(cards, "J") == expected["may_open_jackpots"]


def openers_rise_while_antes_pile_up(fact: Fact) -> None:
    carry: dict[str, Any] | None = None
    openers, carried = [], []
    for _ in range(fact["passed_out_deals"] + 1):
        game = ring_game(fact["variant"])
        hand, _ = start(
            game,
            [SeatIn(seat, 100) for seat in range(fact["players"])],
            table_options(game, ante_minor=fact["ante"]),
            list(DECKS[game.deck]),
            button=0,
            carry=carry,
        )
        openers.append(hand.needed)
        carried.append(hand.carried)
        do(hand, *["check"] * fact["players"])
        assert hand.result is not None
        carry = hand.result["carry"]
    expect = fact["expect"]
    assert (openers, carried) == (expect["openers"], expect["carry_before_each_deal"])


def seats_at_its_table(fact: Fact) -> None:
    words = fact["variant"].removesuffix(" (seats)")
    seats = GAMES[GAME_OF_WORDS.get(words, words)].seats
    assert [seats[0], seats[-1]] == [fact["expect"]["min_players"], fact["expect"]["max_players"]]


def binglao_is_dealt_by_its_die(fact: Fact) -> None:
    game, expect = ring_game("binglao"), fact["expect"]
    options = read_options(game, table_options(game))
    assert options.limit == expect["limit"] == POT
    hand, _ = start(
        game,
        [SeatIn(seat, 100) for seat in range(3)],
        table_options(game),
        list(DECKS["52"]),
        button=0,
        die=fact["die"],
    )
    assert [len(held) for held in hand.down] == [expect["hole_cards"]] * 3
    rankings = [share.ranking for share in by_die(game, fact["die"]).shares]
    assert rankings == {"high": ["high"], "high-low 8 or better": ["high", "8ob"]}[expect["game"]]


def binglao_fits_seven_and_is_dealt_to_six(fact: Fact) -> None:
    game, expect = ring_game("binglao"), fact["expect"]
    assert game.seats[-1] == expect["usual_max"]
    assert game.cards_needed(expect["possible_max"]) <= 52
    assert game.cards_needed(expect["possible_max"] + 1) > 52


def the_button_stands_still_in_its_games_with_a_bring_in(fact: Fact) -> None:
    """The run-time moves the button in games that have none; tests/tables holds it to that."""
    parts = [part.game for part in MIXES[fact["variant"]].parts]
    frozen = [game_id for game_id in parts if ring_game(game_id).forced == BRING_IN]
    assert sorted(frozen) == fact["expect"]["button_frozen_in"]


def a_kill_card_face_down_does_nothing(fact: Fact) -> None:
    game = WITH_KILL_CARD[fact["variant"]]
    kill = parse_cards([fact["kill_card"]])[0]
    for place, dead in ((0, fact["expect"]["deal_dead"]), (4, True)):  # down, then up
        deck = [card for card in DECKS["52"] if card != kill]
        deck.insert(place, kill)
        hand, events = start(
            game,
            [SeatIn(seat, 100) for seat in range(2)],
            table_options(game, kill_card=fact["kill_card"]),
            deck,
            button=0,
        )
        assert hand.over == dead
        assert any(event.type == "deal_killed" for event in events) == dead


# Liar's dice


def liars_dice(fact: Fact, dice: list[int], seats: int) -> BluffHand:
    game = GAMES[fact["variant"]]
    assert isinstance(game, BluffGame)
    dealt = [SeatIn(seat, 1000) for seat in range(seats)]
    begins = fact["bids"][0]["seat"] if "bids" in fact else 0
    return start_bluff(game, dealt, {"ante_minor": 100}, dice, first=begins)[0]


def bid_all(hand: BluffHand, bids: list[Fact]) -> None:
    for bid in bids:
        action = {"name": "bid", "quantity": bid["quantity"], "face": bid["face"]}
        hand.act(bid["seat"], action)


def only(events: list[Event], kind: str) -> dict[str, Any]:
    (public,) = [event.public for event in events if event.type == kind]
    return public


def a_challenged_bid_is_counted(fact: Fact) -> None:
    dice = [face for held in fact["dice"] for face in held]
    hand = liars_dice(fact, dice, len(fact["dice"]))
    bid_all(hand, fact["bids"])
    events = hand.act(fact["challenger"], {"name": "challenge"})
    settled = only(events, "challenge_settled")
    assert {
        "count": only(events, "dice_shown")["count"],
        "winner": settled["winner"],
        "loser": settled["loser"],
    } == fact["expect"]


def bids_only_rise(fact: Fact) -> None:
    for bid in (*fact["refused"], *fact["allowed"]):
        hand = liars_dice(fact, [1, 2, 3, 4, 5] * 3, 3)
        bid_all(hand, fact["bids"])
        (seat,) = hand.waiting
        action = {"name": "bid", "quantity": bid["quantity"], "face": bid["face"]}
        if bid in fact["allowed"]:
            hand.act(seat, action)
            continue
        with pytest.raises(RuleViolation):
            hand.act(seat, action)
        assert hand.waiting == (seat,)


def a_false_call_loses(fact: Fact) -> None:
    hand = liars_dice(fact, fact["dice"], 2)
    hand.act(0, {"name": "call", "class": fact["call"].replace(" ", "_")})
    events = hand.act(fact["challenger"], {"name": "challenge"})
    assert only(events, "challenge_settled")["winner"] == fact["expect"]["winner"]


CHECKS: dict[str, Callable[[Fact], None]] = {
    **{f"bug_high-e{nth:03}": may_open_jacks for nth in (0, 2, 4, 6, 8)},
    "high-e000": is_a_pair_that_opens,
    "draw-024": openers_rise_while_antes_pile_up,
    "home-008": the_button_stands_still_in_its_games_with_a_bring_in,
    "home-010": a_kill_card_face_down_does_nothing,
    "home-026": a_challenged_bid_is_counted,
    "home-028": a_challenged_bid_is_counted,
    "home-030": bids_only_rise,
    "home-032": a_false_call_loses,
    **{f"home-{nth:03}": seats_at_its_table for nth in (34, 36, 38, 40)},
    **{f"omaha-{nth:03}": binglao_is_dealt_by_its_die for nth in (16, 18, 20)},
    "omaha-022": binglao_fits_seven_and_is_dealt_to_six,
}


@pytest.mark.parametrize("name", sorted(CHECKS))
def test_a_fact_of_the_rules(name: str) -> None:
    CHECKS[name](FACTS[name])


def test_every_fact_is_held_or_waits_for_its_game() -> None:
    assert set(FACTS) == set(CHECKS) | set(NOT_DEALT_YET)
    assert not set(CHECKS) & set(NOT_DEALT_YET)


def test_no_game_that_a_fact_waits_for_has_arrived() -> None:
    for name in NOT_DEALT_YET:
        assert FACTS[name]["variant"] not in {**GAMES, **WITH_KILL_CARD, **MIXES}
