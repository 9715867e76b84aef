"""The core's records in the console. What must go through a service is read only here."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group
from django.db.models import JSONField, Model
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as say
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from casino.core.log import log
from casino.core.models import Approval, Device, LogEntry, LogSeal, Role, Token, User
from casino.core.readable import in_words, readable
from casino.core.second_factor import is_on
from casino.core.services import password_replaced, tokens_revoke_all

admin.site.unregister(Group)  # roles decide, groups would be a second way

AUDITORS = frozenset({Role.SURVEILLANCE, Role.COMPLIANCE, Role.ADMIN})


class Told:
    """What people cannot read as it is kept: amounts in the currency's units, JSON as tables,
    states and roles in the reader's language.

    Fields that are filled in stay as they are; `exponent` says how an object's amounts are cut,
    `codes` which of its texts are names of the code.
    """

    codes: ClassVar[frozenset[str]] = frozenset()

    def exponent(self, obj: Model) -> int | None:
        return None

    def told(self, name: Any) -> Any:
        """The column or field that shows `name`; the same one each time it is asked for."""
        known: dict[str, Any] = self.__dict__.setdefault("told_columns", {})
        if not isinstance(name, str) or not (
            name in self.codes or self.is_for_programs(name) or self.has_words(name)
        ):
            return name
        if name not in known:
            words = _(name.removesuffix("_minor").replace("_", " "))

            @admin.display(description=words, ordering=name)
            def shown(obj: Model) -> str:
                if name in self.codes:
                    kept = getattr(obj, name)
                    return ", ".join(map(in_words, [kept] if isinstance(kept, str) else kept))
                if self.has_words(name):
                    return str(_(str(getattr(obj, f"get_{name}_display")())))
                return readable(getattr(obj, name), self.exponent(obj), name)

            known[name] = shown
        return known[name]

    def is_for_programs(self, name: str) -> bool:
        model: type[Model] = self.model  # type: ignore[attr-defined]
        if name.endswith("_minor"):
            return True
        found = [field for field in model._meta.concrete_fields if field.name == name]
        return bool(found) and isinstance(found[0], JSONField)

    def has_words(self, name: str) -> bool:
        """Whether it is one of a few words that the model names."""
        model: type[Model] = self.model  # type: ignore[attr-defined]
        return any(field.name == name and field.choices for field in model._meta.concrete_fields)

    def get_list_display(self, request: HttpRequest) -> Any:
        return [self.told(name) for name in super().get_list_display(request)]  # type: ignore[misc]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        names = super().get_readonly_fields(request, obj)  # type: ignore[misc]
        return names if obj is None else [self.told(name) for name in names]

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        fieldsets = super().get_fieldsets(request, obj)  # type: ignore[misc]
        return fieldsets if obj is None else self.told_in(request, obj, fieldsets)

    def told_in(self, request: HttpRequest, obj: Model, fieldsets: Any) -> Any:
        """The same fieldsets, with what this person only reads as people read it."""
        reads = not self.has_change_permission(request, obj)  # type: ignore[attr-defined]
        only_read = self.get_readonly_fields(request, obj)

        def shown(name: Any) -> Any:
            told = self.told(name)
            return told if reads or told in only_read else name

        return [
            (title, {**options, "fields": [shown(name) for name in options["fields"]]})
            for title, options in fieldsets
        ]


class RoleAdmin(Told, ModelAdmin):  # type: ignore[misc]
    """Who may look and who may change, by role of the house. Nothing is ever deleted."""

    view_roles: ClassVar[frozenset[Role]] = AUDITORS
    change_roles: ClassVar[frozenset[Role]] = frozenset()
    add_roles: ClassVar[frozenset[Role]] = frozenset()

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return has_role(request, self.view_roles | self.change_roles)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return has_role(request, self.change_roles)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return has_role(request, self.add_roles)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


def has_role(request: HttpRequest, roles: frozenset[Role]) -> bool:
    user = request.user
    return isinstance(user, User) and user.is_active and user.is_staff and user.role in roles


def staff_of(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # has_role let nobody else in
    return request.user


@admin.register(User)
class UserAdmin(RoleAdmin, DjangoUserAdmin):  # type: ignore[type-arg]
    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    view_roles = AUDITORS | {Role.CAGE, Role.FINANCE}
    change_roles = frozenset({Role.ADMIN})
    add_roles = frozenset({Role.ADMIN})

    list_display = ("id", "display_name", "username", "role", "is_active", "is_house", "last_login")
    list_filter = ("role", "is_active", "is_house")
    search_fields = ("id", "display_name", "username", "email")
    ordering = ("-id",)
    readonly_fields = ("last_login", "previous_sign_in", "date_joined", "changed_at", "factor")
    filter_horizontal = ()
    fieldsets = (
        (None, {"fields": ("username", "password", "display_name", "email")}),
        (_("House"), {"fields": ("role", "pits", "is_active", "is_staff", "is_house")}),
        (_("Times"), {"fields": ("last_login", "previous_sign_in", "date_joined", "changed_at")}),
    )
    add_fieldsets = (
        (None, {"fields": ("username", "display_name", "role", "is_staff")}),
        (_("Password"), {"fields": ("usable_password", "password1", "password2")}),
    )

    @admin.display(description=_("Second factor"))
    def factor(self, obj: User) -> str:
        if not is_on(obj):
            return say("off")
        where = reverse("console:second-factor-off", args=[obj.pk])
        return format_html('<a href="{}">{}</a>', where, say("Turn it off"))

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        """Whose second factor is lost comes to an administrator, who alone can end it."""
        shown = super().get_fieldsets(request, obj)
        if obj is None or not self.has_change_permission(request, obj):
            return shown
        return [*shown, (None, {"fields": ("factor",)})]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        answer = super().change_view(request, object_id, form_url, extra_context)
        if request.method == "GET" and answer.status_code == HTTPStatus.OK:
            log("user.viewed", f"user:{object_id}", staff_of(request))
        return answer

    def user_change_password(
        self, request: HttpRequest, id: str, form_url: str = ""
    ) -> HttpResponse:
        answer = super().user_change_password(request, id, form_url)
        if request.method == "POST" and isinstance(answer, HttpResponseRedirect):
            password_replaced(user=User.objects.get(pk=id), by=staff_of(request))
        return answer

    def save_model(
        self, request: HttpRequest, obj: User, form: ModelForm[User], change: bool
    ) -> None:
        stood = User.objects.filter(pk=obj.pk).first()
        super().save_model(request, obj, form, change)
        staff = staff_of(request)
        # Names of fields, not their values: a sealed entry must not hold a person's data.
        facts: dict[str, Any] = {"fields": sorted(form.changed_data)}
        now = {"role": obj.role, "is_active": obj.is_active, "pits": obj.pits}
        facts |= {"role": obj.role, "active": obj.is_active}
        if stood is not None:
            was = {name: getattr(stood, name) for name in now}
            changed = [name for name in now if now[name] != was[name]]
            facts["before"] = {name: was[name] for name in changed}
            facts["after"] = {name: now[name] for name in changed}
        log("user.changed" if change else "user.added", f"user:{obj.pk}", staff, facts)
        if change and {"is_active", "role"} & set(form.changed_data):
            tokens_revoke_all(user=obj, by=staff)


@admin.register(Token)
class TokenAdmin(RoleAdmin):
    codes = frozenset({"scopes"})
    list_display = (
        "hint",
        "user",
        "name",
        "created_at",
        "last_used_at",
        "expires_at",
        "revoked_at",
    )
    search_fields = ("hint", "user__username", "user__display_name")
    list_select_related = ("user",)
    exclude = ("secret_hash",)


@admin.register(Device)
class DeviceAdmin(RoleAdmin):
    """What stands; the console's own page enrols devices and points them at tables."""

    view_roles = AUDITORS | {Role.FLOOR, Role.PIT_MANAGER}
    list_display = (
        "name", "profile", "table_id", "enrolled_by", "claimed_at", "last_seen_at", "revoked_at",
    )  # fmt: skip
    list_select_related = ("enrolled_by",)
    exclude = ("code_hash",)


