"""What the processes of a house count, each for itself; `/metrics` adds them up.

Names, figures and the kinds of things only: no player, no card, no address is ever a label.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from prometheus_client import Counter, Gauge, Histogram

FAST_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
SLOW_S = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0)

REQUESTS = Histogram(
    "croupier_request_seconds", "Time to answer a request", ("route", "method", "status"),
    buckets=SLOW_S,
)  # fmt: skip
ACTIONS = Histogram(
    "croupier_action_seconds", "Time to play an action, its write included", ("outcome",),
    buckets=FAST_S,
)  # fmt: skip
TASKS = Histogram(
    "croupier_task_seconds", "Time a worker takes for a task", ("task", "outcome"), buckets=SLOW_S
)
QUEUE_AGE = Histogram(
    "croupier_queue_age_seconds", "Time a task waits for a worker", ("queue",), buckets=SLOW_S
)
RETIRED = Counter("croupier_retired", "Hands packed and spent rows deleted", ("what",))
PUSHES = Counter("croupier_pushes", "Frames handed on to the sockets of a table")
PUSH_LAG = Histogram(
    "croupier_push_lag_seconds", "From the commit's push to the sockets' queues", buckets=FAST_S
)
TOO_SLOW = Counter("croupier_sockets_too_slow", "Sockets that lost their queue")
SOCKETS = Gauge(
    "croupier_sockets", "Sockets open", multiprocess_mode="livesum"
)  # fmt: skip
POOL = Gauge(
    "croupier_pool", "The web processes’ database connections", ("what",),
    multiprocess_mode="livesum",
)  # fmt: skip


@contextmanager
def timed_action() -> Iterator[None]:
    """Times an action; what the rules refuse is counted apart."""
    began, outcome = time.perf_counter(), "refused"
    try:
        yield
        outcome = "played"
    finally:
        ACTIONS.labels(outcome).observe(time.perf_counter() - began)
