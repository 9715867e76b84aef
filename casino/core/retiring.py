"""Deleting what has served its time, a batch at a time, and saying so when that fails."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from casino.core.log import log
from casino.core.meters import RETIRED
from casino.core.models import LogEntry

BATCH = 1_000
FAILED = "retention.failed"
TOLD_EVERY = timedelta(hours=1)


def deleted(what: str, rows: QuerySet[Any]) -> int:
    """Delete these rows, a batch to a transaction, so that no lock is held for long; how many.

    what: their name in the metrics.
    """
    count = 0
    while ids := list(rows.order_by("pk").values_list("pk", flat=True)[:BATCH]):
        # Again with what makes them deletable: a row may have changed since it was read.
        count += rows.filter(pk__in=ids).delete()[0]
        if len(ids) < BATCH:
            break
    RETIRED.labels(what).inc(count)
    return count


@contextmanager
def told_when_it_fails(what: str) -> Iterator[None]:
    """Log that a job of this kind failed, once an hour; it stands among the house's alerts."""
    try:
        yield
    except Exception as error:
        subject = f"retention:{what}"
        known = LogEntry.objects.filter(kind=FAILED, at__gt=timezone.now() - TOLD_EVERY)
        if not known.filter(subject=subject).exists():
            log(FAILED, subject, None, {"error": type(error).__name__})
        raise
