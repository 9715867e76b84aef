"""The house's devices: enrolled by a code, pointed at tables, shown out; and the dealers at them.

A screen is let in once, by a code that the console shows and somebody types into it. From then on
it carries a token, and nobody signs in at it again, whatever happens to its power.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, NamedTuple

from django.contrib.auth.hashers import check_password, make_password
from django.core import signing
from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.crypto import salted_hmac

from casino.core.errors import CodeRefused, DeviceInvalid, PinRefused, SettingRefused
from casino.core.log import log
from casino.core.models import DealerPin, Device, Role, SignInFailure, User
from casino.core.services import pit_require, role_require
from casino.core.signing_in import ANYWHERE, attempt_count

DEVICE_SALT = "casino.core.device"
SEEN_EVERY = timedelta(minutes=1)
ENROLLERS = (Role.FLOOR, Role.PIT_MANAGER, Role.ADMIN)
DEALERS = (Role.DEALER, Role.FLOOR, Role.PIT_MANAGER)
PIN_GIVERS = (Role.PIT_MANAGER, Role.ADMIN)
CODE_DIGITS, CODE_FOR = 8, timedelta(minutes=10)
PIN_DIGITS = 6
SETTINGS: Mapping[str, range] = {
    "distance_cm": range(50, 601),
    "density_percent": range(25, 401),
}


class DeviceFacts(NamedTuple):
    device_id: int
    table_id: int | None
    profile: str


@transaction.atomic
def device_enrol(
    *, name: str, table_id: int | None, by: User, profile: str = Device.Profile.DISPLAY
) -> tuple[Device, str]:
    """Enrol a device and make its token. Raises RoleMissing."""
    role_require(by, ENROLLERS)
    device = Device.objects.create(name=name, table_id=table_id, profile=profile, enrolled_by=by)
    log("device.enrolled", f"device:{device.pk}", by, {"table": table_id, "profile": profile})
    return device, device_token(device)


@transaction.atomic
def device_code(*, device: Device, by: User) -> str:
    """A code of eight digits that lets one screen in as this device, once, within ten minutes.

    The code before it is void. What the device's former screen carries ends when the code is used.
    Raises RoleMissing, DeviceInvalid if it is revoked.
    """
    role_require(by, ENROLLERS)
    code = f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}d}"
    made = Device.objects.filter(pk=device.pk, revoked_at=None).update(
        code_hash=code_hash(code), code_expires_at=Now() + CODE_FOR
    )
    if not made:
        raise DeviceInvalid
    log("device.code_made", f"device:{device.pk}", by)
    return code


def device_claim(*, code: str, address: str) -> tuple[Device, str]:
    """Let a screen in by its code, and make its token.

    After three wrong codes an address is locked out for a quarter of an hour.
    Raises CodeRefused, LockedOut.
    """
    attempt_count("device code", address)
    typed = "".join(char for char in code if char in "0123456789")
    with transaction.atomic():
        used = Device.objects.filter(
            code_hash=code_hash(typed), code_expires_at__gt=Now(), revoked_at=None
        ).order_by("pk")
        device = used.select_for_update().first()
        if device is None:
            raise CodeRefused
        Device.objects.filter(pk=device.pk).update(
            code_hash=None,
            code_expires_at=None,
            claimed_at=Now(),
            secret_version=F("secret_version") + 1,
        )
        SignInFailure.objects.filter(account="device code", address=address).delete()
        device.refresh_from_db()
        log("device.claimed", f"device:{device.pk}", None)
    return device, device_token(device)


@transaction.atomic
def device_move(*, device: Device, table_id: int | None, by: User) -> None:
    """Point a device at another table, or at none; its token stays good. Raises RoleMissing."""
    role_require(by, ENROLLERS)
    Device.objects.filter(pk=device.pk).update(table_id=table_id)
    device.refresh_from_db()
    log("device.moved", f"device:{device.pk}", by, {"table": table_id})


@transaction.atomic
def device_set(*, device: Device, by: User, **changes: Any) -> None:
    """Set a device's name, profile, viewing distance (cm), density (% of a 24" 1080p panel),
    language and sounds. Raises RoleMissing, SettingRefused."""
    role_require(by, ENROLLERS)
    for name, value in changes.items():
        if name in SETTINGS and value not in SETTINGS[name]:
            raise SettingRefused(name, f"{SETTINGS[name][0]} to {SETTINGS[name][-1]}")
        if name == "language" and value not in Device.Language.values:
            raise SettingRefused(name, ", ".join(Device.Language.values))
    Device.objects.filter(pk=device.pk).update(**changes)
    device.refresh_from_db()
    log("device.set", f"device:{device.pk}", by, {"fields": sorted(changes)})


@transaction.atomic
def device_revoke(*, device: Device, by: User) -> None:
    """Raises RoleMissing."""
    role_require(by, ENROLLERS)
    ended = Device.objects.filter(pk=device.pk, revoked_at=None).update(
        revoked_at=timezone.now(), code_hash=None, code_expires_at=None
    )
    if ended:
        log("device.revoked", f"device:{device.pk}", by)


def device_token(device: Device) -> str:
    """What the device carries: signed, and void once it is revoked or another screen claims it."""
    return signing.dumps({"d": device.pk, "v": device.secret_version}, salt=DEVICE_SALT)


def device_of(raw: str) -> Device:
    """Raises DeviceInvalid unless the token is ours, current and not revoked."""
    try:
        facts = signing.loads(raw, salt=DEVICE_SALT)
        asked = {"pk": facts["d"], "secret_version": facts["v"]}
    except (signing.BadSignature, KeyError) as error:
        raise DeviceInvalid from error
    device = Device.objects.filter(**asked, revoked_at=None).first()
    if device is None:
        raise DeviceInvalid
    now = timezone.now()
    unseen = Q(last_seen_at=None) | Q(last_seen_at__lte=now - SEEN_EVERY)
    Device.objects.filter(unseen, pk=device.pk).update(
        last_seen_at=now.replace(second=0, microsecond=0)
    )
    return device


def device_check(raw: str) -> DeviceFacts:
    """Raises DeviceInvalid."""
    device = device_of(raw)
    return DeviceFacts(device.pk, device.table_id, device.profile)


def code_hash(code: str) -> bytes:
    """Keyed, because eight digits are soon tried out."""
    return salted_hmac("casino.core.device.code", code, algorithm="sha256").digest()


# Dealers


@transaction.atomic
def pin_give(*, dealer: User, by: User) -> str:
    """A new PIN for a dealer, told this once; the one before it is void. Raises RoleMissing."""
    role_require(by, PIN_GIVERS)
    role_require(dealer, DEALERS)
    pin = f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}d}"
    DealerPin.objects.update_or_create(
        dealer=dealer, defaults={"pin_hash": make_password(pin), "given_by": by}
    )
    SignInFailure.objects.filter(account=pin_account(dealer.pk)).delete()
    log("dealer.pin_given", f"user:{dealer.pk}", by)
    return pin


def dealers_of(pit: str) -> list[User]:
    """Who may sign on at a table of that pit: active, with a PIN."""
    known = User.objects.filter(role__in=DEALERS, is_active=True, dealerpin__isnull=False)
    in_pit = Q(pits=[]) | Q(pits__contains=[pit])
    return list(known.filter(in_pit).order_by("display_name"))


def pin_check(*, dealer_id: int, pin: str, pit: str) -> User:
    """The dealer whose PIN it is. After three wrong ones he is locked out for a quarter of an hour.

    Raises PinRefused, LockedOut, RoleMissing, PitNotYours.
    """
    held = DealerPin.objects.select_related("dealer").filter(dealer_id=dealer_id).first()
    if held is None:
        raise PinRefused
    account = pin_account(dealer_id)
    attempt_count(account, ANYWHERE)  # wherever they are typed
    if not (pin.isascii() and check_password(pin, held.pin_hash)):
        log("dealer.pin_refused", f"user:{dealer_id}", None)
        raise PinRefused
    role_require(held.dealer, DEALERS)
    pit_require(held.dealer, pit)
    SignInFailure.objects.filter(account=account).delete()
    return held.dealer


def pin_account(dealer_id: int) -> str:
    """Under which a PIN's guesses are counted; no user name has a space in it."""
    return f"pin {dealer_id}"
