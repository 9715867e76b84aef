"""Tables, seats, hands and decks in the console: opened, steered and read through services.

What is secret has no page here: no deck's order, no event's private part.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from django.contrib import admin, messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.translation import gettext as say
from django.utils.translation import gettext_lazy as _

from casino.core.admin import AUDITORS, RoleAdmin, has_role, staff_of
from casino.core.errors import CoreError
from casino.core.models import Role
from casino.core.readable import in_words, readable
from tables.engine.errors import RuleViolation
from tables.errors import TableError
from tables.models import (
    ClocksHeld,
    Cut,
    Deck,
    FloorCall,
    Hand,
    HouseStop,
    Interruption,
    Paytable,
    PaytableReturn,
    Schedule,
    Seat,
    Shift,
    Table,
    Template,
)
from tables.odds import percents
from tables.services import floor, returns
from wallets import selectors as wallet_selectors
from wallets import services as wallets
from wallets.errors import WalletError

REFUSALS = (RuleViolation, TableError, CoreError, WalletError)
FLOOR = frozenset({Role.FLOOR, Role.PIT_MANAGER})
LOOKERS = AUDITORS | FLOOR | {Role.DEALER, Role.GAME_MATHS}

OPENED_WITH = (
    "game", "currency", "chip_minor", "max_seats", "min_players",
    "buy_in_least_minor", "buy_in_most_minor", "is_house",
)  # fmt: skip


FAIRNESS = ("decks_per_hand", "reveal_ms", "certified")


def exponent_at(obj: Model) -> int | None:
    """Decimal places of the amounts of a table, or of what belongs to one."""
    table = obj if isinstance(obj, Table) else getattr(obj, "table", None)
    return None if table is None else wallet_selectors.exponent_of(table.currency)


class LookOnlyAdmin(RoleAdmin):
    """Read here; what may be changed has a page of the console's own, which `own_page` leads to."""

    view_roles = LOOKERS
    ordering = ("-id",)
    show_full_result_count = False

    def exponent(self, obj: Model) -> int | None:
        return exponent_at(obj)


@admin.register(Table)
class TableAdmin(LookOnlyAdmin):
    run_roles = frozenset(floor.RUNNERS)

    list_display = ("name", "game", "currency", "status", "hand_number", "deadline", "is_house")
    list_filter = ("status", "game", "currency", "is_house")
    search_fields = ("=id", "name")
    ordering = ("name",)
    actions: ClassVar = ["pause", "resume", "drain", "close", "bomb_pot"]
    fieldsets = (
        (None, {"fields": ("own_page", "name", "timing", "options")}),
        (_("Opened with"), {"fields": (*OPENED_WITH, *FAIRNESS)}),
        (_("Now"), {"fields": (
            "status", "hand_number", "hand_id", "seq", "deadline", "next_deal_at", "balances",
        )}),
    )  # fmt: skip
    readonly_fields = ("own_page", "balances")

    def has_run_permission(self, request: HttpRequest) -> bool:
        return has_role(request, self.run_roles)

    @admin.display(description=_("opened and changed at"))
    def own_page(self, table: Table) -> str:
        return format_html('<a href="/admin/tables/{}/">{}</a>', table.pk, say("its page"))

    @admin.display(description=_("on its accounts"))
    def balances(self, table: Table) -> str:
        held = wallets.balances_of(account_ids=table.accounts.values())
        by_name = {f"{name}_minor": held[account] for name, account in table.accounts.items()}
        return readable(by_name, exponent_at(table))

    @admin.action(description=_("Pause: deal no further hand"), permissions=["run"])
    def pause(self, request: HttpRequest, tables: QuerySet[Table]) -> None:
        self.each(request, tables, floor.table_pause)

    @admin.action(description=_("Resume dealing"), permissions=["run"])
    def resume(self, request: HttpRequest, tables: QuerySet[Table]) -> None:
        self.each(request, tables, floor.table_resume)

    @admin.action(description=_("Drain: close after the hand in play"), permissions=["run"])
    def drain(self, request: HttpRequest, tables: QuerySet[Table]) -> None:
        self.each(request, tables, floor.table_drain)

    @admin.action(description=_("Close and pay the seats out"), permissions=["run"])
    def close(self, request: HttpRequest, tables: QuerySet[Table]) -> None:
        self.each(request, tables, floor.table_close)

    @admin.action(description=_("Let the next hand be a bomb pot"), permissions=["run"])
    def bomb_pot(self, request: HttpRequest, tables: QuerySet[Table]) -> None:
        self.each(request, tables, floor.bomb_pot_order)

    def each(
        self, request: HttpRequest, tables: QuerySet[Table], work: Callable[..., None]
    ) -> None:
        for table in tables:
            try:
                work(table_id=table.pk, by=staff_of(request))
            except REFUSALS as error:
                messages.error(request, f"{table}: {error}")
            else:
                table.refresh_from_db(fields=["status"])
                messages.success(request, f"{table}: {say(str(table.get_status_display()))}")


