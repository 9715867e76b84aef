"""A screen's own address, `/display/`: it is let in there once, and shows what it is assigned to.

The address stays the same whatever the house makes of the device, so that a browser that starts
with the machine needs nobody.
"""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect, ensure_csrf_cookie
from django.views.decorators.http import require_http_methods
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.core import devices
from casino.core.addresses import address_of
from casino.core.errors import CodeRefused, LockedOut
from casino.core.models import Device
from tables.models import Table
from tables.services import dealers
from tables.web import board_views, views

DIGITS_MOST = 40


@require_http_methods(["GET", "POST"])
@never_cache
@ensure_csrf_cookie
def screen(request: HttpRequest) -> HttpResponse:
    """What this screen is for; for a stranger, the field for its code."""
    if request.method == "POST":
        return _let_in(request)
    device = views.device_by(request.COOKIES.get(views.COOKIE, ""))
    if device is None:
        return _asks(request)
    if device.profile == Device.Profile.FLOOR:
        return board_views.page(request, device)
    if device.table_id is None or not Table.objects.filter(pk=device.table_id).exists():
        return render(request, "tables/screen_waits.html", {"device": device})
    return views.page(request, device.table_id, device)


def _let_in(request: HttpRequest) -> HttpResponse:
    code = request.POST.get("code", "")[:DIGITS_MOST]
    try:
        _, token = devices.device_claim(code=code, address=address_of(request))
    except LockedOut as error:
        return _asks(request, locked_min=-(-error.retry_after_s // 60))
    except CodeRefused:
        return _asks(request, wrong=True)
    response = HttpResponseRedirect("/display/")
    views.keep(response, request, views.COOKIE, token, "/display")
    return response


def _asks(request: HttpRequest, **facts: Any) -> HttpResponse:
    status = HTTPStatus.OK
    if facts:
        status = HTTPStatus.TOO_MANY_REQUESTS if "locked_min" in facts else HTTPStatus.FORBIDDEN
    return render(request, "tables/screen_enrol.html", facts, status=status)


DEEDS: dict[str, tuple[Callable[..., object], dict[str, type]]] = {
    "sign_on": (dealers.sign_on, {"dealer_id": int, "pin": str}),
    "sign_off": (dealers.sign_off, {}),
    "break": (dealers.break_begin, {}),
    "close_bets": (dealers.bets_close, {"turn_id": int}),
    "confirm": (dealers.payouts_confirm, {"hand_id": int}),
    "call": (dealers.floor_call, {"why": str}),
}


@method_decorator([csrf_protect, never_cache], name="dispatch")
class Deeds(APIView):
    """What the dealer at a console does. It is the screen that is known here, by its cookie."""

    schema = None
    authentication_classes = ()
    permission_classes = ()
    parser_classes = (JSONParser,)
    renderer_classes = (JSONRenderer,)

    def get(self, request: Request) -> Response:
        """Who may sign on here."""
        table = Table.objects.get(pk=dealers.table_of(_device(request)))
        known = devices.dealers_of(table.pit)
        return Response({"dealers": [{"id": one.pk, "name": one.display_name} for one in known]})

    def post(self, request: Request) -> Response:
        """`{deed, ...}`; what comes of it the table's events tell."""
        device = _device(request)
        work, given = _asked(request.data)
        work(device=device, **given)
        return Response({"done": True})


def _device(request: Request) -> Device:
    """Raises DeviceInvalid."""
    return devices.device_of(request.COOKIES.get(views.COOKIE, ""))


def _asked(body: Any) -> tuple[Callable[..., object], dict[str, Any]]:
    """Raises ParseError."""
    try:
        work, fields = DEEDS[body["deed"]]
        given = {name: body[name] for name in fields}
    except (KeyError, TypeError) as error:
        raise ParseError("a deed and its fields") from error
    if any(type(given[name]) is not kind for name, kind in fields.items()):
        raise ParseError("a deed's fields have their types")
    return work, given
