"""Tables as a house keeps them: opened by a form, copied, revised by version, kept as templates."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as say
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from casino.console import confirming, floors, placing
from casino.console.access import page, require, shown
from casino.console.audit import OF_DECKS
from casino.console.kinds.forms import KindForm
from casino.console.paging import number_typed
from casino.console.refused import REFUSALS, sentence
from casino.core.models import LogEntry
from tables.engine.errors import RuleViolation
from tables.models import Table, Template
from tables.services import floor, opening
from wallets.gaming_day import policy

WEEKDAYS = (
    (0, _("Monday")), (1, _("Tuesday")), (2, _("Wednesday")), (3, _("Thursday")),
    (4, _("Friday")), (5, _("Saturday")), (6, _("Sunday")),
)  # fmt: skip


@page("tables")
@require_GET
def tables(request: HttpRequest) -> HttpResponse:
    """Every table with its kind, its version and its hours; the templates below."""
    return shown(
        request,
        "tables.html",
        {
            "title": say("Tables"),
            "rows": placing.rows(request.user),
            "templates": placing.templates(),
            "zone": policy().time_zone,
        },
    )


@page("tables.open")
@require_http_methods(["GET", "POST"])
def table_new(request: HttpRequest) -> HttpResponse:
    """Open a table: first its game and currency, then everything else of it."""
    user = require(request, "tables.open")
    asked = placing.asked(request.GET)
    form = placing.form_of(asked, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        made: list[Table] = []

        def work() -> str:
            opened = placing.opened(form, is_draft=request.POST.get("then") == "draft", by=user)
            made.append(opened)
            said = say("{0} is open.") if opened.status == "open" else say("{0} stands as a draft.")
            return said.format(opened)

        try:
            return confirming.taken(
                request, work, lambda: reverse("console:table", args=[made[0].pk])
            )
        except RuleViolation as error:
            form.refused(error)
        except REFUSALS as error:
            form.add_error("name" if getattr(error, "code", "") == "name_taken" else None,
                           sentence(error))  # fmt: skip
    return _form_page(request, form, {
        "title": say("New table"), "asked": asked, "choices": placing.choices(),
        "currencies": placing.currencies(), "preview_query": request.GET.urlencode(),
    })  # fmt: skip


@page("tables")
@require_http_methods(["GET", "POST"])
def revise(request: HttpRequest, table_id: int) -> HttpResponse:
    """A table's kind, and its next version where nobody plays for the one that stands."""
    table = floors.table_or_404(request.user, table_id)
    asked = placing.asked_of(table)
    form = placing.form_of(asked, request.POST if request.method == "POST" else None, opening=False)
    obstacle = placing.obstacle(table)
    if request.method == "POST":
        user = require(request, "tables.change")
        if form.is_valid():
            try:
                return confirming.taken(
                    request,
                    lambda: placing.revised(table, form, request.POST.get("name", ""), by=user),
                    lambda: reverse("console:table", args=[table.pk]),
                )
            except RuleViolation as error:
                form.refused(error)
            except REFUSALS as error:
                form.add_error(None, sentence(error))
    return _form_page(request, form, {
        "title": table.name, "table": table, "obstacle": obstacle, "asked": asked,
        "history": LogEntry.objects.filter(subject=f"table:{table.pk}", kind__startswith="table.")
        .exclude(kind__startswith=OF_DECKS).order_by("-id")[:20],
        "actors": placing.actors(table), "schedule": getattr(table, "schedule", None),
        "preview_query": f"table={table.pk}",
    })  # fmt: skip


def _form_page(request: HttpRequest, form: KindForm, context: dict[str, Any]) -> HttpResponse:
    facts = form.facts or None
    told, problem = placing.told(form, facts)
    return shown(
        request, "table.html",
        {"form": form, "sections": list(form.sections()), "told": told, "problem": problem,
         "currency": form.currency, "pits": floors.pits_known(request.user), **context},
        status=422 if form.is_bound and form.errors else 200,
    )  # fmt: skip


@page("tables")
@require_POST
def preview(request: HttpRequest) -> HttpResponse:
    """What the form would deal as it stands now, and what is wrong beside which field."""
    table_id = number_typed(request.GET.get("table", ""))
    if table_id is not None:
        asked = placing.asked_of(floors.table_or_404(request.user, table_id))
    else:
        asked = placing.asked(request.GET)
    form = placing.form_of(asked, request.POST, opening="table" not in request.GET)
    form.is_valid()
    told, problem = placing.told(form, form.facts or None)
    text = render_to_string("console/told.html", {"told": told, "problem": problem})
    return JsonResponse({"told": text, "errors": {name: [str(e) for e in found]
                         for name, found in form.errors.items()}})  # fmt: skip


