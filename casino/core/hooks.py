"""Rows of webhooks: who wants to be told of what, and what waits to be sent. Columns only."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.functions import RandomUUID
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from casino.core.outbox import Outgoing


class Webhook(models.Model):
    """An address that is told what happens to its owner, or in the house where he runs it.

    secret, former_secret: encrypted; the former one signs too until `former_until`.
    """

    class Kind(models.TextChoices):
        HAND_SETTLED = "hand.settled"
        BUY_IN = "chips.bought"
        CASH_OUT = "chips.cashed_out"
        LIMIT_REACHED = "limit.reached"
        JACKPOT_HIT = "jackpot.hit"
        JACKPOT_PAID = "jackpot.paid"

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="webhooks"
    )
    is_house = models.BooleanField(default=False, help_text="told of everybody's events")
    url = models.CharField(max_length=500)
    kinds = ArrayField(models.CharField(max_length=30, choices=Kind.choices))
    secret = models.BinaryField()
    former_secret = models.BinaryField(null=True)
    former_until = models.DateTimeField(null=True)
    is_on = models.BooleanField(default=True)
    made_at = models.DateTimeField(db_default=Now())

    class Meta:
        app_label = "core"
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"webhook {self.pk}"


class WebhookMessage(Outgoing):
    """The outbox: written in the transaction that it tells of, sent later, always the same bytes.

    A receiver that gets it twice knows it by what it is sent as. That is no number: a house that is
    restored from yesterday's copy counts anew from yesterday, and what it told since is remembered.
    """

    webhook = models.ForeignKey(Webhook, on_delete=models.PROTECT, related_name="messages")
    kind = models.CharField(max_length=30, choices=Webhook.Kind.choices)
    key = models.CharField(max_length=150, help_text="what it tells of: told once per webhook")
    body = models.TextField()
    made_at = models.DateTimeField(db_default=Now())
    uuid = models.UUIDField(db_default=RandomUUID(), unique=True, editable=False)

    class Meta:
        app_label = "core"
        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["webhook", "key"], name="webhook_message_once")
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["next_at"], condition=Q(status="waiting"), name="webhook_message_due"
            ),
            models.Index(fields=["webhook", "-id"], name="webhook_message_list"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} for webhook {self.webhook_id}"

    @property
    def sent_as(self) -> str:
        """Its `webhook-id`, the same however often it is sent."""
        return f"msg_{self.uuid.hex}"
