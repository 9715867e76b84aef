"""The player's client: one empty page for every address; all it shows comes by the public API."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from casino.core import sandboxes


@require_GET
@never_cache
def play(request: HttpRequest, **place: Any) -> HttpResponse:
    """`place` is the page's own affair: it reads its address. Told: whether play money is given."""
    language = (translation.get_language() or "en")[:2]
    return render(
        request,
        "tables/play.html",
        {"config": {"language": language, "sandbox": sandboxes.is_open()}},
    )
