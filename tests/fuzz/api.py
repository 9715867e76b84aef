"""The players' door, asked what its own document lets one ask and what it does not.

Each request is committed, as in production. Half are what schemathesis draws from the document,
half are meant to be taken (tests/fuzz/meant.py): a door that refuses everybody shows no fault.
"""

from __future__ import annotations

import json
import random
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode
from uuid import uuid4

import schemathesis
from django.core.signals import got_request_exception
from django.db import connection
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, ValidationError
from rest_framework.test import APIClient
from schemathesis import Case, GenerationMode

from tests.fuzz.door import REQUESTS_EACH, House, Player
from tests.fuzz.meant import BODIES, NO_ROW, QUERIES, At
from tests.tables.api.contract import document

# Of this process's own time, and by the wall, where others use the machine too.
MOST_S, MOST_WALL_S = 2.0, 20.0
MEANT_SHARE, SPOILT_SHARE, REAL_SHARE, REPEAT_SHARE = 0.5, 0.25, 0.75, 0.1
PASSED_ON = ("Idempotency-Key", "Accept-Language", "X-Request-ID")
# After these he is no player any more.
ENDING = ("account_close", "self_exclusion", "cool_off")
FAULTS_SHOWN = 10


def by_operation() -> dict[str, list[st.SearchStrategy[Case]]]:
    """Requests of each, three that fit its schema for one that does not; seldom one that ends a
    player."""
    made = {}
    for found in schemathesis.openapi.from_dict(document()).get_all_operations():
        operation = found.ok()
        name = document()["paths"][operation.path][operation.method.lower()]["operationId"]
        fits = operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
        not_so = operation.as_strategy(generation_mode=GenerationMode.NEGATIVE)
        made[name] = [*[fits] * (1 if name in ENDING else 3), not_so]
    return made


def cases() -> st.SearchStrategy[Case]:
    """Requests of every operation."""
    return st.one_of([drawn for each in by_operation().values() for drawn in each])


@dataclass(frozen=True)
class Sent:
    """One request. id: the operation's. route: the path with its names."""

    id: str
    method: str
    route: str
    path: str
    query: dict[str, Any]
    body: Any
    headers: dict[str, str]

    def __str__(self) -> str:
        return f"{self.id}: {self.method} {self.path} {self.query} {str(self.body)[:400]}"


