"""Rows that every part of the house leans on: who may act, who agreed, what was done.

Columns and constraints only; `services.py` and its neighbours write, and the triggers beside
the first migration hold what a constraint cannot say.
"""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser, UserManager
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import BrinIndex
from django.db import models
from django.db.models import F, Q, Value
from django.db.models.functions import Lower, Now
from django.utils.translation import gettext as say

from casino.core.readable import in_words


class Role(models.TextChoices):
    PLAYER = "player", "Player"
    DEALER = "dealer", "Dealer"
    FLOOR = "floor", "Floor"
    PIT_MANAGER = "pit_manager", "Pit manager"
    CAGE = "cage", "Cage"
    FINANCE = "finance", "Finance"
    SURVEILLANCE = "surveillance", "Surveillance"
    COMPLIANCE = "compliance", "Compliance"
    GAME_MATHS = "game_maths", "Game maths"
    ADMIN = "admin", "Administrator"


class Scope(models.TextChoices):
    """What a bearer token may be used for; a browser session has all of them."""

    READ = "read", "Read"
    PLAY = "play", "Play"
    MONEY = "money", "Money"
    ACCOUNT = "account", "Account"


class CasefoldUserManager(UserManager["User"]):
    use_in_migrations = False

    def named(self, username: str) -> models.QuerySet[User]:
        """The account of that name, if any; `Ann` and `ann` are one person."""
        return self.alias(folded=Lower("username")).filter(folded=Lower(Value(username)))

    def create_superuser(
        self,
        username: str,
        email: str | None = None,
        password: str | None = None,
        **extra_fields: Any,
    ) -> User:
        """In this house the role decides, so whoever may do everything has the one for it."""
        extra_fields.setdefault("role", Role.ADMIN)
        return super().create_superuser(username, email, password, **extra_fields)

    def get_by_natural_key(self, username: str | None) -> User:
        return self.named(username or "").get()


class User(AbstractUser):
    """A person, or a house player, that can sign in.

    `display_name` is what others see at a table; the user name is never shown to them.
    """

    display_name = models.CharField(max_length=24)
    role = models.CharField(max_length=16, choices=Role.choices, default=Role.PLAYER)
    is_house = models.BooleanField(
        default=False, help_text="Plays for the house; reports leave it out."
    )
    pits = ArrayField(
        models.CharField(max_length=40), default=list, blank=True,
        help_text="The pits whose tables this person sees and runs; empty: every pit.",
    )  # fmt: skip
    previous_sign_in = models.DateTimeField(null=True, blank=True, editable=False)
    changed_at = models.DateTimeField(auto_now=True)

    objects: ClassVar[CasefoldUserManager] = CasefoldUserManager()

    REQUIRED_FIELDS: ClassVar[list[str]] = ["display_name"]

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(Lower("username"), name="user_username_once"),
            models.UniqueConstraint(Lower("display_name"), name="user_display_name_once"),
            models.CheckConstraint(condition=~Q(display_name=""), name="user_has_display_name"),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="user_role_known"),
        ]

    def __str__(self) -> str:
        return self.display_name


class Token(models.Model):
    """A bearer token of a program or a phone. The secret itself is never stored."""

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="tokens")
    name = models.CharField(max_length=60, blank=True)
    hint = models.CharField(max_length=12, help_text="The first characters, to recognise it by.")
    secret_hash = models.BinaryField(max_length=32, unique=True)
    scopes = ArrayField(models.CharField(max_length=16, choices=Scope.choices))
    created_at = models.DateTimeField(auto_now_add=True)
    last_used_at = models.DateTimeField(null=True, help_text="To the hour.")
    expires_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.hint}… ({self.name or say('unnamed')})"


