"""Who a bearer token speaks for, remembered for a few seconds.

An action at a table must not cost a query to find out who sent it. What is remembered is never
older than FRESH_S, so a revoked token or a closed account stops within that time in every process,
and at once in the one that revoked it.
"""

from __future__ import annotations

import copy
import threading
import time
from collections import OrderedDict
from datetime import datetime, timedelta
from hashlib import sha256
from typing import NamedTuple

from django.db.models import Q
from django.utils import timezone

from casino.core.errors import TokenInvalid
from casino.core.models import Token, User

PREFIX = "ck_"
FRESH_S = 3.0
REMEMBERED_MAX = 20_000
USED_EVERY = timedelta(hours=1)


class TokenFacts(NamedTuple):
    token_id: int
    user: User
    scopes: frozenset[str]
    expires_at: datetime | None


class Bearer(NamedTuple):
    user_id: int
    scopes: frozenset[str]


_remembered: OrderedDict[bytes, tuple[float, TokenFacts]] = OrderedDict()
_lock = threading.Lock()


def secret_hash(raw: str) -> bytes:
    return sha256(raw.encode(errors="replace")).digest()


def token_user(raw: str) -> Bearer:
    """(user_id, scopes) of a token. Raises TokenInvalid. No query while it is remembered."""
    facts = _facts(raw)
    return Bearer(facts.user.pk, facts.scopes)


def token_facts(raw: str) -> TokenFacts:
    """What a token stands for; `user` is the caller's own copy. Raises TokenInvalid."""
    facts = _facts(raw)
    return facts._replace(user=copy.copy(facts.user))


def _facts(raw: str) -> TokenFacts:
    if not raw.startswith(PREFIX):
        raise TokenInvalid
    key = secret_hash(raw)
    with _lock:
        fresh_until, facts = _remembered.get(key, (0.0, None))
    if facts is None or fresh_until < time.monotonic():
        facts = _read(key)
    if facts.expires_at is not None and facts.expires_at <= timezone.now():
        raise TokenInvalid
    return facts


def token_forget(key: bytes) -> None:
    """Drop a token from this process's memory, so that revoking acts here at once."""
    with _lock:
        _remembered.pop(key, None)


def tokens_forget_all() -> None:
    with _lock:
        _remembered.clear()


def _read(key: bytes) -> TokenFacts:
    # Stamped before the query: a revocation that commits while we read is not outlived.
    fresh_until = time.monotonic() + FRESH_S
    token = (
        Token.objects.select_related("user")
        .defer("user__password")
        .filter(secret_hash=key, revoked_at=None, user__is_active=True)
        .first()
    )
    if token is None:
        token_forget(key)
        raise TokenInvalid
    _note_use(token)
    facts = TokenFacts(token.pk, token.user, frozenset(token.scopes), token.expires_at)
    with _lock:
        _remembered[key] = (fresh_until, facts)
        _remembered.move_to_end(key)
        if len(_remembered) > REMEMBERED_MAX:
            _remembered.popitem(last=False)
    return facts


def _note_use(token: Token) -> None:
    now = timezone.now()
    if token.last_used_at is not None and token.last_used_at > now - USED_EVERY:
        return
    long_ago = Q(last_used_at=None) | Q(last_used_at__lte=now - USED_EVERY)
    Token.objects.filter(long_ago, pk=token.pk).update(
        last_used_at=now.replace(minute=0, second=0, microsecond=0)
    )
