"""The books in the console: to be read. Money is moved by services, never by a form."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from django import forms
from django.contrib import admin, messages
from django.db.models import Model, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from unfold.admin import ModelAdmin, TabularInline
from unfold.forms import ActionForm

from casino.core.log import log
from casino.core.models import Role, User
from wallets import bonuses, limits, reporting
from wallets.errors import WalletError
from wallets.models import (
    Account,
    BonusGrant,
    CashCase,
    CashThreshold,
    ControlBand,
    Currency,
    DepositLimit,
    HousePolicy,
    Leg,
    LimitChange,
    PlayerLimits,
    PlaySession,
    Reconciliation,
    SpendLimit,
    TimeLimit,
    Transfer,
)

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


class ReasonForm(ActionForm):  # type: ignore[misc]
    reason = forms.CharField(required=False, help_text="Kept with the change.")


@admin.register(PlayerLimits)
class PlayerLimitsAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """Read by all who keep the books; states and exclusions are set by those who protect."""

    list_display: ClassVar = [
        "player", "state", "self_excluded", "excluded_until", "cool_off_until", "playing_last",
    ]  # fmt: skip
    list_filter: ClassVar = ["state", "self_excluded"]
    list_select_related: ClassVar = ["player"]
    search_fields: ClassVar = ["player__username", "player__display_name"]
    action_form = ReasonForm
    actions: ClassVar = [
        "mark_verified",
        "mark_suspended",
        "mark_closed",
        "exclude_player",
        "lift_exclusion",
    ]

    def has_protect_permission(self, request: HttpRequest) -> bool:
        return _role(request) in limits.PROTECTORS

    @admin.action(description="Mark as verified", permissions=["protect"])
    def mark_verified(self, request: HttpRequest, players: QuerySet[PlayerLimits]) -> None:
        self.each(request, players, self.to_state(PlayerLimits.State.VERIFIED))

    @admin.action(description="Suspend", permissions=["protect"])
    def mark_suspended(self, request: HttpRequest, players: QuerySet[PlayerLimits]) -> None:
        self.each(request, players, self.to_state(PlayerLimits.State.SUSPENDED))

    @admin.action(description="Close", permissions=["protect"])
    def mark_closed(self, request: HttpRequest, players: QuerySet[PlayerLimits]) -> None:
        self.each(request, players, self.to_state(PlayerLimits.State.CLOSED))

    @admin.action(description="Exclude until lifted", permissions=["protect"])
    def exclude_player(self, request: HttpRequest, players: QuerySet[PlayerLimits]) -> None:
        def deed(player: int, by: User, reason: str) -> None:
            limits.exclude(player_id=player, until=None, by_id=by.pk, reason=reason)

        self.each(request, players, deed)

    @admin.action(description="Lift an exclusion without a date", permissions=["protect"])
    def lift_exclusion(self, request: HttpRequest, players: QuerySet[PlayerLimits]) -> None:
        def deed(player: int, by: User, reason: str) -> None:
            limits.exclusion_lift(player_id=player, by_id=by.pk, reason=reason)

        self.each(request, players, deed)

    def to_state(self, state: str) -> Callable[[int, User, str], None]:
        def deed(player: int, by: User, reason: str) -> None:
            limits.state_set(player_id=player, state=state, by=by, reason=reason)

        return deed

    def each(
        self,
        request: HttpRequest,
        players: QuerySet[PlayerLimits],
        deed: Callable[[int, User, str], None],
    ) -> None:
        """Do it to each player marked; who says no says why."""
        assert isinstance(request.user, User)
        reason = request.POST.get("reason", "").strip()
        if not reason:
            messages.error(request, "Say why: the reason is kept with the change.")
            return
        for player in players:
            try:
                deed(player.player_id, request.user, reason)
            except WalletError as error:
                messages.error(request, f"{player.player}: {error}")
            else:
                messages.success(request, f"{player.player}: done")


@admin.register(SpendLimit)
class SpendLimitAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    list_display: ClassVar = [
        "player", "kind", "currency", "window_days", "most_minor", "next_minor", "next_from",
    ]  # fmt: skip
    list_filter: ClassVar = ["kind"]
    list_select_related: ClassVar = ["player"]
    search_fields: ClassVar = ["player__username"]


@admin.register(TimeLimit)
class TimeLimitAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    list_display: ClassVar = ["player", "window_days", "most_s", "next_s", "next_from"]
    list_select_related: ClassVar = ["player"]
    search_fields: ClassVar = ["player__username"]


@admin.register(LimitChange)
class LimitChangeAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    list_display: ClassVar = [
        "at", "player", "what", "currency", "window_days", "before", "after", "effective_at",
        "by_id", "reason",
    ]  # fmt: skip
    list_filter: ClassVar = ["what"]
    list_select_related: ClassVar = ["player"]
    search_fields: ClassVar = ["player__username"]
    ordering: ClassVar = ["-id"]


@admin.register(PlaySession)
class PlaySessionAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    list_display: ClassVar = ["player", "started_at", "ended_at"]
    list_select_related: ClassVar = ["player"]
    search_fields: ClassVar = ["player__username"]
    ordering: ClassVar = ["-id"]


@admin.register(HousePolicy)
class HousePolicyAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """What the house's market asks; who changes it stands in the log."""

    list_display: ClassVar = [
        "unverified_may_play", "dormant_after_days", "gaming_day_starts", "time_zone",
    ]  # fmt: skip
    list_display_links: ClassVar = ["unverified_may_play"]
    exclude: ClassVar = ["id"]

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return _role(request) in limits.PROTECTORS

    def save_model(
        self, request: HttpRequest, obj: HousePolicy, form: ModelForm[HousePolicy], change: bool
    ) -> None:
        super().save_model(request, obj, form, change)
        facts = {field: str(getattr(obj, field)) for field in form.changed_data}
        log("policy.changed", "policy:wallets", request.user.pk, facts)


