"""Errors of the house and its silences, told to the sealed log. Source: standards LOG-01."""

from __future__ import annotations

import logging
import sys
import time
from typing import Any

from django.core.signals import got_request_exception
from django.db import DatabaseError, connection, transaction
from django.http import HttpRequest

from casino.console.models import Scan
from casino.core.log import log
from casino.core.models import User
from tables.models import ClocksHeld

FAULT, SILENT = "house.fault", "house.silent"
EVERY_S = 60
logger = logging.getLogger(__name__)
_told: dict[tuple[str, str], float] = {}


def listen() -> None:
    got_request_exception.connect(fault_told, dispatch_uid="console.fault_told")


def fault_told(sender: object, request: HttpRequest | None = None, **more: Any) -> None:
    """What went wrong in answering, by its kind and place: once a minute, without its words.

    A house that cannot write answers all the same: what it could not tell is in the plain logs.
    """
    kind = sys.exc_info()[0]
    match = request.resolver_match if request is not None else None
    what = (kind.__name__ if kind else "", match.route if match else "")
    now = time.monotonic()
    if now - _told.get(what, -EVERY_S) < EVERY_S:
        return
    _told[what] = now
    user = getattr(request, "user", None)
    actor = user if isinstance(user, User) else None
    try:
        if not connection.needs_rollback:
            log(FAULT, "house:web", actor, {"error": what[0], "route": what[1]})
    except DatabaseError:
        logger.exception("a fault could not be told to the log")


@transaction.atomic
def silences_told() -> int:
    """Tell the log of each silence of the house that moved deadlines; returns how many."""
    scan, _ = Scan.objects.select_for_update().get_or_create(name=SILENT)
    rows = list(ClocksHeld.objects.filter(pk__gt=scan.upto).order_by("pk")[:100])
    for row in rows:
        seconds = round((row.ended - row.began).total_seconds(), 1)
        log(SILENT, f"house:{row.kind}", None, {"seconds": seconds, "tables": row.tables})
    if rows:
        Scan.objects.filter(pk=scan.pk).update(upto=rows[-1].pk)
    return len(rows)
