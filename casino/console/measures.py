"""`/metrics`: what the processes counted, and how the house stands in its books right now.

For who brings the token alone, or for nobody where no token is set.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from hmac import compare_digest
from typing import Any

import redis
from django.conf import settings
from django.db import connection
from django.db.models import Count, Max, Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector

from casino.console.models import Delivery, RaisedAlert
from casino.core.meters import POOL
from casino.core.models import LogEntry, LogSeal
from tables.models import Table, TableHour

QUEUES = ("tables", "long")


@never_cache
@require_GET
def metrics(request: HttpRequest) -> HttpResponse:
    token = settings.METRICS_TOKEN
    brought = request.headers.get("Authorization", "").removeprefix("Bearer ").strip()
    if not token or not compare_digest(brought.encode(), token.encode()):
        raise Http404
    pool_noted()
    return HttpResponse(generate_latest(registry()), content_type=CONTENT_TYPE_LATEST)


def registry() -> CollectorRegistry:
    """All processes' counts where they share a folder; else this one's."""
    found = CollectorRegistry()
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        MultiProcessCollector(found)  # type: ignore[no-untyped-call]
    else:
        found.register(Own())
    found.register(House())
    return found


class Own:
    def collect(self) -> Iterator[Metric]:
        return iter([each for each in REGISTRY.collect() if each.name.startswith("croupier")])


def pool_noted() -> None:
    """This process's pool, as it stands."""
    pool = getattr(connection, "pool", None)
    if pool is None:
        return
    for name, value in pool.get_stats().items():
        if name in ("pool_size", "pool_available", "requests_waiting", "pool_max"):
            POOL.labels(name).set(value)


def gauge(name: str, words: str, rows: Any, label: str = "") -> GaugeMetricFamily:
    family = GaugeMetricFamily(f"croupier_{name}", words, labels=[label] if label else None)
    for key, value in rows:
        family.add_metric([str(key)] if label else [], float(value or 0))
    return family


DUE = """
    SELECT coalesce(max(extract(epoch FROM clock_timestamp() - deadline)), 0)
        FROM tables_table WHERE deadline < clock_timestamp()
"""


class House:
    """Read from the database at each look: right for the whole house, whichever process answers."""

    def collect(self) -> Iterator[Metric]:
        yield from self._hands()
        yield gauge(
            "tables",
            "Tables by state",
            Table.objects.order_by().values_list("status").annotate(Count("pk")),
            "status",
        )
        yield gauge(
            "hands_open",
            "Hands in play or to be settled",
            [("", Table.objects.filter(hand_id__isnull=False).count())],
        )
        with connection.cursor() as cursor:
            cursor.execute(DUE)
            (late,) = cursor.fetchone()
        yield gauge("turn_overdue_seconds", "How late the latest turn is", [("", late)])
        yield from self._queues()
        yield from self._standing()

    def _hands(self) -> Iterator[Metric]:
        sums = TableHour.objects.aggregate(Sum("hands"), Sum("voided"))
        for name, words, key in (
            ("hands", "Hands settled", "hands__sum"),
            ("hands_voided", "Hands voided", "voided__sum"),
        ):
            yield CounterMetricFamily(f"croupier_{name}", words, value=float(sums[key] or 0))

    def _queues(self) -> Iterator[Metric]:
        try:
            client = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=1)
            rows = [(queue, client.llen(queue)) for queue in QUEUES]
            client.close()
        except (redis.RedisError, OSError):
            rows = []
        yield gauge("broker_up", "Whether the broker answers", [("", bool(rows))])
        yield gauge("queue_length", "Tasks that wait", rows, "queue")

    def _standing(self) -> Iterator[Metric]:
        sealed = LogSeal.objects.aggregate(last=Max("to_id"))["last"] or 0
        newest = LogEntry.objects.aggregate(last=Max("id"))["last"] or 0
        yield gauge("log_unsealed", "Entries of the log that wait for a seal",
                    [("", newest - sealed)])  # fmt: skip
        yield gauge(
            "alerts", "Alerts standing, by grade",
            RaisedAlert.objects.filter(ended_at=None).order_by().values_list("grade")
            .annotate(Count("pk")), "grade",
        )  # fmt: skip
        yield gauge("deliveries_waiting", "Alerts not sent yet",
                    [("", Delivery.objects.filter(status="waiting").count())])  # fmt: skip
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT kind, extract(epoch FROM clock_timestamp() - at) FROM tables_pulse"
            )
            yield gauge("pulse_age_seconds", "Since a process of a kind was last alive",
                        cursor.fetchall(), "kind")  # fmt: skip
