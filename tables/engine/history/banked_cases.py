"""Worked cases of games against the house, played on what settles and prices live rounds."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tables.engine.banked.errors import CannotSettle
from tables.engine.banked.options import read_paytable, read_paytables, read_policy
from tables.engine.banked.prices import ante_play_price, side_price
from tables.engine.banked.settling import settle
from tables.engine.cards import CARD_TEXT, parse_cards
from tables.engine.errors import BadOptions, CardNotInDeck
from tables.engine.games.three_card_poker import STANDARD_PAYTABLES, THREE_CARD_POKER
from tables.engine.reasons import Reason

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
    """Settle one spot: `{"wagers": {wager: {stake, returned, net}}, "net"}` in minor units.

    Raises CannotSettle, BadOptions, UnknownCard, CardNotInDeck.
    """
    given = _object("policy", case.get("policy", {}))
    policy = {POLICY_NAMES.get(name, name): word for name, word in given.items()}
    player, dealer = _hands(case)
    settlement = settle(
        THREE_CARD_POKER,
        _bets(case.get("bets")),
        player,
        dealer,
        case.get("decision"),
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


def _bets(bets: Any) -> dict[str, int]:
    placed = [wager.id for wager in THREE_CARD_POKER.placed]
    found = _object("bets", bets)
    for wager, stake in found.items():
        if wager not in placed:
            raise CannotSettle(f"there is no bet {wager!r}; known: {', '.join(placed)}")
        if type(stake) is not int or stake < 0:
            raise CannotSettle(f"{wager}: a stake is a whole number of minor units, 0 or more")
    return dict(found)


def _hands(case: Case) -> tuple[list[int], list[int]]:
    """The player's and the dealer's cards: three each, out of one deck."""
    player, dealer = (parse_cards(case[name]) for name in ("player", "dealer"))
    if len(player) != 3 or len(dealer) != 3:
        raise CannotSettle("player and dealer have three cards each")
    for card in (*player, *dealer):
        if card not in THREE_CARD_POKER.deck or (*player, *dealer).count(card) > 1:
            raise CardNotInDeck(CARD_TEXT[card], THREE_CARD_POKER.id)
    return player, dealer


def _object(name: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise CannotSettle(f"{name}: an object")
    return value


def play_price_case(case: Case) -> dict[str, list[int]]:
    """Exact figures of one paytable as [numerator, denominator] in lowest terms.

    Raises BadOptions.
    """
    group, pays = case.get("group"), case.get("pays")
    if group != "ante_play" and group not in HAND_OF_GROUP:
        known = ", ".join(("ante_play", *HAND_OF_GROUP))
        raise BadOptions("group", Reason("no_group", group=group, known=known))
    if not isinstance(pays, Mapping):
        raise BadOptions("pays", Reason("odds_by_class"))
    if group == "ante_play":
        price = ante_play_price(read_paytable("three_card", pays))
        names = ("house_edge", "element_of_risk", "variance")
    else:
        hand = HAND_OF_GROUP[group]
        price = side_price(hand, read_paytable(hand, pays))
        names = ("house_edge", "hit_frequency", "variance")
    return {name: _parts(getattr(price, name)) for name in names}


def _parts(figure: Fraction) -> list[int]:
    return [figure.numerator, figure.denominator]
