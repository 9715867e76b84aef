"""Reports say each figure once, as the ledger has it; a day is closed when everything is green."""

import csv
import io
import zipfile
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from casino.console import closing, figures
from casino.console.closing import checks, close_day
from casino.console.errors import DayClosed, DayNotGreen, DayNotOver
from casino.console.figures import COLUMNS, report
from casino.core.models import LogEntry, Role, User
from tables.models import Shift, Table, TableHour
from tests.cast import Person, deal, holdem_table, person, settle, three_card_table
from tests.conftest import superuser
from tests.console.cast import console, console_of, staff
from tests.tables.dealing_cast import run_out
from wallets.gaming_day import gaming_day
from wallets.models import Account
from wallets.reconciling import reconcile

pytestmark = pytest.mark.django_db(transaction=True)


def round_played(cards: Table, who: Person, **wagers: int) -> None:
    deal(cards)
    turn = who.sees(cards)["hand"]["turn"]["turn_id"]
    assert who.client.act(cards, turn, {"name": "bet", "wagers": wagers}).status_code == 200
    settle(cards, run_out(cards))


def played() -> tuple[Table, Table]:
    cards, ring = three_card_table("Opal"), holdem_table("Amber")
    ann = person("Ann")
    ann.sits(cards)
    round_played(cards, ann, ante=1_000, pair_plus=500)
    for name in ("Bob", "Cid"):
        person(name).sits(ring)
    deal(ring)
    settle(ring, run_out(ring))
    return cards, ring


def balance_minor(table: Table, purpose: str) -> int:
    return Account.objects.get(table_id=table.pk, purpose=purpose).balance_minor


def test_the_figures_are_those_of_the_ledger() -> None:
    cards, _ = played()
    today = gaming_day(timezone.now())
    found = report(begins=today, ends=today, by="table", house_tables=True)
    rows = {row.name: row for row in found.rows}
    opal = rows["Opal"]
    assert opal.day.won_minor == balance_minor(cards, "bank") - 1_000_000
    assert (opal.day.hands, opal.day.drop_minor, opal.day.staked_minor) == (1, 10_000, 1_500)
    # An ante that is folded by the clock: the theory takes in what the decision was worth.
    assert opal.edge_percent is not None
    assert (rows["Amber"].day.hands, rows["Amber"].hold) == (1, None)
    assert {row.name for row in found.totals} == {"House games", "Games among players"}
    for by in ("game", "day", "hour"):
        again = report(begins=today, ends=today, by=by, house_tables=True)
        assert sum(row.day.won_minor for row in again.rows) == sum(
            row.day.won_minor for row in found.rows
        )


def test_demo_tables_stay_out_unless_asked_for() -> None:
    cards, ring = played()
    Table.objects.filter(pk=ring.pk).update(is_house=True)
    today = gaming_day(timezone.now())
    found = report(begins=today, ends=today, by="table", house_tables=False)
    assert [row.name for row in found.rows] == [cards.name]


def test_csv_and_xlsx_hold_numbers_and_say_how_many_rows() -> None:
    played()
    client = console(Role.FINANCE)
    today = gaming_day(timezone.now())
    asked = {"begins": today, "ends": today, "by": "table", "demo": "on"}
    file = client.get("/admin/reports/", {**asked, "as": "csv"})
    assert file.content.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(file.content.decode("utf-8-sig"))))
    assert tuple(rows[0]) == COLUMNS
    opal = dict(zip(COLUMNS, next(row for row in rows if row[0] == "Opal"), strict=True))
    assert (opal["drop"], opal["handle"], opal["hands"]) == ("100.00", "15.00", "1")
    assert rows[-1][:2] == ["#rows", str(len(rows) - 2)]
    book = client.get("/admin/reports/", {**asked, "as": "xlsx"})
    sheet = zipfile.ZipFile(io.BytesIO(book.content)).read("xl/worksheets/sheet1.xml").decode()
    assert "<v>15</v>" in sheet
    assert LogEntry.objects.filter(kind="report.exported").count() == 2