@admin.register(Paytable)
class PaytableAdmin(LookOnlyAdmin):
    list_display = ("__str__", "game", "status", "figures", "author", "approved_by", "approved_at")
    list_filter = ("status", "game")
    list_select_related = ("author", "approved_by")
    search_fields = ("=id", "name")
    fieldsets = (
        (None, {"fields": ("own_page", "game", "name", "content")}),
        (_("Stands at"), {"fields": (
            "status", "figures", "prices", "content_hash", "author", "approved_by", "approval_id",
            "made_at", "priced_at", "approved_at", "in_force_at",
        )}),
    )  # fmt: skip
    readonly_fields = ("own_page", "figures", "in_force_at")

    @admin.display(description=_("edited and sent on at"))
    def own_page(self, paytable: Paytable) -> str:
        return format_html('<a href="/admin/paytables/{}/">{}</a>', paytable.pk, say("its page"))

    @admin.display(description=_("return, percent"))
    def figures(self, paytable: Paytable) -> str:
        prices = paytable.prices or {}
        return ", ".join(
            f"{in_words(wager)} {percents(each)['return']}" for wager, each in prices.items()
        )

    @admin.display(description=_("in force at"))
    def in_force_at(self, paytable: Paytable) -> str:
        return ", ".join(paytable.tables.values_list("name", flat=True)) or say("no table")


@admin.register(PaytableReturn)
class PaytableReturnAdmin(LookOnlyAdmin):
    """Actual return beside the theoretical one; outside its band an entry of the log says so."""

    list_display = (
        "table", "paytable", "wager", "spots", "actual", "theory", "band", "errors",
        "outside_since",
    )  # fmt: skip
    list_filter = ("wager", ("outside_since", admin.EmptyFieldListFilter))
    list_select_related = ("table", "paytable")
    search_fields = ("table__name", "paytable__name")
    fields = (
        "table", "paytable", "wager", "spots", "staked_minor", "net_minor", "expected_minor",
        "variance", "outside_since",
    )  # fmt: skip

    @admin.display(description=_("actual, percent"))
    def actual(self, row: PaytableReturn) -> str:
        return str(returns.figures(row)["actual_percent"])

    @admin.display(description=_("in theory"))
    def theory(self, row: PaytableReturn) -> str:
        return str(returns.figures(row)["theoretical_percent"])

    @admin.display(description=_("band"))
    def band(self, row: PaytableReturn) -> str:
        low, high = returns.figures(row)["band_percent"]
        return say("{0} to {1}").format(low, high)

    @admin.display(description=_("standard errors"))
    def errors(self, row: PaytableReturn) -> str:
        return str(returns.figures(row)["standard_errors"])


@admin.register(Seat)
class SeatAdmin(LookOnlyAdmin):
    list_display = ("table", "number", "player", "status", "taken_at")
    list_filter = ("status",)
    list_select_related = ("table", "player")
    search_fields = ("table__name", "player__display_name", "=player__id")
    fields = ("table", "number", "who", "status", "account_id", "taken_at")

    @admin.display(description=_("player"))
    def who(self, seat: Seat) -> str:
        """Without a link: not all who look at seats may open a person's record."""
        return say("{0}, no. {1}").format(seat.player, seat.player_id)


