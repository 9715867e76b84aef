"""The sealed log: looked through, verified, taken along as a file."""

from __future__ import annotations

from datetime import timedelta

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as say
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from casino.console import audit, exporting
from casino.console.access import page, require, shown
from casino.console.forms import DayField
from casino.console.paging import Pages, keyset
from casino.core.log import log
from casino.core.models import LogEntry
from wallets.gaming_day import day_begins

EXPORT_MOST = 20_000


class FilterForm(forms.Form):
    area = forms.ChoiceField(
        required=False, label=_("Events"),
        choices=[("", _("all")), *((name, words) for name, (words, _kinds)
                                   in audit.SIGNIFICANT.items())],
    )  # fmt: skip
    kind = forms.CharField(required=False, max_length=60, label=_("Kind begins with"))
    subject = forms.CharField(required=False, max_length=120, label=_("About (as table:7)"))
    actor = forms.CharField(required=False, max_length=60, label=_("Who"))
    begins = DayField(required=False, label=_("From gaming day"))
    ends = DayField(required=False, label=_("to"))

    def query(self) -> audit.Query:
        said = self.cleaned_data
        return audit.Query(
            area=said["area"], kind=said["kind"].strip(), subject=said["subject"].strip(),
            actor=said["actor"].strip(),
            begins=day_begins(said["begins"]) if said["begins"] else None,
            ends=day_begins(said["ends"] + timedelta(days=1)) if said["ends"] else None,
        )  # fmt: skip


@page("audit")
@require_GET
def entries(request: HttpRequest) -> HttpResponse:
    form = FilterForm(request.GET)
    rows: list[LogEntry] = []
    pages = Pages("", "")
    if form.is_valid():
        found = audit.entries_like(form.query())
        if request.GET.get("as") == "csv":
            return _file(request, list(found.order_by("-pk")[:EXPORT_MOST]))
        rows, pages = keyset(request, found)
    return shown(
        request,
        "audit.html",
        {"title": say("Audit log"), "form": form, "lines": audit.lines_of(rows), "pages": pages,
         "state": audit.state(), "most": EXPORT_MOST},
        status=422 if form.errors else 200,
    )  # fmt: skip


def _file(request: HttpRequest, found: list[LogEntry]) -> HttpResponse:
    user = require(request, "audit")
    rows = [audit.cells(line) for line in audit.lines_of(found)]
    log("report.exported", "report:audit", user, {"rows": len(rows), "as": "csv"})
    return exporting.as_csv("audit-log", audit.COLUMNS, rows)
