"""Checking a password, whichever door it comes through, and locking the door after failures."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from casino.core.errors import LockedOut, PasswordWrong, SignInRefused
from casino.core.log import log
from casino.core.models import SignInFailure, User

FAILURES_MAX = 3
# Under this address what is tried from everywhere is counted.
ANYWHERE = "0.0.0.0"  # noqa: S104
LOCK_OUT_S = 900


class SignedIn(NamedTuple):
    user: User
    previous: datetime | None


def sign_in(
    *, username: str, password: str, address: str, also: Callable[[User], None] | None = None
) -> SignedIn:
    """Check a password and return the account with the time of its sign-in before this one.

    After FAILURES_MAX failures at one account from one address, that pair is locked for
    LOCK_OUT_S. also: what else is asked of who knows the password; its refusal is no sign-in.
    Raises SignInRefused, LockedOut.
    """
    if "\x00" in username:  # PostgreSQL cannot even be asked
        raise SignInRefused
    account = username.lower()[:150]
    failures = attempt_count(account, address)
    user = password_match(username, password)
    if user is None:
        refusal_log(username, failures)
        raise SignInRefused
    SignInFailure.objects.filter(account=account, address=address).delete()
    if also is not None:
        also(user)
    now = timezone.now()
    with transaction.atomic():
        previous = user.last_login
        User.objects.filter(pk=user.pk).update(previous_sign_in=F("last_login"), last_login=now)
        log("sign_in.done", f"user:{user.pk}", user)
    user.previous_sign_in, user.last_login = previous, now
    return SignedIn(user, previous)


def password_confirm(*, user: User, password: str, address: str) -> None:
    """Ask a person who is signed in for his password again, by the same guard as at the door.

    Raises PasswordWrong, LockedOut.
    """
    account = user.username.lower()[:150]
    attempt_count(account, address)
    if not User.objects.get(pk=user.pk).check_password(password):
        raise PasswordWrong
    SignInFailure.objects.filter(account=account, address=address).delete()


def attempt_count(account: str, address: str, most: int = FAILURES_MAX) -> int:
    """Count an attempt before its password is looked at: many at once do not get more tries.

    most: how many in a row before the door is locked. Raises LockedOut.

    In a transaction of its own, so that the refusal that follows cannot take the count back.
    """
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO core_signinfailure AS f (account, address, failures, last_at)"
            " VALUES (%(account)s::text, %(address)s::inet, 1, clock_timestamp())"
            " ON CONFLICT (account, address) DO UPDATE SET last_at = clock_timestamp(),"
            " failures = CASE WHEN f.last_at <= clock_timestamp() - make_interval(secs => %(lock)s)"
            " THEN 1 ELSE f.failures + 1 END"
            " WHERE f.failures < %(most)s"
            " OR f.last_at <= clock_timestamp() - make_interval(secs => %(lock)s)"
            " RETURNING failures",
            {
                "account": account,
                "address": address,
                "lock": float(LOCK_OUT_S),
                "most": most,
            },
        )
        counted = cursor.fetchone()
    if counted is None:
        raise LockedOut(retry_after_s(account, address))
    return int(counted[0])


def retry_after_s(account: str, address: str) -> int:
    last_at = (
        SignInFailure.objects.filter(account=account, address=address)
        .values_list("last_at", flat=True)
        .first()
    )
    if last_at is None:
        return 1
    return max(1, LOCK_OUT_S - int((timezone.now() - last_at).total_seconds()))


def password_match(username: str, password: str) -> User | None:
    user = User.objects.named(username).filter(is_active=True).first()
    if user is None:
        User().set_password(password)  # as slow as for an account that exists
        return None
    return user if user.check_password(password) else None


def refusal_log(username: str, failures: int) -> None:
    user_id = User.objects.named(username).values_list("pk", flat=True).first()
    log(
        "sign_in.refused",
        f"user:{user_id}" if user_id else "user:unknown",
        None,
        {"failures": failures, "locked": failures >= FAILURES_MAX},
    )
