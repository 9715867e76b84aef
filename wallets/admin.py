"""The books in the console: to be read. Money is moved by services, never by a form."""

from __future__ import annotations

from typing import ClassVar

from django.contrib import admin
from django.db.models import Model
from django.forms import ModelForm
from django.http import HttpRequest
from unfold.admin import ModelAdmin, TabularInline

from casino.core.models import Role, User
from wallets.models import Account, Currency, DepositLimit, Leg, PlayerLimits, Transfer

BOOKS = frozenset({Role.CAGE, Role.FINANCE, Role.SURVEILLANCE, Role.COMPLIANCE, Role.ADMIN})


class ReadOnly:
    """May be looked at by the roles that keep or audit the books; by no one changed."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return _keeps_books(request)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return _keeps_books(request)

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class LegInline(ReadOnly, TabularInline):  # type: ignore[misc]
    model = Leg
    extra = 0
    fields: ClassVar = ["position", "account", "currency", "amount_minor", "balance_after_minor"]


@admin.register(Account)
class AccountAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    list_display: ClassVar = [
        "id", "purpose", "currency", "player", "table_id", "balance_minor", "held_by",
    ]  # fmt: skip
    list_filter: ClassVar = ["purpose", "currency"]
    list_select_related: ClassVar = ["player"]
    search_fields: ClassVar = ["=id", "=table_id", "player__username", "player__display_name"]
    ordering: ClassVar = ["id"]


@admin.register(Transfer)
class TransferAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    list_display: ClassVar = [
        "id", "created_at", "kind", "phase", "key", "hand_id", "table_id", "actor_id", "reason",
    ]  # fmt: skip
    list_filter: ClassVar = ["phase"]
    search_fields: ClassVar = ["=key", "=id", "=hand_id"]
    ordering: ClassVar = ["-id"]
    show_full_result_count = False
    inlines: ClassVar = [LegInline]


@admin.register(Leg)
class LegAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    list_display: ClassVar = [
        "id", "transfer", "account", "currency", "amount_minor", "balance_after_minor",
    ]  # fmt: skip
    list_select_related: ClassVar = ["transfer", "account"]
    search_fields: ClassVar = ["=account__id", "=transfer__key"]
    ordering: ClassVar = ["-id"]
    show_full_result_count = False


@admin.register(PlayerLimits)
class PlayerLimitsAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    list_display: ClassVar = ["player", "self_excluded", "excluded_until", "changed_at"]
    list_select_related: ClassVar = ["player"]
    search_fields: ClassVar = ["player__username"]


@admin.register(DepositLimit)
class DepositLimitAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    list_display: ClassVar = [
        "player", "currency", "window_days", "most_minor", "next_minor", "next_from",
    ]  # fmt: skip
    list_select_related: ClassVar = ["player"]
    search_fields: ClassVar = ["player__username"]


@admin.register(Currency)
class CurrencyAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """A currency is added here and stays: its exponent says what every amount means."""

    list_display: ClassVar = ["code", "exponent", "name"]

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return _role(request) in {Role.FINANCE, Role.ADMIN}

    def save_model(
        self, request: HttpRequest, obj: Currency, form: ModelForm[Currency], change: bool
    ) -> None:
        # Never the UPDATE that Django tries first when a row brings its own key.
        obj.save(force_insert=True)


def _role(request: HttpRequest) -> str | None:
    user = request.user
    if isinstance(user, User) and user.is_active and user.is_staff:
        return user.role
    return None


def _keeps_books(request: HttpRequest) -> bool:
    return _role(request) in BOOKS
