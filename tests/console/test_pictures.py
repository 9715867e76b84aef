"""Pictures and their numbers: the funnel, the hold, a hand's stacks, where money went; files."""

import csv
import io
import math
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone

from casino.console import pictures, strips
from casino.console.drawing import Axis, along
from casino.console.models import Job, RaisedAlert
from casino.console.tasks import console_job
from casino.core.models import Device, Role, ScreenLag
from casino.core.tickets import TicketFacts, displays_seen
from tables.models import Hand, TableHour
from tests.cast import deal, holdem_table, person, settle, three_card_table
from tests.console.cast import console, console_of, staff
from tests.tables.dealing_cast import run_out
from wallets.gaming_day import day_begins, gaming_day

pytestmark = pytest.mark.django_db(transaction=True)


def hours_of(table: Any, *figures: tuple[int, int, int, int, int]) -> None:
    """Hours of a table: rounds, staked, won, expected, variance."""
    now = timezone.now().replace(minute=0, second=0, microsecond=0)
    for nth, (hands, staked, won, expected, variance) in enumerate(figures):
        TableHour.objects.create(
            table=table, gaming_day=gaming_day(now), hour=now + timedelta(hours=nth), hands=hands,
            staked_minor=staked, won_minor=won, expected_minor=expected, variance=variance,
            seats_dealt=2 * hands,
        )  # fmt: skip


def test_the_running_return_and_its_funnel_add_up() -> None:
    table = three_card_table()
    hours_of(table, (10, 10_000, 500, 300, 90_000), (30, 30_000, -100, 900, 270_000))
    today = gaming_day(timezone.now())
    drawn = pictures.returns(table, today, today, 2)
    _, rounds, actual, theory, error = drawn.rows[-1]
    assert (rounds, actual, theory) == (40, 99.0, 97.0)
    assert error == round(100 * math.sqrt(360_000) / 40_000, 4)
    assert drawn.svg is not None
    assert drawn.svg.count("<polygon") == 2


def test_hold_by_table_marks_what_luck_does_not_explain() -> None:
    fair, odd = three_card_table("Fair"), three_card_table("Odd")
    hours_of(fair, (100, 100_000, 4_000, 3_000, 10**8))
    hours_of(odd, (100, 100_000, 40_000, 3_000, 10**8))
    today = gaming_day(timezone.now())
    drawn = pictures.holds([fair, odd], today, today, 2)
    assert [(row[0], row[-1]) for row in drawn.rows] == [("Odd", True), ("Fair", False)]
    assert drawn.svg is not None
    assert drawn.svg.count('class="dot out"') == 1


def played() -> Hand:
    table = holdem_table()
    for name in ("Ann", "Bob"):
        person(name).sits(table)
    hand = deal(table)
    settle(table, run_out(table))
    hand.refresh_from_db()
    return hand


def test_the_stacks_of_a_hand_end_as_it_was_paid() -> None:
    hand = played()
    drawn = pictures.stacks(hand, 2)
    first, last = drawn.rows[0], drawn.rows[-1]
    assert hand.result is not None
    for nth, seat in enumerate(sorted(hand.seats, key=int), start=2):
        began, over = (float(str(row[nth]).replace(",", "")) for row in (first, last))
        net = hand.result["nets_minor"][seat]
        assert over == pytest.approx(began + net / 100)
    page = console(Role.FLOOR).get(f"/admin/hands/{hand.pk}/stacks/")
    assert page.status_code == 200
    assert 'class="picture"' in page.content.decode()


def test_a_hand_in_play_has_no_picture() -> None:
    table = holdem_table()
    for name in ("Ann", "Bob"):
        person(name).sits(table)
    hand = deal(table)
    assert console(Role.ADMIN).get(f"/admin/hands/{hand.pk}/stacks/").status_code == 404


def test_money_went_from_the_cage_to_wallets_to_tables() -> None:
    table = holdem_table()
    person("Ann", cash_minor=50_000).sits(table, 10_000)
    today = gaming_day(timezone.now())
    drawn = pictures.flows(today, today, "EUR", 2)
    moved = {(row[0], row[1]): row[2] for row in drawn.rows}
    assert moved["Cage", "Cash"] == "500.00"
    assert moved["Cash", "Chips at a table"] == "100.00"
    assert drawn.svg is not None


def test_seats_taken_are_a_share_of_all_seats() -> None:
    table = holdem_table()  # six seats
    hours_of(table, (10, 0, 0, 0, 0))
    drawn = pictures.seats([table], gaming_day(timezone.now()))
    assert 33 in drawn.rows[0]


