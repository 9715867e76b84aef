"""The console's pictures: each a drawing with the table of numbers it was drawn from.

return: what came back to players against what theory says, in the funnel luck leaves it; hold: the
same by table over some days; stacks: the chips of a hand, step by step; flow: where money went in
the ledger; seats: how full the tables were, hour by hour.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

import orjson
from django.db import connection
from django.db.models import Sum
from django.utils.safestring import SafeString
from django.utils.translation import gettext as say

from casino.console.drawing import HEIGHT, LEFT, RIGHT, WIDTH, Drawing, along, short, upward
from casino.console.hands import OVER
from casino.core.money import units
from tables import events
from tables.engine.games import named
from tables.models import Hand, Table, TableHour
from wallets.gaming_day import day_begins
from wallets.models import Purpose

NARROW, WIDE = 1.96, 2.576
"""Standard errors of 19 and of 99 looks out of 20 and 100."""
POINTS_MOST, TABLES_MOST = 400, 60
APART = 16  # streams, as their words need it


@dataclass(frozen=True)
class Picture:
    """rows: the numbers drawn, as `columns` name them."""

    title: str
    note: str
    svg: SafeString | None
    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]

    @property
    def heads(self) -> list[tuple[str, Any]]:
        """Each column with its first figure, which says how it is written."""
        return list(zip(self.columns, self.rows[0], strict=True)) if self.rows else []


def returns(table: Table, begins: date, ends: date, exponent: int) -> Picture:
    """The running return of a table against the house, by rounds played, hour by hour."""
    hours = (
        TableHour.objects.filter(table=table, gaming_day__range=(begins, ends))
        .order_by("hour").values_list("hour", "hands", "staked_minor", "won_minor",
                                      "expected_minor", "variance")
    )  # fmt: skip
    rows, rounds, staked, won, expected, variance = [], 0, 0, 0, 0.0, 0.0
    for hour, hands, more, net, due, spread in hours:
        rounds, staked, won = rounds + hands, staked + more, won + net
        expected, variance = expected + float(due), variance + float(spread)
        if staked:
            error = 100 * math.sqrt(variance) / staked
            theory = 100 * (1 - expected / staked)
            rows.append((hour, rounds, round(100 * (1 - won / staked), 4), round(theory, 4),
                         round(error, 4)))  # fmt: skip
    columns = (say("Hour"), say("Rounds"), say("Return, %"), say("In theory, %"),
               say("Standard error"))  # fmt: skip
    title = say("Return at {0}").format(table)
    note = say("Dark: 95 of 100 tables are inside by luck alone; light: 99 of 100.")
    return Picture(title, note, _funnel(title, rows[-POINTS_MOST:]), columns, rows)


def _funnel(title: str, rows: Sequence[tuple[datetime, int, float, float, float]]
            ) -> SafeString | None:  # fmt: skip
    if len(rows) < 2:
        return None
    drawing = Drawing(title)
    x = along([max(1, row[1]) for row in rows], log=True)
    edge = [row[3] + sign * WIDE * row[4] for row in rows[len(rows) // 10 :] for sign in (-1, 1)]
    y = upward([*(row[2] for row in rows), *edge])

    def clipped(figure: float) -> float:
        return y.at(max(y.low, min(y.high, figure)))

    for kind, width in (("wide", WIDE), ("narrow", NARROW)):
        drawing.band(
            [(x.at(row[1]), clipped(row[3] + width * row[4])) for row in rows],
            [(x.at(row[1]), clipped(row[3] - width * row[4])) for row in rows], kind,
        )  # fmt: skip
    drawing.frame(x, y, say("rounds"), "%")
    drawing.line([(x.at(row[1]), y.at(row[3])) for row in rows], "theory")
    drawing.line([(x.at(row[1]), y.at(row[2])) for row in rows], "actual")
    return drawing.svg


def holds(tables: Sequence[Table], begins: date, ends: date, exponent: int) -> Picture:
    """Win of handle by table, each with the band that luck leaves around its theory."""
    names = {table.pk: table.name for table in tables}
    sums = (
        TableHour.objects.filter(table_id__in=names, gaming_day__range=(begins, ends))
        .order_by().values_list("table_id")
        .annotate(Sum("hands"), Sum("staked_minor"), Sum("won_minor"), Sum("expected_minor"),
                  Sum("variance"))
    )  # fmt: skip
    rows = []
    for table, hands, staked, won, expected, variance in sums:
        if staked and variance:
            band = NARROW * 100 * math.sqrt(float(variance)) / staked
            theory, win = 100 * float(expected) / staked, 100 * won / staked
            rows.append((names[table], hands, units(staked, exponent), round(win, 3),
                         round(theory, 3), round(band, 3), abs(win - theory) > band))  # fmt: skip
    rows.sort(key=lambda row: -abs(row[3] - row[4]) / (row[5] or 1))
    title = say("Win of handle, by table")
    columns = (say("Table"), say("Rounds"), say("Handle"), say("Win, %"), say("Expected, %"),
               say("Band ±"), say("Outside"))  # fmt: skip
    note = say("A bar is where 19 of 20 tables lie by luck alone; few rounds make it long.")
    return Picture(title, note, _hold_bars(title, rows[:TABLES_MOST]), columns, rows)


def _hold_bars(title: str, rows: Sequence[tuple[Any, ...]]) -> SafeString | None:
    if not rows:
        return None
    drawing = Drawing(title, height=44 + 26 * len(rows))
    ends = [row[4] + sign * row[5] for row in rows for sign in (-1, 1)] + [row[3] for row in rows]
    x = along(ends)
    x = type(x)(x.low, x.high, 150, WIDTH - RIGHT - 8)
    for tick in x.ticks(7):
        at = x.at(tick)
        drawing.line([(at, 8), (at, drawing.height - 24)], "grid")
        drawing.text(at, drawing.height - 8, f"{tick:g} %", "middle")
    for nth, (name, hands, _staked, win, theory, band, is_out) in enumerate(rows):
        at = 24 + 26 * nth
        drawing.text(142, at + 4, short(name), "end", "label")
        drawing.line([(x.at(theory - band), at), (x.at(theory + band), at)], "spread")
        drawing.line([(x.at(theory), at - 7), (x.at(theory), at + 7)], "theory")
        words = say("{0}: {1} % after {2:,} rounds, {3} ± {4} expected")
        drawing.dot(x.at(win), at, words.format(name, win, hands, theory, band),
                    "out" if is_out else "")  # fmt: skip
    return drawing.svg


def stacks(hand: Hand, exponent: int) -> Picture:
    """What stood before each seat after every step of a hand that is over."""
    names = {seat: facts["name"] for seat, facts in hand.seats.items()}
    now = {seat: int(facts["stack_minor"]) for seat, facts in hand.seats.items()}
    steps: list[tuple[str, dict[str, int], set[str]]] = [(say("dealt in"), dict(now), set())]
    for row in events.of_hand(hand.pk) if hand.status in OVER else ():
        all_in, words = set(), ""
        for each in orjson.loads(row.events):
            public = each["public"]
            seat = str(public.get("seat", ""))
            if seat in now and public.get("stack_minor") is not None:
                now[seat] = int(public["stack_minor"])
                words = words or f"{names[seat]}: {say(each['type'].replace('_', ' '))}"
                if public.get("all_in"):
                    all_in.add(seat)
            if each["type"] == "hand_over":
                found = public.get("stacks_minor", {})
                now |= {seat: int(found[seat]) for seat in now if seat in found}
                words = say("over")
        if words:
            steps.append((words, dict(now), all_in))
    order = sorted(names, key=int)
    title = say("Stacks in hand {0:,} at {1}").format(hand.number, hand.table)
    rows = [
        (nth, words, *(units(held[seat], exponent) for seat in order))
        for nth, (words, held, _all_in) in enumerate(steps)
    ]
    columns = (say("Step"), say("What"), *(names[seat] for seat in order))
    note = say("A dot is where somebody was all-in.")
    return Picture(title, note, _stack_lines(title, steps, order, names, exponent), columns, rows)


def _stack_lines(
    title: str, steps: Sequence[tuple[str, dict[str, int], set[str]]], order: Sequence[str],
    names: dict[str, str], exponent: int,
) -> SafeString | None:  # fmt: skip
    if len(steps) < 2:
        return None
    drawing, scale = Drawing(title), 10**exponent
    x = along([0, len(steps) - 1])
    x = type(x)(0, len(steps) - 1, LEFT, WIDTH - RIGHT - 96, whole=True)
    y = upward([held[seat] / scale for _words, held, _all_in in steps for seat in order] + [0])
    drawing.frame(x, y, say("steps"), "")
    ends: list[tuple[float, str, int]] = []
    for nth, seat in enumerate(order):
        points = [(x.at(step), y.at(held[seat] / scale))
                  for step, (_words, held, _all_in) in enumerate(steps)]  # fmt: skip
        drawing.line(points, f"of-{nth % 10}", stepped=True)
        for step, (_words, held, all_in) in enumerate(steps):
            if seat in all_in:
                words = say("{0} all-in").format(names[seat])
                drawing.dot(x.at(step), y.at(held[seat] / scale), words, f"of-{nth % 10}")
        ends.append((points[-1][1], names[seat], nth))
    last = 0.0
    for at, name, nth in sorted(ends):
        last = max(at, last + 13)
        drawing.text(WIDTH - RIGHT - 90, last + 4, short(name, 13), "start", f"label of-{nth % 10}")
    return drawing.svg


FLOWS = """
    WITH moved AS (
        SELECT l.transfer_id, a.purpose, l.amount_minor
            FROM wallets_transfer t
            JOIN wallets_leg l ON l.transfer_id = t.id
            JOIN wallets_account a ON a.id = l.account_id
            WHERE t.created_at >= %s AND t.created_at < %s AND l.currency = %s
    ), sums AS (
        SELECT transfer_id, purpose, sum(amount_minor) AS amount
            FROM moved GROUP BY transfer_id, purpose HAVING sum(amount_minor) <> 0
    ), given AS (
        SELECT transfer_id, sum(amount) AS all_in FROM sums WHERE amount > 0 GROUP BY transfer_id
    )
    SELECT f.purpose, t.purpose, sum(-f.amount * t.amount / g.all_in)::bigint
        FROM sums f
        JOIN sums t ON t.transfer_id = f.transfer_id AND t.amount > 0
        JOIN given g ON g.transfer_id = f.transfer_id
        WHERE f.amount < 0
        GROUP BY 1, 2 ORDER BY 3 DESC