@admin.register(DepositLimit)
class DepositLimitAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    list_display: ClassVar = [
        "player", "currency", "window_days", "most_minor", "next_minor", "next_from",
    ]  # fmt: skip
    list_select_related: ClassVar = ["player"]
    search_fields: ClassVar = ["player__username"]


@admin.register(ControlBand)
class ControlBandAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """How far a role's agreement reaches; who changes it stands in the log."""

    list_display: ClassVar = ["deed", "role", "currency", "most_minor"]

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return _role(request) == Role.ADMIN

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return _role(request) == Role.ADMIN

    def save_model(
        self, request: HttpRequest, obj: ControlBand, form: ModelForm[ControlBand], change: bool
    ) -> None:
        super().save_model(request, obj, form, change)
        facts = {
            "deed": obj.deed, "role": obj.role, "currency": obj.currency_id,
            "most": obj.most_minor,
        }  # fmt: skip
        log("band.set", f"band:{obj.pk}", request.user.pk, facts)


@admin.register(BonusGrant)
class BonusGrantAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    list_display: ClassVar = [
        "granted_at", "player", "amount_minor", "currency", "wager_minor", "counted", "funds",
        "expires_at", "status",
    ]  # fmt: skip
    list_filter: ClassVar = ["status", "currency"]
    list_select_related: ClassVar = ["player"]
    search_fields: ClassVar = ["player__username", "player__display_name"]
    ordering: ClassVar = ["-id"]

    @admin.display(description="counted so far")
    def counted(self, grant: BonusGrant) -> int:
        return bonuses.wagered(grant)


@admin.register(Reconciliation)
class ReconciliationAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    list_display: ClassVar = ["gaming_day", "at", "ok", "differing"]
    list_filter: ClassVar = ["ok"]
    ordering: ClassVar = ["-id"]

    @admin.display(description="differs in")
    def differing(self, kept: Reconciliation) -> str:
        return "; ".join(name for name, found in kept.checks.items() if found) or "nothing"


@admin.register(CashThreshold)
class CashThresholdAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    list_display: ClassVar = ["currency", "report_over_minor"]

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return _role(request) in reporting.REPORTERS

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return _role(request) in reporting.REPORTERS

    def save_model(
        self, request: HttpRequest, obj: CashThreshold, form: ModelForm[CashThreshold], change: bool
    ) -> None:
        super().save_model(request, obj, form, change)
        facts = {"over": obj.report_over_minor}
        log("cash.threshold", f"currency:{obj.currency_id}", request.user.pk, facts)


@admin.register(CashCase)
class CashCaseAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """Seen by those who report; a case is closed with a note of what was done."""

    list_display: ClassVar = [
        "gaming_day", "player", "way", "total_minor", "currency", "due_on", "status", "note",
    ]  # fmt: skip
    list_filter: ClassVar = ["status", "way"]
    list_select_related: ClassVar = ["player"]
    ordering: ClassVar = ["-id"]
    action_form = ReasonForm
    actions: ClassVar = ["mark_reported", "dismiss"]

    def has_module_permission(self, request: HttpRequest) -> bool:
        return _role(request) in reporting.REPORTERS

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return _role(request) in reporting.REPORTERS

    @admin.action(description="Mark as reported")
    def mark_reported(self, request: HttpRequest, cases: QuerySet[CashCase]) -> None:
        self.close(request, cases, CashCase.Status.REPORTED)

    @admin.action(description="Dismiss")
    def dismiss(self, request: HttpRequest, cases: QuerySet[CashCase]) -> None:
        self.close(request, cases, CashCase.Status.DISMISSED)

    def close(self, request: HttpRequest, cases: QuerySet[CashCase], status: str) -> None:
        assert isinstance(request.user, User)
        note = request.POST.get("reason", "").strip()
        if not note:
            messages.error(request, "Say what was done: it is kept with the case.")
            return
        for case in cases:
            try:
                reporting.case_close(case_id=case.pk, status=status, note=note, by=request.user)
            except WalletError as error:
                messages.error(request, str(error))


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
