"""Signing in with a second factor: codes of an app (RFC 6238), recovery codes, and their guard.

Everything that takes a password can take a code with it; players and staff share the rows.
"""

from __future__ import annotations

import secrets
from datetime import datetime
from hashlib import sha256

import pyotp
import segno
from django.db import connection, transaction

from casino.core.boxes import lock, unlock
from casino.core.errors import FactorMissing, FactorNeeded, FactorRefused, FactorStands
from casino.core.factors import RecoveryCode, SecondFactor
from casino.core.log import log
from casino.core.models import SignInFailure, User
from casino.core.signing_in import ANYWHERE, attempt_count

ISSUER, PURPOSE = "Croupier", "second_factor"
STEP_S = 30
STEPS_AROUND = 1
"""A clock that is half a minute off is forgiven."""
RECOVERY_CODES = 10
GUARDED = "code:{0}"
FROM_ANYWHERE = 30
"""Wrong codes in a row of one account, from however many addresses: who has come as far as the code
knows the password, and a million codes are soon tried out from a thousand machines."""
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


def _now() -> datetime:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        now: datetime = cursor.fetchone()[0]
    return now


def is_on(user: User) -> bool:
    return SecondFactor.objects.filter(user=user, confirmed_at__isnull=False).exists()


@transaction.atomic
def factor_begin(*, user: User) -> str:
    """A new secret, in base 32, for an app; it counts when a code was confirmed.

    Raises FactorStands if one counts already.
    """
    if is_on(user):
        raise FactorStands
    secret = pyotp.random_base32()
    kept = lock(secret.encode(), PURPOSE)
    SecondFactor.objects.update_or_create(
        user=user, defaults={"secret": kept, "confirmed_at": None, "last_step": 0}
    )
    return secret


def secret_pending(user: User) -> str | None:
    """The secret that waits for its first code; None where there is none."""
    factor = SecondFactor.objects.filter(user=user, confirmed_at=None).first()
    return None if factor is None else _secret(factor)


def _secret(factor: SecondFactor) -> str:
    return unlock(factor.secret, PURPOSE).decode()


def address_of_secret(user: User, secret: str) -> str:
    """What an app reads from a picture: otpauth://..."""
    return pyotp.TOTP(secret).provisioning_uri(name=user.username, issuer_name=ISSUER)


def picture_of(address: str) -> str:
    """The QR code of an otpauth address as a `data:` address of an SVG: it is sent nowhere."""
    code = segno.make(address, micro=False)
    return str(code.svg_data_uri(scale=5, border=2, dark="#000", light="#fff"))


def factor_confirm(*, user: User, code: str, address: str) -> list[str]:
    """Turn the second factor on with a first code; returns the recovery codes, told this once.

    Raises FactorMissing, FactorRefused, LockedOut.
    """
    _attempt(user, address)
    with transaction.atomic():
        factor = SecondFactor.objects.select_for_update().filter(user=user).first()
        if factor is None or factor.confirmed_at is not None:
            raise FactorMissing
        if not _taken(factor, code):
            raise FactorRefused
        SecondFactor.objects.filter(pk=factor.pk).update(confirmed_at=_now())
        codes = _recovery_codes(user)
        _passed(user, address)
        log("second_factor.on", f"user:{user.pk}", user)
    return codes


@transaction.atomic
def recovery_codes_anew(*, user: User) -> list[str]:
    """New recovery codes in place of all that were left. Raises FactorMissing."""
    if not is_on(user):
        raise FactorMissing
    codes = _recovery_codes(user)
    log("second_factor.codes_made", f"user:{user.pk}", user)
    return codes


def _recovery_codes(user: User) -> list[str]:
    RecoveryCode.objects.filter(user=user, used_at=None).update(used_at=_now())
    codes = ["".join(secrets.choice(ALPHABET) for _ in range(10)) for _ in range(RECOVERY_CODES)]
    RecoveryCode.objects.bulk_create(
        RecoveryCode(user=user, code_hash=_hash(user, code)) for code in codes
    )
    return [f"{code[:5]}-{code[5:]}" for code in codes]


def _hash(user: User, code: str) -> bytes:
    plain = code.replace("-", "").replace(" ", "").lower()
    return sha256(f"{user.pk}:{plain}".encode()).digest()


def factor_check(*, user: User, code: str, address: str) -> None:
    """Take a code of the app, or a recovery code, once.

    The same guard as for passwords counts what fails. Raises FactorMissing, FactorRefused,
    LockedOut.
    """
    failures = _attempt(user, address)
    with transaction.atomic():
        factor = SecondFactor.objects.filter(user=user, confirmed_at__isnull=False).first()
        if factor is None:
            raise FactorMissing
        by_recovery = not _taken(factor, code)
        if not by_recovery or _recovery_taken(user, code):
            _passed(user, address)
            if by_recovery:
                log("second_factor.recovered", f"user:{user.pk}", user)
            return
    log("second_factor.refused", f"user:{user.pk}", None, {"failures": failures})
    raise FactorRefused


def factor_asked(*, user: User, code: str, address: str) -> None:
    """What signing in asks of an account that has a second factor.

    Raises FactorNeeded without a code, and as `factor_check`.
    """
    if not is_on(user):
        return
    if not code:
        raise FactorNeeded
    factor_check(user=user, code=code, address=address)


def _taken(factor: SecondFactor, code: str) -> bool:
    """Whether a code is of this half minute or one beside it, and was not taken before."""
    typed = code.replace(" ", "")
    totp, now = pyotp.TOTP(_secret(factor)), _now()
    this = int(now.timestamp()) // STEP_S
    for step in range(this - STEPS_AROUND, this + STEPS_AROUND + 1):
        if secrets.compare_digest(totp.at(step * STEP_S).encode(), typed.encode()):
            claimed = SecondFactor.objects.filter(pk=factor.pk, last_step__lt=step)
            return bool(claimed.update(last_step=step))
    return False


def _recovery_taken(user: User, code: str) -> bool:
    unused = RecoveryCode.objects.filter(user=user, code_hash=_hash(user, code), used_at=None)
    return bool(unused.update(used_at=_now()))


def recovery_codes_left(user: User) -> int:
    return RecoveryCode.objects.filter(user=user, used_at=None).count()


@transaction.atomic
def factor_drop(*, user: User, by: User) -> None:
    """Turn it off: by its owner, or by an administrator for somebody who has lost everything."""
    dropped = SecondFactor.objects.filter(user=user).delete()[0]
    RecoveryCode.objects.filter(user=user, used_at=None).update(used_at=_now())
    if dropped:
        log("second_factor.off", f"user:{user.pk}", by)


def _attempt(user: User, address: str) -> int:
    account = GUARDED.format(user.username.lower())[:150]
    failures = attempt_count(account, address)
    attempt_count(account, ANYWHERE, FROM_ANYWHERE)
    return failures


def _passed(user: User, address: str) -> None:
    account = GUARDED.format(user.username.lower())[:150]
    SignInFailure.objects.filter(account=account, address__in=(address, ANYWHERE)).delete()
