"""The public API as one player uses it: signed in, patient with a house that restarts."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar
from uuid import uuid4

import httpx

logger = logging.getLogger(__name__)

FIRST_WAIT_S, LONGEST_WAIT_S = 0.2, 5.0
ANSWER_S = 8.0
UNAUTHORIZED, TOO_MANY, SERVER_FAULT = 401, 429, 500
STILL_RUNNING = "idempotency_still_running"


@dataclass(eq=False)
class Refused(Exception):
    """The house understood and said no. Its code is the rule; facts are the problem's fields."""

    code: str
    status: int
    facts: Mapping[str, Any]

    def __str__(self) -> str:
        return f"{self.code}: {self.facts.get('detail', '')}"


@dataclass
class BackOff:
    """Longer and longer waits, each with some chance in it so that players do not come at once."""

    random: Random = field(default_factory=Random)
    failures: int = 0

    def wait_s(self) -> float:
        longest = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0 ** min(self.failures, 10))
        self.failures += 1
        return longest * self.random.uniform(0.5, 1.0)

    async def wait(self, least_s: float = 0.0) -> None:
        await asyncio.sleep(max(least_s, self.wait_s()))


class Door:
    """One account's way in. `sign_ins` keeps many accounts from checking passwords at once."""

    API: ClassVar[str] = "/api/v1"

    def __init__(
        self, client: httpx.AsyncClient, username: str, password: str, sign_ins: asyncio.Semaphore
    ) -> None:
        self.client = client
        self.username, self.password = username, password
        self.sign_ins = sign_ins
        self.token = ""
        self.name = ""

    async def get(self, path: str, **query: Any) -> Any:
        return await self.ask("GET", path, query=query)

    async def post(self, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """Asked until it is answered, always under the same key: done once however often sent."""
        return await self.ask("POST", path, body=body or {}, key=uuid4().hex)

    async def ask(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        key: str = "",
    ) -> Any:
        """Raises Refused for what the house will not do; waits for a house that is away."""
        back_off = BackOff()
        while True:
            if not self.token:
                await self.sign_in()
            headers = {"Authorization": f"Bearer {self.token}"}
            if key:
                headers["Idempotency-Key"] = key
            response = await self.send(method, path, headers, query, body)
            if response is None or is_passing(response):
                await back_off.wait(retry_after_s(response))
            elif response.status_code == UNAUTHORIZED:
                self.token = ""
                await back_off.wait()
            else:
                return answer(response)

    async def sign_in(self) -> None:
        facts = {"username": self.username, "password": self.password}
        back_off = BackOff()
        while True:
            async with self.sign_ins:
                response = await self.send("POST", "/sign-in", {}, None, facts)
            if response is None or is_passing(response):
                await back_off.wait(retry_after_s(response))
                continue
            signed_in = answer(response)
            self.token, self.name = signed_in["token"], signed_in["player"]["name"]
            return

    async def send(
        self,
        method: str,
        path: str,
        headers: Mapping[str, str],
        query: Mapping[str, Any] | None,
        body: Mapping[str, Any] | None,
    ) -> httpx.Response | None:
        """One try; None when no answer came."""
        try:
            return await self.client.request(
                method,
                self.API + path,
                headers=dict(headers),
                params=query,
                json=body,
                timeout=ANSWER_S,
            )
        except httpx.HTTPError as error:
            logger.debug("%s: %s %s: %r", self.username, method, path, error)
            return None


def is_passing(response: httpx.Response) -> bool:
    """Whether the same request may do better in a while."""
    if response.status_code == TOO_MANY or response.status_code >= SERVER_FAULT:
        return True
    return response.is_error and problem_of(response).get("code") == STILL_RUNNING


def retry_after_s(response: httpx.Response | None) -> float:
    after = "" if response is None else response.headers.get("Retry-After", "")
    return float(after) if after.isdigit() else 0.0


def answer(response: httpx.Response) -> Any:
    if response.is_error:
        problem = problem_of(response)
        raise Refused(str(problem.get("code", "refused")), response.status_code, problem)
    return response.json() if response.content else None


def problem_of(response: httpx.Response) -> Mapping[str, Any]:
    try:
        problem = response.json()
    except ValueError:
        return {}
    return problem if isinstance(problem, dict) else {}