class NameForm(forms.Form):
    name = forms.CharField(max_length=60, label=_("Name"))


@page("tables.open")
@require_http_methods(["GET", "POST"])
def clone(request: HttpRequest, table_id: int) -> HttpResponse:
    user, table = require(request, "tables.open"), floors.table_or_404(request.user, table_id)

    def work(form: forms.Form) -> str:
        made = opening.table_clone(table_id=table.pk, name=form.cleaned_data["name"], by=user)
        return say("{0} stands as a draft like {1}.").format(made, table)

    return confirming.confirm(
        request, form_class=NameForm, work=work, back="console:tables",
        initial={"name": f"{table.name} 2"},
        context={"title": say("A table like {0}").format(table), "button": say("Make it"),
                 "says": say("A draft with the same game, stakes and clock; without its players "
"and chips.")},
    )  # fmt: skip


@page("tables.open")
@require_http_methods(["GET", "POST"])
def template(request: HttpRequest, table_id: int) -> HttpResponse:
    user, table = require(request, "tables.open"), floors.table_or_404(request.user, table_id)

    def work(form: forms.Form) -> str:
        kept = opening.template_save(name=form.cleaned_data["name"], table_id=table.pk, by=user)
        return say("Kept as the template {0}.").format(kept)

    return confirming.confirm(
        request, form_class=NameForm, work=work, back="console:tables",
        context={"title": say("Keep {0} as a template").format(table),
                 "button": say("Keep it"),
                 "says": say("Its game, stakes and clock under a name, say “No limit 1/2”.")},
    )  # fmt: skip


@page("tables.open")
@require_http_methods(["GET", "POST"])
def from_template(request: HttpRequest, template_id: int) -> HttpResponse:
    user = require(request, "tables.open")
    found = Template.objects.filter(pk=template_id).first()
    if found is None:
        raise Http404

    def work(form: forms.Form) -> str:
        made = opening.table_from(template_id=found.pk, name=form.cleaned_data["name"], by=user)
        if request.POST.get("then") == "open":
            floor.table_resume(table_id=made.pk, by=user)
            return say("{0} is open.").format(made)
        return say("{0} stands as a draft.").format(made)

    return confirming.confirm(
        request, form_class=NameForm, work=work, back="console:tables",
        context={"title": say("A table from {0}").format(found), "button": say("As a draft"),
                 "second": ("then", "open", say("Open it now")),
                 "says": say("Everything as the template has it.")},
    )  # fmt: skip


class ScheduleForm(forms.Form):
    opens = forms.TimeField(label=_("Opens at"), widget=forms.TimeInput(attrs={"type": "time"}))
    closes = forms.TimeField(
        label=_("Drains at"), widget=forms.TimeInput(attrs={"type": "time"}),
        help_text=_("At or before the opening: of the next morning."),
    )  # fmt: skip
    weekdays = forms.TypedMultipleChoiceField(
        choices=WEEKDAYS, coerce=int, label=_("Days on which it opens"),
        widget=forms.CheckboxSelectMultiple,
    )  # fmt: skip
    is_on = forms.BooleanField(required=False, label=_("The schedule counts"))


@page("tables.open")
@require_http_methods(["GET", "POST"])
def schedule(request: HttpRequest, table_id: int) -> HttpResponse:
    user, table = require(request, "tables.open"), floors.table_or_404(request.user, table_id)
    stands = getattr(table, "schedule", None)
    initial = {"is_on": True, "weekdays": list(range(7))} if stands is None else {
        name: getattr(stands, name) for name in ("opens", "closes", "weekdays", "is_on")
    }  # fmt: skip

    def work(form: forms.Form) -> str:
        opening.schedule_set(table_id=table.pk, by=user, **form.cleaned_data)
        return say("The hours of {0} are kept.").format(table)

    return confirming.confirm(
        request, form_class=ScheduleForm, work=work, back="console:table", back_args=(table.pk,),
        initial=initial,
        context={"title": say("Hours of {0}").format(table), "button": say("Keep them"),
                 "says": say("It opens and drains by itself at these times, zone {0}.").format(
                     policy().time_zone)},
    )  # fmt: skip
