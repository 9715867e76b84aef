"""Looking after the house between looks of people: alerts found, kept, told to whom asks for it.

Runs every few seconds on a worker; two at once find the same and keep it once.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Max, Q
from django.utils import timezone, translation

from casino.console import alerts
from casino.console.alerts import CRITICAL
from casino.console.faults import silences_told
from casino.console.models import Delivery, RaisedAlert, Receiver, Scan
from casino.console.planning import planned_anew
from casino.core.log import log
from casino.core.models import Device
from tables.models import Hand, Table
from tables.selectors import database_now
from wallets.selectors import exponents

LARGE_WIN, LARGE_WAGER = "alert.large_win", "alert.large_wager"
CLOCK_DRIFT = "alert.clock_drift"
HANDS_AT_ONCE = 2_000
IN_PLAY = "in_play"
"""Of a scan's facts: hands that were passed over because they were not paid yet."""
DRIFT_TOLD_EVERY = timedelta(hours=1)


def watch() -> list[RaisedAlert]:
    """Find what stands now, keep what is new, close what has ended; returns the new ones."""
    large_wins()
    clock_drift()
    silences_told()
    tables = list(Table.objects.select_related("paytable"))
    devices = Device.objects.filter(revoked_at=None, table_id__isnull=False).order_by("pk")
    with translation.override("en"), planned_anew():
        standing = alerts.alerts_now(tables, devices, database_now())
    return kept(standing)


@transaction.atomic
def kept(standing: list[alerts.Alert]) -> list[RaisedAlert]:
    known = set(
        RaisedAlert.objects.filter(key__in=[each.key for each in standing]).values_list(
            "key", flat=True
        )
    )
    fresh = [each for each in standing if each.key not in known]
    RaisedAlert.objects.bulk_create(
        [
            RaisedAlert(
                key=each.key, kind=each.key.partition(":")[0], grade=each.grade,
                words=each.words[:300], table_id=each.table_id, since=each.since,
            )
            for each in fresh
        ],
        ignore_conflicts=True,
    )  # fmt: skip
    keys = [each.key for each in standing]
    RaisedAlert.objects.filter(ended_at=None).exclude(key__in=keys).update(ended_at=timezone.now())
    RaisedAlert.objects.filter(key__in=keys, ended_at__isnull=False).update(ended_at=None)
    raised = list(RaisedAlert.objects.filter(key__in=[each.key for each in fresh]))
    _addressed(raised)
    return raised


def _addressed(raised: list[RaisedAlert]) -> None:
    """A delivery of each new alert to each receiver that asks for its grade."""
    receivers = list(Receiver.objects.filter(is_on=True))
    Delivery.objects.bulk_create(
        [
            Delivery(receiver=receiver, alert=alert)
            for alert in raised
            for receiver in receivers
            if alert.grade == CRITICAL or not receiver.only_critical
        ],
        ignore_conflicts=True,
    )


def large_wins() -> int:
    """Tell the log of each hand in which somebody won or staked so much; each is looked at once.

    The bound is LARGE_WIN_UNITS of the table's currency. Returns how many there were.
    """
    with transaction.atomic():
        Scan.objects.get_or_create(name="large_wins")
        scan = Scan.objects.select_for_update(skip_locked=True).filter(name="large_wins").first()
        if scan is None:
            return 0
        upto = Hand.objects.filter(status=Hand.Status.SETTLED).aggregate(last=Max("pk"))["last"]
        late = scan.facts.get(IN_PLAY, [])
        if upto is None or (upto <= scan.upto and not late):
            return 0
        upto = max(scan.upto, min(upto, scan.upto + HANDS_AT_ONCE)) if scan.upto else upto
        # Read first: one that is paid meanwhile is found below or looked at again, never neither.
        playing = Table.objects.filter(hand_id__lte=upto).values_list("hand_id", flat=True)
        in_play = set(playing)
        bounds = {code: settings.LARGE_WIN_UNITS * 10**places
                  for code, places in exponents().items()}  # fmt: skip
        found = _large(scan.upto, upto, late, bounds)
        for hand_id, table_id, seat, minor, is_win in found:
            facts = {
                "table": table_id,
                "seat": seat,
                "won_minor" if is_win else "staked_minor": minor,
            }
            log(LARGE_WIN if is_win else LARGE_WAGER, f"hand:{hand_id}", None, facts)
        in_play -= {hand_id for hand_id, *_ in found}
        Scan.objects.filter(pk=scan.pk).update(
            upto=upto, at=timezone.now(), facts={IN_PLAY: sorted(in_play)}
        )
    return len(found)


LARGE = """
    SELECT h.id, h.table_id, n.seat, n.minor::bigint, n.is_win
        FROM tables_hand h
        JOIN tables_table t ON t.id = h.table_id
        CROSS JOIN LATERAL (
            SELECT key AS seat, value AS minor, true AS is_win
                FROM jsonb_each_text(h.result -> 'nets_minor')
            UNION ALL SELECT key, value, false FROM jsonb_each_text(h.result -> 'staked_minor')
        ) AS n
        WHERE (h.id > %s AND h.id <= %s OR h.id = ANY(%s)) AND h.status = 'settled'
            AND t.currency = %s AND n.minor::bigint >= %s
        ORDER BY h.id
"""


def _large(
    after: int, upto: int, late: Sequence[int], bounds: dict[str, int]
) -> list[tuple[int, int, str, int, bool]]:
    found: list[tuple[int, int, str, int, bool]] = []
    with connection.cursor() as cursor:
        for currency, least in bounds.items():
            cursor.execute(LARGE, [after, upto, list(late), currency, least])
            found += cursor.fetchall()
    return found


def clock_drift() -> float:
    """Seconds between this process's clock and the database's; told to the log where it is too
    much for stamps to be compared."""
    before = timezone.now()
    there = database_now()
    here = before + (timezone.now() - before) / 2
    drift = (here - there).total_seconds()
    if abs(drift) > settings.CLOCK_DRIFT_MOST_S:
        drift_told(drift)
    return drift


@transaction.atomic
def drift_told(drift: float) -> None:
    scan, _ = Scan.objects.select_for_update().get_or_create(name="clock_drift")
    now = timezone.now()
    if scan.at is not None and timedelta(0) <= now - scan.at < DRIFT_TOLD_EVERY:
        return
    Scan.objects.filter(pk=scan.pk).update(at=now)
    log(CLOCK_DRIFT, "house:clock", None, {"milliseconds": round(1000 * drift)})


def standing() -> list[RaisedAlert]:
    return list(RaisedAlert.objects.filter(ended_at=None).order_by("-since"))


def ended(days: int = 7) -> Any:
    since = timezone.now() - timedelta(days=days)
    return RaisedAlert.objects.filter(Q(ended_at__gte=since)).order_by("-ended_at")[:100]
