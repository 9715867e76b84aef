"""The books in the console: to be read. No form writes in them: a bonus is given by its service,
what corrects them is asked for here and done once a second person has agreed to it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, TypeVar
from uuid import uuid4

from django import forms
from django.contrib import admin, messages
from django.db.models import Model, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as say
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin, TabularInline
from unfold.forms import ActionForm

from casino.core.admin import Told
from casino.core.errors import CoreError
from casino.core.idempotency import OnceField, deed_once
from casino.core.log import log
from casino.core.models import Approval, Role, User
from casino.core.readable import readable
from casino.core.services import STAFF
from wallets import bonuses, controlling, limits, reporting
from wallets.errors import HandNotSettled, WalletError
from wallets.models import (
    Account,
    BonusGrant,
    BonusWeight,
    CashCase,
    CashThreshold,
    ControlBand,
    Currency,
    DepositLimit,
    ExchangeRate,
    HousePolicy,
    Leg,
    LimitChange,
    OperatorCall,
    OperatorPlayer,
    PaymentFile,
    PaymentLine,
    PlayerLimits,
    PlaySession,
    Purpose,
    Reconciliation,
    SpendLimit,
    TimeLimit,
    Transfer,
)
from wallets.selectors import exponent_of, reversal_preview

Row = TypeVar("Row", bound=Model)
Limit = TypeVar("Limit", DepositLimit, SpendLimit, TimeLimit)
ASKERS = frozenset(STAFF) - {Role.SURVEILLANCE}  # who looks on asks for nothing
BOOKS = frozenset({Role.CAGE, Role.FINANCE, Role.SURVEILLANCE, Role.COMPLIANCE, Role.ADMIN})


class ReadOnly(Told):
    """May be looked at by the roles that keep or audit the books; by no one changed."""

    def exponent(self, obj: Model) -> int | None:
        return exponent_of(str(getattr(obj, "currency_id", None) or getattr(obj, "currency", "")))

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


class Deeds:
    """Actions on marked rows that need a reason, each row by itself and once however often the form
    is sent; who says no says why."""

    def each(
        self,
        request: HttpRequest,
        rows: QuerySet[Row],
        deed: Callable[[Row, User, str], str],
    ) -> None:
        """deed: does it to one row for that reason, and answers what to tell."""
        assert isinstance(request.user, User)
        reason = request.POST.get("reason", "").strip()
        if not reason:
            messages.error(request, say("Say why: the reason is kept with what is done."))
            return
        once = request.POST.get("once", "")
        for row in rows:
            try:
                told = deed_once(
                    request, once and f"{once}:{row.pk}", partial(deed, row, request.user, reason)
                )
            except (WalletError, CoreError) as error:
                messages.error(request, f"{row}: {error}")
            else:
                messages.success(request, f"{row}: {told}")


def asked(approval: Approval) -> str:
    return say("asked for as approval {0}; another person agrees to it or not").format(approval.pk)


class LegInline(ReadOnly, TabularInline):  # type: ignore[misc]
    model = Leg
    extra = 0
    fields: ClassVar = ["position", "account", "currency", "amount", "balance_after"]
    readonly_fields: ClassVar = ["amount", "balance_after"]

    @admin.display(description=_("amount"))
    def amount(self, leg: Leg) -> str:
        return readable(leg.amount_minor, self.exponent(leg), "amount_minor")

    @admin.display(description=_("balance after"))
    def balance_after(self, leg: Leg) -> str:
        return readable(leg.balance_after_minor, self.exponent(leg), "balance_minor")


class ReasonForm(ActionForm):  # type: ignore[misc]
    reason = forms.CharField(
        required=False, label=_("Reason"), help_text=_("Kept with what is done.")
    )
    once = OnceField()


class AdjustmentForm(ReasonForm):
    amount_minor = forms.IntegerField(
        required=False,
        label=_("Amount"),
        help_text=_("Minor units; below zero takes from the account."),
    )


@admin.register(Account)
class AccountAdmin(Deeds, ReadOnly, ModelAdmin):  # type: ignore[misc]
    list_display: ClassVar = [
        "id", "purpose", "currency", "player", "table_id", "balance_minor", "held_by",
    ]  # fmt: skip
    list_filter: ClassVar = ["purpose", "currency"]
    list_select_related: ClassVar = ["player"]
    search_fields: ClassVar = ["=id", "=table_id", "player__username", "player__display_name"]
    ordering: ClassVar = ["id"]
    action_form = AdjustmentForm
    actions: ClassVar = ["ask_adjustment"]

    def has_ask_permission(self, request: HttpRequest) -> bool:
        return _role(request) in ASKERS

    @admin.action(description=_("Ask for an adjustment"), permissions=["ask"])
    def ask_adjustment(self, request: HttpRequest, accounts: QuerySet[Account]) -> None:
        text = request.POST.get("amount_minor", "").strip()
        if not re.fullmatch(r"-?[0-9]{1,16}", text):
            messages.error(request, say("The amount is a whole number of minor units."))
            return

        def deed(account: Account, by: User, reason: str) -> str:
            return asked(
                controlling.adjustment_ask(
                    account_id=account.pk, amount_minor=int(text), reason=reason, by=by
                )
            )

        self.each(request, accounts, deed)


@admin.register(Transfer)
class TransferAdmin(Deeds, ReadOnly, ModelAdmin):  # type: ignore[misc]
    codes = frozenset({"kind"})
    list_display: ClassVar = [
        "id", "created_at", "kind", "phase", "key", "hand_id", "table_id", "actor_id", "reason",
    ]  # fmt: skip
    list_filter: ClassVar = ["phase"]
    search_fields: ClassVar = ["=key", "=id", "=hand_id"]
    ordering: ClassVar = ["-id"]
    show_full_result_count = False
    inlines: ClassVar = [LegInline]
    action_form = ReasonForm
    actions: ClassVar = ["ask_reversal"]

    def has_ask_permission(self, request: HttpRequest) -> bool:
        return _role(request) in ASKERS

    @admin.action(description=_("Ask for its hand to be undone"), permissions=["ask"])
    def ask_reversal(self, request: HttpRequest, transfers: QuerySet[Transfer]) -> None:
        def deed(transfer: Transfer, by: User, reason: str) -> str:
            if transfer.kind != "settle" or transfer.hand_id is None:
                raise HandNotSettled(transfer.hand_id or 0)
            owed = -sum(
                line.amount_minor
                for line in reversal_preview(transfer.hand_id)
                if line.purpose == Purpose.RECEIVABLE
            )
            told = asked(controlling.reversal_ask(hand_id=transfer.hand_id, reason=reason, by=by))
            more = say("As things stand, players would owe {0} in minor units").format(owed)
            return f"{told}. {more}"

        self.each(request, transfers, deed)


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
class PlayerLimitsAdmin(Deeds, ReadOnly, ModelAdmin):  # type: ignore[misc]
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
        "ask_unblock",
    ]

    def has_protect_permission(self, request: HttpRequest) -> bool:
        return _role(request) in limits.PROTECTORS

    @admin.action(description=_("Mark as verified"), permissions=["protect"])
    def mark_verified(self, request: HttpRequest, players: QuerySet[PlayerLimits]) -> None:
        self.each(request, players, self.to_state(PlayerLimits.State.VERIFIED))

    @admin.action(description=_("Suspend"), permissions=["protect"])
    def mark_suspended(self, request: HttpRequest, players: QuerySet[PlayerLimits]) -> None:
        self.each(request, players, self.to_state(PlayerLimits.State.SUSPENDED))

    @admin.action(description=_("Close"), permissions=["protect"])
    def mark_closed(self, request: HttpRequest, players: QuerySet[PlayerLimits]) -> None:
        self.each(request, players, self.to_state(PlayerLimits.State.CLOSED))

    @admin.action(description=_("Exclude until lifted"), permissions=["protect"])
    def exclude_player(self, request: HttpRequest, players: QuerySet[PlayerLimits]) -> None:
        def deed(row: PlayerLimits, by: User, reason: str) -> str:
            limits.exclude(player_id=row.player_id, until=None, by_id=by.pk, reason=reason)
            return say("done")

        self.each(request, players, deed)

    @admin.action(description=_("Lift an exclusion without a date"), permissions=["protect"])
    def lift_exclusion(self, request: HttpRequest, players: QuerySet[PlayerLimits]) -> None:
        def deed(row: PlayerLimits, by: User, reason: str) -> str:
            limits.exclusion_lift(player_id=row.player_id, by_id=by.pk, reason=reason)
            return say("done")

        self.each(request, players, deed)

    @admin.action(
        description=_("Ask for a suspended or closed account to be opened"), permissions=["protect"]
    )
    def ask_unblock(self, request: HttpRequest, players: QuerySet[PlayerLimits]) -> None:
        def deed(row: PlayerLimits, by: User, reason: str) -> str:
            state = PlayerLimits.State.VERIFIED
            return asked(
                controlling.unblock_ask(player_id=row.player_id, state=state, reason=reason, by=by)
            )

        self.each(request, players, deed)

    def to_state(self, state: str) -> Callable[[PlayerLimits, User, str], str]:
        def deed(row: PlayerLimits, by: User, reason: str) -> str:
            limits.state_set(player_id=row.player_id, state=state, by=by, reason=reason)
            return say("done")

        return deed


class Loosening(Deeds, ReadOnly, ModelAdmin):  # type: ignore[misc]
    """Limits: a looser one that waits for its day may be asked to count at once."""

    kind = ""
    action_form = ReasonForm
    actions: ClassVar = ["ask_override"]

    def has_ask_permission(self, request: HttpRequest) -> bool:
        return _role(request) in ASKERS

    @admin.action(description=_("Ask that the looser limit counts at once"), permissions=["ask"])
    def ask_override(self, request: HttpRequest, rows: QuerySet[Limit]) -> None:
        def deed(limit: Limit, by: User, reason: str) -> str:
            return asked(
                controlling.limit_override_ask(
                    player_id=limit.player_id,
                    kind=self.kind or getattr(limit, "kind", ""),
                    currency=getattr(limit, "currency_id", ""),
                    window_days=limit.window_days,
                    reason=reason,
                    by=by,
                )
            )

        self.each(request, rows, deed)


@admin.register(SpendLimit)
class SpendLimitAdmin(Loosening):
    list_display: ClassVar = [
        "player", "kind", "currency", "window_days", "most_minor", "next_minor", "next_from",
    ]  # fmt: skip
    list_filter: ClassVar = ["kind"]
    list_select_related: ClassVar = ["player"]
    search_fields: ClassVar = ["player__username"]


@admin.register(TimeLimit)
class TimeLimitAdmin(Loosening):
    kind = "time"
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
class DepositLimitAdmin(Loosening):
    kind = "deposit"
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


class BonusForm(forms.ModelForm):  # type: ignore[type-arg]
    """once: made with the page, so that a second click gives no second bonus."""

    reason = forms.CharField(max_length=200, label=_("Reason"), help_text=_("Kept with the bonus."))
    once = OnceField()
    most_bet_minor = forms.IntegerField(
        required=False,
        label=_("Most bet"),
        help_text=_("The most at stake in a round in which bonus money plays."),
    )

    class Meta:
        model = BonusGrant
        fields: ClassVar = [
            "player", "currency", "amount_minor", "wager_minor", "most_bet_minor", "funds",
            "expires_at",
        ]  # fmt: skip

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        until, player = cleaned.get("expires_at"), cleaned.get("player")
        if until is not None and until <= timezone.now():
            self.add_error("expires_at", say("It would have expired already."))
        for field in ("amount_minor", "wager_minor", "most_bet_minor"):
            if (cleaned.get(field) or 0) < 0 or (
                field == "amount_minor" and not cleaned.get(field)
            ):
                self.add_error(field, say("A whole number of minor units above zero."))
        active = BonusGrant.objects.filter(
            player=player, currency=cleaned.get("currency"), status=BonusGrant.Status.ACTIVE
        )
        if player is not None and active.exists():
            self.add_error("player", say("He has an active bonus in this currency."))
        return cleaned


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

    autocomplete_fields: ClassVar = ["player"]
    form = BonusForm

    def get_fields(self, request: HttpRequest, obj: BonusGrant | None = None) -> list[str]:
        terms = list(BonusForm.Meta.fields)
        if obj is None:
            return [*terms, "reason", "once"]
        return [*terms, "status", "granted_by", "granted_at", "ended_at"]

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return _role(request) in bonuses.GRANTERS

    def save_model(
        self, request: HttpRequest, obj: BonusGrant, form: ModelForm[BonusGrant], change: bool
    ) -> None:
        """Given by the service, never by the row that the form has filled in."""
        assert isinstance(request.user, User)
        terms: dict[str, Any] = {
            "player_id": obj.player_id, "currency": obj.currency_id,
            "amount_minor": obj.amount_minor, "wager_minor": obj.wager_minor,
            "most_bet_minor": obj.most_bet_minor, "funds": obj.funds, "expires_at": obj.expires_at,
            "by": request.user, "reason": form.cleaned_data["reason"],
        }  # fmt: skip
        once = form.cleaned_data["once"]
        if bonuses.is_given_alone(
            by=request.user,
            currency=obj.currency_id,
            amount_minor=obj.amount_minor,
            wager_minor=obj.wager_minor,
        ):
            key = f"console:bonus:{once or uuid4()}"
            obj.pk = bonuses.bonus_grant(key=key, **terms).pk
        else:
            messages.info(
                request, deed_once(request, once, lambda: asked(bonuses.bonus_ask(**terms)))
            )

    def log_addition(self, request: HttpRequest, obj: BonusGrant, message: Any) -> Any:
        """Nothing is added yet that another person has to agree to."""
        return None if obj.pk is None else super().log_addition(request, obj, message)

    def response_add(
        self, request: HttpRequest, obj: BonusGrant, post_url_continue: str | None = None
    ) -> HttpResponse:
        if obj.pk is None:
            return redirect("console:approvals")
        answer: HttpResponse = super().response_add(request, obj, post_url_continue)
        return answer

    @admin.display(description=_("counted so far"))
    def counted(self, grant: BonusGrant) -> int:
        return bonuses.wagered(grant)


@admin.register(BonusWeight)
class BonusWeightAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """How much of a game's stakes counts towards a bonus; who changes it stands in the log."""

    list_display: ClassVar = ["game", "weight_bp"]

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return _role(request) in bonuses.GRANTERS

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return _role(request) in bonuses.GRANTERS

    def save_model(
        self, request: HttpRequest, obj: BonusWeight, form: ModelForm[BonusWeight], change: bool
    ) -> None:
        super().save_model(request, obj, form, change)
        log("bonus.weight", f"game:{obj.game}", request.user.pk, {"weight_bp": obj.weight_bp})


