"""Removes what has served its time."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.contrib.sessions.models import Session
from django.utils import timezone

from casino.core.approvals import approvals_expire
from casino.core.models import IdempotencyKey, ScreenLag, SignInFailure, Ticket
from casino.core.retiring import deleted
from casino.core.webhooks import messages_forget


def sweep() -> dict[str, int]:
    """Close late approvals, delete spent rows; returns how many of each. Safe at any time."""
    now = timezone.now()
    return {
        "approvals": approvals_expire(),
        "tickets": deleted("tickets", Ticket.objects.filter(expires_at__lt=now)),
        "idempotency_keys": deleted(
            "idempotency_keys",
            IdempotencyKey.objects.filter(
                claimed_at__lt=now - timedelta(hours=settings.KEYS_KEPT_HOURS)
            ),
        ),
        "sign_in_failures": deleted(
            "sign_in_failures",
            SignInFailure.objects.filter(
                last_at__lt=now - timedelta(hours=settings.SIGN_IN_FAILURES_KEPT_HOURS)
            ),
        ),
        "screen_lags": deleted(
            "screen_lags",
            ScreenLag.objects.filter(at__lt=now - timedelta(days=settings.SCREEN_LAGS_KEPT_DAYS)),
        ),
        "webhook_messages": messages_forget(),
        "sessions": deleted("sessions", Session.objects.filter(expire_date__lt=now)),
    }
