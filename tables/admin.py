"""Tables, seats, hands and decks in the console: opened, steered and read through services.

What is secret has no page here: no deck's order, no event's private part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.html import format_html
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectMultipleWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
)

from casino.core.admin import AUDITORS, RoleAdmin, staff_of
from casino.core.errors import CoreError
from casino.core.forms import PlainJsonField
from casino.core.models import Role
from casino.core.readable import readable
from tables.engine.banked.options import read_rules
from tables.engine.banked.vocabulary import BankedGame
from tables.engine.errors import RuleViolation
from tables.engine.games import CUSTOM, GAMES, WITH_KILL_CARD, named
from tables.engine.games.mixed import MIXES
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
from tables.services import floor, paytables, returns, rotating
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


class ToldRefusals(RoleAdmin):
    """What a service refuses at the last moment is told, and nothing of it is saved."""

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        try:
            answer: HttpResponse = super().changeform_view(
                request, object_id, form_url, extra_context
            )
        except REFUSALS as error:
            messages.error(request, str(error))
            return HttpResponseRedirect(request.path)
        return answer


class TableForm(forms.ModelForm):  # type: ignore[type-arg]
    """Name, timing and options: whether they can be dealt by is checked before they are saved."""

    timing = PlainJsonField(
        required=False, initial=dict, widget=UnfoldAdminTextareaWidget,
        help_text=f"seconds or counts by name: {', '.join(floor.TIMING)}",
    )  # fmt: skip

    class Meta:
        model = Table
        fields: ClassVar[Sequence[str]] = ("name", "timing", "options")
        field_classes: ClassVar = {"options": PlainJsonField}

    def clean_options(self) -> dict[str, Any]:
        options = self.cleaned_data["options"]
        if not isinstance(options, dict):
            raise forms.ValidationError("the options are a JSON object")
        return options

    def clean_timing(self) -> dict[str, Any]:
        timing = self.cleaned_data["timing"] or {}
        if not isinstance(timing, dict):
            raise forms.ValidationError("the timing is a JSON object")
        with refusal_on(self, "timing"):
            floor.timing_checked(timing)
        return timing


class TableOpenForm(TableForm):
    game = forms.ChoiceField(
        choices=lambda: [
            *((game.id, game.name) for game in (*GAMES.values(), *MIXES.values())),
            *((game.id, game.name) for game in WITH_KILL_CARD.values()),
            (CUSTOM, "A game of the house's own"),
        ],
        widget=UnfoldAdminSelectWidget,
        help_text='a game of its own: the option "custom" is an object with its name, perhaps the '
        "base it changes, and its changes (docs/rules/home.md 8)",
    )
    currency = forms.ChoiceField(
        choices=lambda: [(code, code) for code in sorted(wallet_selectors.exponents())],
        widget=UnfoldAdminSelectWidget,
    )
    float_minor = forms.IntegerField(
        min_value=0, initial=0, required=False, widget=UnfoldAdminIntegerFieldWidget,
        help_text="chips from the cage to the bank of a game against the house",
    )  # fmt: skip

    class Meta(TableForm.Meta):
        fields: ClassVar[Sequence[str]] = ("name", *OPENED_WITH, "timing", "options")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors:
            with refusal_on(self, None):
                floor.table_check(Table(**opening(cleaned)), cleaned["float_minor"] or 0)
        return cleaned


def opening(cleaned: dict[str, Any]) -> dict[str, Any]:
    """A table's columns from a cleaned form. Raises a RuleViolation."""
    columns = {name: cleaned[name] for name in ("name", "timing", *OPENED_WITH)}
    game, chip_minor = named(columns["game"], cleaned["options"]), columns["chip_minor"]
    return {**columns, "options": floor.options_complete(game, cleaned["options"], chip_minor)}


def exponent_at(obj: Model) -> int | None:
    """Decimal places of the amounts of a table, or of what belongs to one."""
    table = obj if isinstance(obj, Table) else getattr(obj, "table", None)
    return None if table is None else wallet_selectors.exponent_of(table.currency)


@contextmanager
def refusal_on(form: forms.BaseForm, field: str | None) -> Iterator[None]:
    """What the rules refuse becomes an error of the form."""
    try:
        yield
    except RuleViolation as error:
        form.add_error(field, str(error))


