"""Alerts sent out: by mail, and as signed messages to programs (Standard Webhooks)."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import httpx
from django.conf import settings
from django.core.mail import send_mail
from django.db import IntegrityError, transaction
from django.utils import timezone

from casino.console.access import PAGES
from casino.console.models import Delivery, RaisedAlert, Receiver
from casino.core.boxes import lock, unlock
from casino.core.errors import AddressRefused, NameTaken
from casino.core.log import log
from casino.core.models import User
from casino.core.outgoing import (
    ATTEMPTS_MOST,
    GONE,
    PURPOSE,
    addresses_of,
    posted,
    secret_new,
    signed,
    wait_s,
)
from casino.core.services import role_require

LEASE = timedelta(seconds=60)
AT_ONCE = 20


def receiver_add(*, kind: str, address: str, only_critical: bool, by: User) -> tuple[Receiver, str]:
    """A new receiver, and the secret it checks signatures with, told this once ("" for mail).

    Raises RoleMissing, AddressRefused, NameTaken.
    """
    role_require(by, PAGES["alerts.send"])
    raw = ""
    if kind == Receiver.Kind.WEBHOOK:
        addresses_of(address)
        raw = secret_new()
    try:
        with transaction.atomic():
            made = Receiver.objects.create(
                kind=kind, address=address, only_critical=only_critical, made_by=by,
                secret=lock(raw.encode(), PURPOSE) if raw else None,
            )  # fmt: skip
            log("alert.receiver_added", f"receiver:{made.pk}", by, {"kind": kind})
    except IntegrityError as error:
        raise NameTaken("address") from error
    return made, raw


@transaction.atomic
def receiver_switch(*, receiver_id: int, is_on: bool, by: User) -> None:
    role_require(by, PAGES["alerts.send"])
    if Receiver.objects.filter(pk=receiver_id).exclude(is_on=is_on).update(is_on=is_on):
        log("alert.receiver_switched", f"receiver:{receiver_id}", by, {"on": is_on})


def message_of(alert: RaisedAlert) -> dict[str, Any]:
    return {
        "type": f"alert.{alert.kind}", "timestamp": alert.raised_at.isoformat(),
        "data": {"key": alert.key, "grade": alert.grade, "words": alert.words,
                 "table": alert.table_id, "since": alert.since.isoformat()},
    }  # fmt: skip


def deliveries_due() -> int:
    """Send what is due; each delivery is claimed for a lease. Returns how many were sent."""
    now = timezone.now()
    with transaction.atomic():
        due = list(
            Delivery.objects.select_for_update(skip_locked=True, of=("self",))
            .select_related("receiver", "alert")
            .filter(status=Delivery.Status.WAITING, next_at__lte=now, receiver__is_on=True)
            .order_by("next_at")[:AT_ONCE]
        )
        Delivery.objects.filter(pk__in=[each.pk for each in due]).update(next_at=now + LEASE)
    return sum(_sent(delivery) for delivery in due)


def _sent(delivery: Delivery) -> bool:
    try:
        if delivery.receiver.kind == Receiver.Kind.MAIL:
            _mail(delivery)
        else:
            _post(delivery)
    except (AddressRefused, httpx.HTTPError, OSError) as error:
        _failed(delivery, f"{type(error).__name__}: {error}"[:200])
        return False
    Delivery.objects.filter(pk=delivery.pk).update(
        status=Delivery.Status.SENT, sent_at=timezone.now(), problem="",
        attempts=delivery.attempts + 1,
    )  # fmt: skip
    return True


def _mail(delivery: Delivery) -> None:
    alert = delivery.alert
    send_mail(
        f"[Croupier] {alert.words}"[:200].replace("\n", " "),
        f"{alert.words}\nsince {alert.since:%Y-%m-%d %H:%M:%S} UTC\n{alert.key}\n",
        settings.DEFAULT_FROM_EMAIL,
        [delivery.receiver.address],
    )


def _post(delivery: Delivery) -> None:
    receiver = delivery.receiver
    body = json.dumps(message_of(delivery.alert), separators=(",", ":")).encode()
    message_id, stamp = f"alert_{delivery.alert_id}", int(timezone.now().timestamp())
    secret = unlock(receiver.secret or b"", PURPOSE).decode()
    answer = posted(receiver.address, signed(message_id, stamp, body, [secret]), body)
    if answer == GONE:
        Receiver.objects.filter(pk=receiver.pk).update(is_on=False)
        log("alert.receiver_switched", f"receiver:{receiver.pk}", None, {"on": False, "gone": True})
    if not 200 <= answer < 300:
        raise httpx.HTTPError(f"answered with {answer}")


def _failed(delivery: Delivery, problem: str) -> None:
    """Wait twice as long each time, a little by chance; at last give it up."""
    attempts = delivery.attempts + 1
    is_dead = attempts >= ATTEMPTS_MOST
    Delivery.objects.filter(pk=delivery.pk).update(
        attempts=attempts, problem=problem,
        status=Delivery.Status.DEAD if is_dead else Delivery.Status.WAITING,
        next_at=timezone.now() + timedelta(seconds=wait_s(attempts)),
    )  # fmt: skip


@transaction.atomic
def delivery_again(*, delivery_id: int, by: User) -> None:
    """Try once more what was given up."""
    role_require(by, PAGES["alerts.send"])
    Delivery.objects.filter(pk=delivery_id, status=Delivery.Status.DEAD).update(
        status=Delivery.Status.WAITING, attempts=0, next_at=timezone.now()
    )
    log("alert.sent_again", f"delivery:{delivery_id}", by)
