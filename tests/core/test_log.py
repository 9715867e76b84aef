"""LOG-03: the log cannot be altered or shortened, whoever writes."""

from collections.abc import Iterator

import psycopg
import pytest
from django.db import DatabaseError, ProgrammingError, connection, transaction

from casino.core.log import log
from casino.core.models import LogEntry, User
from tests.conftest import NAME
from tests.plugin import servers

pytestmark = pytest.mark.django_db

DAMAGE = [
    "UPDATE core_logentry SET kind = 'x'",
    "DELETE FROM core_logentry",
    "TRUNCATE core_logentry",
    "UPDATE core_logseal SET entries = 0",
    "DELETE FROM core_logseal",
    "TRUNCATE core_logseal",
]


@pytest.fixture
def owner(db: None) -> Iterator["psycopg.Connection[tuple[object, ...]]"]:
    with psycopg.connect(servers.postgres.url("owner", NAME)) as session:
        yield session
        session.rollback()


def test_an_entry_keeps_what_was_said_and_who_said_it(ann: User) -> None:
    entry = LogEntry.objects.get(pk=log("test.done", "thing:1", ann, {"n": 1, "ż": "ó\n"}))
    assert (entry.kind, entry.subject, entry.actor_id) == ("test.done", "thing:1", ann.pk)
    assert entry.facts == {"n": 1, "ż": "ó\n"}


@pytest.mark.parametrize("statement", DAMAGE)
def test_app_has_no_right_to_alter_the_log(statement: str) -> None:
    log("test.done", "thing:1", None)
    with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
        connection.cursor().execute(statement)


@pytest.mark.parametrize("statement", DAMAGE)
def test_triggers_refuse_even_the_owner(
    statement: str, owner: "psycopg.Connection[tuple[object, ...]]"
) -> None:
    with pytest.raises(psycopg.Error, match="never changed or removed") as refused:
        owner.execute(statement)
    assert refused.value.sqlstate == "CR001"


@pytest.mark.parametrize("table", ["core_logentry", "core_logseal"])
def test_app_writes_by_the_functions_alone(table: str) -> None:
    with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
        connection.cursor().execute(f"INSERT INTO {table} SELECT * FROM {table}")


def test_time_and_hash_are_the_databases_even_for_the_owner(
    owner: "psycopg.Connection[tuple[object, ...]]",
) -> None:
    row = owner.execute(
        "INSERT INTO core_logentry (at, kind, subject, facts, content_hash)"
        " VALUES ('2001-01-01', 'forged', 'thing:1', '{}', '')"
        " RETURNING now() - at < interval '1 minute', length(content_hash)"
    ).fetchone()
    assert row == (True, 32)


def test_app_cannot_forge_a_seal() -> None:
    """A seal that does not follow the last one is refused by the database itself."""
    forged = "SELECT log_seal_append(7, 1, 2, 2, '', '', '', '', '', now())"
    with pytest.raises(DatabaseError, match="does not follow"), transaction.atomic():
        connection.cursor().execute(forged)