@admin.register(Reconciliation)
class ReconciliationAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    list_display: ClassVar = ["gaming_day", "at", "ok", "differing"]
    list_filter: ClassVar = ["ok"]
    ordering: ClassVar = ["-id"]

    @admin.display(description=_("differs in"))
    def differing(self, kept: Reconciliation) -> str:
        differing = [say(name) for name, found in kept.checks.items() if found]
        return "; ".join(differing) or say("nothing")


@admin.register(ExchangeRate)
class ExchangeRateAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    list_display: ClassVar = [
        "gives", "gives_minor", "gets", "gets_minor", "middle_minor", "source", "from_at",
        "until_at",
    ]  # fmt: skip
    ordering: ClassVar = ["-id"]


@admin.register(OperatorPlayer)
class OperatorPlayerAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    list_display: ClassVar = ["player", "reference", "made_at"]
    search_fields: ClassVar = ["reference", "player__username"]
    ordering: ClassVar = ["reference"]


@admin.register(OperatorCall)
class OperatorCallAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    list_display: ClassVar = [
        "id", "player", "way", "amount_minor", "currency", "status", "attempts", "problem",
        "made_at", "ended_at",
    ]  # fmt: skip
    list_filter: ClassVar = ["status", "way"]
    ordering: ClassVar = ["-made_at"]


