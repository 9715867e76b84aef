"""What the models promise, the database keeps."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection

from tests.conftest import superuser


@pytest.mark.django_db
def test_every_index_and_constraint_of_a_model_stands_in_the_database() -> None:
    """Django takes away a partial unique index with the plain one of the same column."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname FROM pg_index JOIN pg_class ON oid = indexrelid WHERE indisvalid"
            " UNION SELECT conname FROM pg_constraint WHERE convalidated"
        )
        standing = {name for (name,) in cursor.fetchall()}
    promised = {
        rule.name
        for model in apps.get_models()
        for rule in (*model._meta.constraints, *model._meta.indexes)
    }
    assert len(promised) > 50
    assert promised <= standing


@pytest.mark.django_db(transaction=True)
def test_an_index_whose_making_was_broken_off_is_made_anew() -> None:
    """As a lock that is waited for too long breaks it off, under a name that is taken then."""
    valid = "SELECT indisvalid FROM pg_index WHERE indexrelid = 'silence_by_end'::regclass"
    migration = import_module("tables.migrations.0039_silences_by_their_end").Migration
    with superuser() as admin:
        admin.execute(
            "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'silence_by_end'::regclass"
        )
        for operation in migration.operations:
            admin.execute(operation.sql)
        assert admin.execute(valid).fetchone() == (True,)
