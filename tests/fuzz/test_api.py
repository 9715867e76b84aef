"""No 5xx, nothing that the document does not list, nothing slow: schemathesis, signed in."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from django.core.cache import cache
from hypothesis import HealthCheck, given, settings
from schemathesis import Case

from casino.core import bearers
from casino.core.throttling import HouseThrottle
from tables import jobs
from tests.fuzz.api import Asking, cases
from tests.test_permission_matrix import House

pytestmark = pytest.mark.django_db
SHORT = 250


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
