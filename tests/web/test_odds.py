"""The odds page: anybody reads it, and it says what the version in force pays."""

import pytest
from django.test import Client

from tables.web.odds_views import one_in
from tests.cast import holdem_table, three_card_table

pytestmark = pytest.mark.django_db(transaction=True)


def test_anybody_reads_what_a_table_pays_before_any_stake() -> None:
    table = three_card_table()
    answer = Client().get(f"/odds/{table.pk}")
    page = answer.content.decode()
    assert answer.status_code == 200
    for words in ("686689/20358520", "Q-6-4", "1 in 5,525", "40 to 1", "2.317 %", "15.279 %"):
        assert words in page
    assert " for 1" not in page


def test_tables_between_players_have_no_such_page() -> None:
    assert Client().get(f"/odds/{holdem_table().pk}").status_code == 404
    assert Client().get("/odds/777").status_code == 404


def test_chances_are_said_as_one_in_so_many() -> None:
    assert one_in([72, 425]) == "1 in 5.9"
    assert one_in([1, 5_525]) == "1 in 5,525"
    assert one_in([0, 1]) == "never"
