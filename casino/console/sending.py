"""Alerts sent out: by mail, and as signed messages to programs (Standard Webhooks).

A program's address must be public and encrypted: it is looked up once, every answer of the look-up
must be a public address, and the connection goes to the very address that was judged.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import ipaddress
import json
import secrets
import socket
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import httpx
from django.conf import settings
from django.core.mail import send_mail
from django.db import IntegrityError, transaction
from django.utils import timezone

from casino.console.access import PAGES
from casino.console.errors import AddressRefused
from casino.console.models import Delivery, RaisedAlert, Receiver
from casino.core.boxes import lock, unlock
from casino.core.errors import NameTaken
from casino.core.log import log
from casino.core.models import User
from casino.core.services import role_require

PURPOSE = "webhook"
ATTEMPTS_MOST, FIRST_WAIT_S, LONGEST_WAIT_S = 8, 10, 3_600
LEASE = timedelta(seconds=60)
TIMEOUT_S = 5.0
AT_ONCE = 20
GONE = 410


def receiver_add(*, kind: str, address: str, only_critical: bool, by: User) -> tuple[Receiver, str]:
    """A new receiver, and the secret it checks signatures with, told this once ("" for mail).

    Raises RoleMissing, AddressRefused, NameTaken.
    """
    role_require(by, PAGES["alerts.send"])
    raw = ""
    if kind == Receiver.Kind.WEBHOOK:
        addresses_of(address)
        raw = "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()
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


def addresses_of(url: str) -> list[str]:
    """The addresses a URL leads to. Raises AddressRefused unless all of them are public, and the
    connection encrypted."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port or 443
    except ValueError as error:
        raise AddressRefused("no address of the web") from error
    if parts.scheme != "https" or not host or parts.username or parts.password:
        raise AddressRefused("https:// and a host, without a name and password")
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise AddressRefused("no such host") from error
    addresses = list(dict.fromkeys(str(each[4][0]) for each in found))
    for address in addresses:
        if not is_public(address):
            raise AddressRefused("it leads to a private address")
    return addresses


def is_public(address: str) -> bool:
    """Whether an address is of the open network: not of this house, its neighbours or none."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo or (None, None))[1]
        if inner is not None:
            return is_public(str(inner))
        if ip in NAT64:
            return is_public(str(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)))
    return ip.is_global and not ip.is_multicast


NAT64 = ipaddress.ip_network("64:ff9b::/96")


def signature(secret: str, message_id: str, stamp: int, body: bytes) -> str:
    """`v1,` and the HMAC-SHA256 of "id.timestamp.body" in base 64."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{stamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


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
    headers = {
        "content-type": "application/json", "webhook-id": message_id,
        "webhook-timestamp": str(stamp),
        "webhook-signature": signature(secret, message_id, stamp, body),
    }  # fmt: skip
    answer = posted(receiver.address, headers, body)
    if answer == GONE:
        Receiver.objects.filter(pk=receiver.pk).update(is_on=False)
        log("alert.receiver_switched", f"receiver:{receiver.pk}", None, {"on": False, "gone": True})
    if not 200 <= answer < 300:
        raise httpx.HTTPError(f"answered with {answer}")


def posted(url: str, headers: dict[str, str], body: bytes) -> int:
    """Post to the very address that was judged; no redirect is followed. Returns the status."""
    address, parts = addresses_of(url)[0], urlsplit(url)
    literal = f"[{address}]" if ":" in address else address
    port = parts.port or 443
    there = parts._replace(netloc=f"{literal}:{port}").geturl()
    host = parts.hostname or ""
    with httpx.Client(timeout=TIMEOUT_S, follow_redirects=False, trust_env=False) as client:
        told = {**headers, "host": parts.netloc}
        with client.stream(
            "POST", there, headers=told, content=body, extensions={"sni_hostname": host}
        ) as answer:  # what it says is not read: its status is all that counts
            return answer.status_code


def _failed(delivery: Delivery, problem: str) -> None:
    """Wait twice as long each time, a little by chance; at last give it up."""
    attempts = delivery.attempts + 1
    wait_s = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** (attempts - 1))
    wait_s += secrets.randbelow(max(1, wait_s // 4))
    is_dead = attempts >= ATTEMPTS_MOST
    Delivery.objects.filter(pk=delivery.pk).update(
        attempts=attempts, problem=problem,
        status=Delivery.Status.DEAD if is_dead else Delivery.Status.WAITING,
        next_at=timezone.now() + timedelta(seconds=wait_s),
    )  # fmt: skip


@transaction.atomic
def delivery_again(*, delivery_id: int, by: User) -> None:
    """Try once more what was given up."""
    role_require(by, PAGES["alerts.send"])
    Delivery.objects.filter(pk=delivery_id, status=Delivery.Status.DEAD).update(
        status=Delivery.Status.WAITING, attempts=0, next_at=timezone.now()
    )
    log("alert.sent_again", f"delivery:{delivery_id}", by)
