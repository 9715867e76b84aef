"""The tests' database: made and migrated as `owner`, used as `app`, cleaned as superuser."""

from collections.abc import Iterator
from functools import cache

import psycopg
import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test import TransactionTestCase
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from tests.plugin import servers

NAME = "test_croupier"
SHARING = "tests/flows/"
# Rows that migrations put there; everything else goes between tests.
KEPT = (
    "django_migrations", "django_content_type", "auth_permission", "wallets_currency",
    "wallets_housepolicy", "core_sandbox",
)  # fmt: skip

CLEAN = f"""
SET session_replication_role = replica;
DO $$ DECLARE t text; found boolean; BEGIN
    FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = 'public'
            AND tablename <> ALL ('{{{",".join(KEPT)}}}') LOOP
        EXECUTE format('SELECT EXISTS (SELECT FROM %I)', t) INTO found;
        IF found AND t = 'tables_pulse' THEN
            UPDATE tables_pulse SET at = clock_timestamp();
        ELSIF found THEN
            EXECUTE format('DELETE FROM %I', t);
        END IF;
    END LOOP;
END $$;
"""


def pytest_configure() -> None:
    """Without what a house pays once, or a guesser often, and here each test would pay."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.WHITENOISE_AUTOREFRESH = True  # a static file is looked for when it is asked for


def unit_of(nodeid: str) -> str:
    """What one process takes whole: a file, or all files that share the house of tests/flows."""
    file = nodeid.split("::", 1)[0]
    return SHARING if file.startswith(SHARING) else file


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What is long comes first: at the end it would keep one process busy alone.

    What opens a house, which waits much, by turns with what opens a browser, which does not.
    """
    turns, last = dict[str, tuple[int, int]](), (len(items), 0)
    for nth, mark in enumerate(("house", "browser")):
        marked = dict.fromkeys(unit_of(one.nodeid) for one in items if one.get_closest_marker(mark))
        for turn, unit in enumerate(marked):
            turns.setdefault(unit, (turn, nth))
    items.sort(key=lambda item: turns.get(unit_of(item.nodeid), last))


class InUnits(LoadFileScheduling):
    def _split_scope(self, nodeid: str) -> str:
        return unit_of(nodeid)


@pytest.hookimpl(optionalhook=True)  # unknown where xdist is switched off
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> InUnits | None:
    return InUnits(config, log) if config.getoption("dist") == "loadfile" else None


def superuser() -> "psycopg.Connection[tuple[object, ...]]":
    return psycopg.connect(servers.postgres.superuser_url(NAME), autocommit=True)


@pytest.fixture(scope="session")
def django_db_setup(django_db_blocker: pytest.FixtureRequest) -> Iterator[None]:
    with psycopg.connect(servers.postgres.superuser_url("postgres"), autocommit=True) as admin:
        admin.execute(f"DROP DATABASE IF EXISTS {NAME}")
        admin.execute(f"CREATE DATABASE {NAME} OWNER owner")
    facts = connection.settings_dict
    with django_db_blocker.unblock():  # type: ignore[attr-defined]
        facts.update(NAME=NAME, USER="owner")
        call_command("migrate", verbosity=0)
        connection.close()
        facts["USER"] = "app"
    yield
    with django_db_blocker.unblock():  # type: ignore[attr-defined]
        connection.close()


@cache
def cleaner() -> "psycopg.Connection[tuple[object, ...]]":
    """Kept from test to test: a new session would have to read all tables' definitions first."""
    made = superuser()
    made.prepare_threshold = None  # several statements at once cannot be prepared
    return made


def clean(case: TransactionTestCase) -> None:
    """In place of Django's flush, a TRUNCATE that this database refuses."""
    cleaner().execute(CLEAN)


TransactionTestCase._fixture_teardown = clean  # type: ignore[method-assign]
