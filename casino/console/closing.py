"""Closing a gaming day: a list that must be green, then a snapshot in the sealed log.

Counting a day and closing it are long work: pages ask for them, workers do them, and what they
found is kept with the job.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from hashlib import sha256
from typing import Any

from django.db import connection, transaction
from django.db.models import QuerySet, Sum
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as say

from casino.console.access import PAGES
from casino.console.errors import DayClosed, DayNotGreen, DayNotOver
from casino.console.figures import report
from casino.console.models import Job
from casino.console.working import GOING, Outcome, Progress, job_ask
from casino.core.log import log
from casino.core.models import Approval, LogEntry, User
from casino.core.services import role_require
from tables.models import Hand, Table, TableHour
from wallets.gaming_day import day_begins, gaming_day
from wallets.models import CashCase, Reconciliation
from wallets.proving import RULES
from wallets.reconciling import reconcile

CLOSED = "day.closed"
COUNT, CLOSE = "day.count", "day.close"


@dataclass(frozen=True)
class Check:
    """One line of the list. detail: what is wrong, or what was found in order."""

    words: str
    is_green: bool
    detail: str
    link: str = ""


def checks(day: date, *, counts: bool = False) -> list[Check]:
    """The list as it stands. counts: whether win by hands and by ledger are counted now, which
    reads every transfer of the day, rather than told as they were counted last."""
    ends = day_begins(day + timedelta(days=1))
    return [
        _over(day),
        _no_hand_open(ends),
        _reconciled(day),
        _counted_as_posted(apart(day) if counts else _apart_last(day)),
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


def apart(day: date) -> list[int]:
    """Tables whose win by the hands, as they were counted, is not that of the ledger's legs."""
    begins, ends = day_begins(day), day_begins(day + timedelta(days=1))
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
    return sorted(
        table
        for table in counted.keys() | posted.keys()
        if counted.get(table, 0) != posted.get(table, 0)
    )


def _apart_last(day: date) -> list[int] | None:
    """What the last count of the day found; None while there was none."""
    done = jobs_of(day, COUNT).filter(status=Job.Status.DONE).first()
    return None if done is None or done.result is None else list(done.result["apart"])


def _counted_as_posted(tables: list[int] | None) -> Check:
    words = say("Win by hands equals win by the ledger")
    if tables is None:
        return Check(words, False, say("not counted yet"))
    names = Table.objects.filter(pk__in=tables).values_list("name", flat=True)
    detail = (
        say("apart at {0}").format(", ".join(names))
        if tables
        else say("to the last unit, table by table")
    )
    return Check(words, not tables, detail)


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


def jobs_of(day: date, kind: str) -> QuerySet[Job]:
    """Counts or closings of a day, the last first."""
    return Job.objects.filter(kind=kind, asked__day=day.isoformat()).order_by("-pk")


def count_ask(*, day: date, by: User) -> Job:
    """Have the day counted and compared; while it is, the same job. Raises RoleMissing."""
    return _asked(day, COUNT, by)


def close_ask(*, day: date, by: User) -> Job:
    """Have the day closed; while it is being closed, the same job, whoever asks.

    Raises RoleMissing, DayClosed, DayNotOver.
    """
    role_require(by, PAGES["close.run"])
    if closed(day) is not None:
        raise DayClosed(day)
    if not _over(day).is_green:
        raise DayNotOver(day)
    return _asked(day, CLOSE, by)


@transaction.atomic
def _asked(day: date, kind: str, by: User) -> Job:
    role_require(by, PAGES["close.run"])
    _one_after_the_other()
    going = jobs_of(day, kind).filter(status__in=GOING).first()
    return going or job_ask(kind=kind, asked={"day": day.isoformat()}, by=by)


def _one_after_the_other() -> None:
    with connection.cursor() as cursor:  # of two who close at once the second sees the first
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext('console day close'))")


def day_counted(job: Job, progress: Progress) -> Outcome:
    """Reconcile the books and compare wins; what differs stands on the list."""
    day, steps, done = _day_of(job), len(RULES) + 3, 0

    def told(what: str) -> None:
        nonlocal done
        done += 1
        progress(min(done, steps - 1), steps)

    kept = reconcile(day=day, told=told)
    differing = apart(day)
    progress(steps, steps)
    return Outcome({"ok": kept.ok and not differing, "apart": differing})


def day_closed(job: Job, progress: Progress) -> Outcome:
    """Close the day as its list stands now; done again it answers the same snapshot."""
    day = _day_of(job)
    progress(0, 2)
    try:
        digest = close_day(day=day, by=job.by, job_id=job.pk)
    except DayClosed:
        before = closed(day)
        if before is None or before.facts.get("job") != job.pk:
            raise
        digest = before.facts["sha256"]  # by a worker that died then, or was only silent
    progress(2, 2)
    return Outcome({"sha256": digest})


def _day_of(job: Job) -> date:
    return date.fromisoformat(job.asked["day"])


@transaction.atomic
def close_day(*, day: date, by: User, job_id: int | None = None) -> str:
    """Fix the day's figures in the sealed log; returns their SHA-256. job_id: that does it.

    Raises RoleMissing, DayClosed, DayNotOver, DayNotGreen with what is not in order.
    """
    role_require(by, PAGES["close.run"])
    _one_after_the_other()
    if closed(day) is not None:
        raise DayClosed(day)
    found = checks(day, counts=True)
    if not found[0].is_green:
        raise DayNotOver(day)
    failing = tuple(check.words for check in found if not check.is_green)
    if failing:
        raise DayNotGreen(failing)
    snapshot = snapshot_of(day)
    text = json.dumps(snapshot, sort_keys=True, separators=(",", ":"))
    digest = sha256(text.encode()).hexdigest()
    log(CLOSED, f"day:{day}", by, {"sha256": digest, "figures": snapshot, "job": job_id})
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
            "jackpot_in": row.day.jackpot_in_minor,
            "jackpot_out": row.day.jackpot_out_minor,
            "tips": row.day.tips_minor,
        }
        for row in rows
    ]
