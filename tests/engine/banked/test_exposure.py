"""The bound on what a round can cost: never below the truth, and close to it."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Any

import pytest

from tables.engine.banked.exposure import (
    Exposure,
    exposure_of,
    full_deck_menus,
    menu_of,
    menus_of,
)
from tables.engine.banked.options import Rules, read_rules
from tables.engine.banked.settling import Settlement, settle
from tables.engine.cards import FULL_DECK, parse_cards
from tables.engine.games.three_card_poker import STANDARD_PAYTABLES, THREE_CARD_POKER

GAME = THREE_CARD_POKER
HOUSE = {wager: next(iter(named.values())) for wager, named in STANDARD_PAYTABLES.items()}
MINI = {**HOUSE, "pair_plus": STANDARD_PAYTABLES["pair_plus"]["1-4-5-30-40-100"]}
ODD = {
    **HOUSE,
    "pair_plus": {"straight": 9, "flush": 11, "pair": 2},
    "six_card": {"straight": 12, "three_of_a_kind": 20, "flush": 3, "four_of_a_kind": 400},
}
RULES: dict[str, dict[str, Any]] = {
    "house": {"paytables": HOUSE},
    "mini royal": {"paytables": MINI, "policy": {"pair_plus_on_fold": "keep"}},
    "odd lines": {"paytables": ODD, "policy": {"tie": "win", "six_card_on_fold": "forfeit"}},
    "ace": {"paytables": HOUSE, "qualifier": "ace"},
    "nobody fails": {"paytables": HOUSE, "qualifier": "none"},
}
SMALL_DECKS = {
    "two suits": "Ts Js Qs Ks As Th Jh Qh Kh Ah 9s 9h",
    "four suits": "4c 4d 4h 4s 5c 5d 5h 5s 6c 6d 6h 6s",
    "broken": "2h 3h 4h 5h Ah Qc Qd Qs 7s 8s Jc Td",
}
PLACED = tuple(wager.id for wager in GAME.placed if wager.id != "progressive")

Bet = Mapping[str, int]


def decisions_of(bet: Bet) -> tuple[str | None, ...]:
    return ("play", "fold") if bet.get("ante") else (None,)


def settled(
    rules: Rules, player: Sequence[int], dealer: Sequence[int], bet: Bet, decision: str | None
) -> Settlement:
    return settle(
        GAME, bet, player, dealer, decision,
        paytables=rules.paytables, policy=rules.policy, qualifier=rules.qualifier,
    )  # fmt: skip


def nets(rules: Rules, player: Sequence[int], dealer: Sequence[int], bet: Bet) -> int:
    """What a spot wins with its better decision, by the very code that settles rounds."""
    return max(
        settled(rules, player, dealer, bet, decision).net_minor for decision in decisions_of(bet)
    )


def random_bet(rnd: random.Random) -> dict[str, int]:
    bet = {"ante": rnd.choice((0, 100, 500, 2_000))}
    bet["pair_plus"] = rnd.choice((0, 100, 1_000)) if bet["ante"] else 100
    bet["six_card"] = rnd.choice((0, 100, 500, 5_000))
    bet["prime"] = rnd.choice((0, 100, 3_000))
    return {wager: amount for wager, amount in bet.items() if amount}


def truth(rules: Rules, deck: Sequence[int], bets: Sequence[Bet]) -> int:
    """The worst deal of all, found by looking at every one of them."""
    most = 0
    for dealer in combinations(deck, 3):
        left = [card for card in deck if card not in dealer]
        hands = list(combinations(left, 3))
        worth = [[nets(rules, hand, dealer, bet) for hand in hands] for bet in bets]
        most = max(most, packed([sum(1 << card for card in hand) for hand in hands], worth))
    return most


def packed(hands: Sequence[int], worth: Sequence[Sequence[int]]) -> int:
    """The most that spots win together with hands that share no card; a hand is a set of bits."""

    @cache
    def best(spot: int, used: int) -> int:
        if spot == len(worth):
            return 0
        return max(
            won + best(spot + 1, used | hand)
            for hand, won in zip(hands, worth[spot], strict=True)
            if not used & hand
        )

    return best(0, 0)


@pytest.mark.parametrize(
    ("spots", "count"),
    [(2, 11), pytest.param(3, 12, marks=pytest.mark.slow, id="three spots")],
)
@pytest.mark.parametrize("deck", SMALL_DECKS)
@pytest.mark.parametrize("name", ["house", "odd lines"])
def test_never_below_the_worst_deal_of_a_small_deck(
    deck: str, name: str, spots: int, count: int
) -> None:
    cards = parse_cards(SMALL_DECKS[deck].split())
    rules = read_rules(GAME, RULES[name])
    bound = Exposure(GAME, rules, menus_of(cards))
    rnd = random.Random(f"{deck} {name} {spots}")
    bets = [random_bet(rnd) for _ in range(spots)]
    assert bound.worst_case(bets) >= truth(rules, cards[:count], bets) > 0


def test_full_deck_menus_cover_every_dealer_they_are_tried_on() -> None:
    menus = full_deck_menus()
    rnd = random.Random(8)
    for _ in range(6):
        found = menu_of(tuple(rnd.sample(FULL_DECK, 3)), FULL_DECK)
        assert any(menu.covers(found) for menu in menus)


@pytest.mark.parametrize("name", RULES)
def test_random_deals_never_pass_the_bound(name: str) -> None:
    rules = read_rules(GAME, RULES[name])
    bound = exposure_of(GAME, RULES[name])
    rnd = random.Random(name)
    for _ in range(60):
        bets = [random_bet(rnd) for _ in range(rnd.randint(1, 7))]
        most = bound.worst_case(bets)
        for _ in range(4):
            cards = rnd.sample(FULL_DECK, 24)
            dealer = cards[21:]
            won = [nets(rules, cards[3 * n : 3 * n + 3], dealer, bet) for n, bet in enumerate(bets)]
            assert sum(won) <= most


# The worst deal that a search finds


RANKS = {rank: number for number, rank in enumerate("23456789TJQKA")}
DEALERS = (
    "Js Ts 9h", "Js Ts Kh", "Js Ts 9c", "Qs Js Ts", "Js Ts 9s", "Qh 9h 2h", "Ts 9s Qc", "Qd 3d 2s",
    "Qs 3s 2c", "Qh Th 2h", "9s 8s Qh", "Qs Qh 2d", "Ks Qs 2h", "Ks Ts 2c", "Js 8s 7c", "Th 9h Ad",
    "Ah 9h 5h", "Ks 9s 7s", "Qh 8h 7h", "8s 7s 6h", "As Ts 6c", "Ac Kc 2d", "Ac 5c 4d", "2c 2d 2h",
)  # fmt: skip


def candidates(dealer: Sequence[int]) -> list[tuple[int, ...]]:
    """Hands that are worth a try: straight flushes, trips, what makes something of the six."""
    rnd = random.Random(str(dealer))
    left = [card for card in FULL_DECK if card not in dealer]
    found: set[tuple[int, ...]] = set()
    for suit in range(4):
        of_suit = [card for card in left if card & 3 == suit]
        for hand in combinations(of_suit, 3):
            ranks = sorted(card >> 2 for card in hand)
            span = {(12 - place) % 13 for place in range(13)}
            if ranks[2] - ranks[0] == 2 or ranks == [0, 1, 12]:
                found.add(hand)
            held = {card >> 2 for card in dealer if card & 3 == suit} | set(ranks)
            for top in range(12, 2, -1):
                window = {(top - place) % 13 for place in range(5)} & span
                if window <= held:
                    found.add(hand)
    for rank in range(13):
        of_rank = [card for card in left if card >> 2 == rank]
        found.update(combinations(of_rank, 3))
        for pair in combinations(of_rank, 2):
            others = [card for card in rnd.sample(left, 6) if card not in pair]
            found.update(tuple(sorted((*pair, other))) for other in others)
    return sorted(found)


UNIT = 100
FROM_ANTE = {"play": "ante", "ante_bonus": "ante"}
Units = list[Counter[str]]


def units_of(
    rules: Rules, hand: Sequence[int], dealer: Sequence[int], placed: Sequence[str]
) -> Units:
    """What a stake of UNIT on each wager wins, for each decision that there is to make."""
    bet = dict.fromkeys(placed, UNIT)
    found = []
    for decision in decisions_of(bet):
        won: Counter[str] = Counter()
        for wager, result in settled(rules, hand, dealer, bet, decision).wagers.items():
            won[FROM_ANTE.get(wager, wager)] += result.net_minor
        found.append(won)
    return found


def scaled(units: Units, bet: Bet) -> int:
    """`nets` of a bet, as every wager wins in proportion to its stake."""
    return max(sum(bet[wager] // UNIT * won[wager] for wager in bet) for won in units)


@cache
def all_units(name: str, dealer: str) -> list[tuple[tuple[int, ...], dict[bool, Units]]]:
    """Of every hand that is worth a try, with an ante and without one."""
    rules, cards = read_rules(GAME, RULES[name]), parse_cards(dealer.split())
    return [
        (hand, {True: units_of(rules, hand, cards, PLACED),
                False: units_of(rules, hand, cards, PLACED[1:])})
        for hand in candidates(cards)
    ]  # fmt: skip


def test_every_wager_wins_in_proportion_to_its_stake() -> None:
    assert PLACED[0] == "ante"
    rnd = random.Random(3)
    for name in ("house", "mini royal"):
        rules = read_rules(GAME, RULES[name])
        for dealer in DEALERS:
            for hand, units in rnd.sample(all_units(name, dealer), 20):
                bet = random_bet(rnd)
                won = nets(rules, hand, parse_cards(dealer.split()), bet)
                assert scaled(units["ante" in bet], bet) == won


def searched(name: str, bets: Sequence[Bet], rnd: random.Random) -> int:
    most = 0
    for dealer in DEALERS:
        worth = {}
        for bet in bets:
            key = tuple(sorted(bet.items()))
            if key not in worth:
                scored = [
                    (scaled(units["ante" in bet], bet), hand)
                    for hand, units in all_units(name, dealer)
                ]
                worth[key] = sorted(scored, reverse=True)
        for _ in range(25):
            order = list(bets)
            rnd.shuffle(order)
            used: set[int] = set()
            total = 0
            for bet in order:
                row = worth[tuple(sorted(bet.items()))]
                won, hand = next((w, h) for w, h in row if not used & set(h))
                used |= set(hand)
                total += won
            most = max(most, total)
    return most


SPREADS: dict[str, list[dict[str, int]]] = {
    "ante": [{"ante": 1_000}] * 7,
    "pair plus": [{"pair_plus": 1_000}] * 7,
    "six card": [{"pair_plus": 100, "six_card": 1_000}] * 7,
    "everything": [{"ante": 1_000, "pair_plus": 500, "six_card": 500, "prime": 500}] * 7,
    "prime": [{"ante": 100, "prime": 5_000}] * 7,
    "one of each": [
        {"ante": 5_000}, {"pair_plus": 2_000}, {"ante": 100, "six_card": 2_000},
        {"ante": 100, "prime": 2_000}, {"pair_plus": 100, "six_card": 300},
    ],
    "one heavy": [{"ante": 100, "six_card": 5_000}] + [{"ante": 2_000, "pair_plus": 500}] * 6,
    "two heavy": [{"ante": 100, "six_card": 5_000}] * 2 + [{"ante": 500, "six_card": 100}] * 3,
    "alone": [{"ante": 1_000, "pair_plus": 500, "six_card": 500}],
}  # fmt: skip


@pytest.mark.parametrize("spread", SPREADS)
@pytest.mark.parametrize("name", ["house", "mini royal"])
def test_at_most_a_tenth_above_the_worst_deal_found(spread: str, name: str) -> None:
    bets = SPREADS[spread]
    most = exposure_of(GAME, RULES[name]).worst_case(bets)
    found = searched(name, bets, random.Random(spread))
    assert found <= most <= 1.1 * found


def test_a_bet_waits_less_than_five_milliseconds() -> None:
    bound = exposure_of(GAME, RULES["mini royal"])
    rnd = random.Random(5)
    rounds = [[random_bet(rnd) for _ in range(7)] for _ in range(20)]
    quickest = []
    for bets in rounds:
        times = []
        for _ in range(5):
            begin = time.process_time()
            bound.worst_case(bets)
            times.append(time.process_time() - begin)
        quickest.append(min(times))
    assert sorted(quickest)[10] < 0.005


def test_a_progressive_adds_its_prizes_its_envy_and_a_new_seed() -> None:
    terms = {
        "stake_minor": 100,
        "meter_basis_points": {"mini_royal_spades": 10_000},
        "pays": {"mini_royal": 500, "straight_flush": 100, "three_of_a_kind": 90},
        "envy": {"mini_royal_spades": 100, "mini_royal": 25},
        "contribution_basis_points": 2_000,
        "seed_minor": 50_000,
    }
    bound = exposure_of(GAME, {"paytables": HOUSE, "progressive": terms})
    ante = bound.worst_case([{"ante": 100}])
    one = bound.worst_case([{"ante": 100, "progressive": 100}])
    assert one >= ante + 499 * 100
    two = bound.worst_case([{"ante": 100, "progressive": 100}] * 2)
    assert two >= 2 * ante + 2 * 499 * 100 + 2 * 25 * 100
    later = exposure_of(
        GAME, {"paytables": HOUSE, "progressive": {**terms, "meter_minor": 900_000}}
    )
    assert later.worst_case([{"ante": 100, "progressive": 100}]) == one
