"""No 5xx, nothing that the document does not list, nothing slow: schemathesis, signed in."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.core.cache import cache
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from schemathesis import Case

from casino.core import bearers, outgoing, webhooks
from casino.core.throttling import HouseThrottle
from tables import jobs
from tests.fuzz.api import FAULTS_SHOWN, Asking, by_operation
from tests.fuzz.door import House
from tests.fuzz.meant import BODIES, NO_ROW, At
from tests.tables.api.contract import document

pytestmark = pytest.mark.django_db(transaction=True)
EACH = 2


@pytest.fixture
def asking(monkeypatch: pytest.MonkeyPatch) -> Iterator[Asking]:
    """A house in play; throttles and the look-up of names have tests of their own."""
    monkeypatch.setattr(HouseThrottle, "allow_request", lambda *given: True)
    monkeypatch.setattr(webhooks, "addresses_of", outgoing.url_of)
    bearers.tokens_forget_all()
    cache.clear()
    chance = random.Random(13)
    house = House(chance)
    monkeypatch.setattr(jobs, "send", house.send)
    yield Asking(house, chance)
    bearers.tokens_forget_all()


def put(
    asking: Asking, drawn: SearchStrategy[Case], requests: int, *, seed: int, derandomize: bool
) -> None:
    """Nothing is tried again in a smaller form: the house is not the one it was put to any more."""
    asking.chance.seed(seed)

    @settings(max_examples=requests, deadline=None, database=None, derandomize=derandomize,
              phases=[Phase.generate], suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(drawn)
    def one(case: Case) -> None:
        asking.ask(case)

    one()
    shown = "\n\n".join(asking.faults[:FAULTS_SHOWN])
    assert not asking.faults, f"{len(asking.faults)} faults\n\n{shown}"


def test_every_answer_is_one_that_the_document_lists(asking: Asking) -> None:
    for nth, drawn in enumerate(by_operation().values()):
        put(asking, st.one_of(drawn), EACH, seed=nth, derandomize=True)
    assert len(asking.asked) == len(by_operation())
    assert asking.taken.total() > asking.asked.total() / 4
    assert sum(held[400] for held in asking.statuses.values()) > 10


def test_a_row_that_is_not_there_is_answered_as_such_by_every_operation(asking: Asking) -> None:
    """With bodies that are meant for one that is there, so that they reach what looks it up."""
    faults, at = {}, At(asking.player, asking.house.amber.pk)
    for route, facts in document()["paths"].items():
        if "{" not in route:
            continue
        path = re.sub(r"\{\w+\}", str(NO_ROW), route)
        for method, operation in facts.items():
            meant = BODIES.get(operation["operationId"])
            answer = asking.player.client.generic(
                method.upper(), path, json.dumps(meant(at) if meant else {}), "application/json",
                headers={"Idempotency-Key": str(uuid4())},
            )  # fmt: skip
            if answer.status_code not in (400, 403, 404, 409):
                faults[f"{method} {route}"] = answer.status_code
    assert faults == {}
