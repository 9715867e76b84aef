"""Rows that wait to be sent: claimed for a lease, tried again with longer waits, at last given up.

A row is written in the transaction that it tells of, so what is rolled back was never told, and
what happened is told even if the process dies right after.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any, ClassVar, TypeVar

import httpx
from django.db import models, transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from casino.core.errors import AddressRefused

logger = logging.getLogger(__name__)

ATTEMPTS_MOST, FIRST_WAIT_S, LONGEST_WAIT_S = 8, 10, 3_600
LEASE = timedelta(seconds=60)
WORKED_MOST_S = 25.0
"""No row is begun later: the last one is sent, however slowly, within the lease."""
UNREACHED = (AddressRefused, httpx.TransportError, OSError)


class Outgoing(models.Model):
    """What every row of an outbox has."""

    class Status(models.TextChoices):
        WAITING = "waiting", "Waiting"
        SENT = "sent", "Sent"
        DEAD = "dead", "Given up"

    status = models.CharField(max_length=8, choices=Status.choices, default=Status.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(db_default=Now())
    problem = models.CharField(max_length=200, blank=True)
    sent_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True

    # Put back in line from the beginning, whatever became of it.
    ANEW: ClassVar[dict[str, Any]] = {"status": Status.WAITING, "attempts": 0, "problem": ""}


Row = TypeVar("Row", bound=Outgoing)


def send_due(
    waiting: QuerySet[Row], send: Callable[[Row], None], at_once: int, receiver: str
) -> int:
    """Send what is due of these rows, so many at once; returns how many were sent.

    send: raises for what must be tried again. receiver: the column that says to whom a row goes;
    who cannot be reached once is not asked again for the rest, so that nobody waits for him.
    """
    rows = waiting.model._default_manager
    due = _claimed(waiting, at_once)
    began, sent = time.monotonic(), 0
    unreached: set[Any] = set()
    for nth, row in enumerate(due):
        if time.monotonic() - began > WORKED_MOST_S:
            _given_back(rows.all(), due[nth:])
            break
        to = getattr(row, receiver)
        try:
            if to in unreached:
                raise httpx.TransportError("not tried: it could not be reached a moment ago")
            send(row)
        except (*UNREACHED, httpx.HTTPError) as error:
            if isinstance(error, UNREACHED):
                unreached.add(to)
            what = _tried(row, error)
        except Exception as error:
            # One row that nobody can send may not stop those behind it.
            logger.exception("%s %s cannot be sent", type(row).__name__, row.pk)
            what = _tried(row, error)
        else:
            sent += 1
            what = {
                "status": Outgoing.Status.SENT, "sent_at": timezone.now(), "problem": "",
                "attempts": row.attempts + 1,
            }  # fmt: skip
        rows.filter(pk=row.pk).update(**what)
    return sent


def _claimed(waiting: QuerySet[Row], at_once: int) -> list[Row]:
    """Rows that are due, for a lease."""
    now = timezone.now()
    with transaction.atomic():
        due = list(
            waiting.select_for_update(skip_locked=True, of=("self",))
            .filter(status=Outgoing.Status.WAITING, next_at__lte=now)
            .order_by("next_at")[:at_once]
        )
        rows = waiting.model._default_manager
        rows.filter(pk__in=[row.pk for row in due]).update(next_at=now + LEASE)
    return due


def _given_back(rows: QuerySet[Row], left: Sequence[Row]) -> None:
    rows.filter(pk__in=[row.pk for row in left], status=Outgoing.Status.WAITING).update(
        next_at=timezone.now()
    )


def _tried(row: Outgoing, error: Exception) -> dict[str, Any]:
    attempts = row.attempts + 1
    is_dead = attempts >= ATTEMPTS_MOST
    return {
        "problem": f"{type(error).__name__}: {error}"[:200],
        "attempts": attempts,
        "status": Outgoing.Status.DEAD if is_dead else Outgoing.Status.WAITING,
        "next_at": timezone.now() + timedelta(seconds=wait_s(attempts)),
    }


def wait_s(attempts: int) -> int:
    """How long to wait after so many attempts: twice as long each time, a little by chance."""
    wait: int = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** (attempts - 1))
    return wait + secrets.randbelow(max(1, wait // 4))
