"""Questions of the console are planned for what they ask.

The house's connections keep prepared statements, and after some repeats PostgreSQL plans them for
any value at all: right for an action, which always asks the same, and wrong for a search, where a
rare kind or a large sum has an index that a plan for any value cannot take.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection


@contextmanager
def planned_anew() -> Iterator[None]:
    _set("SET plan_cache_mode = force_custom_plan")
    try:
        yield
    finally:
        _set("RESET plan_cache_mode")


def _set(statement: str) -> None:
    if connection.needs_rollback:  # it ends with its transaction
        return
    with connection.cursor() as cursor:
        cursor.execute(statement)
