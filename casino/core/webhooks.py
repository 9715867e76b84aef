"""Who is told what by signed messages, and sending them.

`tell` writes to the outbox inside the transaction that it tells of: what is rolled back was never
told, and what happened is told even if the process dies right after.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from datetime import timedelta
from typing import Any

import httpx
from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, Q
from django.utils import timezone

from casino.core.boxes import lock, unlock
from casino.core.errors import (
    TooManyWebhooks,
    WebhookMessageMissing,
    WebhookMissing,
)
from casino.core.hooks import Webhook, WebhookMessage
from casino.core.log import log
from casino.core.models import Role, User
from casino.core.outbox import send_due
from casino.core.outgoing import (
    GONE,
    PURPOSE,
    addresses_of,
    posted,
    secret_new,
    signed,
)
from casino.core.retiring import deleted

OWN_MOST = 5
FORMER_SIGNS = timedelta(hours=24)
AT_ONCE = 50

TELL = """
INSERT INTO core_webhookmessage (webhook_id, kind, key, body, status, attempts, problem)
SELECT w.id, %(kind)s::text, %(key)s::text || CASE WHEN %(each_minute)s
        THEN ':' || floor(extract(epoch FROM clock_timestamp()) / 60) ELSE '' END,
    jsonb_build_object(
        'type', %(kind)s::text, 'timestamp', clock_timestamp(), 'data', %(data)s::jsonb)::text,
    'waiting', 0, ''
FROM core_webhook w JOIN core_user u ON u.id = w.owner_id
WHERE w.is_on AND u.is_active AND %(kind)s::text = ANY(w.kinds)
    AND ((w.is_house AND u.role = 'admin') OR w.owner_id = ANY(%(players)s::bigint[]))
ON CONFLICT DO NOTHING
"""


def tell(
    kind: str, key: str, players: Collection[int], data: Mapping[str, Any], *,
    each_minute: bool = False,
) -> None:  # fmt: skip
    """Put an event into the outbox of all who want it: its players, and the house's own.

    key: names what happened; under the same key a webhook is told once, or once in each
    minute of the database's clock. data: what all of them
    may know; whole numbers and text alone.
    """
    facts: dict[str, str | bool | list[int]] = {
        "kind": str(kind), "key": f"{kind}:{key}"[:130], "data": json.dumps(data),
        "players": list(players), "each_minute": each_minute,
    }  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute(TELL, facts)


def webhook_add(*, owner: User, url: str, kinds: Iterable[str]) -> tuple[Webhook, str]:
    """A new webhook, and the secret that its messages are signed with, told this once.

    An administrator's is told of the whole house, anybody else's of his own events. Raises
    AddressRefused, TooManyWebhooks.
    """
    addresses_of(url)
    raw = secret_new()
    with transaction.atomic():
        User.objects.select_for_update().get(pk=owner.pk)
        if Webhook.objects.filter(owner=owner, is_on=True).count() >= OWN_MOST:
            raise TooManyWebhooks(OWN_MOST)
        made = Webhook.objects.create(
            owner=owner, url=url, kinds=sorted(set(kinds)), is_house=owner.role == Role.ADMIN,
            secret=lock(raw.encode(), PURPOSE),
        )  # fmt: skip
        log("webhook.added", f"webhook:{made.pk}", owner, {"kinds": made.kinds})
    return made, raw


def webhook_of(owner: User, webhook_id: int) -> Webhook:
    """Raises WebhookMissing for one that is not his, or was given up."""
    found = Webhook.objects.filter(pk=webhook_id, owner=owner).first()
    if found is None:
        raise WebhookMissing(webhook_id)
    return found


@transaction.atomic
def webhook_switch(*, webhook: Webhook, is_on: bool, by: User) -> None:
    if Webhook.objects.filter(pk=webhook.pk).exclude(is_on=is_on).update(is_on=is_on):
        log("webhook.switched", f"webhook:{webhook.pk}", by, {"on": is_on})


@transaction.atomic
def webhook_secret_new(*, webhook: Webhook, by: User) -> str:
    """A new secret; the one before signs beside it for FORMER_SIGNS, so that none is missed."""
    raw = secret_new()
    Webhook.objects.filter(pk=webhook.pk).update(
        secret=lock(raw.encode(), PURPOSE),
        former_secret=F("secret"),
        former_until=timezone.now() + FORMER_SIGNS,
    )
    log("webhook.secret_changed", f"webhook:{webhook.pk}", by)
    return raw


@transaction.atomic
def message_again(*, webhook: Webhook, message_id: int, by: User) -> WebhookMessage:
    """Send a message once more, sent or given up. Raises WebhookMessageMissing."""
    again = WebhookMessage.objects.filter(pk=message_id, webhook=webhook).update(
        **WebhookMessage.ANEW, next_at=timezone.now()
    )
    if not again:
        raise WebhookMessageMissing(message_id)
    log("webhook.sent_again", f"webhook:{webhook.pk}", by, {"message": message_id})
    return WebhookMessage.objects.get(pk=message_id)


def messages_due() -> int:
    """Send the messages that are due; how many were sent."""
    waiting = WebhookMessage.objects.select_related("webhook").filter(webhook__is_on=True)
    return send_due(waiting, _post, AT_ONCE, "webhook_id")


def messages_forget() -> int:
    """Delete what was sent, given up or left waiting by an ended webhook long ago; how many."""
    kept = timedelta(days=settings.WEBHOOK_MESSAGES_KEPT_DAYS)
    old = WebhookMessage.objects.filter(made_at__lt=timezone.now() - kept)
    waits = Q(status=WebhookMessage.Status.WAITING, webhook__is_on=True)
    return deleted("webhook_messages", old.exclude(waits))


def _post(message: WebhookMessage) -> None:
    hook, body = message.webhook, message.body.encode()
    now = timezone.now()
    secrets = [unlock(hook.secret, PURPOSE).decode()]
    if hook.former_secret is not None and hook.former_until and hook.former_until > now:
        secrets.append(unlock(hook.former_secret, PURPOSE).decode())
    headers = signed(message.sent_as, int(now.timestamp()), body, secrets)
    answer = posted(hook.url, headers, body)
    if answer == GONE:
        Webhook.objects.filter(pk=hook.pk).update(is_on=False)
        log("webhook.switched", f"webhook:{hook.pk}", None, {"on": False, "gone": True})
    if not 200 <= answer < 300:
        raise httpx.HTTPError(f"answered with {answer}")
