"""The players' door, asked what its own document lets one ask and what it does not.

Each request runs in a transaction that is taken back, so that one that ends the account does not
leave the rest unasked. Ids are mostly those of rows that are there, some of them others'.
"""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode

import schemathesis
from django.db import transaction
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from rest_framework.test import APIClient
from schemathesis import Case, GenerationMode

from tests.tables.api.contract import document

# Of this process's own time, and by the wall, where others use the machine too.
MOST_S, MOST_WALL_S = 2.0, 20.0
# Of four ids three are of rows that are there.
REAL_SHARE = 3
PASSED_ON = ("Idempotency-Key", "Accept-Language", "X-Request-ID")


def cases() -> st.SearchStrategy[Case]:
    """Requests of every operation, three that fit its schema for one that does not."""
    made = []
    for found in schemathesis.openapi.from_dict(document()).get_all_operations():
        operation = found.ok()
        for mode in [GenerationMode.POSITIVE, GenerationMode.NEGATIVE]:
            made.append(operation.as_strategy(generation_mode=mode))
    return st.one_of(made)


@dataclass
class Asking:
    """statuses: how often each was answered. slowest: seconds, method and path."""

    client: APIClient
    real: dict[str, list[int]]
    statuses: Counter[int] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, str] = (0.0, "")

    def ask(self, case: Case, chance: random.Random) -> None:
        """Raises AssertionError for a fault of the house, and for what it never said it answers."""
        label = f"{case.method} {case.operation.path}"
        path = self.path(case, chance)
        body, kind = body_of(case)
        query = {
            name: value if isinstance(value, (str, list)) else json.dumps(value)
            for name, value in (case.query or {}).items()
        }
        told = {name: str(text) for name, text in (case.headers or {}).items()}
        headers = {
            name: text
            for name, text in told.items()
            if name in PASSED_ON and text.isprintable() and text.isascii()
        }
        taken_back = transaction.atomic()
        # A durable transaction may then stand inside it.
        taken_back._from_testcase = True
        kept = deepcopy(self.client.cookies)  # signing out is taken back with the rest
        began, began_at = time.thread_time(), time.monotonic()
        with taken_back:
            answer = self.client.generic(
                case.method, path, body, kind, headers=headers,
                QUERY_STRING=encoded(query),
            )  # fmt: skip
            transaction.set_rollback(True)
        self.client.cookies = kept
        took, waited = time.thread_time() - began, time.monotonic() - began_at
        self.asked[label] += 1
        self.statuses[answer.status_code] += 1
        self.slowest = max(self.slowest, (took, label))
        assert took < MOST_S, f"{label}: {took:.1f} s"
        assert waited < MOST_WALL_S, f"{label}: {waited:.1f} s by the wall"
        assert answer.status_code < 500, f"{label}: {answer.content!r}"
        promised(case.method, case.operation.path, answer)

    def path(self, case: Case, chance: random.Random) -> str:
        given = dict(case.path_parameters or {})
        for name in given:
            if name in self.real and chance.randrange(REAL_SHARE + 1):
                given[name] = chance.choice(self.real[name])
        path = case.operation.path
        for name, value in given.items():
            path = path.replace(f"{{{name}}}", quoted(value))
        return path


def quoted(value: Any) -> str:
    return quote(str(value).encode(errors="replace"), safe="")


def encoded(query: dict[str, Any]) -> str:
    return urlencode(query, doseq=True, errors="replace")


def body_of(case: Case) -> tuple[bytes, str]:
    body = case.body
    if isinstance(body, bytes):
        return body, "application/json"
    if type(body).__name__ == "NotSet":
        return b"", "application/json"
    return json.dumps(body).encode(errors="surrogatepass"), "application/json"


_validators: dict[tuple[str, str, int], Callable[[bytes], object]] = {}


def promised(method: str, route: str, answer: Any) -> None:
    """Raises AssertionError unless the document lists this answer of the operation."""
    status = answer.status_code
    # An id that is no number leads to no operation, and is answered as any such address.
    if status == 404 and answer.get("Content-Type") == "application/problem+json":
        return
    facts = document()["paths"][route][method.lower()]["responses"]
    assert str(status) in facts, f"{method} {route} never said it answers {status}"
    key = (method, route, status)
    if key not in _validators:
        found = facts[str(status)]
        if "$ref" in found:
            found = document()["components"]["responses"][found["$ref"].rpartition("/")[2]]
        _validators[key] = _checker(found.get("content"))
    _validators[key](answer.content if not answer.streaming else b"".join(answer))


def _checker(content: dict[str, Any] | None) -> Callable[[bytes], object]:
    kind = next((kind for kind in content or () if kind.endswith("json")), None)
    if content is None or kind is None or len(content) > 1:
        return lambda body: None
    if kind.endswith("ndjson"):
        return lambda body: [json.loads(line) for line in body.splitlines()]
    schema = {**content[kind]["schema"], "components": document()["components"]}
    validator = Draft202012Validator(schema)
    return lambda body: validator.validate(json.loads(body))
