"""How long a member of the staff stays signed in, and at which browser.

A session ends when nobody has been at it for a while, and after a shift in any case. Each browser
has a mark of its own beside the session, signed and closed to scripts: what a password typed again
allows, and what was asked for or agreed to, is bound to it. A session's cookie alone, carried to
another browser, is a session that has typed nothing.
"""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.conf import settings
from django.contrib.auth import logout
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from casino.core.log import log
from casino.core.models import User

BEGAN, SEEN = "console_began", "console_seen"
COOKIE, SALT, PATH = "console_browser", "console.browser", "/admin/"
KEPT = timedelta(days=365)
# A page that renews itself does so as a script; what a person asks for is a page or a form.
BY_SCRIPT = frozenset({"cors", "same-origin", "no-cors"})
NOTED_S = 60


def begin(request: HttpRequest) -> None:
    request.session[BEGAN] = request.session[SEEN] = _now_s()


def ended(request: HttpRequest) -> bool:
    """Sign out who is of the staff and has been away, or signed in, for too long."""
    user, session = request.user, request.session
    if not isinstance(user, User) or not user.is_staff:
        return False
    now = _now_s()
    began, seen = session.get(BEGAN), session.get(SEEN)
    if began is None or seen is None:  # of before there were limits
        why = "unknown"
    elif now - began > settings.STAFF_SESSION_H * 3600:
        why = "shift"
    elif now - seen > settings.STAFF_IDLE_MIN * 60:
        why = "idle"
    else:
        if now - seen >= NOTED_S and _is_by_a_person(request):
            session[SEEN] = now
        return False
    log("sign_in.ended", f"user:{user.pk}", user, {"why": why})
    logout(request)
    return True


def _is_by_a_person(request: HttpRequest) -> bool:
    is_renewed = request.headers.get("Sec-Fetch-Mode") in BY_SCRIPT and request.method == "GET"
    return not is_renewed


def _now_s() -> int:
    return int(timezone.now().timestamp())


def mark_of(request: HttpRequest) -> str:
    """The mark of the browser that asks; a new one where it has none."""
    if not hasattr(request, "console_mark"):
        request.console_mark = _read(request) or secrets.token_hex(16)  # type: ignore[attr-defined]
    mark: str = request.console_mark  # type: ignore[attr-defined]
    return mark


def _read(request: HttpRequest) -> str:
    try:
        return str(signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=KEPT))
    except signing.BadSignature:
        return ""


def mark_keep(request: HttpRequest, response: HttpResponse) -> None:
    """Give the browser its mark where it has none that we made."""
    if not _read(request):
        response.set_cookie(
            COOKIE, signing.dumps(mark_of(request), salt=SALT), max_age=KEPT, path=PATH,
            secure=settings.SESSION_COOKIE_SECURE, httponly=True, samesite="Strict",
        )  # fmt: skip
