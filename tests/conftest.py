"""The tests' database: made and migrated as `owner`, used as `app`, cleaned as superuser."""

from collections.abc import Iterator

import psycopg
import pytest
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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with whole houses come first: what is long and last would keep one process busy."""
    long = {item.path for item in items if item.get_closest_marker("house")}
    items.sort(key=lambda item: item.path not in long)


class OneHouse(LoadFileScheduling):
    """A file goes to one process whole, and so do all files that share the house of tests/flows."""

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        return SHARING if file.startswith(SHARING) else file


@pytest.hookimpl(optionalhook=True)  # unknown where xdist is switched off
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> OneHouse | None:
    return OneHouse(config, log) if config.getoption("dist") == "loadfile" else None


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


def clean(case: TransactionTestCase) -> None:
    """In place of Django's flush, a TRUNCATE that this database refuses."""
    with superuser() as admin:
        admin.execute(CLEAN)


TransactionTestCase._fixture_teardown = clean  # type: ignore[method-assign]