def test_a_display_that_was_lost_is_a_stretch_of_its_day_with_its_seconds() -> None:
    table, other = holdem_table("Amber"), holdem_table("Birch")
    now = timezone.now()
    for at in (table, other):
        Device.objects.create(name="D", table_id=at.pk, last_seen_at=now,
                              enrolled_by=staff(Role.FLOOR, f"Fay {at.pk}"))  # fmt: skip
    since = max(now - timedelta(minutes=9), day_begins(gaming_day(now)))
    RaisedAlert.objects.create(key="display:1", kind="display", grade="crit", words="lost",
                               table_id=table.pk, since=since, ended_at=now)  # fmt: skip
    drawn = strips.screens([table, other], gaming_day(now))
    gap_ms = round(1000 * (now - since).total_seconds())
    assert drawn.rows == [("Amber", since, now, "lost", gap_ms)]
    assert drawn.svg is not None
    assert drawn.svg.count('class="strip lost"') == 1
    assert drawn.svg.count('class="strip live"') == 2
    assert strips.screens([other], gaming_day(now)).rows == []
    assert strips.screens([], gaming_day(now)).svg is None


def test_a_display_says_how_old_its_picture_was_and_the_oldest_of_ten_minutes_is_kept() -> None:
    table = holdem_table("Amber")
    first, second = (
        Device.objects.create(name=name, table_id=table.pk, enrolled_by=staff(Role.FLOOR, name))
        for name in ("West", "East")
    )
    held = {TicketFacts(None, screen.pk, table.pk, "display") for screen in (first, second)}
    west, east = sorted(held, key=lambda facts: facts.device_id == second.pk)
    for lags_ms in ({west: 1_040, east: 990}, {west: 7_500}, {west: 1_010}):
        displays_seen(held, lags_ms)
    displays_seen({east}, {west: 60_000})  # shown out in the meantime
    kept = ScreenLag.objects.order_by("device").values_list("device", "most_ms")
    if len(kept) == 2:  # all within the same ten minutes
        assert list(kept) == [(first.pk, 7_500), (second.pk, 990)]
    assert max(ms for _device, ms in kept) == 7_500
    drawn = strips.screens([table], gaming_day(timezone.now()))
    assert [(row[3], row[4]) for row in drawn.rows] == [("the whole day", 7_500), ("late", 7_500)]
    assert drawn.svg is not None
    assert drawn.svg.count("7500 ms at the most") == 1


def test_a_day_has_its_own_ages_alone_also_of_a_table_whose_screen_hangs_elsewhere_now() -> None:
    table, today = holdem_table("Amber"), gaming_day(timezone.now())
    screen = Device.objects.create(name="West", enrolled_by=staff(Role.FLOOR, "West"))
    begins = day_begins(today)
    for at, most_ms in ((begins - strips.TEN, 60_000), (begins, 3_000)):
        ScreenLag.objects.create(device=screen, table_id=table.pk, at=at, most_ms=most_ms)
    rows = strips.screens([table], today).rows
    assert [(row[3], row[4]) for row in rows] == [("the whole day", 3_000), ("late", 3_000)]


@pytest.mark.parametrize("name", ["return", "hold", "flow", "seats", "displays"])
def test_each_picture_has_a_page_and_a_file_also_without_figures(name: str) -> None:
    client = console(Role.FINANCE)
    assert client.get("/admin/pictures/", {"name": name}).status_code == 200
    three_card_table()
    assert client.get("/admin/pictures/", {"name": name}).status_code == 200
    answer = client.get("/admin/pictures/", {"name": name, "as": "csv"})
    assert answer.headers["Content-Type"].startswith("text/csv")
    assert client.get("/admin/pictures/?name=x").status_code == 404
    assert client.get("/admin/pictures/", {"name": name, "begins": "x"}).status_code == 422


def test_ticks_are_round_figures_inside_the_axis() -> None:
    assert Axis(0, 103, 0, 1).ticks() == [0, 20, 40, 60, 80, 100]
    assert along([1, 5_000], log=True).ticks() == [1, 10, 100, 1000]
    assert Axis(5, 5, 0, 1).ticks() == [5]


def test_a_report_is_made_in_the_background_for_who_asked() -> None:
    hand = played()
    fay, today = staff(Role.FINANCE, "Fay"), gaming_day(timezone.now())
    client = console_of(fay)
    asked = {"begins": today, "ends": today, "by": "table", "demo": "on", "as": "csv"}
    assert client.get("/admin/reports/", {**asked, "later": "report.hands"}).url == "/admin/jobs/"
    client.get("/admin/reports/", {**asked, "later": "report.tables", "as": "xlsx"})
    for job in Job.objects.order_by("pk"):
        console_job(job.pk)
    made = list(Job.objects.order_by("pk"))
    assert [(job.status, job.percent) for job in made] == [("done", 100), ("done", 100)]
    answer = client.get(f"/admin/jobs/{made[0].pk}/file/")
    rows = list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert rows[1][0] == str(hand.pk)
    assert rows[-1][:2] == ["#rows", "1"]
    assert made[1].file_name.endswith(".xlsx")
    other = console(Role.ADMIN, "Ada")
    assert other.get(f"/admin/jobs/{made[0].pk}/file/").status_code == 404
    assert made[0].file_name in client.get("/admin/jobs/").content.decode()


@pytest.mark.parametrize("language", ["en", "pl"])
def test_a_forms_day_is_written_as_a_browser_reads_it_in_every_language(language: str) -> None:
    client = console(Role.FINANCE)
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    page = client.get("/admin/pictures/?name=seats").content.decode()
    assert f'value="{gaming_day(timezone.now()).isoformat()}"' in page
