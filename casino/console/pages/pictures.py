"""Pictures with their numbers beside them, each as a file too."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as say
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from casino.console import exporting, floors, hands, pictures, strips
from casino.console.access import page, shown
from casino.console.forms import DayField
from tables.engine.games import GAMES
from tables.models import Table
from wallets.gaming_day import gaming_day
from wallets.selectors import exponents

NAMES = {
    "return": _("Return"), "hold": _("Hold by table"), "flow": _("Ledger flow"),
    "seats": _("Seats taken"), "displays": _("Displays"),
}  # fmt: skip
DAYS = 30
OF_A_DAY = ("seats", "flow", "displays")  # every leg of a day is read
BANKED = [game.id for game in GAMES.values() if game.family == "banked"]


class RangeForm(forms.Form):
    table = forms.ModelChoiceField(Table.objects.none(), required=False, label=_("Table"),
                                   empty_label=None)  # fmt: skip
    currency = forms.ChoiceField(label=_("Currency"), required=False)
    begins = DayField(label=_("From gaming day"))
    ends = DayField(label=_("to"))

    def __init__(self, data: Any, *, name: str, tables: Any) -> None:
        super().__init__(data)
        if name == "return":
            self.fields["table"].queryset = tables  # type: ignore[attr-defined]
        else:
            del self.fields["table"]
        if name in ("flow", "hold"):
            self.fields["currency"].choices = [  # type: ignore[attr-defined]
                (code, code) for code in sorted(exponents())
            ]
        else:
            del self.fields["currency"]
        if name in OF_A_DAY:
            del self.fields["ends"]
            self.fields["begins"].label = _("Gaming day")

    def clean(self) -> dict[str, Any]:
        said = super().clean() or {}
        if {"begins", "ends"} <= said.keys() and not 0 <= (
            said["ends"] - said["begins"]
        ).days < 400:
            self.add_error("ends", say("from 1 to {0} days").format(400))
        return said


@page("pictures")
@require_GET
def picture(request: HttpRequest) -> HttpResponse:
    name = request.GET.get("name", "return")
    if name not in NAMES:
        raise Http404
    tables = floors.tables_of(request.user).order_by("name")
    banked = tables.filter(game__in=BANKED)
    today = gaming_day(timezone.now())
    first = banked.first()
    usual: dict[str, Any] = {"ends": today, "currency": "EUR", "table": first.pk if first else None,
             "begins": today if name in OF_A_DAY else today - timedelta(days=DAYS)}  # fmt: skip
    form = RangeForm({**usual, **request.GET.dict()}, name=name, tables=banked)
    drawn = _drawn(name, form.cleaned_data, tables, banked) if form.is_valid() else None
    if drawn is not None and request.GET.get("as") == "csv":
        return _file(name, drawn)
    return shown(
        request, "pictures.html",
        {"title": say("Pictures"), "names": NAMES.items(), "name": name, "form": form,
         "picture": drawn},
        status=422 if form.errors else 200,
    )  # fmt: skip


def _drawn(name: str, said: dict[str, Any], tables: Any, banked: Any) -> pictures.Picture | None:
    places = exponents()
    if name == "return":
        table = said.get("table")
        if table is None:
            return None
        return pictures.returns(table, said["begins"], said["ends"], places[table.currency])
    if name == "hold":
        currency = said["currency"] or "EUR"
        own = list(banked.filter(currency=currency))
        return pictures.holds(own, said["begins"], said["ends"], places[currency])
    if name == "flow":
        currency = said["currency"] or "EUR"
        return pictures.flows(said["begins"], said["begins"], currency, places[currency])
    if name == "displays":
        return strips.screens(list(tables), said["begins"])
    return pictures.seats(list(tables), said["begins"])


@page("hands")
@require_GET
def stacks(request: HttpRequest, hand_id: int) -> HttpResponse:
    """The chips of a hand, step by step; once it is over."""
    found = hands.hand_of(hand_id)
    if (
        found is None
        or not floors.is_of(request.user, found.table)
        or (found.status not in hands.OVER)
    ):
        raise Http404
    drawn = pictures.stacks(found, exponents()[found.table.currency])
    if request.GET.get("as") == "csv":
        return _file(f"stacks-{found.pk}", drawn)
    return shown(request, "pictures.html", {"title": drawn.title, "picture": drawn, "hand": found})


def _file(name: str, drawn: pictures.Picture) -> HttpResponse:
    return exporting.as_csv(name, list(map(str, drawn.columns)), drawn.rows)
