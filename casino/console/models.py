"""What only the console keeps."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from casino.core.outbox import Outgoing


class PlayerNote(models.Model):
    """What the staff wrote down about a player. Never changed, never shown to him."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="notes_about"
    )
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    text = models.TextField()
    at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=~Q(text=""), name="player_note_says_something"),
        ]
        indexes: ClassVar = [models.Index(fields=["player", "id"], name="player_note_player")]

    def __str__(self) -> str:
        return f"note {self.pk}"


class Job(models.Model):
    """Long work that somebody asked for at the console, with how far it is and what came of it."""

    class Status(models.TextChoices):
        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    kind = models.CharField(max_length=30)
    asked = models.JSONField(default=dict, help_text="what it works on")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now())
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.WAITING)
    done = models.BigIntegerField(default=0)
    of = models.BigIntegerField(default=0)
    result = models.JSONField(null=True)
    file_name = models.CharField(max_length=120, blank=True)
    file = models.BinaryField(null=True)
    told_at = models.DateTimeField(null=True, help_text="when it last said how far it is")

    class Meta:
        indexes: ClassVar = [models.Index(fields=["kind", "id"], name="job_kind")]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"

    @property
    def is_going(self) -> bool:
        return self.status in (self.Status.WAITING, self.Status.RUNNING)

    @property
    def percent(self) -> int:
        return 100 * self.done // self.of if self.of else 0


class Composition(models.Model):
    """A game of the house's own, in the words a definition is written in.

    It may be opened once random hands of exactly this definition were played without a fault.
    """

    name = models.CharField(max_length=60, unique=True)
    base = models.CharField(max_length=60, blank=True, help_text="the game it changes")
    changes = models.JSONField(default=dict)
    version = models.PositiveIntegerField(default=1)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField(db_default=Now())
    changed_at = models.DateTimeField(db_default=Now())
    trial = models.ForeignKey(
        Job, on_delete=models.PROTECT, null=True, related_name="+",
        help_text="the last simulation of this version",
    )  # fmt: skip

    class Meta:
        ordering: ClassVar = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def option(self) -> dict[str, object]:
        """As a table's option `custom` holds it."""
        found: dict[str, object] = {"name": self.name, "changes": self.changes}
        return {**found, "base": self.base} if self.base else found

    @property
    def is_tried(self) -> bool:
        job = self.trial
        return (
            job is not None
            and job.status == Job.Status.DONE
            and not (job.result or {}).get("violation", True)
        )


class RaisedAlert(models.Model):
    """An alert that was found, kept so that it is told once and seen to have ended.

    What stands now is found anew (casino/console/alerts.py); acknowledging is an entry of the log.
    """

    key = models.CharField(max_length=120, unique=True)
    kind = models.CharField(max_length=30)
    grade = models.CharField(max_length=5)
    words = models.CharField(max_length=300, help_text="in English, as it is sent out")
    table_id = models.BigIntegerField(null=True)
    since = models.DateTimeField()
    raised_at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["id"], condition=Q(ended_at=None), name="alert_standing"),
        ]

    def __str__(self) -> str:
        return self.key


class Receiver(models.Model):
    """Where alerts are sent: an address of mail, or a program that takes signed messages."""

    class Kind(models.TextChoices):
        MAIL = "mail", "Mail"
        WEBHOOK = "webhook", "Webhook"

    kind = models.CharField(max_length=8, choices=Kind.choices)
    address = models.CharField(max_length=300)
    only_critical = models.BooleanField(default=False)
    secret = models.BinaryField(null=True, help_text="encrypted; signs what is sent")
    is_on = models.BooleanField(default=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    made_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["kind", "address"], name="receiver_once"),
        ]

    def __str__(self) -> str:
        return self.address


class Delivery(Outgoing):
    """One alert to one receiver, tried again until it was taken or given up."""

    receiver = models.ForeignKey(Receiver, on_delete=models.PROTECT, related_name="deliveries")
    alert = models.ForeignKey(RaisedAlert, on_delete=models.PROTECT, related_name="deliveries")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["receiver", "alert"], name="delivery_once"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["next_at"], condition=Q(status="waiting"), name="delivery_due"),
        ]

    def __str__(self) -> str:
        return f"{self.alert_id} to {self.receiver_id}"


class Scan(models.Model):
    """How far something that is looked through once has been looked through."""

    name = models.CharField(max_length=30, primary_key=True)
    upto = models.BigIntegerField(default=0)
    at = models.DateTimeField(null=True)
    facts = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"{self.name} to {self.upto}"
