"""Worked cases of games against the house, played on what settles and prices live rounds."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tables.engine.banked.options import read_paytable, read_paytables, read_policy
from tables.engine.banked.prices import ante_play_price, side_price
from tables.engine.banked.settling import settle
from tables.engine.cards import parse_cards
from tables.engine.games.three_card_poker import STANDARD_PAYTABLES, THREE_CARD_POKER

Case = Mapping[str, Any]
Paytables = Mapping[str, Mapping[str, int]]

POLICY_NAMES = {"pp_on_fold": "pair_plus_on_fold", "six_on_fold": "six_card_on_fold"}
"""What cases call a table's policy."""

HAND_OF_GROUP = {"pair_plus": "three_card", "six_card": "six_card", "prime": "one_colour"}


def stated_paytables(about: str) -> Paytables:
    """The odds that a file of cases states as an object within its description, by wager.

    A file that states none is settled by the standard paytables.
    """
    start = about.find("{")
    if start < 0:
        return {wager: next(iter(named.values())) for wager, named in STANDARD_PAYTABLES.items()}
    stated, _ = json.JSONDecoder().raw_decode(about, start)
    return {name.removesuffix("_odds"): odds for name, odds in stated.items()}


def play_settlement_case(case: Case, paytables: Paytables) -> dict[str, Any]:
    """Settle one spot: `{"wagers": {wager: {stake, returned, net}}, "net"}` in minor units."""
    policy = {POLICY_NAMES.get(name, name): word for name, word in case["policy"].items()}
    settlement = settle(
        THREE_CARD_POKER,
        case["bets"],
        parse_cards(case["player"]),
        parse_cards(case["dealer"]),
        case["decision"],
        paytables=read_paytables(THREE_CARD_POKER, paytables),
        policy=read_policy(THREE_CARD_POKER, policy),
        qualifier=THREE_CARD_POKER.qualifiers[0],
    )
    return {
        "wagers": {
            wager: {
                "stake": result.stake_minor,
                "returned": result.returned_minor,
                "net": result.net_minor,
            }
            for wager, result in settlement.wagers.items()
        },
        "net": settlement.net_minor,
    }


def play_price_case(case: Case) -> dict[str, list[int]]:
    """Exact figures of one paytable as [numerator, denominator] in lowest terms."""
    if case["group"] == "ante_play":
        price = ante_play_price(read_paytable("three_card", case["pays"]))
        names = ("house_edge", "element_of_risk", "variance")
    else:
        hand = HAND_OF_GROUP[case["group"]]
        price = side_price(hand, read_paytable(hand, case["pays"]))
        names = ("house_edge", "hit_frequency", "variance")
    return {name: _parts(getattr(price, name)) for name in names}


def _parts(figure: Fraction) -> list[int]:
    return [figure.numerator, figure.denominator]
