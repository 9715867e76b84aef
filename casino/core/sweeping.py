"""Removes what has served its time."""

from __future__ import annotations

from datetime import timedelta

from django.contrib.sessions.models import Session
from django.utils import timezone

from casino.core.approvals import approvals_expire
from casino.core.models import IdempotencyKey, ScreenLag, SignInFailure, Ticket
from casino.core.webhooks import messages_forget

KEYS_KEPT = timedelta(hours=48)
FAILURES_KEPT = timedelta(days=1)
LAGS_KEPT = timedelta(days=90)


def sweep() -> dict[str, int]:
    """Close late approvals, delete spent rows; returns how many of each. Safe at any time."""
    now = timezone.now()
    return {
        "approvals": approvals_expire(),
        "tickets": Ticket.objects.filter(expires_at__lt=now).delete()[0],
        "idempotency_keys": IdempotencyKey.objects.filter(claimed_at__lt=now - KEYS_KEPT).delete()[
            0
        ],
        "sign_in_failures": SignInFailure.objects.filter(last_at__lt=now - FAILURES_KEPT).delete()[
            0
        ],
        "screen_lags": ScreenLag.objects.filter(at__lt=now - LAGS_KEPT).delete()[0],
        "webhook_messages": messages_forget(),
        "sessions": Session.objects.filter(expire_date__lt=now).delete()[0],
    }
