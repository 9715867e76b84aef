"""Which main table a table's players must move to."""

from __future__ import annotations

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as say
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from casino.console import confirming, floors
from casino.console.access import page, require
from tables.lobby import kind_of
from tables.models import Table
from tables.services import feeding


class MainForm(forms.Form):
    main = forms.ChoiceField(required=False, label=_("Main table"))


@page("pit.run")
@require_http_methods(["GET", "POST"])
def feeds(request: HttpRequest, table_id: int) -> HttpResponse:
    user, table = require(request, "pit.run"), floors.table_or_404(request.user, table_id)
    kind = kind_of(table)
    alike = floors.tables_of(user).exclude(pk=table.pk).exclude(status=Table.Status.CLOSED)
    choices = [(one.pk, one.name) for one in alike.order_by("name") if kind_of(one) == kind]
    main = forms.ChoiceField(
        required=False, choices=[("", say("none: it stands for itself")), *choices],
        label=_("Main table"),
    )  # fmt: skip
    form_class = type("MainHere", (MainForm,), {"main": main})

    def work(form: forms.Form) -> str:
        chosen = form.cleaned_data["main"]
        feeding.feeder_set(table_id=table.pk, main_id=int(chosen) if chosen else None, by=user)
        return say("{0} is a must-move table now.").format(table) if chosen else say("It is none.")

    return confirming.confirm(
        request, form_class=form_class, work=work, back="console:table", back_args=(table.pk,),
        initial={"main": table.feeds_id or ""},
        context={"title": say("Must-move table {0}").format(table), "button": say("Set it"),
                 "says": say("Its longest seated player moves whenever a seat of the main table "
                             "opens.")},
    )  # fmt: skip
