"""Who may call what. A view that names nothing else is open to nobody.

A token also needs the scope: `read` for safe methods, otherwise what the view's `scope` says
(`play` if it says nothing).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from casino.core.bearers import TokenFacts
from casino.core.errors import RoleMissing, ScopeMissing
from casino.core.models import Role, Scope, User

if TYPE_CHECKING:  # DRF loads its defaults, this module among them, while it loads its views
    from rest_framework.views import APIView


def scope_of(request: Request, view: Any) -> str:
    if request.method in SAFE_METHODS:
        return Scope.READ
    return str(getattr(view, "scope", Scope.PLAY))


class Denied(BasePermission):
    """Nobody."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        return False


class IsSignedIn(BasePermission):
    """Any active account, with the scope if it comes by a token."""

    code: str
    message: str

    def has_permission(self, request: Request, view: APIView) -> bool:
        if not (isinstance(request.user, User) and request.user.is_active):
            return False
        scope = scope_of(request, view)
        if isinstance(request.auth, TokenFacts) and scope not in request.auth.scopes:
            return self.refuse(ScopeMissing(scope))
        return True

    def refuse(self, why: RoleMissing | ScopeMissing) -> bool:
        self.code, self.message = why.code, str(why)
        return False


class HasRole(IsSignedIn):
    roles: tuple[Role, ...] = ()

    def has_permission(self, request: Request, view: APIView) -> bool:
        if not super().has_permission(request, view):
            return False
        if getattr(request.user, "role", None) not in self.roles:
            return self.refuse(RoleMissing(tuple(role.value for role in self.roles)))
        return True


class IsPlayer(HasRole):
    roles = (Role.PLAYER,)


def IsStaffRole(*roles: Role | str) -> type[HasRole]:
    """A permission for these roles of the house; for every role but players when none is named."""
    named = tuple(Role(role) for role in roles)
    allowed = named or tuple(role for role in Role if role != Role.PLAYER)
    return type("IsStaffRole", (HasRole,), {"roles": allowed})
