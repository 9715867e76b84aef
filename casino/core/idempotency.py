"""`Idempotency-Key`: a money or game request that is sent twice is carried out once.

What succeeded is answered again from the row. What was refused or failed leaves the key free, as
it does in the ledger: a retry then runs, and `transfer_key` makes even a retry after a crash
between the deed and its record harmless. A form of the console carries its key in a hidden field,
and what it asks for is done in the transaction that keeps the key, so a second click waits for the
first and is told the same.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from hashlib import sha256
from typing import Concatenate, NamedTuple, ParamSpec, TypeVar

from django import forms
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.core.errors import (
    IdempotencyKeyMalformed,
    IdempotencyKeyRequired,
    IdempotencyKeyReused,
    IdempotencyStillRunning,
)
from casino.core.models import IdempotencyKey

HEADER = "Idempotency-Key"
REPLAYED = "Idempotent-Replayed"
KEY_LENGTH_MAX = 100
KEY_FORM = re.compile(rf"[\x21-\x7e]{{1,{KEY_LENGTH_MAX}}}")
NOT_ASKED_FOR = frozenset({"csrfmiddlewaretoken", "password", "code"})
# An attempt that has not answered by now died with its process; the next one takes over.
ATTEMPT_S = 60

V = TypeVar("V", bound=APIView)
P = ParamSpec("P")
Handler = Callable[Concatenate[V, Request, P], Response]


def idempotent(handler: Handler[V, P]) -> Handler[V, P]:
    """For a view's method: carried out once per caller, method, path and key.

    Raises IdempotencyKeyRequired, IdempotencyKeyMalformed, IdempotencyKeyReused (same key, other
    body), IdempotencyStillRunning.
    """

    @wraps(handler)
    def once(view: V, request: Request, /, *args: P.args, **kwargs: P.kwargs) -> Response:
        row, is_ours = key_claim(request)
        if not is_ours:
            return Response(json.loads(row.response), status=row.status, headers={REPLAYED: "true"})
        try:
            response = handler(view, request, *args, **kwargs)
        except BaseException:
            key_free(row)
            raise
        if 200 <= response.status_code < 300:
            key_answer(row, response)
        else:
            key_free(row)
        return response

    parameter = OpenApiParameter(
        HEADER,
        OpenApiTypes.STR,
        OpenApiParameter.HEADER,
        required=True,
        description="Made by the caller; a repeat under the same key is not done twice.",
    )
    return extend_schema(parameters=[parameter])(once)


class OnceField(forms.UUIDField):
    """The key of a form, made with the page that shows it."""

    def __init__(self) -> None:
        super().__init__(widget=forms.HiddenInput, initial=uuid.uuid4, required=False, label="")


@transaction.atomic
def deed_once(
    request: HttpRequest,
    once: object,
    deed: Callable[[], str],
    *,
    keeps: bool = True,
    leads_to: Callable[[], str] = str,
) -> str:
    """Do what a form asks for, once however often it is sent; returns what was said of it.

    once: the form's key, with what tells several deeds of one form apart; a form without a key is
    taken each time. Other fields under the same key ask for something else. keeps: whether what was
    said may be kept; where it tells a secret, the repeat is told nothing. leads_to: the address
    that is shown when it is done. What the deed refuses is raised and leaves the key free.
    """
    if not once:
        return deed()
    scope, digest = _scope_of_form(request, once)
    wanted = IdempotencyKey(
        **scope, body_hash=digest, claim=uuid.uuid4(), claimed_at=timezone.now()
    )
    # Waits for the end of a transaction that has put the same key there.
    IdempotencyKey.objects.bulk_create([wanted], ignore_conflicts=True)
    row = IdempotencyKey.objects.get(**scope)
    if row.claim != wanted.claim:
        return Kept(**json.loads(row.response)).said
    said = deed()
    kept = Kept(said if keeps else "", leads_to())
    IdempotencyKey.objects.filter(pk=row.pk).update(status=200, response=json.dumps(kept._asdict()))
    return said


class Kept(NamedTuple):
    """What was said of a form that was taken, and the address that it led to."""

    said: str
    leads_to: str


def deed_kept(request: HttpRequest) -> Kept | None:
    """What came of this very form when it was sent before; None: it was not, or was refused."""
    if not (once := request.POST.get("once")):
        return None
    scope, _ = _scope_of_form(request, once)
    row = IdempotencyKey.objects.filter(**scope, status=200).first()
    return None if row is None else Kept(**json.loads(row.response))


def _scope_of_form(request: HttpRequest, once: object) -> tuple[dict[str, str], bytes]:
    asked = sorted(
        (name, values) for name, values in request.POST.lists() if name not in NOT_ASKED_FOR
    )
    digest = sha256(json.dumps([str(once), asked]).encode())
    scope = {
        "principal": f"user:{request.user.pk}", "method": "POST", "path": request.path[:200],
        "key": digest.hexdigest(),
    }  # fmt: skip
    return scope, digest.digest()


def transfer_key(request: Request) -> str:
    """A ledger key that belongs to this caller, method, path and Idempotency-Key."""
    parts = json.dumps([*scope_of_key(request), key_of(request)])
    return f"api:{sha256(parts.encode()).hexdigest()[:40]}"


def key_of(request: Request) -> str:
    key = request.headers.get(HEADER, "")
    if not key:
        raise IdempotencyKeyRequired
    if KEY_FORM.fullmatch(key) is None:
        raise IdempotencyKeyMalformed(KEY_LENGTH_MAX)
    return key


def scope_of_key(request: Request) -> tuple[str, str, str]:
    return f"user:{request.user.pk}", str(request.method), request.path


def body_hash(request: Request) -> bytes:
    """Of the meaning, not the bytes: a client may write its JSON anew when it retries."""
    body = json.dumps(request.data, sort_keys=True, separators=(",", ":"), default=str)
    return sha256(body.encode()).digest()


def key_claim(request: Request) -> tuple[IdempotencyKey, bool]:
    """The key's row, and whether this request is the one that carries it out.

    Committed by itself before anything is done, so that a second request sees it.
    """
    principal, method, path = scope_of_key(request)
    now = timezone.now()
    wanted = IdempotencyKey(
        principal=principal,
        method=method,
        path=path,
        key=key_of(request),
        body_hash=body_hash(request),
        claim=uuid.uuid4(),
        claimed_at=now,
    )
    for _ in range(3):  # a row may be freed between our insert and our look
        with transaction.atomic(durable=True):
            IdempotencyKey.objects.bulk_create([wanted], ignore_conflicts=True)
            row = IdempotencyKey.objects.filter(
                principal=principal, method=method, path=path, key=wanted.key
            ).first()
        if row is None:
            continue
        if row.claim == wanted.claim:
            return row, True
        if bytes(row.body_hash) != wanted.body_hash:
            raise IdempotencyKeyReused
        if row.status is not None:
            return row, False
        if taken_over(row, wanted):
            row.claim = wanted.claim
            return row, True
        break
    raise IdempotencyStillRunning


def taken_over(row: IdempotencyKey, wanted: IdempotencyKey) -> bool:
    """Claim an attempt that must have died; of several that try, one gets it."""
    if row.claimed_at > wanted.claimed_at - timedelta(seconds=ATTEMPT_S):
        return False
    abandoned = IdempotencyKey.objects.filter(pk=row.pk, claim=row.claim, status=None)
    return abandoned.update(claim=wanted.claim, claimed_at=wanted.claimed_at) == 1


def key_answer(row: IdempotencyKey, response: Response) -> None:
    text = JSONRenderer().render(response.data).decode() or "null"
    IdempotencyKey.objects.filter(pk=row.pk, claim=row.claim).update(
        status=response.status_code, response=text
    )


def key_free(row: IdempotencyKey) -> None:
    IdempotencyKey.objects.filter(pk=row.pk, claim=row.claim, status=None).delete()