"""


def flows(begins: date, ends: date, currency: str, exponent: int) -> Picture:
    """What moved between kinds of accounts; a transfer of many legs by their shares."""
    with connection.cursor() as cursor:
        cursor.execute(FLOWS, [day_begins(begins), day_begins(ends + timedelta(days=1)), currency])
        found = [(str(a), str(b), int(amount)) for a, b, amount in cursor.fetchall() if amount]
    label = {value: say(str(words)) for value, words in Purpose.choices}
    rows = [(label[a], label[b], units(amount, exponent)) for a, b, amount in found]
    title = say("Where money went, {0}").format(currency)
    columns = (say("From"), say("To"), say("Moved"))
    note = say("Left what gave, right what took; the width is the amount.")
    return Picture(title, note, _streams(title, found, label, exponent), columns, rows)


def _streams(
    title: str, found: Sequence[tuple[str, str, int]], label: dict[str, str], exponent: int
) -> SafeString | None:
    if not found:
        return None
    gave: dict[str, int] = defaultdict(int)
    took: dict[str, int] = defaultdict(int)
    for source, sink, amount in found:
        gave[source] += amount
        took[sink] += amount
    room = HEIGHT - 40 - APART * max(len(gave), len(took))
    scale = room / max(sum(gave.values()), 1)
    drawing = Drawing(title)
    places: dict[tuple[str, str], float] = {}
    for side, sums, x, anchor in (("from", gave, 150.0, "end"), ("to", took, 560.0, "start")):
        at = 20.0
        for purpose, amount in sorted(sums.items(), key=lambda item: -item[1]):
            height = amount * scale
            words = f"{label[purpose]} {units(amount, exponent)}"
            drawing.bar(x, at, 10, height, words)
            where = x - 8 if side == "from" else x + 18
            drawing.text(where, at + max(height / 2, 4) + 4, label[purpose], anchor, "label")
            places[side, purpose] = at
            at += height + APART
    for source, sink, amount in found:
        width = amount * scale
        y1, y2 = places["from", source] + width / 2, places["to", sink] + width / 2
        places["from", source] += width
        places["to", sink] += width
        words = f"{label[source]} → {label[sink]}: {units(amount, exponent)}"
        drawing.flow(160, round(y1, 1), 560, round(y2, 1), width, words)
    return drawing.svg


def seats(tables: Sequence[Table], day: date) -> Picture:
    """How full each table was in each hour of a gaming day: seats dealt in, of all seats."""
    own = {table.pk: table for table in tables}
    found: dict[int, dict[datetime, tuple[int, int]]] = defaultdict(dict)
    rows_of_day = TableHour.objects.filter(gaming_day=day, table_id__in=own).order_by()
    for table, hour, hands, dealt in rows_of_day.values_list("table_id", "hour").annotate(
        Sum("hands"), Sum("seats_dealt")
    ):
        found[table][hour] = (hands, dealt)
    first = day_begins(day)
    hours = [first + timedelta(hours=nth) for nth in range(24)]
    rows = []
    for table_id in sorted(found, key=lambda pk: own[pk].name):
        held, most = found[table_id], own[table_id].max_seats
        shares = [_share(*held.get(hour, (0, 0)), most) for hour in hours]
        game = named(own[table_id].game, own[table_id].options).name
        rows.append((own[table_id].name, game, *shares))
    title = say("Seats taken, {0}").format(day)
    columns = (say("Table"), say("Game"), *(f"{hour:%H}" for hour in hours))
    note = say("Percent of a table’s seats that were dealt in, by hour (UTC).")
    return Picture(title, note, _heat(title, rows[:TABLES_MOST], hours), columns, rows)


def _share(hands: int, dealt: int, most: int) -> int | None:
    """Percent of the seats that were dealt in; None where no hand was."""
    return round(100 * dealt / (hands * most)) if hands else None


def _heat(
    title: str, rows: Sequence[tuple[Any, ...]], hours: Sequence[datetime]
) -> SafeString | None:
    if not rows:
        return None
    drawing = Drawing(title, height=36 + 22 * len(rows))
    wide = (WIDTH - 130) / 24
    for nth, hour in enumerate(hours):
        if nth % 2 == 0:
            drawing.text(128 + wide * (nth + 0.5), 14, f"{hour:%H}", "middle")
    for line, (name, _game, *shares) in enumerate(rows):
        at = 22 + 22 * line
        drawing.text(120, at + 14, short(name, 16), "end", "label")
        for nth, share in enumerate(shares):
            if share is not None:
                words = say("{0}, {1:%H:%M}: {2} %").format(name, hours[nth], share)
                drawing.cell(round(128 + wide * nth, 1), at, round(wide - 2, 1), 20, share / 100,
                             words)  # fmt: skip
    return drawing.svg