@admin.register(Approval)
class ApprovalAdmin(RoleAdmin):
    codes = frozenset({"kind"})
    view_roles = frozenset(role for role in Role if role not in (Role.PLAYER, Role.DEALER))
    list_display = ("id", "kind", "subject", "status", "asked_by", "approved_by", "expires_at")
    list_filter = ("status", "kind")
    list_select_related = ("asked_by", "approved_by")
    search_fields = ("id", "subject")
    ordering = ("-id",)


class LogAdmin(RoleAdmin):
    ordering = ("-id",)
    show_full_result_count = False


@admin.register(LogEntry)
class LogEntryAdmin(LogAdmin):
    codes = frozenset({"kind"})
    list_display = ("id", "at", "kind", "subject", "actor_id")
    search_fields = ("subject", "kind", "=actor_id")
    fields = ("id", "at", "kind", "subject", "actor_id", "facts", "hash_text")
    readonly_fields = fields

    @admin.display(description=_("content hash"))
    def hash_text(self, entry: LogEntry) -> str:
        return bytes(entry.content_hash).hex()


@admin.register(LogSeal)
class LogSealAdmin(LogAdmin):
    list_display = ("id", "from_id", "to_id", "entries", "sealed_at", "hash_text")
    fields = ("id", "from_id", "to_id", "entries", "sealed_at", "hash_text", "root_text")
    readonly_fields = fields

    @admin.display(description=_("seal hash"))
    def hash_text(self, seal: LogSeal) -> str:
        return bytes(seal.seal_hash).hex()

    @admin.display(description=_("Merkle root"))
    def root_text(self, seal: LogSeal) -> str:
        return bytes(seal.root).hex()
