"""What a house must not start with."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, register

DEMO_KEYS = {bytes(32), base64.b64decode("B" * 43 + "=")}


@register
def keys_are_usable(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    named = [("LOG_SIGNING_KEY", settings.LOG_SIGNING_KEY)]
    named += [("CARD_KEYS", text.partition(":")[2]) for text in settings.CARD_KEYS]
    found: list[CheckMessage] = []
    if not settings.CARD_KEYS:
        found.append(Error("CARD_KEYS names no key", id="core.E003"))
    for name, text in named:
        try:
            key = base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError):
            key = b""
        if len(key) != 32:
            found.append(Error(f"{name} is not the base64 of 32 bytes", id="core.E001"))
        elif settings.PRODUCTION and key in DEMO_KEYS:
            found.append(
                Error(f"{name} is the demo house's, which everybody knows", id="core.E002")
            )
    return found
