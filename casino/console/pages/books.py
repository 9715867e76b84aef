"""The books at a glance: liability against funds, the trial balance, reconciliations, seals."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as say
from django.views.decorators.http import require_GET

from casino.console import books
from casino.console.access import page, shown
from wallets.models import Reconciliation

LAST = 10


@page("books")
@require_GET
def standing(request: HttpRequest) -> HttpResponse:
    return shown(request, "books.html", {
        "title": say("Books"), "standings": books.standings(), "seals": books.sealed(),
        "reconciled": Reconciliation.objects.order_by("-id")[:LAST],
    })  # fmt: skip
