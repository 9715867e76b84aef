"""The progressive: what feeds its meter, who is paid from it, and what others' hands bring."""

from __future__ import annotations

from typing import Any

import pytest

from tables.engine.banked import rounds
from tables.engine.banked.options import read_options
from tables.engine.banked.rounds import BankedRound
from tables.engine.banked.sheet import sheet
from tables.engine.errors import BadOptions
from tables.engine.games.three_card_poker import THREE_CARD_POKER
from tests.engine.banked.table import bet, deck, opened, options

TERMS = {
    "stake_minor": 100,
    "meter_basis_points": {"mini_royal_spades": 10_000},
    "pays": {"mini_royal": 500, "straight_flush": 100, "three_of_a_kind": 90},
    "envy": {"mini_royal_spades": 100, "mini_royal": 25},
    "contribution_basis_points": 2_000,
    "seed_minor": 1_000_000,
    "meter_minor": 3_000_000,
}
STAKE = {"least_minor": 100, "most_minor": 100, "step_minor": 100}
DEALER = "Js 8s 4c"


def table_options(**terms: Any) -> dict[str, Any]:
    limits = {**options()["limits"], "progressive": STAKE}
    return options(limits=limits, progressive={**TERMS, **terms})


def played(
    *hands: str, dealer: str = DEALER, fold: tuple[int, ...] = (), **terms: Any
) -> BankedRound:
    """A round of Ante 100 and progressive 100 at each spot, played to its end."""
    seats = range(1, len(hands) + 1)
    table = opened(dict.fromkeys(seats, 10_000), deck(*hands, dealer), table_options(**terms))
    for seat in seats:
        bet(table, seat, ante=100, progressive=100)
    table.expire()
    for seat in seats:
        table.act(seat, {"name": "fold" if seat in fold else "play"})
    return table


def line(table: BankedRound, seat: int, wager: str = "progressive") -> tuple[int, str]:
    assert table.result is not None
    settled = table.result["spots"][str(seat)]["wagers"][wager]
    return settled["returned_minor"], settled["outcome"]


def meter(table: BankedRound) -> dict[str, int]:
    assert table.result is not None
    found: dict[str, int] = table.result["meter"]
    return found


def test_every_stake_feeds_the_meter() -> None:
    table = played("2c 5d 9h", "3c 6d Th")
    assert line(table, 1) == (0, "lose")
    assert meter(table) == {
        "before_minor": 3_000_000, "contributed_minor": 40, "paid_minor": 0, "seeded_minor": 0,
        "seed_minor": 1_000_000, "after_minor": 3_000_040,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("hand", "units", "outcome"),
    [
        ("Ah Kh Qh", 500, "mini_royal"),
        ("9s 8s 7s", 100, "straight_flush"),
        ("4d 4h 4s", 90, "three_of_a_kind"),
        ("9s 8h 7s", 0, "lose"),
    ],
)
def test_fixed_prizes_are_for_one(hand: str, units: int, outcome: str) -> None:
    dealer = "Jd 2s 3c"
    table = played(hand, dealer=dealer)
    assert line(table, 1) == (100 * units, outcome)
    assert meter(table)["paid_minor"] == 0


def test_the_mini_royal_of_spades_takes_the_meter_and_the_seed_is_put_back() -> None:
    table = played("As Ks Qs", "2c 5d 9h")
    assert line(table, 1) == (3_000_040, "mini_royal_spades")
    assert meter(table)["paid_minor"] == 3_000_040
    assert meter(table)["after_minor"] == meter(table)["seeded_minor"] == 1_000_000


def test_envy_is_for_the_others_alone() -> None:
    table = played("As Ks Qs", "2c 5d 9h", "Ad Kd Qd")
    assert table.result is not None
    assert line(table, 2, "envy") == (125 * 100, "envy")
    assert line(table, 1, "envy") == (25 * 100, "envy")
    assert line(table, 3, "envy") == (100 * 100, "envy")
    without = opened({1: 10_000, 2: 10_000}, deck("As Ks Qs", "2c 5d 9h", DEALER), table_options())
    bet(without, 1, ante=100, progressive=100)
    bet(without, 2, ante=100)
    without.expire()
    for seat in (1, 2):
        without.act(seat, {"name": "play"})
    assert without.result is not None
    assert "envy" not in without.result["spots"]["2"]["wagers"]


def test_shares_beyond_the_whole_meter_are_cut_in_proportion() -> None:
    share = {"mini_royal_spades": 10_000, "mini_royal": 2_500}
    pays = {"straight_flush": 100, "three_of_a_kind": 90}
    table = played("As Ks Qs", "Ad Kd Qd", meter_basis_points=share, pays=pays)
    pool = 3_000_040
    assert line(table, 1)[0] == pool * 10_000 // 12_500
    assert line(table, 2)[0] == pool * 2_500 // 12_500
    assert meter(table)["paid_minor"] <= pool


def test_a_fold_does_not_lose_it() -> None:
    table = played("Ah Kh Qh", fold=(1,))
    assert line(table, 1) == (50_000, "mini_royal")
    assert table.result is not None
    view = table.view(None)["spots"][0]
    assert view["down"] == 0


def test_chips_are_conserved_meter_included() -> None:
    table = played("As Ks Qs", "2c 5d 9h", "Ad Kd Qd", "4d 4h 4s")
    result = table.result
    assert result is not None
    assert sum(result["nets_minor"].values()) + result["bank_minor"] == 0
    again = rounds.load(THREE_CARD_POKER, table.options, table.dump(), table.deck)
    assert again.result == result


def test_it_goes_only_with_an_ante() -> None:
    from tables.engine.banked.errors import WagerNeedsAnother

    table = opened({1: 10_000}, deck("2c 5d 9h", DEALER), table_options())
    with pytest.raises(WagerNeedsAnother):
        bet(table, 1, pair_plus=100, progressive=100)


@pytest.mark.parametrize(
    "change",
    [
        {"seed_minor": -1},
        {"stake_minor": 0},
        {"stake_minor": 200},
        {"meter_basis_points": {}},
        {"meter_basis_points": {"mini_royal_spades": 10_001}},
        {"pays": {"mini_royal_spades": 5}},
        {"pays": {"two_pair": 5}},
        {"contribution_basis_points": 10_001},
        {"lucky": 7},
    ],
)
def test_terms_that_cannot_be_kept_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(BadOptions):
        read_options(THREE_CARD_POKER, table_options(**change))


def test_price_at_the_seed_and_the_meter_that_breaks_even() -> None:
    priced = sheet(THREE_CARD_POKER, {"progressive": TERMS})["progressive"]
    # 4 mini royals, 44 other straight flushes, 52 trips in 22,100; the published break-even.
    assert priced["meter"]["break_even_minor"] == [1_152_000, 1]
    numerator, denominator = priced["return"]
    assert numerator * 22_100 == denominator * (3 * 500 + 44 * 100 + 52 * 90 + 10_000)
    assert priced["meter"]["envy_per_other_spot"] == [7, 884]
    assert priced["worst_case_units"] == 499
