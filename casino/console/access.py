"""Which role may open which page of the console. What is not named here is open to nobody."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as say
from django.views.decorators.cache import never_cache

from casino.console.sessions import mark_of
from casino.core import second_factor
from casino.core.addresses import address_of
from casino.core.devices import ENROLLERS, PIN_GIVERS
from casino.core.idempotency import deed_kept
from casino.core.log import log
from casino.core.models import Role, User
from casino.core.services import STAFF
from casino.core.signing_in import sign_in
from tables.services.dealers import ANSWERERS
from tables.services.floor import OPENERS, RUNNERS
from tables.services.jackpots import JUDGES, KEEPERS
from tables.services.paytables import AUTHORS
from tables.services.voiding import VOIDERS
from wallets.cage import CASHIERS
from wallets.limits import PROTECTORS

View = Callable[..., HttpResponse]

AUDIT = frozenset({Role.SURVEILLANCE, Role.COMPLIANCE, Role.ADMIN})
FLOOR = frozenset({Role.FLOOR, Role.PIT_MANAGER})
MONEY = frozenset({Role.CAGE, Role.FINANCE}) | AUDIT

PAGES: dict[str, frozenset[Role]] = {
    "first": frozenset(STAFF),
    "pit": FLOOR | AUDIT | {Role.FINANCE, Role.GAME_MATHS},
    "pit.run": frozenset(RUNNERS),
    "pit.open": frozenset(OPENERS),
    "pit.void": frozenset(VOIDERS),
    "alerts.acknowledge": frozenset(RUNNERS),
    "approvals": frozenset(STAFF) - {Role.DEALER},
    "books": MONEY,
    "devices": FLOOR | AUDIT,
    "devices.manage": frozenset(ENROLLERS),
    "dealers.pin": frozenset(PIN_GIVERS),
    "calls.answer": frozenset(ANSWERERS),
    "cage": frozenset(CASHIERS),
    "tables": FLOOR | AUDIT | {Role.FINANCE, Role.GAME_MATHS},
    "tables.open": frozenset(OPENERS),
    "tables.change": frozenset(RUNNERS),
    "games": FLOOR | AUDIT | {Role.GAME_MATHS},
    "games.edit": frozenset({Role.GAME_MATHS, *OPENERS}),
    "people.factor": frozenset({Role.ADMIN}),
    "account": frozenset(STAFF),
    "alerts": FLOOR | AUDIT | {Role.CAGE, Role.FINANCE, Role.GAME_MATHS},
    "alerts.send": frozenset({Role.ADMIN}),
    "pictures": AUDIT | {Role.PIT_MANAGER, Role.FINANCE, Role.GAME_MATHS},
    "audit": AUDIT,
    "files": AUDIT | {Role.GAME_MATHS},
    "files.accept": frozenset({Role.ADMIN}),
    "jobs": frozenset(STAFF) - {Role.DEALER},
    "jackpots": FLOOR | AUDIT | {Role.FINANCE},
    "jackpots.judge": frozenset(JUDGES),
    "jackpots.keep": frozenset(KEEPERS),
    "paytables": FLOOR | AUDIT | {Role.GAME_MATHS},
    "paytables.edit": frozenset(AUTHORS),
    "players": FLOOR | MONEY,
    "players.money": MONEY,
    "players.adjust": MONEY - {Role.SURVEILLANCE},
    "players.exclude": FLOOR | {Role.CAGE} | frozenset(PROTECTORS),
    "players.lift": frozenset(PROTECTORS),
    "players.note": FLOOR | {Role.CAGE, Role.SURVEILLANCE} | frozenset(PROTECTORS),
    "hands": FLOOR | AUDIT | {Role.GAME_MATHS, Role.FINANCE},
    "hands.cards": frozenset({Role.SURVEILLANCE, Role.COMPLIANCE}),
    "hands.undo": frozenset(VOIDERS),
    "tips": MONEY | {Role.PIT_MANAGER},
    "tips.pay": frozenset(CASHIERS),
    "webhooks": frozenset({Role.ADMIN}),
    "watching": frozenset({Role.SURVEILLANCE, Role.COMPLIANCE}),
    "reports": AUDIT | {Role.PIT_MANAGER, Role.FINANCE, Role.GAME_MATHS},
    "close": AUDIT | {Role.FINANCE},
    "close.run": frozenset({Role.FINANCE, Role.ADMIN}),
}
STEPPED_UP_FOR = timedelta(minutes=5)
STEP_UP_KEY, STEP_UP_AT = "console_stepped_up_at", "console_stepped_up_where"


def may(user: object, page: str) -> bool:
    """Whether an active member of the staff has a role for that page or deed."""
    return (
        isinstance(user, User)
        and user.is_active
        and user.is_staff
        and Role(user.role) in PAGES[page]
    )


def may_all(user: object) -> dict[str, bool]:
    """By page, for templates: a dot in its name is an underline there."""
    return {name.replace(".", "_"): may(user, name) for name in PAGES}


def require(request: HttpRequest, page: str) -> User:
    """Who asks, if he may. Raises PermissionDenied."""
    if not may(request.user, page):
        raise PermissionDenied(page)
    assert isinstance(request.user, User)
    return request.user


def page(name: str) -> Callable[[View], View]:
    """A page of the console: for its roles, never kept by a browser; strangers sign in first.

    A form of it that was taken before is told so and leads where it led, however things stand now.
    """
    assert name in PAGES

    def wrapped_by(view: View) -> View:
        @never_cache
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            user = request.user
            if not (isinstance(user, User) and user.is_active and user.is_staff):
                return redirect_to_login(request.get_full_path(), "/admin/login/")
            require(request, name)
            kept = deed_kept(request) if request.method == "POST" else None
            if kept is not None and kept.leads_to:
                messages.success(request, kept.said or say("That was done before."))
                return redirect(kept.leads_to)
            return view(request, *args, **kwargs)

        guarded.console_page = name  # type: ignore[attr-defined]
        return guarded

    return wrapped_by


def shown(
    request: HttpRequest, template: str, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    """A page in the console's layout."""
    whole = {**admin.site.each_context(request), "is_fullwidth": "1", **context}
    whole["may"] = may_all(request.user)
    return render(request, f"console/{template}", whole, status=status)


def is_stepped_up(request: HttpRequest) -> bool:
    """Whether the password was typed again a moment ago, and at this very browser."""
    at = parse_datetime(request.session.get(STEP_UP_KEY, ""))
    is_here = request.session.get(STEP_UP_AT) == mark_of(request)
    return at is not None and is_here and timezone.now() - at < STEPPED_UP_FOR


def step_up(request: HttpRequest, password: str, code: str = "") -> None:
    """Take the password again before something dangerous; it counts for some minutes.

    code: of the second factor, for who has one. The same guard as at the door counts the failures.
    Raises SignInRefused, FactorRefused, LockedOut.
    """
    assert isinstance(request.user, User)
    if second_factor.is_on(request.user):
        second_factor.factor_check(user=request.user, code=code, address=address_of(request))
    sign_in(username=request.user.username, password=password, address=address_of(request))
    request.session[STEP_UP_KEY] = timezone.now().isoformat()
    request.session[STEP_UP_AT] = mark_of(request)
    log("sign_in.stepped_up", f"user:{request.user.pk}", request.user)