@admin.register(Hand)
class HandAdmin(LookOnlyAdmin):
    list_display = ("id", "table", "number", "game", "status", "started_at", "settled_at")
    list_filter = ("status", "game")
    list_select_related = ("table",)
    search_fields = ("=id", "table__name")
    fields = (
        "told_at", "table", "number", "game", "status", "started_at", "settled_at", "button",
        "seats", "result", "options", "paytable", "engine_version", "deck_id", "first_seq",
        "last_seq",
    )  # fmt: skip

    @admin.display(description=_("step by step"))
    def told_at(self, hand: Hand) -> str:
        return format_html('<a href="/admin/hands/{}/">{}</a>', hand.pk, say("as it was played"))


@admin.register(Cut)
class CutAdmin(LookOnlyAdmin):
    list_display = ("table", "number", "purpose", "status", "reason", "mode", "published_at")
    list_filter = ("purpose", "status", "mode", "reason")
    list_select_related = ("table",)
    search_fields = ("=number", "table__name", "=hand_id")
    fields = (
        "table", "number", "hand_id", "purpose", "kind", "takes_seeds", "attempt", "status",
        "reason", "mode", "published_at", "due", "commitments", "list_signature", "seeds",
        "root_number", "joined", "end_signature",
    )  # fmt: skip


@admin.register(Deck)
class DeckAdmin(LookOnlyAdmin):
    list_display = ("id", "table", "number", "status", "root", "committed_at")
    list_filter = ("status",)
    list_select_related = ("table",)
    search_fields = ("=id", "table__name", "root")
    fields = ("table", "cut", "number", "status", "root", "previous", "signature", "committed_at")


@admin.register(Interruption)
class InterruptionAdmin(LookOnlyAdmin):
    view_roles = AUDITORS | FLOOR
    list_display = ("at", "table", "hand", "code", "verdict", "by")
    list_filter = ("verdict", "code")
    list_select_related = ("table", "hand", "by")
    search_fields = ("table__name", "=hand__id")
    fields = ("at", "table", "hand", "code", "verdict", "detail", "by")


@admin.register(Schedule)
class ScheduleAdmin(LookOnlyAdmin):
    """When a table opens and drains by itself; set from its page, under its hours."""

    list_display = ("table", "opens", "closes", "weekdays", "is_on")
    list_select_related = ("table",)
    fields = ("table", "opens", "closes", "weekdays", "is_on")


@admin.register(Template)
class TemplateAdmin(LookOnlyAdmin):
    list_display = ("name",)
    fields = ("name", "facts")


@admin.register(HouseStop)
class HouseStopAdmin(LookOnlyAdmin):
    view_roles = AUDITORS | FLOOR
    list_display = ("at", "game", "reason", "by", "lifted_at", "lifted_by")
    list_select_related = ("by", "lifted_by")
    fields = ("game", "reason", "at", "by", "lifted_at", "lifted_by")


@admin.register(ClocksHeld)
class ClocksHeldAdmin(LookOnlyAdmin):
    view_roles = AUDITORS | FLOOR
    list_display = ("kind", "began", "ended", "tables")
    fields = ("kind", "began", "ended", "tables")


@admin.register(Shift)
class ShiftAdmin(LookOnlyAdmin):
    view_roles = AUDITORS | FLOOR
    list_display = ("table", "dealer", "began_at", "break_since", "ended_at", "end")
    list_select_related = ("table", "dealer")
    fields = (*list_display, "device_id", "confirmed_hand_id")


@admin.register(FloorCall)
class FloorCallAdmin(LookOnlyAdmin):
    view_roles = AUDITORS | FLOOR
    list_display = ("table", "why", "dealer", "called_at", "answered_at", "answered_by")
    list_select_related = ("table", "dealer", "answered_by")
    fields = (*list_display, "hand_id", "device_id")
