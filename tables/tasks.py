"""Thin Celery tasks. Every service they call may run twice, late, or beside another worker."""

from celery import shared_task
from django.db import OperationalError

from casino.core.retiring import told_when_it_fails
from tables.services import continuing, dealing, expiring, packing, settling, watching

RETRY = {
    "acks_late": True,
    "autoretry_for": (OperationalError,),
    "retry_backoff": 0.1,
    "retry_backoff_max": 2,
    "max_retries": 5,
}


@shared_task(name="tables.deal_hand", **RETRY)
def deal_hand(table_id: int, number: int) -> None:
    dealing.hand_open(table_id=table_id, number=number)


@shared_task(name="tables.settle_hand", **RETRY)
def settle_hand(table_id: int, hand_id: int) -> None:
    settling.hand_settle(table_id=table_id, hand_id=hand_id)


@shared_task(name="tables.expire_turn", **RETRY)
def expire_turn(table_id: int, turn_id: int) -> None:
    expiring.turn_expire(table_id=table_id, turn_id=turn_id)


@shared_task(name="long.report_pairs", acks_late=True)
def report_pairs() -> None:
    watching.report_daily()


@shared_task(name="long.sweep_tables", acks_late=True)
def sweep_tables() -> None:
    with told_when_it_fails("tables"):
        packing.hands_pack()
        watching.origins_forget()


@shared_task(name="tables.cut_go_on", **RETRY)
def cut_go_on(table_id: int, cut_id: int) -> None:
    continuing.cut_go_on(table_id=table_id, cut_id=cut_id)
