"""Reports over gaming days, on the page and as files; the day's close as a checklist."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as say
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_http_methods

from casino.console import closing, confirming, exporting, figures, reporting
from casino.console.access import page, require, shown
from casino.console.forms import DayField
from casino.core.log import log
from tables.models import Table
from wallets.gaming_day import gaming_day
from wallets.selectors import exponents


class RangeForm(forms.Form):
    begins = DayField(label=_("From gaming day"))
    ends = DayField(label=_("to"))
    by = forms.ChoiceField(choices=list(figures.BY.items()), label=_("By"))
    demo = forms.BooleanField(required=False, label=_("Count demo tables"))

    def clean(self) -> dict[str, Any]:
        said = super().clean() or {}
        if not self.errors and not 0 <= (said["ends"] - said["begins"]).days < figures.DAYS_MOST:
            self.add_error("ends", say("from 1 to {0} days").format(figures.DAYS_MOST))
        return said


@page("reports")
@require_GET
def report(request: HttpRequest) -> HttpResponse:
    today = gaming_day(timezone.now())
    only_demo = not Table.objects.filter(is_house=False).exists()
    usual: dict[str, Any] = {"begins": today, "ends": today, "by": "table"}
    if only_demo:
        usual["demo"] = "on"
    form = RangeForm({**usual, **request.GET.dict()} if "begins" in request.GET else usual)
    found = None
    if form.is_valid():
        said = form.cleaned_data
        found = figures.report(
            begins=said["begins"],
            ends=said["ends"],
            by=said["by"],
            house_tables=said["demo"],
            user=request.user,
        )
        if (later := request.GET.get("later")) in (reporting.TABLES, reporting.HANDS):
            return _later(request, later, said)
        kind = request.GET.get("as")
        if kind in ("csv", "xlsx"):
            return _file(request, found, kind)
    return shown(
        request,
        "reports.html",
        {"title": say("Reports"), "form": form, "report": found, "query": request.GET.urlencode()},
        status=422 if form.errors else 200,
    )


def _later(request: HttpRequest, kind: str, said: dict[str, Any]) -> HttpResponse:
    """Have a worker make it; the page of long work shows how far it is."""
    asked = {
        "begins": said["begins"].isoformat(), "ends": said["ends"].isoformat(), "by": said["by"],
        "demo": said["demo"], "as": "xlsx" if request.GET.get("as") == "xlsx" else "csv",
    }  # fmt: skip
    reporting.report_ask(kind=kind, asked=asked, by=require(request, "reports"))
    return redirect("console:jobs")


def _file(request: HttpRequest, found: figures.Report, kind: str) -> HttpResponse:
    user, places = require(request, "reports"), exponents()
    rows = [
        [
            exporting.amount(cell, places[row.currency]) if column in figures.MONEY else cell
            for column, cell in zip(figures.COLUMNS, figures.cells(row), strict=True)
        ]
        for row in (*found.rows, *found.totals)
    ]
    name = exporting.file_name(f"by-{found.by}", found.begins, found.ends)
    facts = {
        "by": found.by, "begins": found.begins.isoformat(), "ends": found.ends.isoformat(),
        "rows": len(rows), "as": kind,
    }  # fmt: skip
    log("report.exported", "report:tables", user, facts)
    write = exporting.as_csv if kind == "csv" else exporting.as_xlsx
    return write(name, figures.COLUMNS, rows)


def _day(request: HttpRequest) -> date:
    try:
        day: date = DayField().clean(request.GET.get("day", ""))
    except forms.ValidationError:
        return gaming_day(timezone.now())
    return day


@page("close")
@require_GET
def close(request: HttpRequest) -> HttpResponse:
    """Whether a gaming day can be closed: every line of the list must be green."""
    day = _day(request)
    today = gaming_day(timezone.now())
    last = (closing.jobs_of(day, kind).first() for kind in (closing.COUNT, closing.CLOSE))
    jobs = [job for job in last if job is not None]
    return shown(
        request,
        "close.html",
        {
            "title": say("Day close"),
            "day": day,
            "today": today,
            "before": day - timedelta(days=1),
            "after": day + timedelta(days=1) if day < today else None,
            "checks": closing.checks(day),
            "closed": closing.closed(day),
            "jobs": jobs,
            "is_going": any(job.is_going for job in jobs),
            "report": figures.report(begins=day, ends=day, by="table", house_tables=True),
        },
    )


@page("close")
@require_http_methods(["POST"])
def count(request: HttpRequest) -> HttpResponse:
    """Have a worker reconcile; what differs stands on the list."""
    user, day = require(request, "close.run"), _day(request)
    closing.count_ask(day=day, by=user)
    return redirect(f"{request.path.removesuffix('count/')}?day={day}")


@page("close")
@require_http_methods(["GET", "POST"])
def seal(request: HttpRequest, day: str) -> HttpResponse:
    """Have the day closed: a snapshot of its figures goes into the sealed log."""
    user = require(request, "close.run")
    try:
        closes = date.fromisoformat(day)
    except ValueError as error:
        raise Http404 from error

    def work(form: forms.Form) -> str:
        closing.close_ask(day=closes, by=user)
        return say("Gaming day {0} is being closed.").format(closes)

    return confirming.confirm(
        request,
        form_class=confirming.Confirm,
        work=work,
        back="console:close",
        back_query=f"day={closes}",
        dangerous=True,
        context={
            "title": say("Close gaming day {0}").format(closes),
            "says": say(
                "Its figures are fixed in the sealed log as they stand. A "
                "correction made later counts in the day in which it is made."
            ),
            "button": say("Close the day"),
        },
    )
