"""Long work asked for at the console: handed to the workers, its progress kept for pages.

A job is done once. What the house refuses, and what breaks off, leaves it failed, with the reason;
it may then be asked for anew. A job whose worker fell silent is handed out again.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from threading import Thread
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, Q
from django.utils import timezone, translation
from django.utils.translation import get_language
from django.utils.translation import gettext as say

from casino.console.models import Job
from casino.console.refused import REFUSALS, sentence
from casino.core.log import log
from casino.core.models import User
from tables import jobs

logger = logging.getLogger(__name__)

TELL_EVERY_S = 0.5
# A worker that has not said how far it is for so long is gone; the work may be begun again.
GONE_AFTER_S = 60
# Work that nobody took, or that fell silent, is handed out again after so long.
HANDED_AGAIN_AFTER = timedelta(minutes=10)
GOING = (Job.Status.WAITING, Job.Status.RUNNING)


@dataclass
class Progress:
    """Says how far a job is, not more often than pages ask."""

    job_id: int
    told: float = 0.0

    def __call__(self, done: int, of: int) -> None:
        if time.monotonic() - self.told >= TELL_EVERY_S or done >= of:
            self.told = time.monotonic()
            if not connection.in_atomic_block:
                self._write(done, of)
                return
            # Pages see it before this transaction ends only if another connection writes it.
            aside = Thread(target=self._write_aside, args=(done, of))
            aside.start()
            aside.join()

    def _write(self, done: int, of: int) -> None:
        Job.objects.filter(pk=self.job_id).update(done=done, of=of, told_at=timezone.now())

    def _write_aside(self, done: int, of: int) -> None:
        try:
            self._write(done, of)
        finally:
            connection.close()


@dataclass(frozen=True)
class Outcome:
    """What came of a job: figures, and perhaps a file."""

    result: dict[str, Any]
    file_name: str = ""
    file: bytes | None = None


Work = Callable[[Job, Progress], Outcome]
KINDS: dict[str, Work] = {}


def job_ask(*, kind: str, asked: dict[str, Any], by: User, of: int = 0) -> Job:
    """Write the work down and, once that is committed, hand it to a worker. Without one it waits
    until one comes."""
    job = Job.objects.create(kind=kind, asked=asked, by=by, of=of)
    log("job.asked", f"job:{job.pk}", by, {"kind": kind})
    transaction.on_commit(partial(_hand_out, job.pk), robust=True)
    return job


def _hand_out(job_id: int) -> None:
    jobs.send("long.console_job", job_id, queue="long")


def jobs_due() -> int:
    """Hand out again what waits or is silent for long; how many. Safe to repeat."""
    now = timezone.now()
    before = now - HANDED_AGAIN_AFTER
    late = Job.objects.filter(status__in=GOING, at__lt=before).filter(
        Q(told_at=None) | Q(told_at__lt=before)
    )
    handed = list(late.values_list("pk", flat=True))
    for job_id in handed:
        _hand_out(job_id)
    Job.objects.filter(pk__in=handed, status=Job.Status.WAITING).update(told_at=now)
    return len(handed)


def why_failed(job: Job) -> str:
    """In the reader's language why a job did not end well."""
    result = job.result or {}
    if said := result.get("refused"):
        return str(said[get_language() or settings.LANGUAGE_CODE])
    return say("It broke off ({0}) and may be asked for again.").format(result.get("problem", ""))


def job_run(job_id: int) -> None:
    """Do a job once: a second delivery finds it claimed, unless its worker fell silent."""
    now = timezone.now()
    claimed = Job.objects.filter(pk=job_id, status=Job.Status.WAITING).update(
        status=Job.Status.RUNNING, told_at=now
    ) or Job.objects.filter(
        pk=job_id,
        status=Job.Status.RUNNING,
        told_at__lt=now - timedelta(seconds=GONE_AFTER_S),
    ).update(told_at=now)
    if not claimed:
        return
    job = Job.objects.select_related("by").get(pk=job_id)
    try:
        with translation.override("en"):
            outcome = KINDS[job.kind](job, Progress(job_id))
    except REFUSALS as error:
        _failed(job_id, {"refused": _in_every_language(error)})
        return
    except Exception as error:
        logger.exception("job %s, %s, failed", job_id, job.kind)
        _failed(job_id, {"problem": type(error).__name__})
        return
    Job.objects.filter(pk=job_id).update(
        status=Job.Status.DONE,
        done=F("of"),
        result=outcome.result,
        file_name=outcome.file_name,
        file=outcome.file,
        told_at=timezone.now(),
    )


def _in_every_language(error: Exception) -> dict[str, str]:
    said = {}
    for language, _ in settings.LANGUAGES:
        with translation.override(language):
            said[language] = sentence(error)
    return said


def _failed(job_id: int, why: dict[str, Any]) -> None:
    Job.objects.filter(pk=job_id).update(
        status=Job.Status.FAILED, result=why, told_at=timezone.now()
    )
