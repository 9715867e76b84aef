"""Screens let in, set up, moved and shown out; dealers' PINs and shifts; calls of the floor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as say
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_http_methods

from casino.console import confirming, floors
from casino.console.access import page, require, shown
from casino.console.confirming import Confirm
from casino.core.devices import CODE_FOR, DEALERS, device_code, pin_give
from casino.core.models import Device, User
from tables.models import FloorCall, Shift, Table
from tables.services import dealers, displays

CONNECTED_FOR_S = 20
PER_CENT, CM = 100, 100


class DeviceForm(Confirm):
    name = forms.CharField(max_length=60, label=_("Name"), help_text=_("Where it hangs"))
    profile = forms.ChoiceField(
        choices=[(each.value, _(each.label)) for each in Device.Profile], label=_("What it is")
    )
    table = forms.ChoiceField(required=False, label=_("Table"))
    language = forms.ChoiceField(choices=Device.Language.choices, label=_("Language"))
    distance_cm = forms.IntegerField(
        min_value=50, max_value=600, initial=200, label=_("Viewing distance, cm"),
        help_text=_("Type sizes follow it"),
    )  # fmt: skip
    density_percent = forms.IntegerField(
        min_value=25, max_value=400, initial=100, label=_("Pixel density, %"),
        help_text=_("100 is a 24-inch panel of 1920 by 1080; 200 the same in 4K"),
    )  # fmt: skip
    sounds = forms.BooleanField(required=False, label=_("Short sounds"))


def _form_for(user: User) -> type[DeviceForm]:
    """The form with the tables that this person may put a screen at."""
    open_ones = floors.tables_of(user).exclude(status=Table.Status.CLOSED).order_by("name")
    tables = [("", "–"), *((str(table.pk), table.name) for table in open_ones)]

    class Form(DeviceForm):
        table = forms.ChoiceField(choices=tables, required=False, label=_("Table"))

    return Form


def _settings(form: forms.Form) -> dict[str, Any]:
    names = ("language", "distance_cm", "density_percent", "sounds")
    return {name: form.cleaned_data[name] for name in names}


def _table(form: forms.Form) -> int | None:
    return int(form.cleaned_data["table"]) if form.cleaned_data["table"] else None


@page("devices")
@require_GET
def devices(request: HttpRequest) -> HttpResponse:
    tables = floors.tables_of(request.user).in_bulk()
    now = timezone.now()
    known = Device.objects.filter(revoked_at=None).select_related("enrolled_by").order_by("name")
    seen = [one for one in known if one.table_id is None or one.table_id in tables]
    open_shifts = Shift.objects.filter(ended_at=None, table__in=tables).select_related("dealer")
    calls = FloorCall.objects.filter(answered_at=None, table__in=tables).select_related("dealer")
    people = User.objects.filter(role__in=DEALERS, is_active=True, is_house=False)
    return shown(
        request,
        "devices.html",
        {
            "title": say("Screens and dealers"),
            "rows": [
                {
                    "device": one,
                    "table": tables.get(one.table_id or 0),
                    "is_on": one.last_seen_at is not None
                    and (now - one.last_seen_at).total_seconds() < CONNECTED_FOR_S,
                    "waits": one.code_expires_at is not None and one.code_expires_at > now,
                }
                for one in seen
            ],
            "shifts": open_shifts.order_by("table__name").select_related("table", "dealer"),
            "calls": calls.order_by("pk").select_related("table", "dealer"),
            "people": people.select_related("dealerpin").order_by("display_name"),
        },
    )


def _code_words(device: Device, code: str) -> str:
    return say("{0}: type {1} at the screen’s own address, /display/, within {2} minutes.").format(
        device, f"{code[:4]} {code[4:]}", int(CODE_FOR.total_seconds() // 60)
    )


@page("devices.manage")
@require_http_methods(["GET", "POST"])
def enrol(request: HttpRequest) -> HttpResponse:
    user = require(request, "devices.manage")

    def work(form: forms.Form) -> str:
        said = form.cleaned_data
        device, code = displays.enrol(
            name=said["name"], profile=said["profile"], table_id=_table(form), by=user,
            **_settings(form),
        )  # fmt: skip
        return _code_words(device, code)

    return _asked(
        request, work, _form_for(user), say("New screen"), say("Make its code"),
        say("The code lets one screen in, once. It needs no sign-in after that."),
        tells_secret=True,
    )  # fmt: skip


@page("devices.manage")
@require_http_methods(["GET", "POST"])
def change(request: HttpRequest, device_id: int) -> HttpResponse:
    """Another table, another setting: the screen shows it by itself."""
    device = _device_or_404(request, device_id)
    user = require(request, "devices.manage")

    def work(form: forms.Form) -> str:
        said = form.cleaned_data
        displays.change(
            device=device, table_id=_table(form), by=user, name=said["name"],
            profile=said["profile"], **_settings(form),
        )  # fmt: skip
        return say("{0} is set up; the screen shows it within seconds.").format(device)

    initial = {
        name: getattr(device, name)
        for name in ("name", "profile", "language", "distance_cm", "density_percent", "sounds")
    }
    return _asked(
        request, work, _form_for(user), device.name, say("Set it up"),
        initial={**initial, "table": str(device.table_id or "")},
    )  # fmt: skip


@page("devices.manage")
@require_http_methods(["GET", "POST"])
def code(request: HttpRequest, device_id: int) -> HttpResponse:
    device = _device_or_404(request, device_id)
    user = require(request, "devices.manage")
    return _asked(
        request, lambda form: _code_words(device, device_code(device=device, by=user)), Confirm,
        say("A new code for {0}").format(device), say("Make its code"),
        say("When it is used, the screen that was {0} until then is a stranger.").format(device),
        tells_secret=True,
    )  # fmt: skip


@page("devices.manage")
@require_http_methods(["GET", "POST"])
def revoke(request: HttpRequest, device_id: int) -> HttpResponse:
    device = _device_or_404(request, device_id)
    user = require(request, "devices.manage")

    def work(form: forms.Form) -> str:
        displays.revoke(device=device, by=user)
        return say("{0} is shown out.").format(device)

    return _asked(
        request, work, Confirm, say("Show {0} out").format(device), say("Show it out"),
        say("The screen goes dark at once, and is let in again only by a new code."),
    )  # fmt: skip


@page("dealers.pin")
@require_http_methods(["GET", "POST"])
def pin(request: HttpRequest, dealer_id: int) -> HttpResponse:
    dealer = User.objects.filter(pk=dealer_id, role__in=DEALERS, is_active=True).first()
    if dealer is None:
        raise Http404
    user = require(request, "dealers.pin")

    def work(form: forms.Form) -> str:
        made = pin_give(dealer=dealer, by=user)
        return say("The PIN of {0} is {1}. It is shown this once.").format(dealer, made)

    return _asked(
        request, work, Confirm, say("A PIN for {0}").format(dealer), say("Make a PIN"),
        say("He signs on with it at dealers’ consoles. The one before it is void."), dangerous=True,
        tells_secret=True,
    )  # fmt: skip


@page("calls.answer")
@require_http_methods(["GET", "POST"])
def answer(request: HttpRequest, call_id: int) -> HttpResponse:
    call = FloorCall.objects.select_related("table").filter(pk=call_id).first()
    if call is None or not floors.is_of(request.user, call.table):
        raise Http404
    user = require(request, "calls.answer")

    def work(form: forms.Form) -> str:
        dealers.floor_answer(call_id=call_id, by=user)
        return say("{0}: the call is answered.").format(call.table)

    return _asked(
        request, work, Confirm, say("Call from {0}").format(call.table), say("I see to it"),
        say(str(call.get_why_display())),
    )  # fmt: skip


@page("calls.answer")
@require_http_methods(["GET", "POST"])
def shift_end(request: HttpRequest, table_id: int) -> HttpResponse:
    table = floors.table_or_404(request.user, table_id)
    user = require(request, "calls.answer")

    def work(form: forms.Form) -> str:
        dealers.shift_end(table_id=table_id, by=user)
        return say("{0}: nobody is signed on.").format(table)

    return _asked(
        request, work, Confirm, say("End the shift at {0}").format(table), say("End it"),
        say("For a dealer who has left without signing off."),
    )  # fmt: skip


def _asked(
    request: HttpRequest,
    work: Callable[[forms.Form], str],
    form_class: type[forms.Form],
    title: str,
    button: str,
    says: str = "",
    *,
    initial: dict[str, Any] | None = None,
    dangerous: bool = False,
    tells_secret: bool = False,
) -> HttpResponse:
    return confirming.confirm(
        request, form_class=form_class, work=work, back="console:devices", initial=initial,
        dangerous=dangerous, tells_secret=tells_secret,
        context={"title": title, "says": says, "button": button},
    )  # fmt: skip


def _device_or_404(request: HttpRequest, device_id: int) -> Device:
    device = Device.objects.filter(pk=device_id, revoked_at=None).first()
    if device is None:
        raise Http404
    if device.table_id is not None and Table.objects.filter(pk=device.table_id).exists():
        floors.table_or_404(request.user, device.table_id)
    return device
