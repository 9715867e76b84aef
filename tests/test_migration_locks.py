"""Migrations after the last release hold no hot table for long, and the version before lives on."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection, migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState

from tests.migration_locks import RULES, findings, statements, told

# What has been released. Whoever releases moves it; what comes after is held to the rules.
RELEASED = {
    "core": "0012_screens_lag", "tables": "0031_fewer_indexes", "wallets": "0007_standing",
}  # fmt: skip

BAD = {
    "CREATE INDEX a ON tables_event (at)": "index",
    'CREATE UNIQUE INDEX "a" ON "public"."tables_hand" ("number") WHERE number > 1': "index",
    "CREATE UNIQUE INDEX CONCURRENTLY a ON tables_event (at)": "once_only",
    "DROP INDEX CONCURRENTLY a": "once_only",
    "ALTER TABLE tables_hand ADD COLUMN a timestamptz DEFAULT clock_timestamp() NOT NULL":
        "rewritten",
    "ALTER TABLE tables_hand ADD COLUMN a uuid DEFAULT gen_random_uuid()": "rewritten",
    "ALTER TABLE tables_seat ADD COLUMN a bigint GENERATED ALWAYS AS (number * 2) STORED":
        "rewritten",
    "ALTER TABLE wallets_leg ADD COLUMN a bigserial": "rewritten",
    "ALTER TABLE wallets_leg ADD COLUMN a bigint NOT NULL": "not_null",
    "ALTER TABLE wallets_account ALTER COLUMN player_id SET NOT NULL": "not_null",
    "ALTER TABLE tables_event ALTER COLUMN seq TYPE numeric": "type",
    "ALTER TABLE tables_seat ADD CONSTRAINT c CHECK (number > 0)": "constraint",
    "ALTER TABLE tables_seat ADD CONSTRAINT c FOREIGN KEY (a) REFERENCES core_user (id)":
        "constraint",
    "ALTER TABLE tables_seat ADD COLUMN a bigint REFERENCES core_user (id)": "constraint",
    "ALTER TABLE tables_seat ADD CONSTRAINT c UNIQUE (table_id, number)": "unique",
    "ALTER TABLE tables_seat ADD CONSTRAINT c CHECK (a > 0) NOT VALID;"
    "ALTER TABLE tables_seat VALIDATE CONSTRAINT c": "validated_at_once",
    "LOCK TABLE wallets_account IN EXCLUSIVE MODE": "whole_table",
    "TRUNCATE tables_event": "whole_table",
    "REINDEX TABLE tables_event": "whole_table",
    "ALTER TABLE tables_event SET UNLOGGED": "whole_table",
    "UPDATE tables_hand SET carry = NULL": "many_rows",
    "ALTER TABLE tables_hand DROP COLUMN carry": "old_code_reads",
    "ALTER TABLE tables_hand RENAME COLUMN carry TO left_over": "old_code_reads",
    "ALTER TABLE tables_hand ADD COLUMN a integer DEFAULT 0 NOT NULL;"
    "ALTER TABLE tables_hand ALTER COLUMN a DROP DEFAULT": "old_code_writes",
}  # fmt: skip
GOOD = (
    "DROP INDEX CONCURRENTLY IF EXISTS a; CREATE INDEX CONCURRENTLY a ON tables_event (at)",
    "CREATE TABLE tables_event_note (a bigint); CREATE INDEX b ON tables_event_note (a)",
    "ALTER TABLE tables_hand ADD COLUMN a integer DEFAULT 0 NOT NULL",
    "ALTER TABLE tables_hand ADD COLUMN a text DEFAULT 'x, (y' NOT NULL, ADD COLUMN b jsonb NULL",
    "ALTER TABLE tables_seat ADD CONSTRAINT c CHECK (a > 0) NOT VALID",
    "ALTER TABLE tables_seat VALIDATE CONSTRAINT c",
    "ALTER TABLE tables_seat ADD CONSTRAINT c UNIQUE USING INDEX made_before",
    "CREATE INDEX a ON core_device (table_id)",  # written by hand, once a screen
    "CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ UPDATE tables_hand SET a = 1; $$",
    "-- UPDATE tables_hand SET a = 1;\nALTER TABLE tables_table SET (fillfactor = 50)",
)


@pytest.mark.parametrize(("sql", "rule"), BAD.items())
def test_what_holds_a_hot_table_is_found(sql: str, rule: str) -> None:
    assert [one.rule for one in findings(sql)] == [rule]


def test_every_rule_is_tried() -> None:
    assert set(BAD.values()) == set(RULES)


@pytest.mark.parametrize("sql", GOOD)
def test_what_a_running_house_does_not_feel_passes(sql: str) -> None:
    assert not findings(sql)


def test_a_column_is_dropped_once_no_code_names_it() -> None:
    assert not findings("ALTER TABLE tables_hand DROP COLUMN carry", contracts=True)


def test_a_function_is_one_statement() -> None:
    sql = "CREATE FUNCTION f() AS $$ BEGIN x; y; END $$; SELECT ';'; -- ; \nSELECT 2"
    assert len(list(statements(sql))) == 3


OPERATIONS = {
    "index": migrations.AddIndex("hand", models.Index(fields=["number"], name="planted")),
    "type": migrations.AlterField("hand", "number", models.TextField()),
    "old_code_writes": migrations.AddField("hand", "planted", models.IntegerField(default=0)),
    "old_code_reads": migrations.RemoveField("hand", "carry"),
}


@pytest.mark.django_db
@pytest.mark.parametrize("rule", OPERATIONS)
def test_an_operation_of_django_is_read_as_the_sql_it_becomes(rule: str) -> None:
    before = MigrationLoader(connection).project_state()
    assert rule in [one.rule for one in findings(sql_of([OPERATIONS[rule]], "tables", before))]


@pytest.mark.django_db
def test_no_migration_since_the_release_holds_a_hot_table() -> None:
    loader = MigrationLoader(connection)
    for app, name in loader.disk_migrations:
        if app not in RELEASED or name <= RELEASED[app]:
            continue
        migration = loader.get_migration(app, name)
        before = loader.project_state([(app, name)], at_end=False)
        found = findings(
            sql_of(migration.operations, app, before),
            contracts=getattr(migration, "contracts", False),
        )
        assert not found, f"{app}.{name}\n{told(found)}"


def sql_of(operations: list[Any], app: str, before: ProjectState) -> str:
    """As `manage.py sqlmigrate` prints it; nothing is done."""
    with connection.schema_editor(collect_sql=True, atomic=False) as editor:
        for operation in operations:
            after = before.clone()
            operation.state_forwards(app, after)
            operation.database_forwards(app, editor, before, after)
            before = after
    return "\n".join(editor.collected_sql)
