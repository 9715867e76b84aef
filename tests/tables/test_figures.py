"""What a screen tells between hands: the last results and the figures of the last hour."""

from datetime import timedelta

import pytest
from django.test import Client

from casino.core.models import Role
from tables import figures, jobs
from tables.errors import TableNotFound
from tables.models import Hand, Table
from tables.selectors import database_now
from tables.services import displays
from tests.cast import holdem_table, person

pytestmark = pytest.mark.django_db(transaction=True)

POT = {"amount_minor": 900, "rake_minor": 0, "eligible": [1, 2], "awards": {"1": 600, "2": 300}}
SIDE = {"amount_minor": 100, "rake_minor": 0, "eligible": [1, 2], "awards": {"1": 100}}
PAIR = {"class": "pair", "ranks": "AKQ9", "words": "Pair of aces", "cards": ["As", "Ah"]}
VIEW = {"shown": {"1": {"cards": ["As", "Ah"], "high": PAIR}, "2": {"cards": [], "low": PAIR}}}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "send", lambda *task: True)


def settled(table: Table, number: int, ago_s: float, **facts: object) -> Hand:
    result = {"nets_minor": {}, "pots": [POT, SIDE], "showdown": True, **facts}
    return Hand.objects.create(
        table=table, number=number, game="holdem", definition={}, options={}, engine_version="1",
        seats={}, status=Hand.Status.SETTLED, result=result, final_view=VIEW,
        settled_at=database_now() - timedelta(seconds=ago_s),
    )  # fmt: skip


def test_a_result_says_what_was_in_it_who_won_it_and_with_what() -> None:
    table = holdem_table()
    hand = settled(table, 1, 60)
    (line,) = figures.figures(table.pk)["last"]
    assert (line["hand_id"], line["number"], line["amount_minor"]) == (hand.pk, 1, 1000)
    assert line["won_minor"] == {"1": 700, "2": 300}
    assert line["hand"] == {"class": "pair", "ranks": "AKQ9", "words": "Pair of aces"}


def test_a_hand_that_was_not_shown_is_called_nothing() -> None:
    table = holdem_table()
    settled(table, 1, 60, showdown=False)
    assert figures.figures(table.pk)["last"][0]["hand"] is None


def test_the_figures_are_of_the_last_hour() -> None:
    table = holdem_table()
    settled(table, 1, 3700)
    settled(table, 2, 1200, pots=[{**POT, "amount_minor": 5000}])
    settled(table, 3, 60, showdown=False)
    told = figures.figures(table.pk)
    assert [line["number"] for line in told["last"]] == [3, 2, 1]
    recent = told["recent"]
    assert 1200 <= recent.pop("span_s") < 1300
    assert recent == {
        "hands": 2, "average_minor": 3000, "most_minor": 5000, "most_number": 2, "shown": 1,
    }  # fmt: skip


def test_a_round_against_the_house_tells_the_dealers_cards_and_what_was_paid() -> None:
    table = holdem_table()
    hand = settled(table, 1, 60)
    hand.result = {"staked_minor": {"2": 500, "4": 0}, "returned_minor": {"2": 1000, "4": 0}}
    hand.final_view = {"dealer": {"cards": ["Qs"], "qualifies": True, "class": "high_card"}}
    hand.save()
    (line,) = figures.figures(table.pk)["last"]
    assert (line["amount_minor"], line["won_minor"]) == (500, {"2": 1000})
    assert line["dealer"]["qualifies"] is True


def test_a_table_without_hands_has_nothing_to_tell_and_one_that_is_not_there_is_refused() -> None:
    told = figures.figures(holdem_table().pk)
    assert (told["last"], told["recent"]) == ([], None)
    with pytest.raises(TableNotFound):
        figures.figures(1)


def test_the_tables_own_screen_is_told_and_nobody_elses() -> None:
    table, other = holdem_table(), holdem_table("Onyx")
    manager = person("Paula", Role.PIT_MANAGER).user
    _, code = displays.enrol(name="Desk", profile="display", table_id=table.pk, by=manager)
    screen = Client()
    page = screen.post("/display/", {"code": code}, follow=True)
    assert page.context["config"]["figures_url"] == f"/display/{table.pk}/figures"
    assert screen.get(f"/display/{table.pk}/figures").json()["table"] == table.pk
    assert screen.get(f"/display/{other.pk}/figures").status_code == 403
    assert Client().get(f"/display/{table.pk}/figures").status_code == 403
