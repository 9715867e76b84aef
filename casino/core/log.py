"""The one way to write to the sealed log."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any

from django.db import connection

from casino.core.factors import LogOrigin
from casino.core.models import User

origin: ContextVar[str | None] = ContextVar("origin", default=None)
"""The address of the console's request that is being answered: kept beside what it causes."""

browser: ContextVar[str] = ContextVar("browser", default="")
"""The mark of the console's browser that asks; empty for whoever comes another way."""

Actor = User | int | None


def log(kind: str, subject: str, actor: Actor, facts: Mapping[str, Any] | None = None) -> int:
    """Append one entry within the caller's transaction, and return its id.

    kind: what happened, as `area.deed` (`approval.approved`).
    subject: what it happened to, as `thing:id` (`user:7`).
    actor: who did it; None when nobody is known, or the house itself.
    facts: ids, figures and codes. A sealed entry can never be taken back, so a person's name,
    address or words have no place here.
    """
    actor_id = actor.pk if isinstance(actor, User) else actor
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT log_append(%s::text, %s::text, %s::bigint, %s::jsonb)",
            [kind, subject, actor_id, json.dumps(facts or {})],
        )
        (entry_id,) = cursor.fetchone()
    if (address := origin.get()) is not None:
        role = actor.role if isinstance(actor, User) else ""
        LogOrigin.objects.create(entry_id=entry_id, address=address, role=role)
    return int(entry_id)
