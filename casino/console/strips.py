"""Strips along a gaming day: how old which table's display was, and when it was lost.

The age is what the screen itself said, the oldest of each ten minutes. A loss is drawn from the
alerts that were kept: it begins at the moment the screen was last heard of.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import date, datetime, timedelta

from django.db.models import Max, Q
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as say

from casino.console.alerts import DISPLAY_STALE_AFTER
from casino.console.drawing import RIGHT, WIDTH, Drawing, short
from casino.console.models import RaisedAlert
from casino.console.pictures import TABLES_MOST, Picture
from casino.core.models import Device, ScreenLag
from tables.models import Table
from wallets.gaming_day import day_begins

LEFT_OF_STRIP = 150
LINE = 24
TEN = timedelta(minutes=10)
LATE_MS, STALE_MS = 2_000, 5_000  # as the display itself has it
Gap = tuple[datetime, datetime]
Age = tuple[datetime, int]  # of ten minutes, in milliseconds


def screens(tables: Sequence[Table], day: date) -> Picture:
    """Each table with a display: the gaps of the day, in seconds, and when they were."""
    names: dict[int | None, str] = {table.pk: table.name for table in tables}
    begins, ends = day_begins(day), day_begins(day + timedelta(days=1))
    until = min(ends, timezone.now())
    gaps: dict[int | None, list[Gap]] = defaultdict(list)
    kept = RaisedAlert.objects.filter(
        Q(ended_at=None) | Q(ended_at__gt=begins),
        kind="display",
        since__lt=ends,
        table_id__in=names,
    )
    for since, ended, table in kept.order_by("since").values_list("since", "ended_at", "table_id"):
        gaps[table].append((max(since, begins), min(ended or until, ends)))
    screened = Device.objects.filter(table_id__in=names, last_seen_at__isnull=False)
    ages: dict[int | None, list[Age]] = defaultdict(list)
    told = ScreenLag.objects.filter(
        at__gt=begins - TEN, at__lt=ends, table_id__in=[table.pk for table in tables]
    )
    for table, at, most_ms in (
        told.values_list("table_id", "at").annotate(Max("most_ms")).order_by("at")
    ):
        ages[table].append((at, most_ms))
    shown = sorted(
        {*gaps, *ages, *screened.values_list("table_id", flat=True)},
        key=lambda table: names[table],
    )
    rows: list[tuple[str, datetime, datetime, str, int]] = []
    for table in shown:
        lost = [
            (names[table], since, ended, say("lost"), round(1000 * (ended - since).total_seconds()))
            for since, ended in gaps.get(table, [])
        ]
        late = [(names[table], at, at + TEN, say("late"), ms) for at, ms in late_of(ages[table])]
        if ages[table]:
            oldest_ms = max(ms for _at, ms in ages[table])
            rows.append((names[table], begins, until, say("the whole day"), oldest_ms))
        rows += sorted([*lost, *late], key=lambda row: row[1])
    title = say("Displays on {0}").format(day)
    columns = (say("Table"), say("From"), say("to"), say("Picture"), say("Oldest, ms"))
    note = say(
        "A cell is ten minutes in which the picture was older than {0} s; the stronger, the nearer"
        " to the {1} s from which on nobody may pay from it. A mark is where a display was not"
        " heard of for {2} s or more (UTC)."
    ).format(LATE_MS // 1000, STALE_MS // 1000, round(DISPLAY_STALE_AFTER.total_seconds()))
    lines = [(names[table], late_of(ages[table]), gaps.get(table, [])) for table in shown]
    return Picture(title, note, _strips(title, lines, begins, ends), columns, rows)


def late_of(ages: Sequence[Age]) -> list[Age]:
    return [(at, most_ms) for at, most_ms in ages if most_ms > LATE_MS]


def _strips(
    title: str,
    lines: Sequence[tuple[str, Sequence[Age], Sequence[Gap]]],
    begins: datetime,
    ends: datetime,
) -> SafeString | None:
    if not lines:
        return None
    lines = lines[:TABLES_MOST]
    drawing = Drawing(title, height=44 + LINE * len(lines))
    across = WIDTH - RIGHT - LEFT_OF_STRIP

    def at(moment: datetime) -> float:
        return round(LEFT_OF_STRIP + across * ((moment - begins) / (ends - begins)), 1)

    for nth in range(0, 25, 3):
        hour = begins + timedelta(hours=nth)
        drawing.line([(at(hour), 6), (at(hour), drawing.height - 24)], "grid")
        drawing.text(at(hour), drawing.height - 8, f"{hour:%H}", "middle")
    for nth, (name, ages, gaps) in enumerate(lines):
        y = 8 + LINE * nth
        drawing.text(LEFT_OF_STRIP - 8, y + 13, short(name), "end", "label")
        drawing.strip(LEFT_OF_STRIP, y + 3, across, 12, say("{0}: a display").format(name), "live")
        for since, most_ms in ages:
            left = max(LEFT_OF_STRIP, at(since))
            words = say("{0}, {1:%H:%M}: {2} ms at the most").format(name, since, most_ms)
            drawing.cell(
                left, y + 3, round(at(since + TEN) - left, 1), 12, most_ms / STALE_MS, words
            )
        for since, ended in gaps:
            seconds = round((ended - since).total_seconds())
            words = say("{0}: {1} s from {2:%H:%M:%S}").format(name, seconds, since)
            drawing.strip(at(since), y, max(2.0, at(ended) - at(since)), 18, words, "lost")
    return drawing.svg
