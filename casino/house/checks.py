"""What a production house must not hold: anything of a demo."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.db import DatabaseError, connection

from casino.core.models import Sandbox, User
from tables.models import Table

HINT = "a production house begins on a database of its own"


@register(Tags.database)
def no_demo_in_production(
    app_configs: Sequence[AppConfig] | None, databases: Iterable[str] | None, **kwargs: Any
) -> list[CheckMessage]:
    """House players and demo tables have no place among real money."""
    if not settings.PRODUCTION or "default" not in (databases or ()):
        return []
    try:
        # Django checks before it migrates, too, and then a new house has no tables yet.
        there = set(connection.introspection.table_names())
        if not {"core_user", "core_sandbox", "tables_table"} <= there:
            return []
        players = User.objects.filter(is_house=True).count()
        tables = Table.objects.filter(is_house=True).count()
        is_sandbox = Sandbox.objects.exists()
    except DatabaseError as error:
        return [Error(f"the database cannot be read: {error}", id="house.E002")]
    found: list[CheckMessage] = []
    if players or tables:
        words = f"the database holds {players} house players and {tables} demo tables"
        found.append(Error(words, hint=HINT, id="house.E001"))
    if is_sandbox:
        words = "the database is a sandbox's: it deals scripted hands"
        found.append(Error(words, hint=HINT, id="house.E003"))
    return found
