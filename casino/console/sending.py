"""Alerts sent out: by mail, and as signed messages to programs (Standard Webhooks)."""

from __future__ import annotations

import json
from typing import Any

import httpx
from django.conf import settings
from django.core.mail import send_mail
from django.db import IntegrityError, transaction
from django.utils import timezone

from casino.console.access import PAGES
from casino.console.models import Delivery, RaisedAlert, Receiver
from casino.core.boxes import lock, unlock
from casino.core.errors import NameTaken
from casino.core.log import log
from casino.core.models import User
from casino.core.outbox import send_due
from casino.core.outgoing import (
    GONE,
    PURPOSE,
    addresses_of,
    posted,
    secret_new,
    signed,
)
from casino.core.services import role_require

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
    """Send the alerts that are due; how many were sent."""
    waiting = Delivery.objects.select_related("receiver", "alert").filter(receiver__is_on=True)
    return send_due(waiting, _send, AT_ONCE, "receiver_id")


def _send(delivery: Delivery) -> None:
    if delivery.receiver.kind == Receiver.Kind.MAIL:
        _mail(delivery)
    else:
        _post(delivery)


def _mail(delivery: Delivery) -> None:
    alert = delivery.alert
    send_mail(
        " ".join(f"[Croupier] {alert.words}"[:200].split()),
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


@transaction.atomic
def delivery_again(*, delivery_id: int, by: User) -> None:
    """Try once more what was given up."""
    role_require(by, PAGES["alerts.send"])
    Delivery.objects.filter(pk=delivery_id, status=Delivery.Status.DEAD).update(
        **Delivery.ANEW, next_at=timezone.now()
    )
    log("alert.sent_again", f"delivery:{delivery_id}", by)
