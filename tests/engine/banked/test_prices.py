"""Exact prices of paytables."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from tables.engine.banked import prices
from tables.engine.banked.hands import HANDS
from tables.engine.banked.prices import ante_play_price, side_price
from tables.engine.banked.sheet import sheet
from tables.engine.cards import FULL_DECK
from tables.engine.games.three_card_poker import STANDARD_PAYTABLES, THREE_CARD_POKER
from tables.engine.history.banked_cases import play_price_case
from tables.engine.rankings.three_card import QUALIFIERS, three_card
from tests.engine.data import cases

DEALS = 407_170_400
SIX_CARD = STANDARD_PAYTABLES["six_card"]["5-10-15-25-50-200-1000"]
PAIR_PLUS = STANDARD_PAYTABLES["pair_plus"]["1-4-6-30-40"]
BONUS = STANDARD_PAYTABLES["ante_bonus"]["1-4-5"]


@pytest.mark.parametrize("case", cases("paytables/prices"), ids=lambda case: str(case["id"]))
def test_a_published_paytable_has_its_exact_price(case: dict[str, Any]) -> None:
    assert play_price_case(case) == case["expected"]


@pytest.mark.parametrize(
    ("bonus", "net"),
    [
        ((5, 4, 1), -13_733_780),
        ((5, 3, 1), -14_691_828),
        ((4, 3, 1), -15_576_180),
        ((3, 2, 1), -17_418_580),
        ((0, 0, 0), -35_253_012),
    ],
)
def test_ante_and_play_lose_a_known_number_of_units_over_all_deals(
    bonus: tuple[int, int, int], net: int
) -> None:
    table = dict(zip(("straight_flush", "three_of_a_kind", "straight"), bonus, strict=True))
    price = ante_play_price(table)
    assert price.house_edge == Fraction(-net, DEALS)
    assert price.played == Fraction(14_900, 22_100)


def test_the_qualifier_is_the_whole_edge() -> None:
    edges = {name: round(float(ante_play_price(BONUS, qualifier=name).house_edge), 5)
             for name in QUALIFIERS}  # fmt: skip
    assert edges == {
        "none": -0.18567,
        "ten": -0.08555,
        "jack": -0.03331,
        "queen": 0.03373,
        "king": 0.02395,
        "ace": -0.12300,
        "pair": -0.41641,
    }


def test_a_player_who_wins_ties_pays_less() -> None:
    price = ante_play_price(BONUS, tie="win")
    assert round(float(price.house_edge), 6) == 0.032415
    assert price.played == Fraction(14_924, 22_100)


@pytest.mark.parametrize(
    ("pays", "lost"),
    [
        ({"mini_royal": 200, "straight_flush": 40, "three_of_a_kind": 30, "straight": 6,
          "flush": 4, "pair": 1}, -128),
        ({"straight_flush": 35, "three_of_a_kind": 33, "straight": 6, "flush": 4, "pair": 1}, 596),
        ({"straight_flush": 40, "three_of_a_kind": 20, "straight": 5, "flush": 4, "pair": 1}, 1752),
    ],
)  # fmt: skip
def test_pair_plus_loses_a_known_number_of_units(pays: dict[str, int], lost: int) -> None:
    assert side_price("three_card", pays).house_edge == Fraction(lost, 22_100)


def test_six_cards_fall_into_classes_of_known_size() -> None:
    counted = prices.six_card_counts()
    assert counted.total == 20_358_520
    assert counted.counts == {
        "royal_flush": 188,
        "straight_flush": 1_656,
        "four_of_a_kind": 14_664,
        "full_house": 165_984,
        "flush": 205_792,
        "straight": 361_620,
        "three_of_a_kind": 732_160,
    }


def test_prime_has_its_known_edge() -> None:
    price = side_price("one_colour", STANDARD_PAYTABLES["prime"]["3-4"])
    assert price.house_edge == Fraction(405, 11_186)
    counted = prices.one_colour_counts()
    assert list(counted.counts.values()) == [9_209_200, 86_595_600]


def test_counted_dealer_hands_are_those_that_can_be_dealt() -> None:
    rows = prices.dealer_rows()
    assert len(rows.place) == 741
    every = [(cards, three_card(cards)) for cards in combinations(FULL_DECK, 3)]
    for mine in random.Random(7).sample(prices.suit_classes(), 4):
        player = next(
            cards
            for cards, value in every
            if value == mine.value
            and sorted(prices._pair_kind(*two) for two in combinations(cards, 2))
            == sorted(mine.pairs)
        )
        place = rows.place[mine.value]
        free = [value for cards, value in every if not set(cards) & set(player)]
        assert len(free) == prices.DEALER_HANDS
        assert rows.weaker(mine, place) == sum(value < mine.value for value in free)
        assert rows.weaker(mine, place + 1) == sum(value <= mine.value for value in free)


def test_the_classes_up_to_suits_make_up_all_hands() -> None:
    classes = prices.suit_classes()
    assert len(classes) == 1755
    assert sum(mine.weight for mine in classes) == 22_100


@pytest.mark.parametrize(
    ("hand", "order"),
    [("six_card", prices._six_card_lost), ("one_colour", prices._one_colour_lost)],
)
def test_what_a_fold_takes_is_counted_as_the_deals_come(hand: str, order: Any) -> None:
    folded = prices.contests("queen", "push").folded
    assert sum(mine.weight for mine in folded) == 22_100 - 14_900
    for mine in random.Random(3).sample(folded, 5):
        counted: Counter[str] = Counter()
        alike = [
            cards
            for cards in combinations(FULL_DECK, 3)
            if three_card(cards) == mine.value
            and sorted(prices._pair_kind(*two) for two in combinations(cards, 2))
            == sorted(mine.pairs)
        ]
        assert len(alike) == mine.weight
        # Hands that differ by a renaming of suits are alike but for their colour.
        shown = alike if hand == "one_colour" else alike[:1]
        for player in shown:
            left = [card for card in FULL_DECK if card not in player]
            for dealer in combinations(left, 3):
                counted[HANDS[hand].class_of(player, dealer)] += len(alike) // len(shown)
        del counted[""]
        assert {cls: count for cls, count in order(mine).items() if count} == counted


@pytest.mark.parametrize("tie", ["push", "win"])
@pytest.mark.parametrize("qualifier", QUALIFIERS)
def test_no_best_strategy_folds_a_pair_or_better(qualifier: str, tie: str) -> None:
    assert set(prices.contests(qualifier, tie).better_folded) <= {"high_card"}


def test_a_six_card_bonus_that_a_fold_forfeits_costs_what_the_folds_take() -> None:
    rules = {"paytables": {"six_card": SIX_CARD}, "policy": {"six_card_on_fold": "forfeit"}}
    figures = sheet(THREE_CARD_POKER, rules)["six_card"]
    kept = sheet(THREE_CARD_POKER, {"paytables": {"six_card": SIX_CARD}})["six_card"]
    assert kept["house_edge"] == [55_546, 363_545]
    assert "without_ante" not in kept
    assert figures["without_ante"]["house_edge"] == kept["house_edge"]
    lost = Counter[str]()
    for mine in prices.contests("queen", "push").folded:
        lost.update(prices._six_card_lost(mine))
    taken = sum(Fraction(count * (1 + SIX_CARD[cls]), DEALS) for cls, count in lost.items())
    assert Fraction(*figures["house_edge"]) == Fraction(55_546, 363_545) + taken
    # Each line's chance is that of being paid, so the lines still make up the return.
    back = sum(Fraction(*line["chance"]) * (1 + line["pays"]) for line in figures["lines"])
    assert Fraction(*figures["return"]) == back


def test_wagers_on_the_player_s_own_cards_lose_nothing_by_the_best_folds() -> None:
    for policy in ({}, {"pair_plus_on_fold": "keep"}):
        rules = {"paytables": {"pair_plus": PAIR_PLUS}, "policy": policy}
        figures = sheet(THREE_CARD_POKER, rules)["pair_plus"]
        assert figures["house_edge"] == [128, 5_525]
        assert "without_ante" not in figures


def test_the_rules_print_every_shipped_paytable_with_its_edge() -> None:
    printed = (Path(__file__).parents[3] / "docs" / "rules" / "banked.md").read_text()
    names = {"ante_bonus": "Ante & Play", "pair_plus": "Pair Plus", "six_card": "6-Card Bonus",
             "prime": "Prime"}  # fmt: skip
    for wager, named in STANDARD_PAYTABLES.items():
        for name, table in named.items():
            rules = {"paytables": {wager: table}}
            priced = sheet(THREE_CARD_POKER, rules)["ante" if wager == "ante_bonus" else wager]
            edge = Fraction(*priced["house_edge"])
            called = f"bonus {name}" if wager == "ante_bonus" else name
            figure = f"{edge.numerator:,} / {edge.denominator:,} = {100 * float(edge):.3f} %"
            assert f"| {names[wager]} | {called} | {figure} |" in printed
            assert Fraction(25, 100) >= edge > 0
