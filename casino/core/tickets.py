"""Tickets that open one WebSocket once: the long-lived token never stands in an address."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping
from datetime import timedelta
from hashlib import sha256
from typing import NamedTuple

from django.db import connection
from django.db.models import Q
from django.db.models.functions import Now

from casino.core.models import Device, Role, Token, User

TICKET_S = 30
SEEN_EVERY = timedelta(seconds=5)  # a connected display; each time is a write

LAGS = """
    INSERT INTO core_screenlag AS kept (device_id, table_id, at, most_ms)
        SELECT device, tbl, date_bin('10 minutes', clock_timestamp(), '2000-01-01Z'), max(ms)
            FROM unnest(%s::bigint[], %s::bigint[], %s::int[]) AS told (device, tbl, ms)
            GROUP BY 1, 2
        ON CONFLICT (at, table_id, device_id)
            DO UPDATE SET most_ms = excluded.most_ms WHERE excluded.most_ms > kept.most_ms
"""


class TicketFacts(NamedTuple):
    user_id: int | None
    device_id: int | None
    table_id: int
    role: str
    token_id: int | None = None


def ticket_issue(
    *,
    table_id: int,
    role: str,
    user_id: int | None = None,
    device_id: int | None = None,
    token_id: int | None = None,
) -> str:
    """A ticket for one user or one device, good for TICKET_S by the database's clock.

    token_id: the bearer token it was asked for with; what the ticket opens ends with that token.
    """
    raw = secrets.token_urlsafe(24)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO core_ticket (secret_hash, user_id, device_id, table_id, role, token_id,"
            " expires_at) VALUES (%s::bytea, %s::bigint, %s::bigint, %s::bigint, %s::text,"
            " %s::bigint, clock_timestamp() + make_interval(secs => %s))",
            [ticket_hash(raw), user_id, device_id, table_id, role, token_id, float(TICKET_S)],
        )
    return raw


def ticket_redeem(raw: str) -> TicketFacts | None:
    """What the ticket is for, the first time; None ever after, and when it is too late.

    One DELETE is both the check and the use, so of many at once only one gets it.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM core_ticket WHERE secret_hash = %s::bytea"
            " RETURNING user_id, device_id, table_id, role, token_id,"
            " expires_at > clock_timestamp()",
            [ticket_hash(raw)],
        )
        row = cursor.fetchone()
    if row is None or not row[-1]:
        return None
    return TicketFacts(*row[:-1])


def tickets_standing(held: Collection[TicketFacts]) -> set[TicketFacts]:
    """Those of redeemed tickets whose holder may still do what they were issued for."""
    people = User.objects.filter(pk__in={facts.user_id for facts in held}, is_active=True)
    roles = dict(people.values_list("pk", "role"))
    screens = Device.objects.filter(pk__in={facts.device_id for facts in held}, revoked_at=None)
    tables = dict(screens.values_list("pk", "table_id"))
    tokens = Token.objects.filter(pk__in={facts.token_id for facts in held}, revoked_at=None)
    good = {None, *tokens.exclude(expires_at__lte=Now()).values_list("pk", flat=True)}

    def stands(facts: TicketFacts) -> bool:
        if facts.user_id is None:
            return facts.device_id in tables and tables[facts.device_id] == facts.table_id
        role = roles.get(facts.user_id)
        return (
            role is not None
            and facts.token_id in good
            and (facts.role != "player" or role == Role.PLAYER)
        )

    return {facts for facts in held if stands(facts)}


def displays_seen(
    held: Collection[TicketFacts], lags_ms: Mapping[TicketFacts, int] | None = None
) -> None:
    """Note that the displays among the holders are connected now.

    lags_ms: how old the picture of each that said so was at the most since it was noted last.
    """
    screens = {facts.device_id for facts in held if facts.device_id is not None}
    if screens:
        late = Q(last_seen_at=None) | Q(last_seen_at__lt=Now() - SEEN_EVERY)
        Device.objects.filter(late, pk__in=screens).update(last_seen_at=Now())
    told = [(facts, ms) for facts, ms in (lags_ms or {}).items() if facts in held]
    if told:
        with connection.cursor() as cursor:
            cursor.execute(LAGS, [
                [facts.device_id for facts, _ms in told], [facts.table_id for facts, _ms in told],
                [ms for _facts, ms in told],
            ])  # fmt: skip


def ticket_hash(raw: str) -> bytes:
    return sha256(raw.encode(errors="replace")).digest()
