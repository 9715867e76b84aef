"""What is handed to Celery. Tasks are named as text: workers import services, never the reverse."""

import logging
from functools import partial
from typing import Any

from celery import current_app
from django.db import transaction

from casino.core import broker

logger = logging.getLogger(__name__)


def deal_hand(table_id: int, number: int) -> None:
    _after_commit("tables.deal_hand", table_id, number)


def settle_hand(table_id: int, hand_id: int) -> None:
    _after_commit("tables.settle_hand", table_id, hand_id)


def expire_turn(table_id: int, turn_id: int) -> None:
    _after_commit("tables.expire_turn", table_id, turn_id)


def cut_go_on(table_id: int, cut_id: int) -> None:
    _after_commit("tables.cut_go_on", table_id, cut_id)


def _after_commit(name: str, *args: Any) -> None:
    transaction.on_commit(partial(send, name, *args), robust=True)


def send(name: str, *args: Any, queue: str = "tables") -> bool:
    """Enqueue a task now. False when the broker is away: the clock finds the work again."""
    if broker.is_resting():
        return False
    try:
        with broker.asked():
            current_app.send_task(name, args=args, queue=queue, retry=False, ignore_result=True)
    except broker.AWAY as error:
        logger.warning("broker away, %s%s is left to the clock: %s", name, args, error)
        return False
    return True
