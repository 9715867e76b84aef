"""Simulated rounds: dealt honestly, settled as live ones, and close to the exact prices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tables.engine.banked.options import read_rules
from tables.engine.banked.prices import ante_play_price, price_of_strategy
from tables.engine.banked.settling import settle
from tables.engine.games.three_card_poker import STANDARD_PAYTABLES, THREE_CARD_POKER
from tables.engine.rankings.three_card import QUALIFIERS
from tables.management.strategy_simulation import (
    STRATEGIES,
    Lookup,
    deals,
    judged,
    simulate,
)
from tables.management.strategy_simulation import Tally as Sums

HOUSE = {wager: next(iter(named.values())) for wager, named in STANDARD_PAYTABLES.items()}
LADDER = HOUSE["ante_bonus"]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_run_stays_within_the_band_of_the_exact_price(strategy: str) -> None:
    rules = read_rules(THREE_CARD_POKER, {"paytables": HOUSE})
    found = simulate(THREE_CARD_POKER, rules, strategy, 150_000, seed=11)
    assert set(found) == {"ante", "pair_plus", "six_card", "prime"}
    assert all(each.inside for each in found.values())
    assert all(each.rounds == 150_000 for each in found.values())


def test_a_wrong_price_is_found_out() -> None:
    rules = read_rules(THREE_CARD_POKER, {"paytables": HOUSE})
    found = simulate(THREE_CARD_POKER, rules, "all", 300_000, seed=2)["ante"]
    sums = Sums(found.rounds, found.net_units)
    assert not judged("ante", sums, ante_play_price(LADDER)).inside


@pytest.mark.parametrize(
    "rules",
    [
        {"paytables": HOUSE},
        {"paytables": HOUSE, "qualifier": "king", "policy": {"tie": "win"}},
    ],
)
def test_every_round_nets_what_settling_says(rules: dict[str, Any]) -> None:
    read = read_rules(THREE_CARD_POKER, rules)
    table = Lookup(read, "optimal")
    cards = next(deals(400, seed=4))
    places = [(block[0] * 52 + block[1]) * 52 + block[2] for block in (cards[:3], cards[3:])]
    nets = table.ante_nets(places[0], places[1], LADDER)
    for number in range(cards.shape[1]):
        deal = tuple(map(int, cards[:, number]))
        decision = "play" if table.plays[places[0][number]] else "fold"
        settled = settle(
            THREE_CARD_POKER, {"ante": 1}, deal[:3], deal[3:], decision,
            paytables=read.paytables, policy=read.policy, qualifier=read.qualifier,
        )  # fmt: skip
        assert settled.net_minor == nets[number]


def test_deals_hold_six_different_cards_each_as_often_as_another() -> None:
    dealt = np.concatenate(list(deals(60_000, seed=9)), axis=1)
    assert dealt.shape == (6, 60_000)
    ordered = np.sort(dealt, axis=0)
    assert (ordered[1:] != ordered[:-1]).all()
    counts = np.bincount(dealt.ravel(), minlength=52)
    expected = dealt.size / 52
    assert ((counts - expected) ** 2 / expected).sum() < 100


def test_the_same_seed_deals_the_same_cards() -> None:
    first, again = (np.concatenate(list(deals(1_000, seed=5)), axis=1) for _ in range(2))
    assert (first == again).all()


@pytest.mark.parametrize(
    ("least", "percent"), [("queen", "3.4491"), ("none", "7.6538"), ("king", "4.9855")]
)
def test_prices_of_other_strategies(least: str, percent: str) -> None:
    price = price_of_strategy(LADDER, lambda value: value >= QUALIFIERS[least])
    assert f"{100 * float(price.house_edge):.4f}" == percent
