"""Whether this house has a sandbox: a setting, and a row that only its owner can write."""

from typing import Any

from django.conf import settings
from django.db import connections

from casino.core.errors import NoSandbox
from casino.core.models import Sandbox


def opened(*, using: str, **_: Any) -> None:
    """After a migration, by the role that migrates: mark the database of a house with a sandbox."""
    there = connections[using].introspection.table_names()
    if settings.SANDBOX and Sandbox._meta.db_table in there:
        Sandbox.objects.using(using).get_or_create(pk=1)


def is_open() -> bool:
    return bool(settings.SANDBOX) and Sandbox.objects.exists()


def require() -> None:
    """Raises NoSandbox."""
    if not is_open():
        raise NoSandbox
