"""One player on several spots beside each other: one stack, one bet and one decision per spot."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from tables.engine.banked import rounds
from tables.engine.banked.errors import StackTooShort
from tables.engine.banked.rounds import BankedRound
from tables.engine.cards import FULL_DECK
from tables.engine.errors import BadOptions, BadSeats, NotYourTurn
from tables.engine.games.three_card_poker import THREE_CARD_POKER
from tables.engine.protocol import SeatIn
from tests.engine.banked.table import bet, deck, only, options

CARDS = deck("Kh 8d 3c", "9c 9d 2h", "7h 6d 5c", "Js Td 8h")
THREE = options(spots_per_player=3)


def seated(*, of: dict[int, int], stacks: dict[int, int], cards: Any = CARDS) -> BankedRound:
    """of: whose seat plays each spot."""
    seats = [SeatIn(spot, stacks[seat], seat) for spot, seat in of.items()]
    play, _ = rounds.start(THREE_CARD_POKER, seats, THREE, cards)
    return play


def test_all_spots_of_a_player_draw_on_one_stack() -> None:
    play = seated(of={2: 2, 3: 2, 4: 4}, stacks={2: 5000, 4: 5000})
    bet(play, 2, ante=1000)
    (placed,) = bet(play, 3, ante=1000)
    assert placed.public["stack_minor"] == 1000
    with pytest.raises(StackTooShort, match="needs 3200, the seat has 3000"):
        bet(play, 3, ante=1600)
    (placed,) = bet(play, 4, ante=1600)
    assert placed.public["stack_minor"] == 1800
    (offer, _) = play.legal(3)
    assert offer["wagers"]["ante"]["most_minor"] == 1500  # 3,000 are left for it and its Play


def test_each_spot_has_its_own_decision_and_is_settled_on_its_own() -> None:
    play = seated(of={1: 1, 2: 1, 3: 1}, stacks={1: 10_000})
    for spot, ante in ((1, 500), (2, 1000), (3, 1500)):
        bet(play, spot, ante=ante)
    play.expire()
    assert play.waiting == (1, 2, 3)
    play.act(2, {"name": "play"})
    with pytest.raises(NotYourTurn):
        play.act(2, {"name": "fold"})
    play.act(1, {"name": "fold"})
    events = play.act(3, {"name": "play"})
    settled = {event["seat"]: event for event in only(events, "spot_settled")}
    # The dealer's jack high does not qualify: an Ante that played wins, the straight its bonus.
    assert {spot: event["net_minor"] for spot, event in settled.items()} == {
        1: -500,
        2: 1000,
        3: 3000,
    }
    assert {event["stack_minor"] for event in settled.values()} == {13_500}
    (over,) = only(events, "hand_over")
    assert over["stacks_minor"] == {"1": 13_500}
    assert over["nets_minor"] == {"1": -500, "2": 1000, "3": 3000}
    assert over["bank_minor"] == -3500


def test_a_player_sees_the_cards_of_all_his_spots_and_of_no_other() -> None:
    play = seated(of={2: 2, 3: 2, 5: 5}, stacks={2: 5000, 5: 5000})
    for spot in (2, 3, 5):
        bet(play, spot, ante=500)
    (_, dealt) = play.expire()
    assert set(dealt.private or ()) == {2, 3, 5}
    for viewer, seen in ((2, {2, 3}), (3, {2, 3}), (5, {5}), (4, set()), (None, set())):
        spots = play.view(viewer)["spots"]
        assert {spot["seat"] for spot in spots if "cards" in spot} == seen, viewer
    assert [spot.get("player_seat") for spot in play.view(None)["spots"]] == [None, 2, None]


def test_a_silent_player_folds_every_spot_that_has_not_decided() -> None:
    play = seated(of={1: 1, 2: 1}, stacks={1: 5000})
    bet(play, 1, ante=500)
    bet(play, 2, ante=500)
    play.expire()
    play.act(1, {"name": "play"})
    events = play.expire()
    assert [event["seat"] for event in only(events, "decided")] == [2]
    assert play.choices == {1: "play", 2: "fold"}


def test_the_exposure_counts_every_spot() -> None:
    one = seated(of={1: 1}, stacks={1: 50_000})
    bet(one, 1, ante=1000)
    two = seated(of={1: 1, 2: 1}, stacks={1: 50_000})
    bet(two, 1, ante=1000)
    bet(two, 2, ante=1000)
    assert two.exposure_minor() == 2 * one.exposure_minor()


@pytest.mark.parametrize(
    ("of", "words"),
    [
        ({1: 1, 3: 1}, "beside each other"),
        ({2: 3, 3: 3}, "his own seat first"),
        ({2: 7}, "his own seat first"),
        ({1: 1, 2: 1, 3: 1, 4: 1}, "3 spots at most"),
    ],
)
def test_spots_that_a_player_cannot_have_are_refused(of: dict[int, int], words: str) -> None:
    with pytest.raises(BadSeats, match=words):
        seated(of=of, stacks=dict.fromkeys(range(1, 8), 5000))


@pytest.mark.parametrize("most", [0, 8, "2", True, None])
def test_a_table_says_how_many_spots_a_player_may_have(most: Any) -> None:
    with pytest.raises(BadOptions, match="spots_per_player"):
        rounds.start(THREE_CARD_POKER, [SeatIn(1, 500)], options(spots_per_player=most), CARDS)


def test_without_the_option_a_player_has_one_spot() -> None:
    with pytest.raises(BadSeats, match="1 spots at most"):
        rounds.start(THREE_CARD_POKER, [SeatIn(1, 500, 1), SeatIn(2, 500, 1)], options(), CARDS)


@pytest.mark.parametrize("seed", range(40))
def test_random_rounds_with_several_spots_keep_every_chip_and_survive_storage(seed: int) -> None:
    random = Random(seed)
    of, spot = {}, 1
    while spot <= 7:
        count = min(random.randint(1, 3), 8 - spot)
        of |= {spot + place: spot for place in range(count)}
        spot += count
    stacks = {seat: random.randrange(0, 6000, 50) for seat in set(of.values())}
    cards = list(FULL_DECK)
    random.shuffle(cards)
    play = seated(of=of, stacks=stacks, cards=cards)
    while not play.over:
        state = json.loads(json.dumps(play.dump()))
        play = rounds.load(THREE_CARD_POKER, THREE, state, cards)
        assert play.dump() == state
        for seat in set(of.values()):
            mine = [spot for spot, owner in of.items() if owner == seat]
            assert 0 <= stacks[seat] - sum(map(play.committed, mine)) == play._stack(seat)
        acting = [spot for spot in of if play.legal(spot)]
        if not acting or random.random() < 0.15:
            play.expire()
            continue
        spot = random.choice(acting)
        choice = random.choice(play.legal(spot))
        if choice["name"] == "bet":
            wagers = {name: limits["least_minor"] for name, limits in choice["wagers"].items()}
            try:
                play.act(spot, {"name": "bet", "wagers": wagers})
            except StackTooShort:
                play.expire()
        else:
            play.act(spot, {"name": choice["name"]})
    result = play.result
    assert result is not None
    assert sum(result["nets_minor"].values()) + result["bank_minor"] == 0
    for seat in set(of.values()):
        nets = sum(result["nets_minor"][str(spot)] for spot, owner in of.items() if owner == seat)
        assert play._stack(seat) == stacks[seat] + nets
