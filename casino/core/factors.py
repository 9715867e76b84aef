"""Rows of the second factor and of where staff acted from. Columns and constraints only."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now


class SecondFactor(models.Model):
    """A person's app that makes a new code every half minute (RFC 6238).

    It counts from `confirmed_at` on, when a first code was typed in. `last_step` is the half
    minute of the last code that was taken: none is taken twice.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="second_factor"
    )
    secret = models.BinaryField(help_text="encrypted")
    made_at = models.DateTimeField(db_default=Now())
    confirmed_at = models.DateTimeField(null=True)
    last_step = models.BigIntegerField(default=0)

    class Meta:
        app_label = "core"

    def __str__(self) -> str:
        return f"second factor of {self.user_id}"


class RecoveryCode(models.Model):
    """Stands in once for a code where the app is lost. Only its hash is kept."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="recovery_codes"
    )
    code_hash = models.BinaryField(max_length=32, unique=True)
    used_at = models.DateTimeField(null=True)

    class Meta:
        app_label = "core"
        indexes: ClassVar = [
            models.Index(fields=["user"], condition=Q(used_at=None), name="recovery_code_unused")
        ]

    def __str__(self) -> str:
        return f"recovery code {self.pk}"


class LogOrigin(models.Model):
    """From which address, in which role, an entry of the log was caused at the console.

    Beside the sealed log, not in it: an address is personal data and may have to go one day.
    """

    entry_id = models.BigIntegerField(primary_key=True)
    address = models.GenericIPAddressField()
    role = models.CharField(max_length=16, blank=True)

    class Meta:
        app_label = "core"

    def __str__(self) -> str:
        return f"entry {self.entry_id} from {self.address}"