class PaymentLines(ReadOnly, TabularInline):  # type: ignore[misc]
    model = PaymentLine
    extra = 0
    fields: ClassVar = [
        "line", "reference", "kind", "currency", "amount_minor", "has_failed", "outcome",
        "transfer_id", "booked_minor",
    ]  # fmt: skip
    ordering: ClassVar = ["line"]


@admin.register(PaymentFile)
class PaymentFileAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """What a payment provider's files said, and how it compared with the books."""

    list_display: ClassVar = ["at", "provider", "name", "from_day", "to_day", "ok", "left_out"]
    list_filter: ClassVar = ["ok", "provider"]
    ordering: ClassVar = ["-id"]
    inlines: ClassVar = [PaymentLines]

    @admin.display(description=_("left out"))
    def left_out(self, kept: PaymentFile) -> int:
        return len(kept.missing)


@admin.register(CashThreshold)
class CashThresholdAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    list_display: ClassVar = [
        "currency", "report_over_minor", "near_bp", "near_count", "window_days",
        "suspicious_from_minor",
    ]  # fmt: skip

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return _role(request) in reporting.REPORTERS

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return _role(request) in reporting.REPORTERS

    def save_model(
        self, request: HttpRequest, obj: CashThreshold, form: ModelForm[CashThreshold], change: bool
    ) -> None:
        super().save_model(request, obj, form, change)
        facts = {
            "over": obj.report_over_minor, "near_bp": obj.near_bp, "near_count": obj.near_count,
            "window_days": obj.window_days, "suspicious_from": obj.suspicious_from(),
        }  # fmt: skip
        log("cash.threshold", f"currency:{obj.currency_id}", request.user.pk, facts)


