"""Play watched: what the nights found out of line, and the hands that players have reported.

Who reads it stands in the sealed log.
"""

from __future__ import annotations

from datetime import date
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as say
from django.views.decorators.http import require_GET

from casino.console.access import page, require, shown
from casino.core.log import log
from casino.core.models import User
from tables.models import Hand, HandReport, PairReport
from tables.services import watching

REPORTED_MOST = 100


@page("watching")
@require_GET
def days(request: HttpRequest) -> HttpResponse:
    user = require(request, "watching")
    log("watching.read", "pairs", user)
    reported = HandReport.objects.select_related("hand__table", "player")[:REPORTED_MOST]
    return shown(
        request,
        "watching.html",
        {
            "title": say("Watching"),
            "reports": [
                {"report": report, "findings": report.findings.count()}
                for report in PairReport.objects.all()[:60]
            ],
            "reported": reported,
        },
    )


@page("watching")
@require_GET
def day(request: HttpRequest, day: str) -> HttpResponse:
    user = require(request, "watching")
    try:
        report = PairReport.objects.filter(gaming_day=date.fromisoformat(day)).first()
    except ValueError as error:
        raise Http404 from error
    if report is None:
        raise Http404
    log("watching.read", f"pairs:{day}", user)
    return shown(
        request,
        "watching_day.html",
        {
            "title": say("Pairs of {0}").format(day),
            "report": report,
            "findings": report.findings.select_related("a", "b"),
        },
    )


@page("watching")
@require_GET
def hand(request: HttpRequest, hand_id: int) -> HttpResponse:
    """One hand as whoever looks into it needs it: times, chips from whom to whom, one place."""
    user = require(request, "watching")
    found = Hand.objects.select_related("table").filter(pk=hand_id).first()
    if found is None:
        raise Http404
    log("watching.read", f"hand:{hand_id}", user)
    case = watching.hand_case(found)
    return shown(
        request,
        "watching_hand.html",
        {
            "title": say("Hand {0:,} at {1}").format(found.number, found.table),
            "hand": found,
            **_named(case),
        },
    )


def _named(case: dict[str, Any]) -> dict[str, Any]:
    ids = {one["player"] for one in case["decisions"]}
    ids |= {who for pair in [*case["flows_minor"], *case["one_place"]] for who in pair}
    people = User.objects.in_bulk(ids)
    return {
        "decisions": [{**one, "who": people.get(one["player"])} for one in case["decisions"]],
        "flows": [(people.get(a), people.get(b), m) for (a, b), m in case["flows_minor"].items()],
        "one_place": [(people.get(a), people.get(b)) for a, b in case["one_place"]],
    }
