"""Writes about people and their tokens."""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Iterable
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from casino.core.bearers import PREFIX, secret_hash, token_forget, token_user
from casino.core.errors import (
    NameRefused,
    NameTaken,
    PasswordTooWeak,
    PitNotYours,
    RegistrationClosed,
    RoleMissing,
    ScopeUnknown,
    TokenMissing,
)
from casino.core.log import log
from casino.core.models import Role, Scope, Token, User

__all__ = [
    "password_replaced",
    "pit_require",
    "role_require",
    "token_issue",
    "token_revoke",
    "token_revoke_own",
    "token_user",
    "tokens_revoke_all",
    "user_password_set",
    "user_register",
]

DISPLAY_NAME_LENGTH = range(3, 25)
USERNAME_MAX = 150
TOKEN_DAYS = 30
STAFF = tuple(role for role in Role if role != Role.PLAYER)


def role_require(user: User, roles: Iterable[Role]) -> None:
    """Raises RoleMissing unless an active user has one of the roles, as the database has it now.

    House players are nobody's signature, whatever role they hold.
    """
    allowed = tuple(roles)
    found = User.objects.filter(pk=user.pk, role__in=allowed, is_active=True, is_house=False)
    if not found.exists():
        raise RoleMissing(tuple(role.value for role in allowed))


def pit_require(user: User, *pits: str) -> None:
    """Raises PitNotYours unless the user works in all of these pits, as the database has it now."""
    own = User.objects.filter(pk=user.pk).values_list("pits", flat=True).first() or []
    for pit in pits:
        if own and pit not in own:
            raise PitNotYours(pit)


def user_register(
    *, username: str, password: str, display_name: str, email: str = "", by: User | None = None
) -> User:
    """Open a player's account.

    by: the staff member who opens it; without one it is the person's own registration.
    Raises RegistrationClosed, NameRefused, NameTaken, PasswordTooWeak.
    """
    if by is None and not settings.REGISTRATION_OPEN:
        raise RegistrationClosed
    user = User(
        username=username_clean(username),
        display_name=display_name_clean(display_name),
        email=email,
        role=Role.PLAYER,
    )
    password_require(password, user)
    user.set_password(password)
    try:
        with transaction.atomic():
            user.save(force_insert=True)
            log("user.registered", f"user:{user.pk}", by or user)
    except IntegrityError as error:
        raise NameTaken(taken_field(error)) from error
    return user


def username_clean(username: str) -> str:
    cleaned = User.normalize_username(username)
    try:
        UnicodeUsernameValidator()(cleaned)
    except ValidationError as error:
        raise NameRefused("username", "letters, digits and @ . + - _ only") from error
    if len(cleaned) > USERNAME_MAX:
        raise NameRefused("username", f"longer than {USERNAME_MAX} characters")
    return cleaned


def display_name_clean(name: str) -> str:
    """A public name as one can read it: no invisible or direction-turning characters."""
    cleaned = re.sub(r"\s+", " ", unicodedata.normalize("NFKC", name)).strip()
    if len(cleaned) not in DISPLAY_NAME_LENGTH:
        least, most = DISPLAY_NAME_LENGTH[0], DISPLAY_NAME_LENGTH[-1]
        raise NameRefused("display_name", f"it takes {least} to {most} characters")
    if any(unicodedata.category(char)[0] == "C" for char in cleaned):
        raise NameRefused("display_name", "it has characters that cannot be seen")
    return cleaned


def password_require(password: str, user: User) -> None:
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise PasswordTooWeak(tuple(error.messages)) from error


def taken_field(error: IntegrityError) -> str:
    """Which name stood in the way, told by the constraint that refused it."""
    diagnostics = getattr(error.__cause__, "diag", None)
    constraint = getattr(diagnostics, "constraint_name", None) or ""
    if constraint == "user_display_name_once":
        return "display_name"
    if constraint.startswith(("user_username_once", "core_user_username")):
        return "username"
    raise error


@transaction.atomic
def user_password_set(*, user: User, password: str, by: User) -> None:
    """Set a password; every token of the account ends with the old one.

    Raises PasswordTooWeak.
    """
    password_require(password, user)
    user.set_password(password)
    user.save(update_fields=["password", "changed_at"])
    password_replaced(user=user, by=by)


@transaction.atomic
def password_replaced(*, user: User, by: User) -> None:
    """What follows a new password, whichever form set it."""
    tokens_revoke_all(user=user, by=by)
    log("user.password_set", f"user:{user.pk}", by)


@transaction.atomic
def token_issue(
    *,
    user: User,
    name: str = "",
    scopes: Iterable[str] = Scope.values,
    days: int | None = TOKEN_DAYS,
) -> tuple[Token, str]:
    """A new token, and its secret, which is told this once. `days` None: until revoked.

    Raises ScopeUnknown.
    """
    wanted = sorted(set(scopes))
    for scope in wanted:
        if scope not in Scope.values:
            raise ScopeUnknown(scope)
    raw = PREFIX + secrets.token_urlsafe(32)
    token = Token.objects.create(
        user=user,
        name=name,
        hint=raw[: len(PREFIX) + 4],
        secret_hash=secret_hash(raw),
        scopes=wanted,
        expires_at=None if days is None else timezone.now() + timedelta(days=days),
    )
    log("token.issued", f"user:{user.pk}", user, {"token": token.pk, "scopes": wanted})
    return token, raw


def token_revoke(*, token: Token, by: User) -> None:
    """End a token: here at once, in other processes within a few seconds. Twice is once."""
    with transaction.atomic():
        ended = Token.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now())
        if ended:
            log("token.revoked", f"user:{token.user_id}", by, {"token": token.pk})
    token_forget(bytes(token.secret_hash))


def token_revoke_own(*, user: User, token_id: int) -> None:
    """Raises TokenMissing if the user has no such token."""
    token = Token.objects.filter(pk=token_id, user=user).first()
    if token is None:
        raise TokenMissing(token_id)
    token_revoke(token=token, by=user)


def tokens_revoke_all(*, user: User, by: User, but: int | None = None) -> None:
    """but: the id of one that stays."""
    for token in Token.objects.filter(user=user, revoked_at=None).exclude(pk=but or 0):
        token_revoke(token=token, by=by)