@dataclass
class Asking:
    """What was asked, by group of the document, and every fault that was found.

    statuses: how often each was answered, by group. taken: successes by operation.
    slowest: seconds and operation.
    """

    house: House
    chance: random.Random
    statuses: dict[str, Counter[int]] = field(default_factory=dict)
    asked: Counter[str] = field(default_factory=Counter)
    taken: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    slowest: tuple[float, str] = (0.0, "")
    players: int = 0
    key: str = ""

    def __post_init__(self) -> None:
        self.next_player()

    def next_player(self) -> None:
        if self.players:
            self.player.leaves()
        self.players += 1
        self.player = Player(self.house, self.players)

    def ask(self, case: Case) -> None:
        """A fault of the house, and what it never said it answers, goes into `faults`."""
        sent = self.request(case)
        group = document()["paths"][sent.route][sent.method.lower()]["tags"][0]
        broken: list[str] = []

        def note(**about: Any) -> None:
            broken.append(traceback.format_exc())

        client = self.client(group)
        got_request_exception.connect(note)
        began, began_at = time.thread_time(), time.monotonic()
        answer = client.generic(
            sent.method, sent.path, encoded_body(sent.body), "application/json",
            headers=sent.headers, QUERY_STRING=encoded(sent.query),
        )  # fmt: skip
        took, waited = time.thread_time() - began, time.monotonic() - began_at
        got_request_exception.disconnect(note)
        assert not connection.in_atomic_block
        self.asked[sent.id] += 1
        self.statuses.setdefault(group, Counter())[answer.status_code] += 1
        self.taken[sent.id] += answer.status_code < 300
        self.slowest = max(self.slowest, (took, sent.id))
        if took > MOST_S or waited > MOST_WALL_S:
            self.faults.append(f"{sent} took {took:.1f} s of {waited:.1f}")
        if broken or answer.status_code >= 500:
            self.faults.append("\n".join([f"{sent}: {answer.status_code}", *broken]))
        else:
            try:
                promised(sent.method, sent.route, answer)
            except (AssertionError, ValidationError) as error:
                self.faults.append(f"{sent}: {answer.status_code}: {str(error)[:2_000]}")
        self.goes_on(sent, answer, client)

    def client(self, group: str) -> APIClient:
        """Paytables are the staff's: a player's part there is to be refused."""
        if group == "paytables" and self.chance.randrange(5):
            return self.chance.choice(self.house.maths)
        return self.player.client

    def goes_on(self, sent: Sent, answer: Any, client: APIClient) -> None:
        """The house plays on, and a player is at the door again whatever he has done."""
        player, is_taken = self.player, answer.status_code < 300
        player.asked += 1
        if is_taken and sent.id == "second_factor_begin":
            player.secret = answer.json()["secret"]
        if is_taken and sent.id == "password_set":
            player.password = sent.body["new"]
        self.house.goes_on()
        is_over = player.asked >= REQUESTS_EACH or (is_taken and sent.id in ENDING)
        is_out = sent.id in ("sign_out", "password_set") and is_taken
        is_out |= answer.status_code == 401 and client is player.client and sent.id != "sign_in"
        if is_over or (is_out and not player.signs_in()):
            self.next_player()
        elif player.asked % 5 == 0:
            player.takes_seats()

    def request(self, case: Case) -> Sent:
        route, method = case.operation.path, case.method
        operation = document()["paths"][route][method.lower()]["operationId"]
        is_meant = self.chance.random() < MEANT_SHARE
        ids = dict(case.path_parameters or {})
        for name in ids:
            rows = self.player.rows(name, operation)
            if is_meant:
                ids[name] = self.chance.choice(rows or [NO_ROW])
            elif rows and self.chance.random() < REAL_SHARE:
                ids[name] = self.chance.choice(rows)
        path = route
        for name, value in ids.items():
            path = path.replace(f"{{{name}}}", quoted(value))
        query: dict[str, Any] = dict(case.query or {})
        body: Any = None if type(case.body).__name__ == "NotSet" else case.body
        headers = {
            name: text
            for name, text in ((name, str(text)) for name, text in (case.headers or {}).items())
            if name in PASSED_ON and text.isprintable() and text.isascii()
        }
        if is_meant:
            at = At(self.player, ids.get("table_id", 0))
            query = self.spoilt(QUERIES[operation](at), query) if operation in QUERIES else {}
            if operation in BODIES:
                body = self.spoilt(BODIES[operation](at), body)
            if self.chance.random() >= REPEAT_SHARE:
                self.key = str(uuid4())
            headers["Idempotency-Key"] = self.key
        return Sent(operation, method, route, path, query, body, headers)

    def spoilt(self, meant: dict[str, Any], drawn: Any) -> dict[str, Any]:
        """What is meant, now and then with one field of what was drawn."""
        if isinstance(drawn, dict) and drawn and self.chance.random() < SPOILT_SHARE:
            name = self.chance.choice(list(drawn))
            return {**meant, name: drawn[name]}
        return meant


def quoted(value: Any) -> str:
    return quote(str(value).encode(errors="replace"), safe="")


def encoded(query: dict[str, Any]) -> str:
    plain = {
        name: value if isinstance(value, (str, list)) else json.dumps(value)
        for name, value in query.items()
    }
    return urlencode(plain, doseq=True, errors="replace")


def encoded_body(body: Any) -> bytes:
    if body is None or isinstance(body, bytes):
        return body or b""
    return json.dumps(body).encode(errors="surrogatepass")


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
