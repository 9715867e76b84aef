"""What needs a human at the tables, and who has seen it.

Most alerts are conditions, found anew whenever somebody looks: there is no list of them that could
be out of date. Acknowledging one is an entry of the sealed log about its key, which holds the
moment it began; a condition that ends and comes back is a new alert.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, F, Min, Q, Sum
from django.utils.translation import gettext as say
from django.utils.translation import gettext_lazy as _

from casino.console.access import PAGES
from casino.console.models import RaisedAlert
from casino.core.log import log
from casino.core.models import Approval, Device, LogEntry, User
from casino.core.services import role_require
from tables import lateness, room
from tables.models import (
    FloorCall,
    Hand,
    PairReport,
    PaytableReturn,
    Pulse,
    Table,
    TableHour,
)
from wallets.gaming_day import day_begins, gaming_day
from wallets.models import CashCase, OperatorCall
from wallets.seamless import OPEN

STUCK_AFTER = timedelta(seconds=15)
DISPLAY_STALE_AFTER = timedelta(seconds=20)
# A display that nobody has seen for so long was put away; it is not an alarm.
DISPLAY_FORGOTTEN_AFTER = timedelta(hours=2)
SILENT_AFTER = timedelta(seconds=5)
UNANSWERED_AFTER = timedelta(minutes=10)
TOLD_FOR = timedelta(hours=24)
ACKNOWLEDGED = "alert.acknowledged"
CRITICAL, WARNING = "crit", "warn"

# Entries of the log that somebody has to look at, whichever table they are about.
TOLD = {
    "reconciliation.difference": _("The books and the tables differ"),
    "payments.difference": _("A payment provider’s file and the books differ"),
    "log.altered": _("The sealed log was altered"),
    "entropy.failed": _("No randomness that can be trusted: nothing is dealt"),
    "files.altered": _("Files or settings of the house are not what they were"),
    "alert.clock_drift": _("The clocks of this house do not agree"),
    "alert.large_win": _("Large win"),
    "alert.large_wager": _("Large wager"),
    "retention.failed": _("What is old could not be packed or deleted"),
    "limits.reached": _("A player was refused: his limit is reached"),
}
# Left out in the words of the index `log_kind`, which is without these.
OF_DECKS = "cut."
TOLD_MOST = 20
ONLY_WARNED = {"retention.failed", "alert.large_win", "alert.large_wager", "limits.reached"}
JUDGED_FROM = 100  # rounds: fewer say nothing yet
BAND = 1.96


@dataclass(frozen=True)
class Alert:
    """key: kind, subject and the moment it began. table_id None: the whole house."""

    key: str
    grade: str
    words: str
    table_id: int | None
    since: datetime
    link: str = ""
    by: str = ""
    by_at: datetime | None = None

    @property
    def is_open(self) -> bool:
        return not self.by


def alert(
    kind: str, subject: object, since: datetime, grade: str, words: str, **more: Any
) -> Alert:
    key = f"{kind}:{subject}:{since:%Y%m%dT%H%M%S}"
    return Alert(key, grade, words, more.pop("table_id", None), since, **more)


def alerts_now(tables: Sequence[Table], devices: Iterable[Device], now: datetime) -> list[Alert]:
    """Every alert of the house and of these tables, the open ones marked by whom they were seen."""
    found = [
        *_house(now),
        *_stuck([table.pk for table in tables], now),
        *_displays(tables, devices, now),
        *_returns([table.pk for table in tables]),
        *_holds(tables, now),
        *_asked(tables),
        *_calls(tables),
    ]
    return _seen(found)


def _house(now: datetime) -> list[Alert]:
    silent = [
        alert(
            "silent",
            pulse.kind,
            pulse.at,
            CRITICAL,
            say("No {0} process has been alive since {1:%H:%M:%S} UTC").format(
                pulse.kind, pulse.at
            ),
        )
        for pulse in Pulse.objects.filter(at__lt=now - SILENT_AFTER)
    ]
    told = [
        _told(entry)
        for entry in LogEntry.objects.filter(kind__in=TOLD, at__gt=now - TOLD_FOR)
        .exclude(kind__startswith=OF_DECKS)
        .order_by("-id")[:TOLD_MOST]
    ]
    return silent + _short(now) + told + _unanswered(now) + _cash() + _pairs(now)


def _short(now: datetime) -> list[Alert]:
    """It began when it was found first: no disk says since when it is full. It ends with some room
    to spare, or every file that is written and deleted would be an alert of its own."""
    if not room.is_short(room.ENOUGH_AGAIN):
        return []
    known = RaisedAlert.objects.filter(kind="disk", ended_at=None).order_by("since").first()
    if known is None and not room.is_short():
        return []
    return [
        alert(
            "disk",
            "house",
            now if known is None else known.since,
            CRITICAL,
            say("The disk is nearly full: no further hand is dealt"),
        )
    ]


def _told(entry: LogEntry) -> Alert:
    grade = WARNING if entry.kind in ONLY_WARNED else CRITICAL
    words, facts = str(TOLD[entry.kind]), entry.facts or {}
    thing, _dot, number = entry.subject.partition(":")
    link = f"/admin/hands/{number}/" if thing == "hand" else ""
    if entry.kind == "limits.reached":
        link = f"/admin/players/{number}/"
    if entry.kind == "files.altered":
        link = "/admin/audit/?kind=files."
    return alert(
        entry.kind, entry.subject, entry.at, grade, words, table_id=facts.get("table"), link=link
    )


def _unanswered(now: datetime) -> list[Alert]:
    """Money of players that is neither here nor at their operator until his wallet has answered.

    One alert while any call waits: it began when one was found first, whichever waits now.
    """
    waiting = OperatorCall.objects.filter(status__in=OPEN, made_at__lt=now - UNANSWERED_AFTER)
    found = waiting.aggregate(calls=Count("pk"), first=Min("made_at"))
    if not found["calls"]:
        return []
    known = RaisedAlert.objects.filter(kind="operator", ended_at=None).order_by("since").first()
    return [
        alert(
            "operator",
            "wallet",
            found["first"] if known is None else known.since,
            CRITICAL,
            say("Calls to the operator’s wallet without an answer: {0}").format(found["calls"]),
        )
    ]


def _cash() -> list[Alert]:
    """What somebody must report or judge; the player is not told."""
    return [
        alert(
            "cash",
            case.pk,
            case.opened_at,
            WARNING,
            say("Cash case, due {0}").format(case.due_on),
            link=f"/admin/wallets/cashcase/{case.pk}/change/",
        )
        for case in CashCase.objects.filter(status=CashCase.Status.OPEN).order_by("due_on")[:20]
    ]


def _pairs(now: datetime) -> list[Alert]:
    """A nightly report with pairs in it: surveillance and compliance read who they are."""
    reports = PairReport.objects.filter(at__gt=now - TOLD_FOR).annotate(pairs=Count("findings"))
    return [
        alert(
            "pairs",
            report.gaming_day,
            report.at,
            WARNING,
            say("Collusion report: {0} to look at").format(report.pairs),
            link=f"/admin/watching/{report.gaming_day}/",
        )
        for report in reports.filter(pairs__gt=0)
    ]


def _holds(tables: Sequence[Table], now: datetime) -> list[Alert]:
    """Tables against the house whose win today is outside the band that luck leaves it."""
    today = gaming_day(now)
    rows = (
        TableHour.objects.filter(gaming_day=today, variance__gt=0, table__in=tables)
        .order_by()
        .values_list("table_id")
        .annotate(Sum("hands"), Sum("won_minor"), Sum("expected_minor"), Sum("variance"))
    )
    return [
        alert(
            "hold",
            table,
            day_begins(today),
            WARNING,
            say("Win today outside the band of luck"),
            table_id=table,
            link=f"/admin/reports/?begins={today}&ends={today}&by=table&demo=on",
        )
        for table, hands, won, expected, variance in rows
        if hands >= JUDGED_FROM and abs(float(won - expected)) > BAND * math.sqrt(variance)
    ]


def _stuck(table_ids: list[int], now: datetime) -> list[Alert]:
    """Tables at which something was due long ago: a decision, a payment, seeds, the next deal."""
    late = lateness.late(now - STUCK_AFTER, table_ids)
    first = {one.table_id: one for one in reversed(late)}
    return [
        alert(
            "stuck",
            table_id,
            one.since,
            CRITICAL,
            say("The next hand is not dealt")
            if one.what == "deal"
            else say("The hand does not go on"),
            table_id=table_id,
        )
        for table_id, one in first.items()
    ]


def _displays(tables: Sequence[Table], devices: Iterable[Device], now: datetime) -> list[Alert]:
    playing = {table.pk for table in tables if table.status != Table.Status.CLOSED}
    return [
        alert(
            "display",
            device.table_id,
            device.last_seen_at,
            CRITICAL,
            say("Display lost: nobody may pay from it"),
            table_id=device.table_id,
        )
        for device in devices
        if device.table_id in playing
        and device.last_seen_at is not None
        and DISPLAY_STALE_AFTER < now - device.last_seen_at < DISPLAY_FORGOTTEN_AFTER
    ]


def _returns(table_ids: list[int]) -> list[Alert]:
    outside = PaytableReturn.objects.filter(
        outside_since__isnull=False, table_id__in=table_ids, paytable__tables=F("table_id")
    ).select_related("paytable")
    return [
        alert(
            "return",
            f"{row.table_id}.{row.wager}",
            row.outside_since,
            WARNING,
            say("Return of {0} outside its band").format(row.wager.replace("_", " ")),
            table_id=row.table_id,
            link=f"/admin/paytables/{row.paytable_id}/",
        )
        for row in outside
        if row.outside_since is not None
    ]


def _asked(tables: Sequence[Table]) -> list[Alert]:
    """A void that waits for its second person stands at the table it is about."""
    waiting = list(
        Approval.objects.filter(
            kind="hand.void", status__in=(Approval.Status.ASKED, Approval.Status.APPROVED)
        ).order_by("id")[:100]
    )
    if not waiting:
        return []
    hands = {f"hand:{pk}": table for pk, table in _tables_of_hands(waiting)}
    shown = {table.pk for table in tables}
    return [
        alert(
            "approval",
            approval.pk,
            approval.asked_at,
            WARNING,
            say("Void asked: second person"),
            table_id=hands[approval.subject],
            link=f"/admin/approvals/{approval.pk}/",
        )
        for approval in waiting
        if hands.get(approval.subject) in shown
    ]


def _calls(tables: Sequence[Table]) -> list[Alert]:
    """A dealer calls the floor; to void a hand only while that hand is in play."""
    in_play = {table.pk: table.hand_id for table in tables}
    return [
        alert(
            "call",
            call.pk,
            call.called_at,
            CRITICAL,
            say("The dealer calls the floor: {0}").format(say(str(call.get_why_display()))),
            table_id=call.table_id,
            link=f"/admin/devices/calls/{call.pk}/answer/",
        )
        for call in FloorCall.objects.filter(answered_at=None, table__in=in_play).order_by("pk")
        if call.why != FloorCall.Why.VOID or call.hand_id == in_play[call.table_id]
    ]


def _tables_of_hands(waiting: Iterable[Approval]) -> Iterable[tuple[int, int]]:
    ids = [int(a.subject.removeprefix("hand:")) for a in waiting if a.subject.startswith("hand:")]
    return Hand.objects.filter(pk__in=ids).values_list("pk", "table_id")


def _seen(found: list[Alert]) -> list[Alert]:
    entries = LogEntry.objects.filter(
        Q(subject__in=[f"alert:{each.key}" for each in found]), kind=ACKNOWLEDGED
    )
    seen = {entry.subject: (entry.actor_id, entry.at) for entry in entries}
    people = User.objects.in_bulk({actor for actor, _ in seen.values()})
    marked = []
    for each in found:
        actor, at = seen.get(f"alert:{each.key}", (None, None))
        person = people.get(actor) if actor is not None else None
        marked.append(each if person is None else replace(each, by=str(person), by_at=at))
    return marked


def acknowledge(*, key: str, by: User) -> None:
    """Say that a person has seen an alert and sees to it. Raises RoleMissing."""
    role_require(by, PAGES["alerts.acknowledge"])
    log(ACKNOWLEDGED, f"alert:{key}"[:120], by)
