"""A table's dealer display, by its own address: for staff, and for devices with a link."""

import json
from http import HTTPStatus
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_GET, require_POST

from casino.core.building import build
from casino.core.devices import device_of, device_token
from casino.core.errors import DeviceInvalid
from casino.core.models import Device, Role, User
from casino.core.tickets import ticket_issue
from tables import figures, selectors
from tables.errors import TableNotFound

# The first is that of a link, which holds for one table's address; the other that of a screen.
LINK_COOKIE, COOKIE = "display", "device"
COOKIE_S = 400 * 24 * 3600
METRES, DENSITY = 2.0, 1.0


@require_GET
@never_cache
@ensure_csrf_cookie
def display(request: HttpRequest, table_id: int) -> HttpResponse:
    """`?key=` is a device's signed token: it moves into a cookie and out of the address."""
    key = request.GET.get("key")
    if key is not None:
        if device_by(key) is None:
            return refused(request)
        response = HttpResponseRedirect(request.path)
        keep(response, request, LINK_COOKIE, key, f"/display/{table_id}")
        return response
    linked = device_by(request.COOKIES.get(LINK_COOKIE, ""))
    if linked is not None and linked.table_id not in (None, table_id):
        return HttpResponseRedirect(f"/display/{linked.table_id}?key={device_token(linked)}")
    device = screen_of(request, table_id)
    if device is None and not is_staff(request.user):
        return refused(request)
    return page(request, table_id, device)


@require_POST
@never_cache
def display_ticket(request: HttpRequest, table_id: int) -> HttpResponse:
    """A fresh ticket for a display that has lost its connection."""
    ticket = ticket_of(request, table_id, screen_of(request, table_id))
    if ticket is None:
        return JsonResponse({"code": "device_invalid"}, status=HTTPStatus.FORBIDDEN)
    return JsonResponse({"ticket": ticket})


@require_GET
@never_cache
def display_figures(request: HttpRequest, table_id: int) -> JsonResponse:
    """The table's last results and figures of its last hour, for the time between hands."""
    if screen_of(request, table_id) is None and not is_staff(request.user):
        return JsonResponse({"code": "device_invalid"}, status=HTTPStatus.FORBIDDEN)
    try:
        return JsonResponse(figures.figures(table_id))
    except TableNotFound as error:
        raise Http404 from error


def page(request: HttpRequest, table_id: int, device: Device | None) -> HttpResponse:
    """The page of a table as this device, or a member of the staff, is to see it."""
    try:
        snapshot = selectors.table_snapshot(table_id)
    except TableNotFound as error:
        raise Http404 from error
    language = device.language if device is not None else translation.get_language() or "en"
    config: dict[str, Any] = {
        "table_id": table_id,
        "socket_path": f"/ws/v1/tables/{table_id}",
        "ticket": ticket_of(request, table_id, device),
        "ticket_url": f"/display/{table_id}/ticket",
        "figures_url": f"/display/{table_id}/figures",
        "language": request.GET.get("lang", language)[:4],
        "sounds": device is not None and device.sounds,
        "build": build(),
        "profile": Device.Profile.DISPLAY if device is None else device.profile,
    }
    if config["profile"] == Device.Profile.CONSOLE:
        config["deeds_url"] = "/display/deeds"
    context = {
        "snapshot": json.loads(json.dumps(snapshot, default=str)),
        "config": config,
        "metres": METRES if device is None else device.distance_cm / 100,
        "density": DENSITY if device is None else device.density_percent / 100,
    }
    return render(request, "tables/display.html", context)


def ticket_of(request: HttpRequest, table_id: int, device: Device | None) -> str | None:
    """For the device, or for staff; nobody else."""
    if device is not None:
        return ticket_issue(table_id=table_id, role="display", device_id=device.pk)
    if is_staff(request.user):
        return ticket_issue(table_id=table_id, role="display", user_id=request.user.pk)
    return None


def screen_of(request: HttpRequest, table_id: int) -> Device | None:
    """The device that asks, if it stands at this table: by its link, or as the screen it is."""
    held = (request.COOKIES.get(name, "") for name in (LINK_COOKIE, COOKIE))
    known = (device_by(key) for key in held)
    return next((one for one in known if one is not None and one.table_id == table_id), None)


def device_by(key: str) -> Device | None:
    if not key:
        return None
    try:
        return device_of(key)
    except DeviceInvalid:
        return None


def is_staff(user: object) -> bool:
    return isinstance(user, User) and user.is_active and user.role != Role.PLAYER


def keep(response: HttpResponse, request: HttpRequest, name: str, key: str, path: str) -> None:
    response.set_cookie(
        name, key, max_age=COOKIE_S, httponly=True, samesite="Strict",
        secure=request.is_secure(), path=path,
    )  # fmt: skip


def refused(request: HttpRequest) -> HttpResponse:
    return render(request, "tables/display_refused.html", status=HTTPStatus.FORBIDDEN)
