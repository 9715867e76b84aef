"""Games of the house's own: composed in a form, seen as they would be dealt, tried, then opened."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as say
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from casino.console import composing, confirming
from casino.console.access import page, require, shown
from casino.console.kinds import definitions, telling
from casino.console.models import Composition, Job
from casino.console.refused import REFUSALS, reason_told, sentence
from casino.core.errors import CoreError
from tables.engine.errors import BadDefinition, RuleViolation
from tables.engine.games import GAMES
from tables.engine.games.custom import composed
from tables.engine.poker.vocabulary import PokerGame

SCRATCH = {
    "steps": [
        {"step": "deal", "street": "deal", "down": 5},
        {"step": "bet", "first": "blinds"},
    ],
    "shares": [{"ranking": "high"}],
}


@page("games")
@require_GET
def games(request: HttpRequest) -> HttpResponse:
    rows = Composition.objects.select_related("author", "trial")
    return shown(request, "games.html", {"title": say("Games of the house’s own"), "rows": rows})


@page("games")
@require_http_methods(["GET", "POST"])
def game(request: HttpRequest, pk: int | None = None) -> HttpResponse:
    """Compose a game, or its next version."""
    made = None if pk is None else _made(pk)
    base = _base(request.POST.get("base", request.GET.get("base", made.base if made else "")))
    data, problem = _data(made, base), ""
    name = made.name if made else ""
    if request.method == "POST":
        user = require(request, "games.edit")
        name = request.POST.get("name", "")
        kept: list[Composition] = []

        def work() -> str:
            saved = composing.composition_save(
                name=name, base=base.id if base else "", by=user, pk=pk,
                changes=definitions.changes_of(data, base),
            )  # fmt: skip
            kept.append(saved)
            return say("{0}, version {1}, is kept.").format(saved, saved.version)

        try:
            data = definitions.read(request.POST, request.POST.getlist)
            return confirming.taken(
                request, work, lambda: reverse("console:game", args=[kept[0].pk])
            )
        except ValueError as error:
            problem = str(error)
        except REFUSALS as error:
            problem = sentence(error)
    told, fault = _told(name, base, data)
    return shown(request, "game.html", {
        "title": made.name if made else say("New game"), "made": made, "name": name, "base": base,
        "told": told, "problem": problem or (fault if request.method == "POST" else ""),
        "fault": fault, "hands": composing.TRIAL_HANDS, **definitions.shown(data),
    }, status=422 if problem else 200)  # fmt: skip


def _data(made: Composition | None, base: PokerGame | None) -> dict[str, Any]:
    if made is not None:
        return {**(base.to_json() if base else {}), **made.changes}
    return base.to_json() if base is not None else dict(SCRATCH)


def _base(game_id: str) -> PokerGame | None:
    found = GAMES.get(game_id)
    return found if isinstance(found, PokerGame) else None


def _told(
    name: str, base: PokerGame | None, data: dict[str, Any]
) -> tuple[telling.Told | None, str]:
    changes = definitions.changes_of(data, base)
    try:
        found = composed(base, {**changes, "id": "custom", "name": name or say("New game")})
    except BadDefinition as error:
        return None, reason_told(error.reason)
    except RuleViolation as error:
        return None, sentence(error)
    return telling.game_alone(found), ""


@page("games")
@require_POST
def preview(request: HttpRequest) -> HttpResponse:
    """The deal of what is filled in, its warnings, or what is wrong with it; nothing is kept."""
    try:
        data = definitions.read(request.POST, request.POST.getlist)
        told, problem = _told(
            request.POST.get("name", ""), _base(request.POST.get("base", "")), data
        )
    except ValueError as error:
        told, problem = None, str(error)
    text = render_to_string("console/told.html", {"told": told, "problem": problem})
    return JsonResponse({"told": text, "errors": {}})


@page("games")
@require_POST
def trial(request: HttpRequest, pk: int) -> HttpResponse:
    """Have a worker play random hands of it."""
    user, made = require(request, "games.edit"), _made(pk)

    def work() -> str:
        composing.trial_ask(composition=made, by=user)
        return say("A worker plays it.")

    try:
        return confirming.taken(request, work, lambda: reverse("console:game", args=[pk]))
    except CoreError as error:
        messages.error(request, sentence(error))
    return redirect("console:game", pk)


@page("jobs")
@require_GET
def progress(request: HttpRequest, job_id: int) -> HttpResponse:
    """How far a job is, for the page that shows it."""
    job = Job.objects.defer("file").filter(pk=job_id).first()
    if job is None:
        raise Http404
    return JsonResponse({"status": job.status, "done": job.done, "of": job.of,
                         "percent": job.percent})  # fmt: skip


def _made(pk: int) -> Composition:
    found = Composition.objects.select_related("trial", "author").filter(pk=pk).first()
    if found is None:
        raise Http404
    return found