class Device(models.Model):
    """A screen of the house: it shows public things only, and as a dealer's console lets the
    dealer who has signed on at it do what dealers do."""

    class Profile(models.TextChoices):
        DISPLAY = "display", "Dealer display"
        CONSOLE = "console", "Dealer console"
        FLOOR = "floor", "Floor board"

    class Language(models.TextChoices):
        ENGLISH = "en", "English"
        POLISH = "pl", "Polski"
        BOTH = "both", "English + polski"

    name = models.CharField(max_length=60)
    profile = models.CharField(max_length=16, choices=Profile.choices, default=Profile.DISPLAY)
    table_id = models.BigIntegerField(null=True, blank=True)
    distance_cm = models.PositiveSmallIntegerField(
        default=200, help_text="from the eyes to the screen: type sizes follow it"
    )
    density_percent = models.PositiveSmallIntegerField(
        default=100, help_text="pixels per millimetre, against a 24-inch panel of 1920x1080"
    )
    language = models.CharField(max_length=4, choices=Language.choices, default=Language.ENGLISH)
    sounds = models.BooleanField(default=False)
    secret_version = models.PositiveIntegerField(default=1)
    code_hash = models.BinaryField(max_length=32, null=True, editable=False)
    code_expires_at = models.DateTimeField(null=True, editable=False)
    claimed_at = models.DateTimeField(null=True, editable=False)
    enrolled_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    enrolled_at = models.DateTimeField(auto_now_add=True)
    last_seen_at = models.DateTimeField(null=True, help_text="To the minute.")
    revoked_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.name


class ScreenLag(models.Model):
    """How old the picture on a screen was at the most, in ten minutes of a table."""

    device = models.ForeignKey(Device, on_delete=models.PROTECT, related_name="+", db_index=False)
    table_id = models.BigIntegerField()
    at = models.DateTimeField(help_text="when the ten minutes began")
    most_ms = models.PositiveIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["at", "table_id", "device"], name="screen_lag_once"),
        ]

    def __str__(self) -> str:
        return f"{self.device}: {self.most_ms} ms"


class DealerPin(models.Model):
    """What a dealer signs on with at a dealer's console. The PIN itself is never stored."""

    dealer = models.OneToOneField(User, on_delete=models.PROTECT, primary_key=True)
    pin_hash = models.CharField(max_length=128, editable=False)
    given_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    given_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"PIN of {self.dealer}"


class Approval(models.Model):
    """Something one person asks and another has to agree to before it is done."""

    class Status(models.TextChoices):
        ASKED = "asked", "Asked"
        APPROVED = "approved", "Approved"
        REJECTED = "rejected", "Rejected"
        EXPIRED = "expired", "Expired"
        EXECUTED = "executed", "Executed"

    kind = models.CharField(max_length=60)
    subject = models.CharField(max_length=120)
    payload = models.JSONField(default=dict)
    reason = models.TextField()
    asked_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.ASKED)
    approved_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    rejected_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    decided_at = models.DateTimeField(null=True)
    decision_note = models.TextField(blank=True)
    executed_at = models.DateTimeField(null=True)
    # The marks of the console's browsers; empty where it was asked or decided another way.
    asked_on = models.CharField(max_length=32, blank=True, default="", editable=False)
    decided_on = models.CharField(max_length=32, blank=True, default="", editable=False)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(approved_by__isnull=True)
                | Q(asked_on="")
                | (~Q(decided_on="") & ~Q(decided_on=F("asked_on"))),
                name="approval_at_another_browser",
            ),
            models.CheckConstraint(
                condition=Q(approved_by__isnull=True) | ~Q(approved_by=F("asked_by")),
                name="approval_by_another_person",
            ),
            models.CheckConstraint(
                condition=Q(approved_by__isnull=False) | ~Q(status__in=["approved", "executed"]),
                name="approval_names_its_approver",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["asked", "approved", "rejected", "expired", "executed"]),
                name="approval_status_known",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="approval_has_reason"),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["expires_at"],
                condition=Q(status__in=["asked", "approved"]),
                name="approval_open",
            ),
            models.Index(fields=["subject", "id"], name="approval_subject"),
        ]

    def __str__(self) -> str:
        return f"{in_words(self.kind)}, {self.subject}: {say(str(self.get_status_display()))}"


