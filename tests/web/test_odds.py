"""The odds page: anybody reads it, and it says what the version in force pays."""

import pytest
from django.conf import settings
from django.test import Client, override_settings

from tables.web.odds_views import one_in
from tests.cast import THREE_CARD, holdem_table, three_card_table

STAKE = {"least_minor": 100, "most_minor": 100, "step_minor": 100}
pytestmark = pytest.mark.django_db(transaction=True)


def test_anybody_reads_what_a_table_pays_before_any_stake() -> None:
    table = three_card_table()
    answer = Client().get(f"/odds/{table.pk}")
    page = answer.content.decode()
    assert answer.status_code == 200
    for words in ("686,689/20,358,520", "Q-6-4", "1 in 5,525", "40 to 1", "2.317 %", "15.279 %"):
        assert words in page
    assert " for 1" not in page


def test_tables_between_players_have_no_such_page() -> None:
    assert Client().get(f"/odds/{holdem_table().pk}").status_code == 404
    assert Client().get("/odds/777").status_code == 404


def test_chances_are_said_as_one_in_so_many() -> None:
    assert one_in([72, 425]) == "1 in 5.9"
    assert one_in([1, 5_525]) == "1 in 5,525"
    assert one_in([0, 1]) == "never"


def test_the_page_says_what_a_fold_takes_and_what_a_meter_pays() -> None:
    options = {
        **THREE_CARD,
        "limits": {**THREE_CARD["limits"], "progressive": STAKE},
        "policy": {"six_card_on_fold": "forfeit", "tie": "win"},
        "qualifier": "king",
        "spots_per_player": 3,
        "most_spot_minor": 5_000_000,
        "progressive": {
            "stake_minor": 100, "meter_basis_points": {"mini_royal_spades": 10_000},
            "pays": {"mini_royal": 500, "straight_flush": 100, "three_of_a_kind": 90},
            "envy": {"mini_royal_spades": 100}, "contribution_basis_points": 2_000,
            "seed_minor": 1_000_000,
        },
    }  # fmt: skip
    page = Client().get(f"/odds/{three_card_table(options=options).pk}").content.decode()
    for words in (
        "king high or better", "An exact tie pays 1 to 1.", "A spot wins at most 50,000.00",
        "stay in with every hand", "the whole meter", "500 for 1", "10,000.00",
        "100 for mini royal spades", "3 spots beside each other", "It stays in play when you fold",
    ):  # fmt: skip
        assert words in page, words


def test_beside_a_folded_ante_a_side_wager_costs_more_and_the_page_says_both() -> None:
    bounds = {**settings.PAYTABLE_RETURN_BP, "six_card": (5_000, 9_999)}
    options = {**THREE_CARD, "policy": {"six_card_on_fold": "forfeit"}}
    with override_settings(PAYTABLE_RETURN_BP=bounds):
        table = three_card_table(options=options)
    page = Client().get(f"/odds/{table.pk}").content.decode()
    assert "33.785 %" in page
    assert "without an Ante the house edge is 15.279 %" in page
