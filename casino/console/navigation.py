"""The way through the console: its sidebar, and what "find or do" finds and does."""

from __future__ import annotations

import re
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as say
from django.utils.translation import gettext_lazy as _
from unfold.dataclasses import SearchResult

from casino.console import floors, hands, inbox, people
from casino.console.access import may
from casino.core.models import User

FOUND_MOST = 8
DEEDS = ("open", "pause", "stop", "drain", "close", "void")
RECORDS = (
    (_("Players’ protection"), "shield", "admin:wallets_playerlimits_changelist"),
    (_("People and roles"), "badge", "admin:core_user_changelist"),
    (_("Log entries"), "history", "admin:core_logentry_changelist"),
    (_("Reconciliations"), "balance", "admin:wallets_reconciliation_changelist"),
    (_("Transfers"), "sync_alt", "admin:wallets_transfer_changelist"),
    (_("Every record"), "list", "console:records"),
)


def sidebar(request: HttpRequest) -> list[dict[str, Any]]:
    """Pages by what they are for; of each only what the signed-in role may open."""
    groups = (
        (
            say("Floor"),
            (
                (say("Pit"), "grid_view", "pit"),
                (say("Hands"), "playing_cards", "hands"),
                (say("Screens"), "tv", "devices"),
                (say("Watching"), "visibility", "watching"),
            ),
        ),
        (
            say("Games"),
            (
                (say("Tables"), "table_restaurant", "tables"),
                (say("Own games"), "extension", "games"),
                (say("Paytables"), "percent", "paytables"),
            ),
        ),
        (
            say("Money"),
            (
                (say("Approvals"), "how_to_reg", "approvals"),
                (say("Cage"), "payments", "cage"),
                (say("Books"), "account_balance", "books"),
                (say("Jackpots"), "savings", "jackpots"),
                (say("Tips"), "volunteer_activism", "tips"),
                (say("Reports"), "monitoring", "reports"),
                (say("Day close"), "event_available", "close"),
            ),
        ),
        (say("People"), ((say("Players"), "groups", "players"),)),
        (
            say("House"),
            (
                (say("Alerts"), "notifications", "alerts"),
                (say("Pictures"), "insert_chart", "pictures"),
                (say("Audit log"), "history", "audit"),
                (say("Files and settings"), "fact_check", "files"),
                (say("Webhooks"), "webhook", "webhooks"),
                (say("Long work"), "hourglass", "jobs"),
                (say("Your account"), "key", "account"),
            ),
        ),
    )
    shown = []
    for title, pages in groups:
        items = [
            {
                "title": name,
                "icon": icon,
                "link": reverse(f"console:{page}"),
                **badge(request, page),
            }
            for name, icon, page in pages
            if may(request.user, page)
        ]
        if items:
            shown.append({"title": title, "separator": False, "items": items})
    records = [
        {"title": name, "icon": icon, "link": reverse(address)}
        for name, icon, address in RECORDS
        if address == "console:records" or _may_see(request, address)
    ]
    shown.append({"title": say("Records"), "separator": True, "items": records})
    return shown


def badge(request: HttpRequest, page: str) -> dict[str, Any]:
    """How many requests wait for this very person."""
    if page != "approvals" or not isinstance(request.user, User):
        return {}
    waiting = inbox.waiting_for(request.user)
    return {"badge": str(waiting)} if waiting else {}


def _may_see(request: HttpRequest, address: str) -> bool:
    name = address.removeprefix("admin:").removesuffix("_changelist")
    for model, records in admin.site._registry.items():
        if f"{model._meta.app_label}_{model._meta.model_name}" == name:
            return records.has_view_permission(request)
    return False


def find_or_do(request: HttpRequest, typed: str) -> list[SearchResult]:
    """ "pause amber", a table's or player's name, a hand's number: where that is done or shown."""
    user, words = request.user, typed.strip()
    found: list[SearchResult] = []
    verb, _, rest = words.lower().partition(" ")
    if may(user, "pit.run"):
        deeds = [deed for deed in DEEDS if deed.startswith(verb)] if rest else []
        for table in (
            floors.tables_of(user).filter(name__icontains=rest)[:FOUND_MOST] if deeds else ()
        ):
            for deed in deeds:
                route = (
                    ("console:pit-void", [table.pk])
                    if deed == "void"
                    else ("console:pit-deed", [table.pk, deed])
                )
                found.append(
                    SearchResult(
                        f"{say(deed.capitalize())} {table}",
                        f"{table.get_status_display()} now",
                        reverse(route[0], args=route[1]),
                        "bolt",
                    )
                )
    if may(user, "hands"):
        found += _hands(words, floors.pits_of(user))
    if may(user, "players"):
        found += [
            SearchResult(
                player.display_name,
                f"player {player.pk}",
                reverse("console:player", args=[player.pk]),
                "person",
            )
            for player in people.players_like(words, user)[:FOUND_MOST]
        ]
    return found[: 2 * FOUND_MOST]


def _hands(words: str, pits: tuple[str, ...]) -> list[SearchResult]:
    """ "48213", "#48,213" or "hand 48213": by its number at any table, or its id."""
    asked = re.fullmatch(r"(?:hand\s*)?#?([\d,]{1,18})", words.lower())
    if asked is None:
        return []
    number = int(asked[1].replace(",", "") or 0)
    wanted = hands.hands_like(hands.Query(number=number, pits=pits))
    return [
        SearchResult(
            say("Hand {0:,} at {1}").format(hand.number, hand.table),
            say("{0}, id {1}").format(hand.get_status_display(), hand.pk),
            reverse("console:hand", args=[hand.pk]),
            "playing_cards",
        )
        for hand in wanted.order_by("-pk")[:FOUND_MOST]
    ]


def records_style(request: HttpRequest) -> str:
    return static("console/records.css")


def first_page(user: object) -> str:
    """The address that somebody's day begins at."""
    order = ("pit", "cage", "players", "approvals")
    own = next((f"console:{page}" for page in order if may(user, page)), "console:records")
    return reverse(own)


def environment(request: HttpRequest) -> list[str] | None:
    """Which house this is, where it is not the real one."""
    return None if settings.PRODUCTION else [settings.ENVIRONMENT, "warning"]
