"""Every combination of house options by every branch of a round, against a slow second opinion.

The second opinion shares no line with the engine: it sorts ranks, counts suits and looks odds up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations, product
from typing import Any

import pytest

from tables.engine.banked import options as option_lists
from tables.engine.banked.options import read_rules
from tables.engine.banked.settling import settle
from tables.engine.banked.vocabulary import Bonus, Progressive, Side
from tables.engine.cards import parse_cards
from tables.engine.games.three_card_poker import STANDARD_PAYTABLES, THREE_CARD_POKER

GAME = THREE_CARD_POKER
SIDES = [w for w in GAME.wagers if isinstance(w, Side) and not isinstance(w, Progressive)]
WORDS = sorted(option_lists.ON_FOLD_WORDS)
POLICIES: list[dict[str, Any]] = [
    {**dict(zip((f"{side.id}_on_fold" for side in SIDES), words, strict=True)), "tie": tie}
    for words in product(WORDS, repeat=len(SIDES))
    for tie in option_lists.TIE_WORDS
]
LADDERS = [
    {
        wager: list(named.values())[min(n, len(named) - 1)]
        for wager, named in STANDARD_PAYTABLES.items()
    }
    for n in range(max(map(len, STANDARD_PAYTABLES.values())))
]
"""Every standard paytable at least once."""
SIDE_BETS = {"pair_plus": 50, "six_card": 20, "prime": 10}
BETS = {"ante": 100, **SIDE_BETS}

# A deal for every branch: each class of the player and of the dealer, each verdict, each six-card
# class, each colour, each qualifier missed and met by a single card.
DEALS = (
    ("Kh 8d 3c", "Js Td 8h"), ("9c 5d 2h", "Jd 8s 4c"), ("7h 6d 5c", "Js 9d 2h"),
    ("As 9d 4c", "Qh 3c 2d"), ("Ks Th 5h", "Ad Qc Js"), ("Kh 9d 4c", "Ks 9c 4h"),
    ("Th 9d 8c", "Td 9s 8h"), ("Jh Td 9c", "4h 4d 4s"), ("4h 3h 2h", "As Ks Qs"),
    ("Ad Kd Qd", "8c 8h 5s"), ("9c 9d 9h", "Ks Jd 4c"), ("Kd 8d 3d", "Jd Jh 4d"),
    ("6c 5d 4h", "Ah Jh 9h"), ("As Js 3s", "4d 3h 2c"), ("Ah 2d 3c", "4s 3d 2h"),
    ("Ac Kd Qh", "Kh Qd Js"), ("Kc Ah 2d", "Qs Jd 9h"), ("8c 8d Kh", "8h 8s Qc"),
    ("2c 2d Ah", "3c 3d 4s"), ("Jh 7d 2c", "Jd Jc 7s"), ("Ah Kh 2c", "Qh Jh Th"),
    ("6s 5s 4s", "8s 7s Kd"), ("2h 5d 9h", "Td 8c 7h"), ("2h 5d 9h", "9s 8c 6h"),
    ("2h 5d 9h", "Jc 5h 3s"), ("2h 5d 9h", "Kc 5h 3s"), ("2h 5d 9h", "Ac 5h 3s"),
    ("2h 5d 9h", "2c 2s 3s"), ("2h 5d 9h", "Qd Th 6h"), ("2s 5s 9c", "Qs Tc 6c"),
    ("Qs 6h 4d", "Qd 6s 4c"), ("5c 5d 9h", "Ac Kd 2s"), ("7c 7d 7h", "7s 2d 2c"),
)  # fmt: skip


# The second opinion


RANKS = "23456789TJQKA"
ORDER = ("high", "pair", "flush", "straight", "trips", "straight_flush")
LEAST = {"none": -1, "ten": 8, "jack": 9, "queen": 10, "king": 11, "ace": 12}


@lru_cache(maxsize=1000)
def strength(cards: tuple[str, ...]) -> tuple[int, list[int]]:
    ranks = sorted((RANKS.index(card[0]) for card in cards), reverse=True)
    suited = len({card[1] for card in cards}) == 1
    if ranks == [12, 1, 0]:
        ranks = [1, 0, -1]
    run = ranks[0] - 1 == ranks[1] and ranks[1] - 1 == ranks[2]
    counts = Counter(ranks)
    if run and suited:
        return ORDER.index("straight_flush"), ranks[:1]
    if len(counts) == 1:
        return ORDER.index("trips"), ranks[:1]
    if run:
        return ORDER.index("straight"), ranks[:1]
    if suited:
        return ORDER.index("flush"), ranks
    if len(counts) == 2:
        pair = counts.most_common(1)[0][0]
        return ORDER.index("pair"), [pair, next(rank for rank in ranks if rank != pair)]
    return ORDER.index("high"), ranks


def own_class(cards: tuple[str, ...]) -> str:
    order, ranks = strength(cards)
    if ORDER[order] == "straight_flush" and ranks[0] == 12:
        return "mini_royal"
    names = {"trips": "three_of_a_kind", "high": ""}
    return names.get(ORDER[order], ORDER[order])


def five_class(cards: Sequence[str]) -> str:
    ranks = sorted(RANKS.index(card[0]) for card in cards)
    suited = len({card[1] for card in cards}) == 1
    counts = sorted(Counter(ranks).values(), reverse=True)
    run = len(counts) == 5 and (ranks[4] - ranks[0] == 4 or ranks == [0, 1, 2, 3, 12])
    if run and suited:
        return "royal_flush" if ranks[0] == 8 else "straight_flush"
    if counts[0] == 4:
        return "four_of_a_kind"
    if counts[:2] == [3, 2]:
        return "full_house"
    if suited:
        return "flush"
    if run:
        return "straight"
    return "three_of_a_kind" if counts[0] == 3 else ""


SIX_ORDER = (
    "royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight",
    "three_of_a_kind", "",
)  # fmt: skip


@lru_cache(maxsize=1000)
def side_class(side: str, player: tuple[str, ...], dealer: tuple[str, ...]) -> str:
    if side == "pair_plus":
        return own_class(player)
    if side == "six_card":
        return min(
            (five_class(five) for five in combinations([*player, *dealer], 5)),
            key=SIX_ORDER.index,
        )
    colours = ["red" if card[1] in "hd" else "black" for card in player]
    if len(set(colours)) > 1:
        return ""
    six = {*colours, *("red" if card[1] in "hd" else "black" for card in dealer)}
    return "six_one_colour" if len(six) == 1 else "three_one_colour"


FALLS = {
    "mini_royal": "straight_flush", "royal_flush": "straight_flush",
    "six_one_colour": "three_one_colour",
}  # fmt: skip


def pays(cls: str, table: Mapping[str, int]) -> int:
    while cls and cls not in table:
        cls = FALLS.get(cls, "")
    return table.get(cls, 0)


def qualifies(dealer: tuple[str, ...], qualifier: str) -> bool:
    order, ranks = strength(dealer)
    return order > 0 or (qualifier != "pair" and ranks[0] >= LEAST[qualifier])


def second_opinion(
    bets: Mapping[str, int], player: tuple[str, ...], dealer: tuple[str, ...], decision: str | None,
    paytables: Mapping[str, Mapping[str, int]], policy: Mapping[str, str], qualifier: str,
) -> dict[str, int]:  # fmt: skip
    """What each wager returns."""
    back: dict[str, int] = {}
    if decision == "fold":
        back["ante"] = 0
    elif decision == "play":
        mine, his = strength(player), strength(dealer)
        ante = bets["ante"]
        if not qualifies(dealer, qualifier):
            back["ante"], back["play"] = 2 * ante, ante
        elif mine > his or (mine == his and policy["tie"] == "win"):
            back["ante"] = back["play"] = 2 * ante
        else:
            back["ante"] = back["play"] = ante if mine == his else 0
        back["ante_bonus"] = ante * pays(own_class(player), paytables["ante_bonus"])
    for side in ("pair_plus", "six_card", "prime"):
        if not bets.get(side):
            continue
        if decision == "fold" and policy[f"{side}_on_fold"] == "forfeit":
            back[side] = 0
            continue
        odds = pays(side_class(side, player, dealer), paytables[side])
        back[side] = bets[side] * (1 + odds) if odds else 0
    return back


def test_the_deals_meet_every_branch() -> None:
    cards = [(tuple(player.split()), tuple(dealer.split())) for player, dealer in DEALS]
    assert {own_class(player) for player, _ in cards} == {
        "", "pair", "flush", "straight", "three_of_a_kind", "straight_flush", "mini_royal",
    }  # fmt: skip
    assert {strength(dealer)[0] for _, dealer in cards} == set(range(6))
    assert {side_class("six_card", *deal) for deal in cards} == set(SIX_ORDER)
    assert {side_class("prime", *deal) for deal in cards} == {
        "", "three_one_colour", "six_one_colour",
    }  # fmt: skip
    for qualifier in GAME.qualifiers:
        met = {qualifies(dealer, qualifier) for _, dealer in cards}
        assert met == ({True} if qualifier == "none" else {True, False})
    for qualifier in GAME.qualifiers:
        verdicts = {
            (mine > his) - (mine < his)
            for player, dealer in cards
            if qualifies(dealer, qualifier)
            for mine, his in [(strength(player), strength(dealer))]
        }
        assert verdicts == {-1, 0, 1}


def test_option_lists_are_all_combined() -> None:
    switched = {name for policy in POLICIES for name in policy}
    assert switched == {*(f"{side.id}_on_fold" for side in SIDES), "tie"}
    paid = {w.id for w in GAME.wagers if isinstance(w, Bonus | Side)} - {"progressive"}
    assert all(set(ladder) == paid for ladder in LADDERS)
    for wager, named in STANDARD_PAYTABLES.items():
        assert all(any(ladder[wager] == table for ladder in LADDERS) for table in named.values())


@pytest.mark.parametrize("qualifier", GAME.qualifiers)
@pytest.mark.parametrize("ladder", range(len(LADDERS)))
def test_every_combination_settles_as_the_second_opinion_says(qualifier: str, ladder: int) -> None:
    paytables = LADDERS[ladder]
    deals = [
        (player, dealer, parse_cards(player), parse_cards(dealer))
        for player, dealer in ((tuple(one.split()), tuple(other.split())) for one, other in DEALS)
    ]
    decided = {
        "play": (BETS, sum(BETS.values()) + BETS["ante"]),
        "fold": (BETS, sum(BETS.values())),
        None: (SIDE_BETS, sum(SIDE_BETS.values())),
    }
    for policy in POLICIES:
        rules = read_rules(GAME, {"paytables": paytables, "policy": policy, "qualifier": qualifier})
        for player, dealer, players, dealers in deals:
            for decision, (bets, stake) in decided.items():
                settled = settle(
                    GAME, bets, players, dealers, decision,
                    paytables=rules.paytables, policy=rules.policy, qualifier=qualifier,
                )  # fmt: skip
                returned = {name: each.returned_minor for name, each in settled.wagers.items()}
                assert returned == second_opinion(
                    bets, player, dealer, decision, paytables, policy, qualifier
                )
                assert settled.staked_minor == stake
