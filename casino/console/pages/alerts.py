"""Alerts on one page: what stands, who has seen it, what ended; and where they are sent."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.validators import EmailValidator
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as say
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from casino.console import alerts, confirming, floors, sending, watching
from casino.console.access import page, require, shown
from casino.console.models import Delivery, Receiver
from casino.core.models import Device
from tables.selectors import database_now


@page("alerts")
@require_GET
def standing(request: HttpRequest) -> HttpResponse:
    tables = list(floors.tables_of(request.user).select_related("paytable"))
    own = {table.pk: table.name for table in tables}
    devices = Device.objects.filter(revoked_at=None, table_id__in=list(own)).order_by("pk")
    found = [
        each
        for each in alerts.alerts_now(tables, devices, database_now())
        if each.table_id is None or each.table_id in own
    ]
    found.sort(key=lambda each: (not each.is_open, each.grade != alerts.CRITICAL, each.since))
    return shown(request, "alerts.html", {
        "title": say("Alerts"), "alerts": found, "names": own,
        "ended": [each for each in watching.ended() if each.table_id in (None, *own)],
        "receivers": Receiver.objects.select_related("made_by").order_by("kind", "address"),
        "deliveries": Delivery.objects.select_related("receiver", "alert").order_by("-id")[:20],
    })  # fmt: skip


class ReceiverForm(forms.Form):
    kind = forms.ChoiceField(
        choices=[("mail", _("Mail")), ("webhook", _("Webhook, signed"))], label=_("By")
    )
    address = forms.CharField(
        max_length=300, label=_("Address"),
        help_text=_("An address of mail, or https:// of a program in the open network."),
    )  # fmt: skip
    only_critical = forms.BooleanField(required=False, label=_("Only critical ones"))

    def clean(self) -> dict[str, Any]:
        said = super().clean() or {}
        if said.get("kind") == Receiver.Kind.MAIL and "address" in said:
            try:
                EmailValidator()(said["address"])
            except forms.ValidationError as error:
                self.add_error("address", error)
        return said


@page("alerts.send")
@require_http_methods(["GET", "POST"])
def receiver_new(request: HttpRequest) -> HttpResponse:
    user = require(request, "alerts.send")

    def work(form: forms.Form) -> str:
        made, secret = sending.receiver_add(by=user, **{
            name: form.cleaned_data[name] for name in ("kind", "address", "only_critical")
        })  # fmt: skip
        if secret:
            return say("Added. Its secret, told this once: {0}").format(secret)
        return say("Alerts are sent to {0} from now on.").format(made)

    return confirming.confirm(
        request, form_class=ReceiverForm, work=work, back="console:alerts", dangerous=True,
        tells_secret=True,
        context={"title": say("Send alerts"), "button": say("Add it"),
                 "says": say("Each new alert is sent once; a program checks the signature over the"
                             " id, the time and the text of the message.")},
    )  # fmt: skip


@page("alerts.send")
@require_POST
def receiver_switch(request: HttpRequest, receiver_id: int) -> HttpResponse:
    user, found = require(request, "alerts.send"), Receiver.objects.filter(pk=receiver_id).first()
    if found is None:
        raise Http404

    def work() -> str:
        sending.receiver_switch(receiver_id=found.pk, is_on=not found.is_on, by=user)
        return say("Switched.")

    return confirming.taken(request, work, lambda: reverse("console:alerts"))


@page("alerts.send")
@require_POST
def again(request: HttpRequest, delivery_id: int) -> HttpResponse:
    user = require(request, "alerts.send")

    def work() -> str:
        sending.delivery_again(delivery_id=delivery_id, by=user)
        return say("It is tried again.")

    return confirming.taken(request, work, lambda: reverse("console:alerts"))
