"""One statement and its row, on the shortest way through the driver.

Django's cursors cost as much again as the statement itself where that reads or writes one row.
What they are for is kept: a first connection, its health check, wrappers that watch statements,
and errors of Django's own classes.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from django.db import DEFAULT_DB_ALIAS, InterfaceError, OperationalError, connections
from psycopg.errors import DeadlockDetected, LockNotAvailable

LONG = "10min"


class Call(NamedTuple):
    """A call of a function of the database, for whoever does it alone or in another statement.

    text: name and placeholders.
    """

    text: str
    values: Sequence[Any]

    def done(self) -> None:
        one_row(f"SELECT {self.text}", self.values)


def one_row(statement: str, values: Sequence[Any] | Mapping[str, Any]) -> Any:
    """The first row of a statement that answers with rows; None if there is none."""
    with _cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchone()


def all_rows(statement: str, values: Sequence[Any] | Mapping[str, Any]) -> list[Any]:
    with _cursor() as cursor:
        cursor.execute(statement, values)
        rows: list[Any] = cursor.fetchall()
    return rows


def is_held_up(error: BaseException) -> bool:
    """Whether a statement gave way to somebody who holds the same rows; the line is well."""
    cause = error.__cause__
    return isinstance(error, OperationalError) and isinstance(
        cause, (LockNotAvailable, DeadlockDetected)
    )


def is_away(error: BaseException) -> bool:
    """Whether the database cannot be worked with now, whatever it is asked for."""
    return isinstance(error, (OperationalError, InterfaceError)) and not is_held_up(error)


def quiet_for_long() -> None:
    """Let this transaction be quiet while something long is worked out in it.

    What serves players is given seconds by settings; nobody at a table may wait for this one.
    """
    one_row("SELECT set_config('idle_in_transaction_session_timeout', %s, true)", [LONG])


@contextmanager
def _cursor() -> Iterator[Any]:
    line = connections[DEFAULT_DB_ALIAS]  # each look through `connection` finds it anew
    raw = line.connection
    if (
        raw is None
        or line.execute_wrappers
        or line.needs_rollback
        or line.queries_logged
        or not _is_checked(line)
    ):
        with line.cursor() as cursor:
            yield cursor
    else:
        with line.wrap_database_errors, raw.cursor() as cursor:
            yield cursor


def _is_checked(line: Any) -> bool:
    """Whether the connection needs no look before it is used again."""
    return bool(
        getattr(line, "health_check_done", False) or not getattr(line, "health_check_enabled", True)
    )
