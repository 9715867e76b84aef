from datetime import timedelta

import pytest
from django.utils import timezone

from casino.core.models import IdempotencyKey, SignInFailure, Ticket
from casino.core.sweeping import sweep
from casino.core.tickets import ticket_issue

pytestmark = pytest.mark.django_db


def test_only_what_has_served_its_time_goes() -> None:
    now = timezone.now()
    for age in (timedelta(0), timedelta(days=3)):
        SignInFailure.objects.create(account=f"a{age}", address="192.0.2.1", last_at=now - age)
        IdempotencyKey.objects.create(
            principal="user:1",
            method="POST",
            path="/",
            key=f"k{age}",
            body_hash=b"",
            claim="6f1d7b52-4e0d-4f43-9a3b-0d4a4f4b7e10",
            claimed_at=now - age,
        )
        Ticket.objects.create(
            secret_hash=f"t{age}".encode(),
            user_id=1,
            table_id=1,
            role="player",
            expires_at=now - age + timedelta(seconds=20),
        )
    ticket_issue(table_id=1, role="player", user_id=1)
    gone = sweep()
    assert (gone["tickets"], gone["idempotency_keys"], gone["sign_in_failures"]) == (1, 1, 1)
    assert Ticket.objects.count() == 2
