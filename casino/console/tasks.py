"""What the workers do for the console, on the queue for long work."""

from __future__ import annotations

import logging

from celery import shared_task

from casino.console import closing, composing, files, reporting, sending, watching, working

logger = logging.getLogger(__name__)

working.KINDS[composing.TRIAL] = composing.trial_play
working.KINDS[reporting.TABLES] = reporting.tables_report
working.KINDS[reporting.HANDS] = reporting.hands_report
working.KINDS[closing.COUNT] = closing.day_counted
working.KINDS[closing.CLOSE] = closing.day_closed


@shared_task(name="long.watch_house", acks_late=True)  # type: ignore[untyped-decorator]
def watch_house() -> None:
    """One that fails keeps none of the others from its work; the task fails with the first."""
    failed: list[Exception] = []
    for chore in (watching.watch, sending.deliveries_due, files.check_due, working.jobs_due):
        try:
            chore()
        except Exception as error:
            logger.exception("a chore of the house failed")
            failed.append(error)
    if failed:
        raise failed[0]


@shared_task(name="long.console_job", acks_late=True)  # type: ignore[untyped-decorator]
def console_job(job_id: int) -> None:
    working.job_run(job_id)
