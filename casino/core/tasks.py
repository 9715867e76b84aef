"""What runs by itself: seals and sweeping, on the queue for long work."""

from __future__ import annotations

from celery import shared_task

from casino.core.errors import LogBusy
from casino.core.retiring import told_when_it_fails
from casino.core.seal import seal_new
from casino.core.sweeping import sweep
from casino.core.webhooks import messages_due


@shared_task(  # type: ignore[untyped-decorator]
    name="long.seal_log", autoretry_for=(LogBusy,), retry_backoff=True, acks_late=True
)
def seal_log() -> None:
    seal_new()


@shared_task(name="long.sweep_core", acks_late=True)  # type: ignore[untyped-decorator]
def sweep_core() -> None:
    with told_when_it_fails("core"):
        sweep()


@shared_task(name="long.send_webhooks", acks_late=True)  # type: ignore[untyped-decorator]
def send_webhooks() -> None:
    messages_due()
