"""Errors to answers: the one place where a broken rule gets its HTTP status.

Every answer that is not a success is an RFC 9457 problem with a stable `code`; the WebSocket
sends the same problem. Facts are the fields of the error's class.
"""

import dataclasses
import logging
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from psycopg.errors import LockNotAvailable
from psycopg_pool import PoolTimeout
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from casino.core.errors import CoreError
from tables.engine.errors import RuleViolation
from tables.engine.reasons import Reason
from tables.errors import TableBusy, TableError
from wallets.errors import WalletError

logger = logging.getLogger(__name__)

OURS = (RuleViolation, TableError, WalletError, CoreError)
# A broken rule is a conflict with the state of the house unless its code says otherwise.
STATUS_OF = {
    "table_not_found": 404, "hand_not_found": 404, "unknown_game": 404, "token_missing": 404,
    "approval_missing": 404, "paytable_not_found": 404, "no_odds": 404, "unknown_account": 404,
    "malformed_action": 400, "malformed_message": 400, "buy_in_out_of_range": 400,
    "not_whole_chips": 400, "no_such_seat": 400, "invalid_amount": 400, "unknown_currency": 400,
    "reason_missing": 400, "too_many_spots": 400, "statement_too_long": 400,
    "idempotency_key_required": 400, "idempotency_key_malformed": 400, "bad_options": 400,
    "bad_definition": 400,
    "password_too_weak": 400, "name_refused": 400, "scope_unknown": 400, "unknown_card": 400,
    "factor_needed": 401, "factor_refused": 403, "password_wrong": 403,
    "sign_in_refused": 401, "token_invalid": 401,
    "role_missing": 403, "scope_missing": 403, "device_invalid": 403, "player_excluded": 403,
    "code_refused": 403, "pin_refused": 403, "setting_refused": 400,
    "invitation_needed": 403, "pit_not_yours": 403,
    "registration_closed": 403, "approval_same_person": 403,
    "approval_same_browser": 403,
    "format_not_available": 406,
    "idempotency_key_reused": 422, "key_reused": 422,
    "locked_out": 429,
    "cut_not_found": 404, "webhook_missing": 404, "webhook_message_missing": 404,
    "address_refused": 400, "bad_script": 400, "no_sandbox": 404,
    "rate_missing": 404, "operator_unsure": 503,
    "table_busy": 503, "log_busy": 503, "entropy_failed": 503,
}  # fmt: skip
# A fact of the same name stands beside these as `its_status`.
MEMBERS = ("type", "title", "status", "code", "detail", "instance")
RETRY_S = {"table_busy": 1, "log_busy": 1}


def problem(error: Exception) -> dict[str, Any] | None:
    """The problem details of an error a client is told about; None for a fault of the house."""
    if isinstance(error, OURS):
        return _problem(STATUS_OF.get(error.code, 409), error.code, str(error), **_facts(error))
    if isinstance(error, OperationalError) and isinstance(error.__cause__, LockNotAvailable):
        return problem(TableBusy())
    if isinstance(error, (OperationalError, InterfaceError, PoolTimeout)):
        return _problem(503, "house_unavailable", "the house cannot reach its books; try again")
    return None


def problem_response(error: Exception, context: dict[str, Any]) -> Response | None:
    """REST framework's exception handler."""
    if isinstance(error, exceptions.ValidationError):
        details: dict[str, Any] | None = _problem(
            400, "invalid_request", "the request has fields that cannot be used",
            errors=list(_pointers(error.detail)),
        )  # fmt: skip
    elif isinstance(error, exceptions.APIException):
        codes = error.get_codes()
        code = codes if isinstance(codes, str) else "request_refused"
        details = _problem(error.status_code, code, str(error.detail))
    elif isinstance(error, Http404):
        details = _problem(404, "not_found", "there is nothing here, or nothing you may see")
    elif isinstance(error, RequestDataTooBig):
        details = _problem(413, "body_too_large", "no request of this house is that large")
    elif isinstance(error, PermissionDenied):
        details = _problem(403, "permission_denied", "you may not do this")
    else:
        details = problem(error)
    if details is None:
        return None
    set_rollback()
    headers = {}
    wait_s = getattr(error, "wait", None) or getattr(error, "retry_after_s", None)
    wait_s = wait_s or RETRY_S.get(details["code"])
    if wait_s:
        headers["Retry-After"] = str(round(wait_s))
    if (challenge := getattr(error, "auth_header", None)) is not None:
        headers["WWW-Authenticate"] = challenge
    response = Response(details, status=details["status"], headers=headers)
    response.content_type = "application/problem+json"
    return response


def _problem(status: int, code: str, detail: str, **more: Any) -> dict[str, Any]:
    return {
        "type": f"/problems/{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "code": code,
        "detail": detail,
        **more,
    }


def _facts(error: Exception) -> dict[str, Any]:
    if not dataclasses.is_dataclass(error):
        return {}
    facts: dict[str, Any] = {}
    for field in dataclasses.fields(error):
        fact = getattr(error, field.name)
        if isinstance(fact, Reason):
            why = {"reason_code": fact.code, "reason_facts": _plain(fact.facts)}
            facts |= {"reason": str(fact), **why}
        else:
            facts[f"its_{field.name}" if field.name in MEMBERS else field.name] = _plain(fact)
    return facts


def _plain(value: Any) -> Any:
    if isinstance(value, Reason):
        return {"code": value.code, "facts": _plain(value.facts)}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {str(name): _plain(item) for name, item in value.items()}
    return value if isinstance(value, (int, str, bool, type(None))) else str(value)


def _pointers(detail: Any, pointer: str = "") -> Any:
    """A JSON pointer and a message per field at fault."""
    if isinstance(detail, dict):
        for name, inner in detail.items():
            yield from _pointers(inner, f"{pointer}/{name}")
    elif isinstance(detail, list):
        for index, inner in enumerate(detail):
            nested = isinstance(inner, (dict, list))
            yield from _pointers(inner, f"{pointer}/{index}" if nested else pointer)
    else:
        yield {"pointer": pointer or "/", "detail": str(detail), "code": detail.code}


def _page(request: HttpRequest, status: int, code: str, detail: str) -> HttpResponse:
    return JsonResponse(
        _problem(status, code, detail), status=status, content_type="application/problem+json"
    )


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _page(request, 400, "bad_request", "the request cannot be understood")


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _page(request, 403, "permission_denied", "you may not see this")


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _page(request, 404, "not_found", "there is nothing here, or nothing you may see")


def server_error(request: HttpRequest) -> HttpResponse:
    return _page(request, 500, "house_fault", "the house made a mistake; it has been recorded")
