"""The public API as a patient client uses it."""

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from casino.house.door import Door, Refused

Handler = Callable[[httpx.Request], httpx.Response]
SIGNED_IN = {"token": "t1", "player": {"id": 7, "name": "Bruno"}}


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    waits: list[float] = []

    async def waited(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr("asyncio.sleep", waited)
    return waits


def door_to(handler: Handler) -> Door:
    client = httpx.AsyncClient(transport=httpx.MockTransport(handler), base_url="http://house")
    return Door(client, "house02", "secret", asyncio.Semaphore(1))


def signing_in(answers: list[httpx.Response | Exception], seen: list[httpx.Request]) -> Handler:
    """Signs anybody in; other requests get the answers one after the other."""

    def handler(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/sign-in"):
            return httpx.Response(200, json=SIGNED_IN)
        seen.append(request)
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    return handler


async def test_a_request_is_repeated_under_its_key_until_the_house_is_back() -> None:
    seen: list[httpx.Request] = []
    answers: list[Any] = [
        httpx.ConnectError("away"),
        httpx.Response(503, json={"code": "table_busy"}),
        httpx.ReadTimeout("killed in mid-answer"),
        httpx.Response(409, json={"code": "idempotency_still_running"}),
        httpx.Response(201, json={"seat": 3}),
    ]
    assert await door_to(signing_in(answers, seen)).post("/tables/1/seats", {}) == {"seat": 3}
    assert len(seen) == 5
    assert len({request.headers["Idempotency-Key"] for request in seen}) == 1


async def test_two_requests_have_two_keys() -> None:
    seen: list[httpx.Request] = []
    answers: list[Any] = [httpx.Response(200, json={}), httpx.Response(200, json={})]
    one = door_to(signing_in(answers, seen))
    await one.post("/tables/1/leave")
    await one.post("/tables/1/leave")
    assert len({request.headers["Idempotency-Key"] for request in seen}) == 2


async def test_an_ended_token_is_replaced_by_signing_in_again() -> None:
    seen: list[httpx.Request] = []
    answers: list[Any] = [httpx.Response(401, json={"code": "token_invalid"})]
    answers.append(httpx.Response(200, json={"purses": []}))
    assert await door_to(signing_in(answers, seen)).get("/wallet") == {"purses": []}


async def test_a_refusal_is_told_by_its_code() -> None:
    answers: list[Any] = [httpx.Response(409, json={"code": "seat_taken", "seat": 2})]
    with pytest.raises(Refused) as refused:
        await door_to(signing_in(answers, [])).post("/tables/1/seats", {})
    assert (refused.value.code, refused.value.facts["seat"]) == ("seat_taken", 2)


async def test_too_many_sign_ins_wait_as_long_as_they_are_told(no_waiting: list[float]) -> None:
    answers = [
        httpx.Response(429, headers={"Retry-After": "17"}, json={"code": "throttled"}),
        httpx.Response(200, json=SIGNED_IN),
    ]
    one = door_to(lambda request: answers.pop(0))
    await one.sign_in()
    assert no_waiting == [17.0]
    assert (one.token, one.name) == ("t1", "Bruno")