def day_that_is_over(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The day just played, looked at a day later."""
    day = gaming_day(timezone.now())
    later = timezone.now() + timedelta(days=1)
    monkeypatch.setattr(closing.timezone, "now", lambda: later)
    return day


def test_a_day_is_closed_when_every_line_is_green_and_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    played()
    day, finn = gaming_day(timezone.now()), staff(Role.FINANCE, "Finn")
    with pytest.raises(DayNotOver):
        close_day(day=day, by=finn)
    day = day_that_is_over(monkeypatch)
    with pytest.raises(DayNotGreen) as refused:
        close_day(day=day, by=finn)
    assert refused.value.failing == ("Books and tables agree",)
    assert reconcile(day=day).ok
    assert all(check.is_green for check in checks(day))
    digest = close_day(day=day, by=finn)
    entry = LogEntry.objects.get(kind="day.closed")
    assert (entry.subject, entry.facts["sha256"]) == (f"day:{day}", digest)
    assert {line["hands"] for line in entry.facts["figures"]} == {1}
    with pytest.raises(DayClosed):
        close_day(day=day, by=finn)


def test_a_hand_in_play_and_a_count_that_differs_keep_a_day_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cards, ring = played()
    deal(ring)
    day = day_that_is_over(monkeypatch)
    TableHour.objects.filter(table=cards).update(won_minor=7)
    reconcile(day=day)
    due = {check.words for check in checks(day) if not check.is_green}
    assert due == {"No hand is open", "Win by hands equals win by the ledger"}


def test_the_close_page_counts_and_shows_its_list() -> None:
    played()
    client = console(Role.FINANCE)
    page = client.get("/admin/close/").content.decode()
    assert "not counted yet" in page
    day = gaming_day(timezone.now())
    assert client.post(f"/admin/close/count/?day={day}").status_code == 302
    assert "not counted yet" not in client.get("/admin/close/").content.decode()
    answer = client.post(f"/admin/close/{day}/")
    assert answer.status_code == 422
    assert "is not over" in answer.content.decode()


def test_the_hours_figures_are_the_apps_to_add_to_and_nobodys_to_delete() -> None:
    played()
    with superuser() as admin:
        rights = admin.execute(
            "SELECT privilege_type FROM information_schema.role_table_grants"
            " WHERE grantee = 'app' AND table_name = 'tables_tablehour'"
        ).fetchall()
    assert {right for (right,) in rights} == {"SELECT", "INSERT", "UPDATE"}


def test_figures_by_dealer_and_by_shift_add_up_to_those_by_table() -> None:
    cards, _ = played()
    dora = staff(Role.DEALER, "Dora")
    Shift.objects.create(table=cards, dealer=dora, device_id=1, began_at=timezone.now())
    round_played(cards, Person(User.objects.get(display_name="Ann")), ante=1_000)
    today = gaming_day(timezone.now())
    by_dealer = report(begins=today, ends=today, by="dealer", house_tables=True)
    rows = {(row.name, row.is_banked): row for row in by_dealer.rows}
    assert rows["Dora", True].day.staked_minor == 1_000
    assert rows["no dealer signed on", True].day.staked_minor == 1_500
    by_table = report(begins=today, ends=today, by="table", house_tables=True)
    opal = next(row for row in by_table.rows if row.name == "Opal")
    assert (opal.day.hands, opal.hours) == (2, 1)
    by_shift = report(begins=today, ends=today, by="shift", house_tables=True)
    assert {row.name[:10] for row in by_shift.rows} == {today.isoformat()}
    assert sum(row.day.won_minor for row in by_shift.rows) == sum(
        row.day.won_minor for row in by_table.rows
    )


@pytest.mark.parametrize(
    ("hour", "words"),
    [(6, "from 06 to 14"), (13, "from 06 to 14"), (14, "from 14 to 22"), (29, "from 22 to 06")],
)
def test_a_gaming_day_has_three_shifts(hour: int, words: str) -> None:
    day, midnight = date(2026, 3, 2), datetime(2026, 3, 2, tzinfo=UTC)
    begins = midnight + timedelta(hours=6)
    told = figures._shift(day, begins, midnight + timedelta(hours=hour))
    assert told == f"2026-03-02, {words}"


def test_who_works_in_a_pit_reads_of_its_tables_alone() -> None:
    cards, ring = played()
    Table.objects.filter(pk=cards.pk).update(pit="West")
    max_ = staff(Role.PIT_MANAGER, "Max")
    max_.pits = ["West"]
    max_.save()
    today = gaming_day(timezone.now())
    where = f"/admin/reports/?begins={today}&ends={today}&by=table&demo=on"
    page = console_of(max_).get(where).content.decode()
    assert cards.name in page
    assert ring.name not in page
