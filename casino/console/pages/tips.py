"""The dealers' pool: what is in it, boxes counted at the cage, and paying it out by two persons."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as say
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_http_methods

from casino.console import confirming, floors, tips
from casino.console.access import page, require, shown
from casino.console.forms import AmountField
from casino.core.models import Role, User
from casino.core.money import minor_of, units
from tables.models import Table
from tables.services import tipping
from wallets import cage
from wallets.models import PLAY_MONEY
from wallets.selectors import exponents
from wallets.tips import pools

LAST = 25


@page("tips")
@require_GET
def pool(request: HttpRequest) -> HttpResponse:
    return shown(
        request,
        "tips.html",
        {
            "title": say("Tips"),
            "pools": [
                {
                    "currency": currency,
                    "minor": minor,
                    "paid": tips.paid_last(currency),
                    "shares": tips.shares_of(currency, minor),
                }
                for currency, minor in pools().items()
            ],
            "last": tips.last_moves(LAST),
        },
    )


class BoxForm(forms.Form):
    """A table, whose box it was, and what lay in it, in units of the table's currency."""

    table = forms.ModelChoiceField(queryset=Table.objects.none(), label=_("Table"))
    dealer = forms.ModelChoiceField(
        queryset=User.objects.filter(role=Role.DEALER, is_active=True).order_by("display_name"),
        label=_("Whose box"),
    )
    amount = forms.CharField(
        max_length=20, label=_("Counted, in the table’s currency"),
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}),
    )  # fmt: skip
    reason = forms.CharField(max_length=200, required=False, label=_("Reference or reason"))

    def clean(self) -> dict[str, Any]:
        said = super().clean() or {}
        if not self.errors:
            places = exponents()[said["table"].currency]
            try:
                said["amount"] = minor_of(said["amount"], places)
            except ValueError:
                words = say("That is no amount with at most {0} decimal places")
                self.add_error("amount", words.format(places))
        return said


@page("tips")
@require_http_methods(["GET", "POST"])
def box(request: HttpRequest) -> HttpResponse:
    """Count what lay in a dealer's box into the pool."""
    user = require(request, "tips.pay")
    tables = forms.ModelChoiceField(
        queryset=floors.tables_of(user).exclude(currency=PLAY_MONEY).order_by("name"),
        label=_("Table"),
    )
    form_class = type("BoxHere", (BoxForm,), {"table": tables, "field_order": ["table"]})

    def work(form: forms.Form) -> str:
        said = form.cleaned_data
        table = said["table"]
        transfer = tipping.box_counted(
            table_id=table.pk, dealer_id=said["dealer"].pk, amount_minor=said["amount"],
            key=confirming.key_of(request, "tips"), by=user, reason=said["reason"],
        )  # fmt: skip
        text = f"{units(said['amount'], exponents()[table.currency])} {table.currency}"
        return say("{0} is in the pool. Transfer {1}.").format(text, transfer)

    return confirming.confirm(
        request, form_class=form_class, work=work, back="console:tips",
        context={"title": say("Count a box"), "button": say("Put it in the pool")},
    )  # fmt: skip


@page("tips")
@require_http_methods(["GET", "POST"])
def pay(request: HttpRequest, currency: str) -> HttpResponse:
    """Ask to have the pool paid out, each dealer's part as it is proposed or changed."""
    user = require(request, "tips.pay")
    held_minor = pools().get(currency)
    if held_minor is None:
        raise Http404
    shares = tips.shares_of(currency, held_minor)
    fields: dict[str, forms.Field] = {
        f"share_{share.dealer.pk}": AmountField(
            currency=currency, least_minor=0, required=False, label=share.dealer.display_name
        )
        for share in shares
    }
    fields["reason"] = forms.CharField(max_length=200, label=_("Reason"))

    def work(form: forms.Form) -> str:
        said = form.cleaned_data
        wanted = {share.dealer.pk: said[f"share_{share.dealer.pk}"] for share in shares}
        asked = cage.tips_payout_ask(
            currency=currency,
            shares={dealer: minor for dealer, minor in wanted.items() if minor},
            reason=said["reason"],
            by=user,
        )
        return say("Asked for as approval {0}; another person agrees to it.").format(asked.pk)

    text = f"{units(held_minor, exponents()[currency])} {currency}"
    return confirming.confirm(
        request,
        form_class=type("PayForm", (forms.Form,), fields),
        work=work,
        back="console:tips",
        dangerous=True,
        initial={f"share_{share.dealer.pk}": share.fair_minor for share in shares},
        context={
            "title": say("Pay tips out"),
            "button": say("Ask for it"),
            "currency": currency,
            "lines": [(say("In the pool"), text)],
            "says": say("Proposed by the hours that each dealt since the pool was last paid out."),
        },
    )
