"""Where the console begins, and the list of all records behind its pages."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as say
from django.views.decorators.http import require_GET

from casino.console.access import page
from casino.console.navigation import first_page


@page("first")
@require_GET
def first(request: HttpRequest) -> HttpResponse:
    return redirect(first_page(request.user))


@page("first")
@require_GET
def records(request: HttpRequest) -> HttpResponse:
    return admin.site.index(request, {"title": say("Every record")})
