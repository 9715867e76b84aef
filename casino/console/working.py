"""Long work asked for at the console: handed to the workers, its progress kept for pages."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import F
from django.utils import timezone

from casino.console.models import Job
from casino.core.log import log
from casino.core.models import User
from tables import jobs

logger = logging.getLogger(__name__)

TELL_EVERY_S = 0.5
# A worker that has not said how far it is for so long is gone; the work may be begun again.
GONE_AFTER_S = 60


@dataclass
class Progress:
    """Says how far a job is, not more often than pages ask."""

    job_id: int
    told: float = 0.0

    def __call__(self, done: int, of: int) -> None:
        if time.monotonic() - self.told >= TELL_EVERY_S or done >= of:
            self.told = time.monotonic()
            Job.objects.filter(pk=self.job_id).update(done=done, of=of, told_at=timezone.now())


@dataclass(frozen=True)
class Outcome:
    """What came of a job: figures, and perhaps a file."""

    result: dict[str, Any]
    file_name: str = ""
    file: bytes | None = None


Work = Callable[[Job, Progress], Outcome]
KINDS: dict[str, Work] = {}


def job_ask(*, kind: str, asked: dict[str, Any], by: User, of: int = 0) -> Job:
    """Write the work down and hand it to a worker. Without one it waits until one comes."""
    job = Job.objects.create(kind=kind, asked=asked, by=by, of=of)
    log("job.asked", f"job:{job.pk}", by, {"kind": kind})
    jobs.send("long.console_job", job.pk, queue="long")
    return job


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
        outcome = KINDS[job.kind](job, Progress(job_id))
    except Exception as error:
        logger.exception("job %s, %s, failed", job_id, job.kind)
        Job.objects.filter(pk=job_id).update(
            status=Job.Status.FAILED, result={"problem": type(error).__name__}
        )
        return
    Job.objects.filter(pk=job_id).update(
        status=Job.Status.DONE,
        done=F("of"),
        result=outcome.result,
        file_name=outcome.file_name,
        file=outcome.file,
        told_at=timezone.now(),
    )
