"""What the models promise, the database keeps."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.db import connection


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
