"""Versions of the paytables: looked at, edited with exact figures as one types, sent on."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext as say
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from casino.console import confirming, sheets
from casino.console.access import page, require, shown
from casino.console.paging import number_typed
from casino.console.refused import REFUSALS, sentence
from casino.core.models import Approval, LogEntry
from tables.engine.banked.options import TIE_WORDS
from tables.engine.errors import BadOptions
from tables.models import Paytable, Table
from tables.services import paytables, returns
from tables.services.versions import banked_game

Status = Paytable.Status
OPEN = (Status.DRAFT, Status.PRICED)
STEPS = (
    (_("Draft"), (Status.DRAFT,)),
    (_("Priced"), (Status.PRICED,)),
    (_("Agreed to by another person"), (Status.ASKED,)),
    (_("In force from the next round"), (Status.APPROVED,)),
)
# Kept with the request in one language, shown in the reader's.
WHYS = (
    ("Margin review", _("Margin review")),
    ("New table", _("New table")),
    ("As in another pit", _("As in another pit")),
    ("Promotion", _("Promotion")),
    ("Correction", _("Correction")),
    ("Other, see note", _("Other, see note")),
)


@page("paytables")
@require_GET
def versions(request: HttpRequest) -> HttpResponse:
    rows = (
        Paytable.objects.select_related("author", "approved_by")
        .prefetch_related("tables")
        .order_by("game", "name", "-version")[:200]
    )
    return shown(
        request,
        "paytables.html",
        {
            "title": say("Paytables"),
            "rows": rows,
            "live": {row.pk for row in rows if row.tables.all()},
        },
    )


@page("paytables")
@require_http_methods(["GET", "POST"])
def paytable(request: HttpRequest, paytable_id: int) -> HttpResponse:
    """One version; a draft is edited here by those who write paytables."""
    found = _version(paytable_id)
    live = sheets.live_of(found.game)
    is_open = found.status in OPEN
    problem, content = "", found.content
    if request.method == "POST":
        user = require(request, "paytables.edit")
        try:
            content = sheets.typed(found.game, found.content, request.POST)
            return confirming.taken(
                request,
                partial(_keep, request, found, content, user),
                lambda: reverse("console:paytable", args=[paytable_id]),
            )
        except ValueError as error:
            problem = str(error)
        except REFUSALS as error:
            problem = sentence(error)
    try:
        grids = sheets.grids(
            banked_game(found.game), content, live.content if live else found.content
        )
    except BadOptions as error:
        problem = problem or sentence(error)
        grids = sheets.grids(banked_game(found.game), found.content, found.content)
    return shown(
        request,
        "paytable.html",
        {
            "title": say("{0}, version {1}").format(found.name, found.version),
            "paytable": found,
            "live": live,
            "is_live": live is not None and live.pk == found.pk,
            "is_open": is_open,
            "grids": grids,
            "problem": problem,
            "steps": _steps(found),
            "game": banked_game(found.game),
            "ties": TIE_WORDS,
            "whys": WHYS,
            "tables": Table.objects.filter(game=found.game).order_by("name"),
            "asked": Approval.objects.filter(pk=found.approval_id or 0).first(),
            "history": LogEntry.objects.filter(subject=f"paytable:{found.pk}").order_by("-id")[:20],
            "returns": [
                {"row": row, **returns.figures(row)}
                for row in found.returns.select_related("table")
            ],
        },
        status=422 if problem else 200,
    )


def _keep(request: HttpRequest, found: Paytable, content: dict[str, Any], user: Any) -> str:
    """Keep what was typed; priced and sent on where that was the button. Returns what was done."""
    if found.status not in OPEN:
        raise PermissionDenied
    if content != found.content:
        paytables.paytable_change(paytable_id=found.pk, content=content, by=user)
    if request.POST.get("then") != "ask":
        return say("Kept as a draft.")
    if paytables.paytable_get(found.pk).status == Status.DRAFT:
        paytables.paytable_price(paytable_id=found.pk, by=user)
    typed = [number_typed(pk) for pk in request.POST.getlist("tables")]
    chosen = [pk for pk in typed if pk is not None]
    note = request.POST.get("note", "").strip()
    reason = ": ".join(part for part in (request.POST.get("reason", "").strip(), note) if part)
    _, asked = paytables.paytable_ask(
        paytable_id=found.pk, tables=chosen, reason=reason[:500], by=user
    )
    return say("Priced and sent on, as request {0}. Another person decides.").format(asked.pk)


@page("paytables")
@require_POST
def figures(request: HttpRequest, paytable_id: int) -> HttpResponse:
    """The exact figures of what stands in the grid at this moment; nothing is kept."""
    found = _version(paytable_id)
    live = sheets.live_of(found.game)
    try:
        content = sheets.typed(found.game, found.content, request.POST)
        grids = sheets.grids(
            banked_game(found.game), content, live.content if live else found.content
        )
    except ValueError as error:
        return JsonResponse({"problem": str(error)}, status=422)
    except BadOptions as error:
        return JsonResponse({"problem": sentence(error)}, status=422)
    return JsonResponse(
        {
            grid.wager: {
                "lines": {
                    line.cls: {
                        "back": line.back,
                        "delta": line.delta,
                        "changed": line.is_changed,
                    }
                    for line in grid.lines
                },
                "figures": {figure.id: figure.now for figure in grid.figures},
                "returned": grid.returned,
                "change": grid.change,
                "allowed": grid.is_allowed,
                "draft": grid.marks.get("draft", 0),
            }
            for grid in grids
        }
    )


@page("paytables")
@require_POST
def draft(request: HttpRequest, paytable_id: int) -> HttpResponse:
    """Begin the next version with what this one holds."""
    user, found = require(request, "paytables.edit"), _version(paytable_id)
    made: list[Paytable] = []

    def work() -> str:
        drafted = paytables.paytable_draft(
            game=found.game, name=found.name, content=found.content, by=user
        )
        made.append(drafted)
        return say("Version {0} begins as a copy of {1}.").format(drafted.version, found.version)

    return confirming.taken(request, work, lambda: reverse("console:paytable", args=[made[0].pk]))


def _steps(found: Paytable) -> list[tuple[str, str]]:
    """Each step's words, and whether it is done or stands now."""
    if found.status == Status.REFUSED:
        return [(say("Draft"), "done"), (say("Priced"), "done"), (say("Refused"), "now")]
    at = next(nth for nth, (_, statuses) in enumerate(STEPS) if found.status in statuses)
    return [
        (str(words), "done" if nth < at else "now" if nth == at else "")
        for nth, (words, _) in enumerate(STEPS)
    ]


def _version(paytable_id: int) -> Paytable:
    found = (
        Paytable.objects.select_related("author", "approved_by")
        .prefetch_related("tables")
        .filter(pk=paytable_id)
        .first()
    )
    if found is None:
        raise Http404
    return found
