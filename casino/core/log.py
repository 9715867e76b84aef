"""The one way to write to the sealed log."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.db import connection

from casino.core.models import User

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
    return int(entry_id)
