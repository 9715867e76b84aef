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
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
)

from casino.core.admin import AUDITORS, RoleAdmin, staff_of
from casino.core.errors import CoreError
from casino.core.models import Role
from tables.engine.errors import BadOptions, RuleViolation
from tables.engine.games import GAMES, named
from tables.engine.games.mixed import MIXES
from tables.errors import TableError
from tables.models import ClocksHeld, Deck, Hand, Seat, Table
from tables.services import floor
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


class TableForm(forms.ModelForm):  # type: ignore[type-arg]
    """Name, timing and options: whether they can be dealt by is checked before they are saved."""

    timing = forms.JSONField(
        required=False, initial=dict, widget=UnfoldAdminTextareaWidget,
        help_text=f"seconds by name: {', '.join(floor.TIMING_MOST)}",
    )  # fmt: skip

    class Meta:
        model = Table
        fields: ClassVar[Sequence[str]] = ("name", "timing", "options")

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
        choices=lambda: [(game.id, game.name) for game in (*GAMES.values(), *MIXES.values())],
        widget=UnfoldAdminSelectWidget,
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
    """A table's columns from a cleaned form. Raises BadOptions."""
    columns = {name: cleaned[name] for name in ("name", "timing", *OPENED_WITH)}
    game, chip_minor = named(columns["game"], cleaned["options"]), columns["chip_minor"]
    return {**columns, "options": floor.options_complete(game, cleaned["options"], chip_minor)}


@contextmanager
def refusal_on(form: forms.BaseForm, field: str | None) -> Iterator[None]:
    """What the rules refuse becomes an error of the form."""
    try:
        yield
    except BadOptions as error:
        form.add_error(field, str(error))


@admin.register(Table)
class TableAdmin(RoleAdmin):
    view_roles = LOOKERS
    change_roles = frozenset(floor.RUNNERS)
    add_roles = frozenset(floor.OPENERS)

    list_display = ("name", "game", "currency", "status", "hand_number", "deadline", "is_house")
    list_filter = ("status", "game", "currency", "is_house")
    search_fields = ("=id", "name")
    ordering = ("name",)
    actions: ClassVar = ["pause", "resume", "drain", "close"]

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
        return [
            (None, {"fields": ("name", "timing", "options")}),
            ("Opened with", {"fields": OPENED_WITH}),
            ("Now", {"fields": self.RUNNING}),
        ]

    def get_readonly_fields(self, request: HttpRequest, obj: Table | None = None) -> Any:
        if obj is None:
            return ()
        fixed = ("options",) if obj.hand_number else ()
        return (*OPENED_WITH, *self.RUNNING, *fixed)

    @admin.display(description="on its accounts, minor units")
    def balances(self, table: Table) -> str:
        held = wallets.balances_of(account_ids=table.accounts.values())
        return ", ".join(f"{name} {held[account]}" for name, account in table.accounts.items())

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
        obj.pk = opened.pk

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """What a service refuses at the last moment is told, and nothing of it is saved."""
        try:
            answer: HttpResponse = super().changeform_view(
                request, object_id, form_url, extra_context
            )
        except REFUSALS as error:
            messages.error(request, str(error))
            return HttpResponseRedirect(request.path)
        return answer

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


class LookOnlyAdmin(RoleAdmin):
    view_roles = LOOKERS
    ordering = ("-id",)
    show_full_result_count = False

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> Any:
        return self.fields


@admin.register(Seat)
class SeatAdmin(LookOnlyAdmin):
    list_display = ("table", "number", "player", "status", "taken_at")
    list_filter = ("status",)
    list_select_related = ("table", "player")
    search_fields = ("table__name", "player__display_name", "=player__id")
    fields = ("table", "number", "player", "status", "account_id", "taken_at")


@admin.register(Hand)
class HandAdmin(LookOnlyAdmin):
    list_display = ("id", "table", "number", "game", "status", "started_at", "settled_at")
    list_filter = ("status", "game")
    list_select_related = ("table",)
    search_fields = ("=id", "table__name")
    fields = (
        "table", "number", "game", "status", "started_at", "settled_at", "button", "seats",
        "result", "final_view", "options", "definition", "engine_version", "deck_id",
        "first_seq", "last_seq",
    )  # fmt: skip


@admin.register(Deck)
class DeckAdmin(LookOnlyAdmin):
    list_display = ("id", "table", "number", "status", "root", "committed_at")
    list_filter = ("status",)
    list_select_related = ("table",)
    search_fields = ("=id", "table__name", "root")
    fields = ("table", "number", "status", "root", "signature", "committed_at")


@admin.register(ClocksHeld)
class ClocksHeldAdmin(LookOnlyAdmin):
    view_roles = AUDITORS | FLOOR
    list_display = ("kind", "began", "ended", "tables")
    fields = ("kind", "began", "ended", "tables")
