"""Reports say each figure once, as the ledger has it; a day is closed when everything is green."""

import csv
import io
import zipfile
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from casino.console import closing, figures, working
from casino.console.closing import checks, close_day
from casino.console.errors import DayClosed, DayNotGreen, DayNotOver
from casino.console.figures import COLUMNS, report
from casino.console.models import Job
from casino.console.tasks import console_job
from casino.core.models import LogEntry, Role, User
from tables.models import Shift, Table, TableHour
from tests.cast import Person, deal, holdem_table, person, settle, three_card_table
from tests.conftest import superuser
from tests.console.cast import console, console_of, staff
from tests.tables.dealing_cast import run_out
from wallets.gaming_day import gaming_day
from wallets.models import Account

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
    worked(closing.count_ask(day=day, by=finn))
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
    worked(closing.count_ask(day=day, by=staff(Role.FINANCE)))
    due = {check.words for check in checks(day) if not check.is_green}
    assert due == {"No hand is open", "Win by hands equals win by the ledger"}


def test_the_close_page_has_a_day_counted_and_shows_its_list() -> None:
    played()
    client = console(Role.FINANCE)
    page = client.get("/admin/close/").content.decode()
    assert page.count("not counted yet") == 2
    day = gaming_day(timezone.now())
    for _ in range(2):
        assert client.post(f"/admin/close/count/?day={day}").status_code == 302
    counting = Job.objects.get(kind=closing.COUNT)
    page = client.get("/admin/close/").content.decode()
    assert f'data-job="{counting.pk}"' in page
    assert "Count and compare now" not in page
    worked(counting)
    page = client.get("/admin/close/").content.decode()
    assert "not counted yet" not in page
    assert "Count and compare now" in page
    answer = client.post(f"/admin/close/{day}/")
    assert answer.status_code == 422
    assert "is not over" in answer.content.decode()


def worked(job: Job) -> Job:
    """A worker does it, and is handed it a second time."""
    for _ in range(2):
        console_job(job.pk)
    job.refresh_from_db()
    return job


def test_a_day_is_closed_by_a_worker_once_whoever_asks_and_however_often(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    played()
    day, seen = day_that_is_over(monkeypatch), []
    told = working.Progress._write

    def write(self: working.Progress, done: int, of: int) -> None:
        told(self, done, of)
        seen.append((done, of))

    monkeypatch.setattr(working.Progress, "_write", write)
    monkeypatch.setattr(working, "TELL_EVERY_S", 0.0)
    finn, fred = console(Role.FINANCE, "Finn"), console(Role.FINANCE, "Fred")
    where = f"/admin/close/{day}/"
    once = uuid4()
    for client, key in ((finn, once), (finn, once), (finn, uuid4()), (fred, uuid4())):
        answer = client.post(where, {"once": key})
        assert (answer.status_code, answer.url) == (302, f"/admin/close/?day={day}")
    refused = worked(Job.objects.get(kind=closing.CLOSE))
    assert refused.status == Job.Status.FAILED
    page = finn.get(f"/admin/close/?day={day}").content.decode()
    assert "Not everything is in order: Books and tables agree." in page
    assert closing.closed(day) is None
    assert worked(closing.count_ask(day=day, by=refused.by)).result == {"ok": True, "apart": []}
    assert finn.post(where, {"once": uuid4()}).status_code == 302
    done = worked(Job.objects.filter(kind=closing.CLOSE).latest("pk"))
    assert done.status == Job.Status.DONE
    entry = LogEntry.objects.get(kind="day.closed")
    assert entry.facts["sha256"] == done.result["sha256"]
    # Its worker died before it could say so: another one is handed the work.
    Job.objects.filter(pk=done.pk).update(
        status=Job.Status.RUNNING, result=None,
        at=timezone.now() - timedelta(hours=2), told_at=timezone.now() - timedelta(hours=1),
    )  # fmt: skip
    assert working.jobs_due() == 1
    assert worked(done).result == {"sha256": entry.facts["sha256"]}
    assert LogEntry.objects.filter(kind="day.closed").count() == 1
    assert "was closed before" in fred.post(where, {"once": uuid4()}).content.decode()
    page = finn.get(f"/admin/close/?day={day}").content.decode()
    assert "snapshot" in page
    assert "Not everything is in order" not in page
    assert (2, 2) in seen
    assert any(0 < at < of for at, of in seen)


def test_work_that_breaks_off_says_so_in_the_readers_language(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    day, finn = day_that_is_over(monkeypatch), staff(Role.FINANCE, "Finn")
    job = closing.close_ask(day=day, by=finn)

    def gone(*args: object) -> None:
        raise OSError("no disk")

    monkeypatch.setitem(working.KINDS, closing.CLOSE, gone)
    assert worked(job).status == Job.Status.FAILED
    client = console_of(finn)
    client.post("/admin/language/setlang/", {"language": "pl", "next": "/"})
    assert "Praca przerwana (OSError)" in client.get("/admin/jobs/").content.decode()
    assert closing.close_ask(day=day, by=finn).pk != job.pk


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
