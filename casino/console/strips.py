"""Strips along a gaming day: when which table's display was lost, and for how long.

Drawn from the alerts that were kept: a gap begins at the moment the screen was last heard of.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import date, datetime, timedelta

from django.db.models import Q
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as say

from casino.console.alerts import DISPLAY_STALE_AFTER
from casino.console.drawing import RIGHT, WIDTH, Drawing, short
from casino.console.models import RaisedAlert
from casino.console.pictures import TABLES_MOST, Picture
from casino.core.models import Device
from tables.models import Table
from wallets.gaming_day import day_begins

LEFT_OF_STRIP = 150
LINE = 24
Gap = tuple[datetime, datetime]


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
    shown = sorted(
        {*gaps, *screened.values_list("table_id", flat=True)}, key=lambda table: names[table]
    )
    rows = [
        (names[table], since, ended, round((ended - since).total_seconds()))
        for table in shown
        for since, ended in gaps.get(table, [])
    ]
    title = say("Displays on {0}").format(day)
    columns = (say("Table"), say("Last heard of"), say("Heard of again"), say("Seconds"))
    note = say("A mark is where a display was not heard of for {0} s or more (UTC).").format(
        round(DISPLAY_STALE_AFTER.total_seconds())
    )
    drawn = _strips(title, [(names[table], gaps.get(table, [])) for table in shown], begins, ends)
    return Picture(title, note, drawn, columns, rows)


def _strips(
    title: str, lines: Sequence[tuple[str, Sequence[Gap]]], begins: datetime, ends: datetime
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
    for nth, (name, gaps) in enumerate(lines):
        y = 8 + LINE * nth
        drawing.text(LEFT_OF_STRIP - 8, y + 13, short(name), "end", "label")
        drawing.strip(LEFT_OF_STRIP, y + 3, across, 12, say("{0}: a display").format(name), "live")
        for since, ended in gaps:
            seconds = round((ended - since).total_seconds())
            words = say("{0}: {1} s from {2:%H:%M:%S}").format(name, seconds, since)
            drawing.strip(at(since), y, max(2.0, at(ended) - at(since)), 18, words, "lost")
    return drawing.svg
