"""The page that checks a hand's proof, and what anybody needs to check one without it."""

from pathlib import Path

from django.conf import settings
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

VERIFIER = Path(__file__).parent / "static" / "tables" / "verify" / "verify_hand.py"
DOCUMENT = settings.BASE_DIR / "docs" / "fairness.md"


@require_GET
@never_cache
def verify(request: HttpRequest) -> HttpResponse:
    language = (translation.get_language() or "en")[:2]
    config = {
        "language": language,
        "python": reverse("verify-python"),
        "document": reverse("verify-document"),
    }
    return render(request, "tables/verify.html", {"config": config})


@require_GET
def verifier(request: HttpRequest) -> FileResponse:
    """The stand-alone verifier, under an address that does not change."""
    return FileResponse(
        VERIFIER.open("rb"), as_attachment=True, filename=VERIFIER.name,
        content_type="text/x-python; charset=utf-8",
    )  # fmt: skip


@require_GET
def document(request: HttpRequest) -> FileResponse:
    """What the verifiers were written from."""
    return FileResponse(DOCUMENT.open("rb"), content_type="text/plain; charset=utf-8")