class LogEntry(models.Model):
    """One line of the sealed log: ids and figures, never names. Written by `log_append()` alone."""

    at = models.DateTimeField()
    actor_id = models.BigIntegerField(null=True)
    kind = models.CharField(max_length=60)
    subject = models.CharField(max_length=120)
    facts = models.JSONField(default=dict)
    content_hash = models.BinaryField(max_length=32)

    class Meta:
        verbose_name_plural = "log entries"
        indexes: ClassVar = [
            models.Index(fields=["subject", "id"], name="log_subject"),
            BrinIndex(fields=["at"], name="log_at"),
        ]

    def __str__(self) -> str:
        return f"{self.pk} {in_words(self.kind)} {self.subject}"


class LogSeal(models.Model):
    """A signed Merkle root over the entries `from_id..to_id`, chained to the seal before it.

    Ids have no gap here: `log_seal_append()` numbers them.
    """

    id = models.BigIntegerField(primary_key=True)
    from_id = models.BigIntegerField()
    to_id = models.BigIntegerField(unique=True)
    entries = models.BigIntegerField()
    root = models.BinaryField(max_length=32)
    previous_hash = models.BinaryField(max_length=32)
    seal_hash = models.BinaryField(max_length=32, unique=True)
    public_key = models.BinaryField(max_length=32)
    signature = models.BinaryField(max_length=64)
    sealed_at = models.DateTimeField()

    def __str__(self) -> str:
        return say("seal {0}: entries {1} to {2}").format(self.pk, self.from_id, self.to_id)


class SignInFailure(models.Model):
    """Attempts at one account from one address since the last success there."""

    account = models.CharField(max_length=150, help_text="The user name as typed, in lower case.")
    address = models.GenericIPAddressField()
    failures = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["account", "address"], name="sign_in_failure_once"),
        ]

    def __str__(self) -> str:
        return f"{self.account} from {self.address}: {self.failures}"


class Ticket(models.Model):
    """Opens one WebSocket once, within half a minute."""

    secret_hash = models.BinaryField(max_length=32, primary_key=True)
    user_id = models.BigIntegerField(null=True)
    device_id = models.BigIntegerField(null=True)
    token_id = models.BigIntegerField(null=True)
    table_id = models.BigIntegerField()
    role = models.CharField(max_length=16)
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(user_id__isnull=True) ^ Q(device_id__isnull=True),
                name="ticket_has_one_holder",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role} at table {self.table_id}"


class IdempotencyKey(models.Model):
    """A money or game request that was carried out, or is being carried out, under its key."""

    principal = models.CharField(max_length=40)
    method = models.CharField(max_length=8)
    path = models.CharField(max_length=200)
    key = models.CharField(max_length=100)
    body_hash = models.BinaryField(max_length=32)
    claim = models.UUIDField(help_text="Which attempt is carrying it out.")
    claimed_at = models.DateTimeField()
    status = models.PositiveSmallIntegerField(null=True, help_text="Empty while it runs.")
    response = models.TextField(blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["principal", "method", "path", "key"], name="idempotency_key_once"
            ),
        ]
        indexes: ClassVar = [BrinIndex(fields=["claimed_at"], name="idempotency_claimed")]

    def __str__(self) -> str:
        return f"{self.method} {self.path} {self.key}"


# The second factor's rows, which know no more of a person than that he is one.
from casino.core.factors import LogOrigin, RecoveryCode, SecondFactor  # noqa: E402
from casino.core.hooks import Webhook, WebhookMessage  # noqa: E402

__all__ = [
    "Approval", "Device", "IdempotencyKey", "LogEntry", "LogOrigin", "LogSeal", "RecoveryCode",
    "Role", "Scope", "SecondFactor", "SignInFailure", "Ticket", "Token", "User", "Webhook",
    "WebhookMessage",
]  # fmt: skip


class Sandbox(models.Model):
    """Its one row says that this database deals scripted hands, for play money; never production.

    Written by the role that migrates, where the house has a sandbox; `app` only reads it.
    """

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    opened_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(id=1), name="sandbox_is_one"),
        ]

    def __str__(self) -> str:
        return f"open since {self.opened_at:%Y-%m-%d}"