@admin.register(CashCase)
class CashCaseAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """Seen by those who report; a case is closed with a note of what was done."""

    list_display: ClassVar = [
        "gaming_day", "player", "reason", "way", "total_minor", "currency", "facts", "due_on",
        "status", "note",
    ]  # fmt: skip
    list_filter: ClassVar = ["status", "reason", "way"]
    list_select_related: ClassVar = ["player"]
    ordering: ClassVar = ["-id"]
    action_form = ReasonForm
    actions: ClassVar = ["mark_reported", "dismiss"]

    def has_module_permission(self, request: HttpRequest) -> bool:
        return _role(request) in reporting.REPORTERS

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return _role(request) in reporting.REPORTERS

    @admin.action(description=_("Mark as reported"))
    def mark_reported(self, request: HttpRequest, cases: QuerySet[CashCase]) -> None:
        self.close(request, cases, CashCase.Status.REPORTED)

    @admin.action(description=_("Dismiss"))
    def dismiss(self, request: HttpRequest, cases: QuerySet[CashCase]) -> None:
        self.close(request, cases, CashCase.Status.DISMISSED)

    def close(self, request: HttpRequest, cases: QuerySet[CashCase], status: str) -> None:
        assert isinstance(request.user, User)
        note = request.POST.get("reason", "").strip()
        if not note:
            messages.error(request, say("Say what was done: it is kept with the case."))
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
