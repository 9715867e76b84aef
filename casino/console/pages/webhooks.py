"""Programs that are told of the whole house: their addresses, their secrets, what was sent."""

from __future__ import annotations

from django import forms
from django.db.models import Count, Max, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as say
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from casino.console import confirming
from casino.console.access import page, require, shown
from casino.console.confirming import Confirm
from casino.console.paging import keyset
from casino.core.hooks import Webhook, WebhookMessage
from casino.core.webhooks import (
    FORMER_SIGNS,
    message_again,
    webhook_add,
    webhook_secret_new,
    webhook_switch,
)

KINDS = {
    Webhook.Kind.HAND_SETTLED: _("a hand is settled"),
    Webhook.Kind.BUY_IN: _("chips are bought"),
    Webhook.Kind.CASH_OUT: _("chips are cashed out"),
    Webhook.Kind.LIMIT_REACHED: _("a player reaches a limit"),
    Webhook.Kind.JACKPOT_HIT: _("a jackpot is hit"),
    Webhook.Kind.JACKPOT_PAID: _("a jackpot is paid"),
}


class WebhookForm(forms.Form):
    url = forms.CharField(
        max_length=500, label=_("Address"),
        help_text=_("https:// of a program in the open network; it is looked up anew each time."),
    )  # fmt: skip
    kinds = forms.MultipleChoiceField(
        choices=list(KINDS.items()), label=_("It is told when"),
        widget=forms.CheckboxSelectMultiple,
    )  # fmt: skip


@page("webhooks")
@require_GET
def webhooks(request: HttpRequest) -> HttpResponse:
    waiting = Q(messages__status=WebhookMessage.Status.WAITING)
    dead = Q(messages__status=WebhookMessage.Status.DEAD)
    found = Webhook.objects.filter(is_house=True).select_related("owner")
    found = found.annotate(
        waiting=Count("messages", filter=waiting),
        dead=Count("messages", filter=dead),
        sent_at=Max("messages__sent_at"),
    ).order_by("-is_on", "-pk")
    return shown(request, "webhooks.html", {
        "title": say("Webhooks"),
        "rows": [{"hook": hook, "kinds": _kinds(hook)} for hook in found],
    })  # fmt: skip


@page("webhooks")
@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    user = require(request, "webhooks")

    def work(form: forms.Form) -> str:
        made, secret = webhook_add(owner=user, **form.cleaned_data)
        return _secret_words(made, secret)

    return confirming.confirm(
        request, form_class=WebhookForm, work=work, back="console:webhooks", dangerous=True,
        tells_secret=True,
        context={"title": say("New webhook"), "button": say("Add it"),
                 "says": say("It is told of every player and table. Its messages are signed.")},
    )  # fmt: skip


@page("webhooks")
@require_GET
def sent(request: HttpRequest, webhook_id: int) -> HttpResponse:
    """What one of them was sent, and what waits."""
    hook = _hook_or_404(webhook_id)
    rows, pages = keyset(request, WebhookMessage.objects.filter(webhook=hook))
    return shown(request, "webhook.html", {
        "title": hook.url, "hook": hook, "pages": pages,
        "rows": [{"message": row, "kind": KINDS[Webhook.Kind(row.kind)]} for row in rows],
    })  # fmt: skip


@page("webhooks")
@require_http_methods(["GET", "POST"])
def secret(request: HttpRequest, webhook_id: int) -> HttpResponse:
    hook, user = _hook_or_404(webhook_id), require(request, "webhooks")

    def work(form: forms.Form) -> str:
        return _secret_words(hook, webhook_secret_new(webhook=hook, by=user))

    return confirming.confirm(
        request, form_class=Confirm, work=work, back="console:webhooks", dangerous=True,
        tells_secret=True,
        context={"title": say("A new secret for {0}").format(hook.url), "button": say("Make it"),
                 "says": say("The former one signs beside it for {0} hours.").format(
                     int(FORMER_SIGNS.total_seconds() // 3600))},
    )  # fmt: skip


@page("webhooks")
@require_POST
def switch(request: HttpRequest, webhook_id: int) -> HttpResponse:
    hook, user = _hook_or_404(webhook_id), require(request, "webhooks")

    def work() -> str:
        webhook_switch(webhook=hook, is_on=not hook.is_on, by=user)
        return say("Switched.")

    return confirming.taken(request, work, lambda: reverse("console:webhooks"))


@page("webhooks")
@require_POST
def again(request: HttpRequest, webhook_id: int, message_id: int) -> HttpResponse:
    hook, user = _hook_or_404(webhook_id), require(request, "webhooks")
    if not WebhookMessage.objects.filter(pk=message_id, webhook=hook).exists():
        raise Http404

    def work() -> str:
        message_again(webhook=hook, message_id=message_id, by=user)
        return say("It is sent again.")

    return confirming.taken(request, work, lambda: reverse("console:webhook", args=[hook.pk]))


def _kinds(hook: Webhook) -> str:
    return ", ".join(str(KINDS[Webhook.Kind(kind)]) for kind in hook.kinds)


def _hook_or_404(webhook_id: int) -> Webhook:
    """Of the house's own; what a player has set up is his."""
    found = Webhook.objects.filter(pk=webhook_id, is_house=True).first()
    if found is None:
        raise Http404
    return found


def _secret_words(hook: Webhook, raw: str) -> str:
    return say("{0}: its secret, told this once: {1}").format(hook.url, raw)
