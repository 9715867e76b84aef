"""One statement and its row, on the shortest way through the driver.

Django's cursors cost as much again as the statement itself where that reads or writes one row.
What they are for is kept: a first connection, its health check, wrappers that watch statements,
and errors of Django's own classes.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.db import connection


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
    raw = connection.connection
    if (
        raw is None
        or connection.execute_wrappers
        or connection.needs_rollback
        or connection.queries_logged
        or not _is_checked()
    ):
        with connection.cursor() as cursor:
            cursor.execute(statement, values)
            return cursor.fetchone()
    with connection.wrap_database_errors, raw.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchone()


def _is_checked() -> bool:
    """Whether the connection needs no look before it is used again."""
    return bool(
        getattr(connection, "health_check_done", False)
        or not getattr(connection, "health_check_enabled", True)
    )