@admin.register(Table)
class TableAdmin(ToldRefusals):
    view_roles = LOOKERS
    change_roles = frozenset(floor.RUNNERS)
    add_roles = frozenset(floor.OPENERS)

    list_display = ("name", "game", "currency", "status", "hand_number", "deadline", "is_house")
    list_filter = ("status", "game", "currency", "is_house")
    search_fields = ("=id", "name")
    ordering = ("name",)
    actions: ClassVar = ["pause", "resume", "drain", "close", "bomb_pot"]

    RUNNING = (
        "status", "hand_number", "hand_id", "seq", "deadline", "next_deal_at", "balances",
    )  # fmt: skip

    def get_form(
        self, request: HttpRequest, obj: Table | None = None, change: bool = False, **kwargs: Any
    ) -> type[forms.ModelForm[Table]]:
        kwargs["form"] = TableForm if change else TableOpenForm
        return super().get_form(request, obj, change, **kwargs)  # type: ignore[no-any-return]

    def get_fieldsets(self, request: HttpRequest, obj: Table | None = None) -> Any:
        if obj is None:
            return [(None, {"fields": (*TableOpenForm.Meta.fields, "float_minor")})]
        fieldsets = [
            (None, {"fields": ("name", "timing", "options")}),
            ("Opened with", {"fields": (*OPENED_WITH, *FAIRNESS)}),
            ("Now", {"fields": self.RUNNING}),
        ]
        return self.told_in(request, obj, fieldsets)

    def get_readonly_fields(self, request: HttpRequest, obj: Table | None = None) -> Any:
        if obj is None:
            return ()
        fixed = ("options",) if obj.hand_number else ()
        return [self.told(name) for name in (*OPENED_WITH, *FAIRNESS, *self.RUNNING, *fixed)]

    def exponent(self, obj: Model) -> int | None:
        return exponent_at(obj)

    @admin.display(description="on its accounts")
    def balances(self, table: Table) -> str:
        held = wallets.balances_of(account_ids=table.accounts.values())
        by_name = {f"{name}_minor": held[account] for name, account in table.accounts.items()}
        return readable(by_name, exponent_at(table))

    def save_model(
        self, request: HttpRequest, obj: Table, form: forms.ModelForm[Table], change: bool
    ) -> None:
        staff, cleaned = staff_of(request), form.cleaned_data
        if change:
            changed = {name: cleaned[name] for name in form.changed_data}
            floor.table_change(table_id=obj.pk, by=staff, **changed)
            return
        columns = opening(cleaned)
        opened = floor.table_open(**columns, float_minor=cleaned["float_minor"] or 0, by=staff)
        for warning in rotating.warnings_of(opened):
            messages.warning(request, warning)
        obj.pk = opened.pk

    @admin.action(description="Pause: deal no further hand", permissions=["change"])
    def pause(self, request: HttpRequest, tables: QuerySet[Table]) -> None:
        self.each(request, tables, floor.table_pause)

    @admin.action(description="Resume dealing", permissions=["change"])
    def resume(self, request: HttpRequest, tables: QuerySet[Table]) -> None:
        self.each(request, tables, floor.table_resume)

    @admin.action(description="Drain: close after the hand in play", permissions=["change"])
    def drain(self, request: HttpRequest, tables: QuerySet[Table]) -> None:
        self.each(request, tables, floor.table_drain)

    @admin.action(description="Close and pay the seats out", permissions=["change"])
    def close(self, request: HttpRequest, tables: QuerySet[Table]) -> None:
        self.each(request, tables, floor.table_close)

    @admin.action(description="Let the next hand be a bomb pot", permissions=["change"])
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
                messages.success(request, f"{table}: {table.get_status_display()}")


class PaytableForm(forms.ModelForm):  # type: ignore[type-arg]
    """A draft; with a reason it is priced and a second person is asked to agree."""

    ask_tables = forms.ModelMultipleChoiceField(
        Table.objects.order_by("name"), required=False, label="put in force at",
        widget=UnfoldAdminSelectMultipleWidget,
    )  # fmt: skip
    ask_reason = forms.CharField(
        required=False, label="ask for approval, because", widget=UnfoldAdminTextInputWidget,
        help_text="left empty, the version stays a draft",
    )  # fmt: skip

    class Meta:
        model = Paytable
        fields: ClassVar[Sequence[str]] = ("content",)
        field_classes: ClassVar = {"content": PlainJsonField}

    def clean_content(self) -> dict[str, Any]:
        content = self.cleaned_data["content"]
        if not isinstance(content, dict):
            raise forms.ValidationError("the content is a JSON object")
        game = GAMES.get(self.cleaned_data.get("game") or self.instance.game)
        if isinstance(game, BankedGame):
            with refusal_on(self, "content"):
                read_rules(game, content)
        return content


class PaytableDraftForm(PaytableForm):
    game = forms.ChoiceField(
        choices=lambda: [(g.id, g.name) for g in GAMES.values() if g.family == "banked"],
        widget=UnfoldAdminSelectWidget,
    )

    class Meta(PaytableForm.Meta):
        fields: ClassVar[Sequence[str]] = ("game", "name", "content")


