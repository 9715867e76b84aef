"""Players: found by anything, and all that is known of one on a page. Looking is logged."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as say
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_http_methods

from casino.console import confirming, people
from casino.console.access import may, page, require, shown
from casino.console.forms import AmountField
from casino.console.paging import before, paged
from casino.core.log import log
from casino.core.models import User
from casino.core.money import units
from tables import lobby
from tables.models import Table
from wallets import controlling, limits
from wallets.models import CashCase
from wallets.reporting import REPORTERS
from wallets.selectors import statement, wallet
from wallets.services import player_account

TABS = {
    "overview": (_("Overview"), "players"),
    "statement": (_("Statement"), "players.money"),
    "hands": (_("Hands"), "players"),
    "devices": (_("Devices"), "players"),
    "log": (_("Log"), "players"),
}
LINES = 50
CASE_OPENED = "cash.case"  # what it is about is for who reports it alone


@page("players")
@require_GET
def search(request: HttpRequest) -> HttpResponse:
    typed = request.GET.get("q", "")[:80].replace("\x00", "")
    rows, pages = paged(request, people.players_like(typed, request.user).select_related("limits"))
    return shown(
        request,
        "players.html",
        {"title": say("Players"), "typed": typed, "rows": rows, "pages": pages},
    )


@page("players")
@require_GET
def player(request: HttpRequest, player_id: int) -> HttpResponse:
    user, found = require(request, "players"), _player(request, player_id)
    tab = request.GET.get("tab", "overview")
    if tab not in TABS:
        raise Http404
    require(request, TABS[tab][1])
    log("user.viewed", f"user:{player_id}", user, {"tab": tab})
    sheet = people.sheet_of(found)
    if user.role not in REPORTERS:
        sheet.log = [entry for entry in sheet.log if entry.kind != CASE_OPENED]
    actors = {entry.actor_id for entry in sheet.log} | {change.by_id for change in sheet.changes}
    context: dict[str, Any] = {
        "title": found.display_name,
        "sheet": sheet,
        "names": people.names_of(actors),
        "tab": tab,
        "tabs": [(key, words) for key, (words, right) in TABS.items() if may(user, right)],
        "may_lift": user.role in limits.PROTECTORS and sheet.protection.self_excluded,
    }
    if tab == "statement":
        context["lines"] = statement(player_id, before=before(request), most=LINES)
        context["tables"] = _table_names(line.table_id for line in context["lines"])
        if len(context["lines"]) == LINES:
            context["more"] = context["lines"][-1].id
    if tab == "log" and user.role in REPORTERS:
        context["cases"] = CashCase.objects.filter(player=found).order_by("-id")[:LINES]
    if tab == "hands":
        context["hands"] = lobby.hands_of(player_id, before=before(request), most=LINES)
    return shown(request, "player.html", context)


class ExcludeForm(forms.Form):
    term = forms.ChoiceField(
        choices=[
            ("", _("Until the house lifts it")),
            ("182", _("Half a year")),
            ("365", _("A year")),
            ("1826", _("Five years")),
        ],
        required=False,
        label=_("For how long"),
    )
    reason = forms.CharField(max_length=300, label=_("Reason"))


@page("players")
@require_http_methods(["GET", "POST"])
def exclude(request: HttpRequest, player_id: int) -> HttpResponse:
    """At once and without the password: protecting somebody must not wait."""
    user, found = require(request, "players.exclude"), _player(request, player_id)

    def work(form: forms.Form) -> str:
        days = form.cleaned_data["term"]
        until = timezone.now() + timedelta(days=int(days)) if days else None
        people.player_exclude(
            player=found, until=until, reason=form.cleaned_data["reason"], by=user
        )
        return say("{0} is excluded from now on.").format(found)

    return confirming.confirm(
        request,
        form_class=ExcludeForm,
        work=work,
        back="console:player",
        back_args=(player_id,),
        context={
            "title": say("Exclude {0}").format(found),
            "says": say(
                "From this moment no bet of his is taken and no hand is dealt to "
                "him. A hand in play is played to its end by the rules and paid. He "
                "keeps his money and can take it out. An exclusion with a date "
                "cannot be shortened."
            ),
            "button": say("Exclude now"),
        },
    )


class LiftForm(forms.Form):
    reason = forms.CharField(max_length=300, label=_("Reason"))


@page("players")
@require_http_methods(["GET", "POST"])
def lift(request: HttpRequest, player_id: int) -> HttpResponse:
    user, found = require(request, "players.lift"), _player(request, player_id)

    def work(form: forms.Form) -> str:
        limits.exclusion_lift(
            player_id=player_id, by_id=user.pk, reason=form.cleaned_data["reason"]
        )
        return say("The exclusion of {0} is lifted.").format(found)

    return confirming.confirm(
        request,
        form_class=LiftForm,
        work=work,
        back="console:player",
        back_args=(player_id,),
        dangerous=True,
        context={"title": say("Lift the exclusion of {0}").format(found), "button": say("Lift it")},
    )


class AdjustForm(forms.Form):
    way = forms.ChoiceField(
        choices=[("give", _("Give to the player")), ("take", _("Take from the player"))],
        label=_("Way"),
    )
    why = forms.ChoiceField(
        choices=[
            ("Paid wrongly", _("Paid wrongly")),
            ("Missed bet", _("Missed bet")),
            ("Device failed", _("Device failed")),
            ("Goodwill", _("Goodwill")),
            ("Other, see the note", _("Other, see the note")),
        ],
        label=_("Reason"),
    )
    note = forms.CharField(max_length=300, required=False, label=_("Note"))


@page("players.money")
@require_http_methods(["GET", "POST"])
def adjust(request: HttpRequest, player_id: int, currency: str) -> HttpResponse:
    """Ask a second person to correct a wallet; nothing moves before he agrees."""
    user, found = require(request, "players.adjust"), _player(request, player_id)
    purse = next((each for each in wallet(player_id) if each.currency == currency), None)
    if purse is None:
        raise Http404
    amount = AmountField(currency=currency)
    form_class = type(
        "AdjustedForm", (AdjustForm,), {"amount": amount, "field_order": ["way", "amount"]}
    )

    def work(form: forms.Form) -> str:
        said = form.cleaned_data
        reason = ": ".join(part for part in (said["why"], said["note"]) if part)
        asked = controlling.adjustment_ask(
            account_id=player_account(player_id=player_id, currency=currency),
            amount_minor=said["amount"] if said["way"] == "give" else -said["amount"],
            reason=reason, by=user,
        )  # fmt: skip
        return say("Asked for, as request {0}. Another person decides.").format(asked.pk)

    held = f"{units(purse.cash_minor, purse.exponent)} {currency}"
    return confirming.confirm(
        request,
        form_class=form_class,
        work=work,
        back="console:player",
        back_args=(player_id,),
        dangerous=True,
        context={
            "title": say("Correct the wallet of {0}").format(found),
            "says": say(
                "A balance is never written over: what another person agrees to is posted "
                "against the house’s adjustments, under both names."
            ),
            "button": say("Ask a second person"),
            "lines": [(say("In his wallet now"), held)],
        },
    )


class NoteForm(forms.Form):
    text = forms.CharField(
        max_length=2000, widget=forms.Textarea(attrs={"rows": 4}), label=_("Note")
    )


@page("players")
@require_http_methods(["GET", "POST"])
def note(request: HttpRequest, player_id: int) -> HttpResponse:
    user, found = require(request, "players.note"), _player(request, player_id)

    def work(form: forms.Form) -> str:
        people.note_write(player=found, text=form.cleaned_data["text"], by=user)
        return say("Noted.")

    return confirming.confirm(
        request,
        form_class=NoteForm,
        work=work,
        back="console:player",
        back_args=(player_id,),
        context={
            "title": say("A note about {0}").format(found),
            "says": say("It stays, under your name, and the player never sees it."),
            "button": say("Keep the note"),
        },
    )


def _player(request: HttpRequest, player_id: int) -> User:
    found = people.player_of(player_id, request.user)
    if found is None:
        raise Http404
    return found


def _table_names(ids: Any) -> dict[int, str]:
    wanted = {each for each in ids if each is not None}
    return dict(Table.objects.filter(pk__in=wanted).values_list("pk", "name"))
