"""The dealer display: a page that shows the public projection, to enrolled devices and staff."""

import json

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_GET, require_POST

from casino.core.devices import DeviceFacts, device_check
from casino.core.errors import DeviceInvalid
from casino.core.models import Role, User
from casino.core.tickets import ticket_issue
from tables import selectors
from tables.errors import TableNotFound

COOKIE = "display"
COOKIE_S = 365 * 24 * 3600
SCREEN = {"metres": 2, "density": 1}


@require_GET
@never_cache
@ensure_csrf_cookie
def display(request: HttpRequest, table_id: int) -> HttpResponse:
    """`?key=` is the device's signed token: it moves into a cookie and out of the address."""
    key = request.GET.get("key")
    if key is not None:
        if _device(key, table_id) is None:
            return refused(request)
        response = HttpResponseRedirect(request.path)
        response.set_cookie(
            COOKIE, key, max_age=COOKIE_S, httponly=True, samesite="Strict",
            secure=request.is_secure(), path=f"/display/{table_id}",
        )  # fmt: skip
        return response
    ticket = _ticket(request, table_id)
    if ticket is None:
        return refused(request)
    try:
        snapshot = selectors.table_snapshot(table_id)
    except TableNotFound as error:
        raise Http404 from error
    language = translation.get_language() or "en"
    context = {
        "snapshot": json.loads(json.dumps(snapshot, default=str)),
        "config": {
            "table_id": table_id,
            "socket_path": f"/ws/v1/tables/{table_id}",
            "ticket": ticket,
            "ticket_url": f"{request.path}/ticket",
            "language": request.GET.get("lang", language)[:2],
        },
        **SCREEN,
    }
    return render(request, "tables/display.html", context)


@require_POST
@never_cache
def display_ticket(request: HttpRequest, table_id: int) -> HttpResponse:
    """A fresh ticket for a display that has lost its connection."""
    ticket = _ticket(request, table_id)
    if ticket is None:
        return refused(request)
    return JsonResponse({"ticket": ticket})


def _ticket(request: HttpRequest, table_id: int) -> str | None:
    """For the device whose cookie this is, or for staff; nobody else."""
    device = _device(request.COOKIES.get(COOKIE, ""), table_id)
    if device is not None:
        return ticket_issue(table_id=table_id, role="display", device_id=device.device_id)
    user = request.user
    if isinstance(user, User) and user.is_active and user.role != Role.PLAYER:
        return ticket_issue(table_id=table_id, role="display", user_id=user.pk)
    return None


def _device(key: str, table_id: int) -> DeviceFacts | None:
    if not key:
        return None
    try:
        device = device_check(key)
    except DeviceInvalid:
        return None
    return device if device.table_id == table_id else None


def refused(request: HttpRequest) -> HttpResponse:
    return render(request, "tables/display_refused.html", status=403)
