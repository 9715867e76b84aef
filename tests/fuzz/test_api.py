"""No 5xx, nothing that the document does not list, nothing slow: schemathesis, signed in."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache
from hypothesis import HealthCheck, given, settings
from schemathesis import Case

from casino.core import bearers
from casino.core.throttling import HouseThrottle
from tables import jobs
from tests.fuzz.api import Asking, cases
from tests.tables.api.contract import document
from tests.test_permission_matrix import House

pytestmark = pytest.mark.django_db
SHORT = 250
BODIES: dict[str, dict[str, Any]] = {
    "seat_take": {"buy_in_minor": 5_000}, "seat_reserve": {"seat": 1}, "seat_spots": {"spots": [1]},
    "seat_top_up": {"buy_in_minor": 1_000, "amount_minor": 1_000}, "seat_transfer": {"to_table": 1},
    "seed_commit": {"cut": 1, "commitment": "ab" * 32}, "seed_open": {"cut": 1, "seed": "ab" * 32},
    "table_act": {"action_id": str(uuid4()), "turn_id": 1, "action": {"name": "fold"}},
    "hand_report": {"text": "x", "reason": "x"},
}  # fmt: skip


@pytest.fixture
def asking(settings: object, monkeypatch: pytest.MonkeyPatch) -> Iterator[Asking]:
    """Ann, signed in at the table where she sits; throttles have tests of their own."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # type: ignore[attr-defined]
    monkeypatch.setattr(HouseThrottle, "allow_request", lambda *given: True)
    monkeypatch.setattr(jobs, "send", lambda *task: True)
    bearers.tokens_forget_all()
    cache.clear()
    house = House()
    real = {
        "table_id": [house.table.pk, house.banked.pk],
        "hand_id": [house.hand.pk],
        "token_id": [house.token.pk],
        "webhook_id": [house.webhook.pk],
        "paytable_id": [house.paytable.pk],
    }
    yield Asking(house.caller("player"), real)
    bearers.tokens_forget_all()


def put(asking: Asking, requests: int, seed: int = 13, derandomize: bool = True) -> None:
    chance = random.Random(seed)

    @settings(max_examples=requests, deadline=None, database=None,
              derandomize=derandomize,
              suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(cases())
    def one(case: Case) -> None:
        asking.ask(case, chance)

    one()


def test_every_answer_is_one_that_the_document_lists(asking: Asking) -> None:
    put(asking, SHORT)
    assert len(asking.asked) > 50
    assert asking.statuses[200] + asking.statuses[201] + asking.statuses[204] > 20
    assert asking.statuses[400] > 20


def test_a_row_that_is_not_there_is_answered_as_such_by_every_operation(asking: Asking) -> None:
    """With bodies of its own examples, so that they reach what looks the row up."""
    faults = {}
    for route, facts in document()["paths"].items():
        if "{" not in route:
            continue
        path = re.sub(r"\{\w+\}", "987654321", route)
        for method, operation in facts.items():
            body = BODIES.get(operation["operationId"], {})
            answer = asking.client.generic(
                method.upper(), path, json.dumps(body), "application/json",
                headers={"Idempotency-Key": str(uuid4())},
            )  # fmt: skip
            if answer.status_code not in (400, 403, 404, 409):
                faults[f"{method} {route}"] = answer.status_code
    assert faults == {}
