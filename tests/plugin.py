"""Starts PostgreSQL and Valkey of the tests' own, before Django's settings are read."""

import atexit
import os
from contextlib import ExitStack
from pathlib import Path

from casino.house.servers import temporary_servers

ROOT = Path(__file__).resolve().parent.parent

stack = ExitStack()
servers = stack.enter_context(temporary_servers())
atexit.register(stack.close)
os.environ.update(
    CROUPIER_ENV="test",
    CROUPIER_DATA=str(servers.postgres.place.house),
    DATABASE_URL=servers.postgres.url("app"),
    DATABASE_OWNER_URL=servers.postgres.url("owner"),
    REDIS_URL=servers.valkey.url(),
    DJANGO_SETTINGS_MODULE="casino.settings",
)
