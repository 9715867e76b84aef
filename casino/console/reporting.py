"""Reports made by a worker: every figure of many days, or every hand of them, as a file."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

from casino.console import exporting, figures
from casino.console.access import PAGES
from casino.console.floors import tables_of
from casino.console.models import Job
from casino.console.working import Outcome, Progress, job_ask
from casino.core.log import log
from casino.core.models import User
from casino.core.services import role_require
from tables.models import Hand
from wallets.gaming_day import day_begins
from wallets.selectors import exponents

TABLES, HANDS = "report.tables", "report.hands"
CHUNK = 2_000
HAND_COLUMNS = ("id", "table", "number", "game", "state", "dealt", "settled", "seats", "currency",
                "moved", "rake")  # fmt: skip


def report_ask(*, kind: str, asked: dict[str, Any], by: User) -> Job:
    """Have a report made. asked: begins, ends, by, demo, as. Raises RoleMissing."""
    role_require(by, PAGES["reports"])
    return job_ask(kind=kind, asked=asked, by=by)


def tables_report(job: Job, progress: Progress) -> Outcome:
    """The figures as the page has them, for who asks."""
    asked = job.asked
    begins, ends = date.fromisoformat(asked["begins"]), date.fromisoformat(asked["ends"])
    progress(0, 2)
    found = figures.report(
        begins=begins, ends=ends, by=asked["by"], house_tables=bool(asked["demo"]), user=job.by
    )
    progress(1, 2)
    places = exponents()
    rows = [
        [
            exporting.amount(cell, places[row.currency]) if column in figures.MONEY else cell
            for column, cell in zip(figures.COLUMNS, figures.cells(row), strict=True)
        ]
        for row in (*found.rows, *found.totals)
    ]
    return _filed(job, exporting.file_name(f"by-{found.by}", begins, ends), figures.COLUMNS, rows)


def hands_report(job: Job, progress: Progress) -> Outcome:
    """Every hand that was dealt in the days, at the tables of who asks."""
    asked = job.asked
    begins, ends = date.fromisoformat(asked["begins"]), date.fromisoformat(asked["ends"])
    hands = Hand.objects.filter(
        started_at__gte=day_begins(begins), started_at__lt=day_begins(ends + timedelta(days=1)),
        table__in=tables_of(job.by),
    )  # fmt: skip
    if not asked["demo"]:
        hands = hands.filter(table__is_house=False)
    of = hands.count()
    rows: list[list[Any]] = []
    for row in _rows(hands):
        rows.append(row)
        progress(len(rows), of)
    return _filed(job, exporting.file_name("hands", begins, ends), HAND_COLUMNS, rows)


def _rows(hands: Any) -> Iterator[list[Any]]:
    """A row a hand by its id, so many at a time."""
    places, after = exponents(), 0
    while True:
        some = list(
            hands.filter(pk__gt=after).order_by("pk").select_related("table")
            .only("number", "game", "status", "started_at", "settled_at", "seats", "result",
                  "table__name", "table__currency")[:CHUNK]
        )  # fmt: skip
        if not some:
            return
        for hand in some:
            yield _row(hand, places[hand.table.currency])
        after = some[-1].pk


def _row(hand: Hand, exponent: int) -> list[Any]:
    result = hand.result or {}
    moved = sum(net for net in result.get("nets_minor", {}).values() if net > 0)
    rake = result.get("rake_minor")
    return [
        hand.pk, hand.table.name, hand.number, hand.game, hand.status,
        hand.started_at.isoformat(timespec="seconds"),
        hand.settled_at.isoformat(timespec="seconds") if hand.settled_at else None,
        len(hand.seats), hand.table.currency, exporting.amount(moved, exponent),
        None if rake is None else exporting.amount(rake, exponent),
    ]  # fmt: skip


def _filed(job: Job, name: str, columns: Any, rows: list[list[Any]]) -> Outcome:
    kind = str(job.asked["as"])
    write = exporting.as_xlsx if kind == "xlsx" else exporting.as_csv
    content = write(name, columns, rows).content
    log("report.exported", "report:tables", job.by, {"rows": len(rows), "as": kind, "job": job.pk})
    return Outcome({"rows": len(rows)}, f"{name}.{kind}", content)
