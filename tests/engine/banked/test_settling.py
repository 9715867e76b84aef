"""Who is paid what."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.engine.banked.errors import CannotSettle
from tables.engine.banked.options import read_options
from tables.engine.banked.settling import Settlement, settle
from tables.engine.cards import parse_cards
from tables.engine.games.three_card_poker import STANDARD_PAYTABLES, THREE_CARD_POKER
from tables.engine.rankings.three_card import three_card
from tests.engine.banked.table import LIMITS, options
from tests.engine.data import cases

CASES = cases("three_card_poker/settlements")


def settled(
    bets: dict[str, int],
    player: str,
    dealer: str | None,
    decision: str | None,
    **changes: Any,
) -> Settlement:
    rules = read_options(THREE_CARD_POKER, options(**changes))
    return settle(
        THREE_CARD_POKER,
        bets,
        parse_cards(player.split()),
        None if dealer is None else parse_cards(dealer.split()),
        decision,
        paytables=rules.paytables,
        policy=rules.policy,
        qualifier=rules.qualifier,
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_a_worked_case_settles_wager_by_wager(case: dict[str, Any]) -> None:
    tables = {wager: next(iter(named.values())) for wager, named in STANDARD_PAYTABLES.items()}
    tables["pair_plus"] = {"mini_royal": 40, **tables["pair_plus"]}
    tables["ante_bonus"] = {"mini_royal": 5, **tables["ante_bonus"]}
    policy = case["policy"]
    got = settled(
        case["bets"],
        " ".join(case["player"]),
        " ".join(case["dealer"]),
        case["decision"],
        paytables=tables,
        policy={
            "pair_plus_on_fold": policy["pp_on_fold"],
            "six_card_on_fold": policy["six_on_fold"],
        },
    )
    expected = case["expect"]
    assert {
        wager: {
            "stake": result.stake_minor,
            "outcome": result.outcome,
            "returned": result.returned_minor,
            "net": result.net_minor,
        }
        for wager, result in got.wagers.items()
    } == expected["wagers"]
    assert got.staked_minor == expected["total_staked"]
    assert got.returned_minor == expected["total_returned"]
    assert got.net_minor == expected["net"]


def test_an_unqualified_dealer_pays_the_ante_whatever_the_player_holds() -> None:
    got = settled({"ante": 100, "pair_plus": 50}, "Ad 9c 4h", "Js 8d 5c", "play")
    assert got.returned_minor == 300
    assert got.staked_minor == 250
    got = settled({"ante": 100}, "7d 5c 2h", "Js 8d 5h", "play")
    assert got.net_minor == 100


def test_pair_plus_and_bonus_do_not_ask_whether_the_dealer_qualifies() -> None:
    got = settled({"ante": 10, "pair_plus": 500}, "2d 3c 4h", "Js 8d 5c", "play")
    returned = {wager: result.returned_minor for wager, result in got.wagers.items()}
    assert returned == {"play": 10, "ante_bonus": 10, "ante": 20, "pair_plus": 3500}


def test_a_fold_forfeits_pair_plus_unless_the_table_keeps_it() -> None:
    bets = {"ante": 10, "pair_plus": 5}
    assert settled(bets, "9d 9c 2h", None, "fold").net_minor == -15
    kept = settled(bets, "9d 9c 2h", None, "fold", policy={"pair_plus_on_fold": "keep"})
    assert kept.net_minor == -10 + 5


def test_the_six_card_bonus_outlives_a_fold_unless_the_table_forfeits_it() -> None:
    bets = {"ante": 10, "six_card": 5}
    alive = settled(bets, "Jh 7d 2c", "Jd Jc 7s", "fold")
    assert alive.wagers["six_card"].net_minor == 125
    gone = settled(bets, "Jh 7d 2c", None, "fold", policy={"six_card_on_fold": "forfeit"})
    assert gone.net_minor == -15


def test_a_table_may_pay_ties() -> None:
    cards = ("Kh 9d 4c", "Ks 9c 4h")
    assert settled({"ante": 10}, *cards, "play").net_minor == 0
    paid = settled({"ante": 10}, *cards, "play", policy={"tie": "win"})
    assert {w: r.net_minor for w, r in paid.wagers.items()} == {
        "play": 10,
        "ante_bonus": 0,
        "ante": 10,
    }


def test_a_mini_royal_line_pays_only_where_the_table_has_one() -> None:
    table = STANDARD_PAYTABLES["pair_plus"]
    cards = ({"pair_plus": 10}, "Ad Kd Qd", None, None)
    plain = settled(*cards, paytables={"pair_plus": table["1-4-6-30-40"], "six_card": {}})
    royal = settled(*cards, paytables={"pair_plus": table["1-4-5-30-40-100"], "six_card": {}})
    assert (plain.net_minor, royal.net_minor) == (400, 1000)
    assert royal.wagers["pair_plus"].words == "Pair Plus: mini royal, 100 to 1"


@pytest.mark.parametrize(
    ("player", "dealer", "net"),
    [
        ("Ad 9h 3d", "Kh 8h 2h", 40),
        ("Ad 9h 3d", "Kh 8h 2s", 30),
        ("As 9c 3s", "Kc 8c 2s", 40),
        ("As 9h 3s", "Kc 8c 2s", -10),
    ],
)
def test_prime_pays_one_colour_of_three_or_of_all_six(player: str, dealer: str, net: int) -> None:
    limits = {"ante": LIMITS, "prime": LIMITS}
    got = settled({"ante": 10, "prime": 10}, player, dealer, "fold", limits=limits)
    assert got.wagers["prime"].net_minor == net


def test_what_is_paid_is_said_in_words() -> None:
    got = settled({"ante": 1000, "pair_plus": 500, "six_card": 500}, "Th 9d 8c", "Qd 9s 8h", "play")
    assert [result.words for result in got.wagers.values()] == [
        "Play: wins, 1 to 1",
        "Ante Bonus: straight, 1 to 1",
        "Ante: wins, 1 to 1",
        "Pair Plus: straight, 6 to 1",
        "6-Card Bonus: nothing in the six cards, loses",
    ]
    assert got.words == "Straight, ten high beats the dealer's queen high"


@pytest.mark.parametrize(
    ("bets", "decision", "dealer"),
    [
        ({"ante": 10}, None, "Qd 9s 8h"),
        ({"ante": 10}, "double", "Qd 9s 8h"),
        ({"ante": 10}, "play", None),
        ({"pair_plus": 10}, "play", "Qd 9s 8h"),
        ({"pair_plus": 10, "six_card": 10}, None, None),
    ],
)
def test_what_cannot_belong_together_is_refused(
    bets: dict[str, int], decision: str | None, dealer: str | None
) -> None:
    with pytest.raises(CannotSettle):
        settled(bets, "Th 9d 8c", dealer, decision)


SWITCHES = list(
    product(("forfeit", "keep"), ("settle", "forfeit"), ("push", "win"), ("queen", "none", "pair"))
)
money = st.integers(0, 10**6)


@given(
    cards=st.lists(st.integers(0, 51), min_size=6, max_size=6, unique=True),
    ante=money,
    pair_plus=money,
    six_card=money,
    plays=st.booleans(),
    switch=st.sampled_from(SWITCHES),
)
def test_whatever_is_bet_and_decided_the_figures_agree(
    cards: list[int],
    ante: int,
    pair_plus: int,
    six_card: int,
    plays: bool,
    switch: tuple[str, str, str, str],
) -> None:
    pair_plus_on_fold, six_card_on_fold, tie, qualifier = switch
    policy = {
        "pair_plus_on_fold": pair_plus_on_fold,
        "six_card_on_fold": six_card_on_fold,
        "tie": tie,
    }
    rules = read_options(THREE_CARD_POKER, options(policy=policy, qualifier=qualifier))
    player, dealer = cards[:3], cards[3:]
    got = settle(
        THREE_CARD_POKER,
        {"ante": ante, "pair_plus": pair_plus, "six_card": six_card},
        player,
        dealer,
        ("play" if plays else "fold") if ante else None,
        paytables=rules.paytables,
        policy=rules.policy,
        qualifier=qualifier,
    )
    assert got.staked_minor == ante * (1 + plays) + pair_plus + six_card
    assert got.net_minor == sum(result.net_minor for result in got.wagers.values())
    assert all(result.returned_minor >= 0 for result in got.wagers.values())
    if ante and plays:
        mine, his = three_card(player), three_card(dealer)
        assert (got.wagers["ante"].net_minor < 0) == (got.wagers["play"].net_minor < 0)
        if got.wagers["play"].net_minor < 0:
            assert mine < his
    else:
        assert "play" not in got.wagers
        assert "ante_bonus" not in got.wagers
