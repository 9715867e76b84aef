"""What only the console keeps."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now


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
