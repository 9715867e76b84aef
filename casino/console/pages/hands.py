"""Hands: found, replayed, seen with all cards by the few who may, undone by two people."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as say
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_http_methods

from casino.console import confirming, floors, hands, inbox
from casino.console.access import PAGES, page, require, shown
from casino.console.forms import DayField
from casino.console.paging import Pages, before, keyset
from casino.core.money import minor_of
from tables.models import Hand, Table
from wallets import controlling
from wallets.gaming_day import day_begins
from wallets.selectors import exponents, reversal_preview


class SearchForm(forms.Form):
    number = forms.IntegerField(
        required=False, min_value=1, max_value=2**62, label=_("Number or id")
    )
    table = forms.ChoiceField(required=False, label=_("Table"))
    player = forms.CharField(required=False, max_length=80, label=_("Player"))
    status = forms.ChoiceField(
        required=False, choices=[("", _("all")), *Hand.Status.choices], label=_("State")
    )
    day = DayField(required=False, label=_("Gaming day"))
    size = forms.CharField(
        required=False,
        max_length=20,
        label=_("At least so much moved"),
    )

    def __init__(self, *args: Any, user: object, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.pits, self.user = floors.pits_of(user), user
        tables = floors.tables_of(user).order_by("name").values_list("pk", "name")
        field = self.fields["table"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", say("all")), *tables]
        states = self.fields["status"]
        assert isinstance(states, forms.ChoiceField)
        states.choices = [
            ("", say("all")),
            *((at, say(str(word))) for at, word in Hand.Status.choices),
        ]

    def clean_size(self) -> int | None:
        """In the currency of the table chosen; of the whole house, in two decimals."""
        typed = self.cleaned_data["size"]
        if not typed:
            return None
        table = Table.objects.filter(pk=self.data.get("table") or 0).first()
        try:
            return minor_of(typed, exponents()[table.currency] if table else 2)
        except ValueError as error:
            raise forms.ValidationError(say("That is no amount")) from error

    def query(self) -> hands.Query:
        said = self.cleaned_data
        begins = day_begins(said["day"]) if said["day"] else None
        return hands.Query(
            number=said["number"],
            table_id=int(said["table"]) if said["table"] else None,
            player=said["player"].replace("\x00", ""),
            status=said["status"],
            begins=begins,
            ends=_end(said["day"]) if said["day"] else None,
            size_minor=said["size"],
            pits=self.pits,
            user=self.user,
        )


def _end(day: date) -> datetime:
    return day_begins(day + timedelta(days=1))


@page("hands")
@require_GET
def search(request: HttpRequest) -> HttpResponse:
    form = SearchForm(request.GET, user=request.user)
    rows: list[Hand] = []
    pages = Pages("", "")
    if form.is_valid():
        query = replace(form.query(), before=before(request))
        rows, pages = keyset(request, hands.hands_like(query), by=hands.order_of(query))
    return shown(
        request, "hands.html", {"title": say("Hands"), "form": form, "rows": rows, "pages": pages}
    )


@page("hands")
@require_GET
def hand(request: HttpRequest, hand_id: int) -> HttpResponse:
    user, found = require(request, "hands"), _hand(request, hand_id)
    return _shown(request, found, with_cards=False, may_ask=user.role in PAGES["hands.cards"])


def _shown(request: HttpRequest, found: Hand, *, with_cards: bool, may_ask: bool) -> HttpResponse:
    sheet = hands.sheet_of(found, with_cards=with_cards)
    can_undo = found.status == Hand.Status.SETTLED and not sheet.is_reversed
    return shown(
        request,
        "hand.html",
        {
            "title": say("Hand {0:,} at {1}").format(found.number, found.table),
            "sheet": sheet,
            "may_ask": may_ask and sheet.is_over and not with_cards,
            "can_undo": can_undo,
            "in_play": found.table.hand_id == found.pk,
        },
    )


class ReasonForm(forms.Form):
    reason = forms.CharField(max_length=300, label=_("Why do you look?"))


@page("hands")
@require_http_methods(["GET", "POST"])
def cards(request: HttpRequest, hand_id: int) -> HttpResponse:
    """All cards, once, after a reason; only of a hand that is over."""
    user, found = require(request, "hands.cards"), _hand(request, hand_id)
    if found.status not in hands.OVER:
        raise Http404
    form = ReasonForm(request.POST) if request.method == "POST" else ReasonForm()
    if form.is_valid():
        hands.cards_asked(
            hand=found, reason=form.cleaned_data["reason"], by=user, roles=PAGES["hands.cards"]
        )
        return _shown(request, found, with_cards=True, may_ask=False)
    return shown(
        request,
        "confirm.html",
        {
            "title": say("All cards of hand {0:,}").format(found.number),
            "says": say(
                "Also those that were never shown. Who looks, when and why goes "
                "into the sealed log before anything is shown."
            ),
            "form": form,
            "button": say("Show them"),
            "back_url": reverse("console:hand", args=[hand_id]),
        },
        status=422 if form.errors else 200,
    )


@page("hands")
@require_http_methods(["GET", "POST"])
def undo(request: HttpRequest, hand_id: int) -> HttpResponse:
    """Ask a second person to undo a settled hand; what it would move is shown first."""
    user, found = require(request, "hands.undo"), _hand(request, hand_id)
    if found.status != Hand.Status.SETTLED:
        raise Http404

    def work(form: forms.Form) -> str:
        asked = controlling.reversal_ask(
            hand_id=hand_id, reason=form.cleaned_data["reason"], by=user
        )
        return say("Asked for, as request {0}. Another person decides.").format(asked.pk)

    lines = reversal_preview(hand_id)
    return confirming.confirm(
        request,
        form_class=UndoForm,
        work=work,
        back="console:hand",
        back_args=(hand_id,),
        context={
            "title": say("Undo hand {0:,} at {1}").format(found.number, found.table),
            "says": say(
                "What it paid is taken back and what it took is returned, as below. "
                "Where a player has spent his winnings, the rest is noted as owed."
            ),
            "button": say("Ask a second person"),
            "moves": inbox.moves_of(lines),
        },
    )


class UndoForm(forms.Form):
    reason = forms.CharField(max_length=300, label=_("Reason"))


def _hand(request: HttpRequest, hand_id: int) -> Hand:
    """A hand of another pit is not there for him."""
    found = hands.hand_of(hand_id)
    if found is None or not floors.is_of(request.user, found.table):
        raise Http404
    return found