@admin.register(Paytable)
class PaytableAdmin(ToldRefusals):
    view_roles = LOOKERS
    change_roles = frozenset(paytables.AUTHORS)
    add_roles = frozenset(paytables.AUTHORS)

    list_display = ("__str__", "game", "status", "figures", "author", "approved_by", "approved_at")
    list_filter = ("status", "game")
    list_select_related = ("author", "approved_by")
    search_fields = ("=id", "name")
    ordering = ("-id",)
    actions: ClassVar = ["price", "approve", "refuse"]

    STANDS = (
        "status", "figures", "prices", "content_hash", "author", "approved_by", "approval_id",
        "made_at", "priced_at", "approved_at", "in_force_at",
    )  # fmt: skip
    ASK = ("ask_tables", "ask_reason")

    def get_form(
        self, request: HttpRequest, obj: Paytable | None = None, change: bool = False, **kwargs: Any
    ) -> type[forms.ModelForm[Paytable]]:
        kwargs["form"] = PaytableForm if change else PaytableDraftForm
        return super().get_form(request, obj, change, **kwargs)  # type: ignore[no-any-return]

    def get_fieldsets(self, request: HttpRequest, obj: Paytable | None = None) -> Any:
        fields = [(None, {"fields": ("game", "name", "content", *self.ASK)})]
        if obj is None:
            return fields
        return self.told_in(request, obj, [*fields, ("Stands at", {"fields": self.STANDS})])

    def get_readonly_fields(self, request: HttpRequest, obj: Paytable | None = None) -> Any:
        if obj is None:
            return ()
        is_open = obj.status in (Paytable.Status.DRAFT, Paytable.Status.PRICED)
        names = ("game", "name", *(() if is_open else ("content",)), *self.STANDS)
        return [self.told(name) for name in names]

    @admin.display(description="return, percent")
    def figures(self, paytable: Paytable) -> str:
        prices = paytable.prices or {}
        return ", ".join(f"{wager} {percents(each)['return']}" for wager, each in prices.items())

    @admin.display(description="in force at")
    def in_force_at(self, paytable: Paytable) -> str:
        return ", ".join(paytable.tables.values_list("name", flat=True)) or "no table"

    def save_model(
        self, request: HttpRequest, obj: Paytable, form: forms.ModelForm[Paytable], change: bool
    ) -> None:
        staff, cleaned = staff_of(request), form.cleaned_data
        if not change:
            content = {name: cleaned[name] for name in ("game", "name", "content")}
            obj.pk = paytables.paytable_draft(**content, by=staff).pk
        elif "content" in form.changed_data:
            paytables.paytable_change(paytable_id=obj.pk, content=cleaned["content"], by=staff)
        if cleaned["ask_reason"]:
            if paytables.paytable_get(obj.pk).status == Paytable.Status.DRAFT:
                paytables.paytable_price(paytable_id=obj.pk, by=staff)
            paytables.paytable_ask(
                paytable_id=obj.pk,
                tables=[table.pk for table in cleaned["ask_tables"]],
                reason=cleaned["ask_reason"],
                by=staff,
            )

    @admin.action(description="Price: work out the exact figures", permissions=["change"])
    def price(self, request: HttpRequest, chosen: QuerySet[Paytable]) -> None:
        self.each(request, chosen, paytables.paytable_price)

    @admin.action(description="Approve, as the second person", permissions=["change"])
    def approve(self, request: HttpRequest, chosen: QuerySet[Paytable]) -> None:
        self.each(request, chosen, paytables.paytable_approve)

    @admin.action(description="Refuse what was asked for", permissions=["change"])
    def refuse(self, request: HttpRequest, chosen: QuerySet[Paytable]) -> None:
        self.each(request, chosen, paytables.paytable_refuse)

    def each(
        self, request: HttpRequest, chosen: QuerySet[Paytable], work: Callable[..., Paytable]
    ) -> None:
        for paytable in chosen:
            try:
                done = work(paytable_id=paytable.pk, by=staff_of(request))
            except REFUSALS as error:
                messages.error(request, f"{paytable}: {error}")
            else:
                messages.success(request, f"{paytable}: {done.get_status_display()}")


class LookOnlyAdmin(RoleAdmin):
    view_roles = LOOKERS
    ordering = ("-id",)
    show_full_result_count = False

    def exponent(self, obj: Model) -> int | None:
        return exponent_at(obj)


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

    @admin.display(description="actual, percent")
    def actual(self, row: PaytableReturn) -> str:
        return str(returns.figures(row)["actual_percent"])

    @admin.display(description="in theory")
    def theory(self, row: PaytableReturn) -> str:
        return str(returns.figures(row)["theoretical_percent"])

    @admin.display(description="band")
    def band(self, row: PaytableReturn) -> str:
        low, high = returns.figures(row)["band_percent"]
        return f"{low} to {high}"

    @admin.display(description="standard errors")
    def errors(self, row: PaytableReturn) -> str:
        return str(returns.figures(row)["standard_errors"])


@admin.register(Seat)
class SeatAdmin(LookOnlyAdmin):
    list_display = ("table", "number", "player", "status", "taken_at")
    list_filter = ("status",)
    list_select_related = ("table", "player")
    search_fields = ("table__name", "player__display_name", "=player__id")
    fields = ("table", "number", "who", "status", "account_id", "taken_at")

    @admin.display(description="player")
    def who(self, seat: Seat) -> str:
        """Without a link: not all who look at seats may open a person's record."""
        return f"{seat.player}, no. {seat.player_id}"


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

    @admin.display(description="step by step")
    def told_at(self, hand: Hand) -> str:
        return format_html('<a href="/admin/hands/{}/">as it was played</a>', hand.pk)


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
class ScheduleAdmin(RoleAdmin):
    """When a table opens and drains by itself."""

    view_roles = LOOKERS
    change_roles = add_roles = frozenset(floor.OPENERS)
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
