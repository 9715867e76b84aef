"""The Celery application: two queues, `tables` for short tasks and `long` for everything else."""

import os
import time
from typing import Any

from celery import Celery, signals

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")

app = Celery("croupier")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@signals.worker_process_init.connect  # type: ignore[untyped-decorator]
def loaded(**more: Any) -> None:
    from casino.core.garbage import seldom_sought

    seldom_sought()


@signals.before_task_publish.connect  # type: ignore[untyped-decorator]
def stamped(headers: dict[str, Any] | None = None, **more: Any) -> None:
    if headers is not None:
        headers["sent_at"] = time.time()


@signals.task_prerun.connect  # type: ignore[untyped-decorator]
def begun(task_id: str = "", task: Any = None, args: Any = (), **more: Any) -> None:
    """How long a task waited, and what its lines in the log belong to."""
    from casino.core import logs
    from casino.core.meters import QUEUE_AGE

    sent_at = getattr(task.request, "sent_at", None)
    if isinstance(sent_at, float):
        QUEUE_AGE.labels(task.name.partition(".")[0]).observe(max(0.0, time.time() - sent_at))
    facts: dict[str, Any] = {"task": task.name, "task_id": task_id}
    if task.name in HAND_TASKS and len(args) == 2:
        facts |= {"table": args[0], HAND_TASKS[task.name]: args[1]}
    logs.belongs.set(facts)
    task.request.began = time.perf_counter()


HAND_TASKS = {"tables.deal_hand": "hand_number", "tables.settle_hand": "hand",
              "tables.expire_turn": "turn", "tables.cut_go_on": "cut"}  # fmt: skip


@signals.task_postrun.connect  # type: ignore[untyped-decorator]
def ended(task: Any = None, state: str = "", **more: Any) -> None:
    from casino.core import logs
    from casino.core.meters import TASKS

    began = getattr(task.request, "began", None)
    if began is not None:
        spent = time.perf_counter() - began
        TASKS.labels(task.name, str(state or "UNKNOWN").lower()).observe(spent)
    logs.belongs.set(None)
