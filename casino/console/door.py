"""The console's door: who has a second factor shows it before anything is opened to him.

A session that has only seen the password is nobody's anywhere: below /admin/ it is led to the
code, elsewhere it counts as not signed in. Source: standards ACC-01 and ACC-03.
"""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.backends.base import SessionBase
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from casino.console import sessions
from casino.console.planning import planned_anew
from casino.console.stepping import asked_again, is_change
from casino.core import second_factor
from casino.core.addresses import address_of
from casino.core.log import browser, origin
from casino.core.models import User

STATE = "second_factor"
SHOWN, NEEDED, NONE = "shown", "needed", "none"
CONSOLE = "/admin/"
BEFORE_THE_CODE = ("/admin/second-factor/", "/admin/logout/", "/admin/login/", "/admin/language/",
                   "/admin/jsi18n/")  # fmt: skip


@receiver(user_logged_in)
def signed_in(request: HttpRequest, user: User, **more: object) -> None:
    request.session[STATE] = NEEDED if second_factor.is_on(user) else NONE
    if user.is_staff:
        sessions.begin(request)


def is_shown(session: SessionBase) -> bool:
    return bool(session.get(STATE) == SHOWN)


def waits_for(request: HttpRequest) -> str:
    """The page that a session must pass first; empty when it has passed."""
    user = request.user
    if not isinstance(user, User) or not user.is_staff or is_shown(request.session):
        return ""
    if request.session.get(STATE) == NEEDED:
        return reverse("console:second-factor")
    if settings.SECOND_FACTOR_REQUIRED:
        return reverse("console:second-factor-begin")
    return ""


class DoorMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(CONSOLE):
            if settings.SESSION_COOKIE_NAME in request.COOKIES and (
                sessions.ended(request) or waits_for(request)
            ):
                request.user = AnonymousUser()
            return self.get_response(request)
        sessions.ended(request)
        if not request.path.startswith(BEFORE_THE_CODE) and (where := waits_for(request)):
            query = urlencode({"next": request.get_full_path()})
            return HttpResponseRedirect(f"{where}?{query}")
        told, marked = origin.set(address_of(request)), browser.set(sessions.mark_of(request))
        try:
            with planned_anew():
                response = self.get_response(request)
        finally:
            origin.reset(told)
            browser.reset(marked)
        sessions.mark_keep(request, response)
        return response

    def process_view(
        self, request: HttpRequest, view: object, args: object, kwargs: object
    ) -> HttpResponse | None:
        return asked_again(request) if is_change(request) else None
