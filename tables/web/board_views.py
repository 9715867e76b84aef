"""The floor board: every table at a glance, for a screen on the wall and for staff."""

import json

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_GET

from casino.core.building import build
from casino.core.models import Device
from tables import board as boards
from tables.web import views


@require_GET
@never_cache
@ensure_csrf_cookie
def board(request: HttpRequest) -> HttpResponse:
    device = _screen(request)
    if device is None and not views.is_staff(request.user):
        return views.refused(request)
    return page(request, device)


@require_GET
@never_cache
def now(request: HttpRequest) -> HttpResponse:
    """What the board shows, as of one moment; asked for every two seconds."""
    if _screen(request) is None and not views.is_staff(request.user):
        return JsonResponse({"code": "device_invalid"}, status=403)
    return JsonResponse({**boards.board(_pits(request)), "build": build()})


def page(request: HttpRequest, device: Device | None) -> HttpResponse:
    language = device.language if device is not None else translation.get_language() or "en"
    context = {
        "board": json.loads(json.dumps(boards.board(_pits(request)), default=str)),
        "config": {
            "now_url": "/display/floor/now",
            "language": request.GET.get("lang", language)[:4],
            "build": build(),
        },
        "metres": views.METRES if device is None else device.distance_cm / 100,
        "density": views.DENSITY if device is None else device.density_percent / 100,
    }
    return render(request, "tables/board.html", context)


def _screen(request: HttpRequest) -> Device | None:
    device = views.device_by(request.COOKIES.get(views.COOKIE, ""))
    return device if device is not None and device.profile == Device.Profile.FLOOR else None


def _pits(request: HttpRequest) -> tuple[str, ...]:
    """Those the person who looks works in; a screen on the wall shows them all."""
    return tuple(getattr(request.user, "pits", ()) or ())
