"""What the money's side does by itself, on the queue for long work. All of it may be repeated."""

from __future__ import annotations

from celery import shared_task

from wallets.bonuses import bonuses_due
from wallets.limits import dormant_mark
from wallets.reconciling import days_due, reconcile_daily
from wallets.reporting import cases_open
from wallets.seamless import kept
from wallets.services import pending_expire
from wallets.suspicion import suspicions_open


@shared_task(name="long.reconcile", acks_late=True)  # type: ignore[untyped-decorator]
def reconcile() -> None:
    for day in days_due():
        suspicions_open(day)
    reconcile_daily()


@shared_task(name="long.wallet_chores", acks_late=True)  # type: ignore[untyped-decorator]
def wallet_chores() -> None:
    pending_expire()
    cases_open()
    dormant_mark()
    bonuses_due()


@shared_task(name="long.operator_wallet", acks_late=True)  # type: ignore[untyped-decorator]
def operator_wallet() -> None:
    kept()
