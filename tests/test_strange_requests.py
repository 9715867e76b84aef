"""Whatever a program sends, the house answers in words: nothing strange is a fault of the house."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rest_framework.test import APIClient

from tests.test_permission_matrix import API, House

pytestmark = pytest.mark.django_db

# What ends the caller's own standing would leave the rest unasked.
ENDING = ("sign-out", "wallet/close", "leave", "tokens")
WRITES = [
    told.partition(" ")[::2]
    for told in API
    if not told.startswith("GET ") and not told.endswith(ENDING)
]
NAMES = (
    "seat", "buy_in_minor", "amount_minor", "action", "action_id", "turn_id", "cut", "commitment",
    "kinds", "url", "name", "scopes", "days", "reason", "currency", "limits", "spots", "to_table",
)  # fmt: skip
SCALARS = (
    st.none() | st.booleans() | st.integers(-(10**40), 10**40) | st.floats() | st.text(max_size=20)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)
BODIES = st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=5) | VALUES


def deep(levels: int) -> str:
    return "[" * levels + "]" * levels


RAW = (
    deep(100_000), '{"seat": ' + "9" * 5_000 + "}", '{"seat": 1e999}', '{"seat": NaN}',
    '{"name": "\\u0000"}', '{"name": "\\ud800"}', '{"seat": 1, "seat": 2}', "\ufeff{}", "{", "",
    '"' + "x" * 300_000 + '"',
)  # fmt: skip


def sent(client: APIClient, house: House, method: str, route: str, body: Any) -> Any:
    raw = body if isinstance(body, str) else json.dumps(body)
    return client.generic(
        method, house.path(f"api/v1/{route}"), raw.encode(errors="surrogatepass"),
        "application/json", headers={"Idempotency-Key": str(uuid4())},
    )  # fmt: skip


def check(answer: Any, told: str) -> None:
    assert answer.status_code < 500, f"{told}: {answer.status_code}"
    if answer.status_code >= 400:
        assert answer["Content-Type"].startswith("application/problem+json"), told
        assert {"type", "title", "status", "code", "detail"} <= set(answer.json()), told


def test_any_json_is_answered_with_a_problem_or_done() -> None:
    house = House()
    client = house.caller("player")

    @settings(max_examples=40, deadline=None, database=None, derandomize=True,
              suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(st.sampled_from(WRITES), BODIES)
    def asked(write: tuple[str, str], body: Any) -> None:
        check(sent(client, house, *write, json.dumps(body)), f"{write} {body!r}")

    asked()


@pytest.mark.parametrize("raw", RAW, ids=range(len(RAW)))
def test_what_is_no_decent_json_is_refused_by_every_address(raw: str) -> None:
    house = House()
    client = house.caller("player")
    for method, route in WRITES[::6]:
        check(sent(client, house, method, route, raw), f"{method} {route}")
