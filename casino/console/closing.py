"""Closing a gaming day: a list that must be green, then a snapshot in the sealed log."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from hashlib import sha256
from typing import Any

from django.db import connection, transaction
from django.db.models import Sum
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as say

from casino.console.access import PAGES
from casino.console.errors import DayClosed, DayNotGreen, DayNotOver
from casino.console.figures import report
from casino.core.log import log
from casino.core.models import Approval, LogEntry, User
from casino.core.services import role_require
from tables.models import Hand, Table, TableHour
from wallets.gaming_day import day_begins, gaming_day
from wallets.models import CashCase, Reconciliation

CLOSED = "day.closed"


@dataclass(frozen=True)
class Check:
    """One line of the list. detail: what is wrong, or what was found in order."""

    words: str
    is_green: bool
    detail: str
    link: str = ""


def checks(day: date) -> list[Check]:
    begins, ends = day_begins(day), day_begins(day + timedelta(days=1))
    return [
        _over(day),
        _no_hand_open(ends),
        _reconciled(day),
        _counted_as_posted(begins, ends, day),
        _nothing_asked(ends),
        _cash_reported(day),
    ]


def _over(day: date) -> Check:
    is_over = day < gaming_day(timezone.now())
    return Check(
        say("The gaming day is over"), is_over, say("yes") if is_over else say("it still runs")
    )


def _no_hand_open(ends: datetime) -> Check:
    going = Hand.objects.filter(
        status__in=(Hand.Status.OPEN, Hand.Status.FINISHED), started_at__lt=ends
    ).count()
    detail = say("none") if not going else say("{0} of that day still in play").format(going)
    return Check(say("No hand is open"), not going, detail, "/admin/pit/")


def _reconciled(day: date) -> Check:
    last = Reconciliation.objects.filter(gaming_day=day).order_by("-id").first()
    where = "/admin/wallets/reconciliation/"
    if last is None:
        return Check(say("Books and tables agree"), False, say("not counted yet"), where)
    differing = [name for name, found in last.checks.items() if found]
    detail = (
        "; ".join(differing)
        if differing
        else say("counted {0} UTC").format(date_format(last.at, "j M H:i"))
    )
    return Check(say("Books and tables agree"), last.ok, detail, f"{where}{last.pk}/change/")


# From each of the day's transfers to its own legs, whatever a plan thinks of reading all of them
# (hence OFFSET 0): banks and rakes have legs of all days. The kinds beside floats and sweeps are
# those that the ledger lets move nothing on a bank or a rake.
WON = """
    WITH day AS MATERIALIZED (
        SELECT id FROM wallets_transfer
            WHERE created_at >= %s AND created_at < %s AND kind NOT IN (
                'float', 'sweep', 'stake', 'unstake', 'buy_in', 'cash_out', 'deposit', 'withdrawal')
    )
    SELECT a.table_id, sum(l.amount_minor)::bigint
        FROM day
        CROSS JOIN LATERAL (
            SELECT account_id, amount_minor FROM wallets_leg
                WHERE transfer_id = day.id OFFSET 0
        ) AS l
        JOIN wallets_account a ON a.id = l.account_id
        WHERE a.purpose IN ('bank', 'rake')
        GROUP BY a.table_id
"""


def _counted_as_posted(begins: datetime, ends: datetime, day: date) -> Check:
    """Win by the hands as they were counted against win by the ledger's legs."""
    counted = {
        table: int(won)
        for table, won in TableHour.objects.filter(gaming_day=day)
        .order_by()
        .values_list("table_id")
        .annotate(Sum("won_minor"))
    }
    with connection.cursor() as cursor:
        cursor.execute(WON, [begins, ends])
        posted: dict[int, int] = dict(cursor.fetchall())
    apart = sorted(
        table
        for table in counted.keys() | posted.keys()
        if counted.get(table, 0) != posted.get(table, 0)
    )
    names = Table.objects.filter(pk__in=apart).values_list("name", flat=True)
    detail = (
        say("apart at {0}").format(", ".join(names))
        if apart
        else say("to the last unit, table by table")
    )
    return Check(say("Win by hands equals win by the ledger"), not apart, detail)


def _nothing_asked(ends: datetime) -> Check:
    waiting = Approval.objects.filter(
        status__in=(Approval.Status.ASKED, Approval.Status.APPROVED),
        expires_at__gt=timezone.now(),
        asked_at__lt=ends,
    ).count()
    detail = say("none") if not waiting else say("{0} still open").format(waiting)
    return Check(
        say("No request waits for its second person"), not waiting, detail, "/admin/approvals/"
    )


def _cash_reported(day: date) -> Check:
    due = CashCase.objects.filter(status=CashCase.Status.OPEN, due_on__lte=day).count()
    detail = say("none is due") if not due else say("{0} due and not reported").format(due)
    return Check(say("Cash reports are in time"), not due, detail, "/admin/wallets/cashcase/")


def closed(day: date) -> LogEntry | None:
    return LogEntry.objects.filter(subject=f"day:{day}", kind=CLOSED).order_by("id").first()


@transaction.atomic
def close_day(*, day: date, by: User) -> str:
    """Fix the day's figures in the sealed log; returns their SHA-256.

    Raises RoleMissing, DayClosed, DayNotOver, DayNotGreen with what is not in order.
    """
    role_require(by, PAGES["close.run"])
    with connection.cursor() as cursor:  # of two who close at once the second sees the first
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext('console day close'))")
    if closed(day) is not None:
        raise DayClosed(day)
    found = checks(day)
    if not found[0].is_green:
        raise DayNotOver(day)
    failing = tuple(check.words for check in found if not check.is_green)
    if failing:
        raise DayNotGreen(failing)
    snapshot = snapshot_of(day)
    text = json.dumps(snapshot, sort_keys=True, separators=(",", ":"))
    digest = sha256(text.encode()).hexdigest()
    log(CLOSED, f"day:{day}", by, {"sha256": digest, "figures": snapshot})
    return digest


def snapshot_of(day: date) -> list[dict[str, Any]]:
    """The day's figures by table, in minor units, as they are sealed."""
    rows = report(begins=day, ends=day, by="table", house_tables=True).rows
    return [
        {
            "table": row.table_id,
            "currency": row.currency,
            "hands": row.day.hands,
            "voided": row.day.voided,
            "drop": row.day.drop_minor,
            "handle": row.day.staked_minor,
            "win": row.day.won_minor,
            "expected": row.day.expected_minor,
        }
        for row in rows
    ]
