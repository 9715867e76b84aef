"""A money request that is sent twice is carried out once."""

import threading
import time
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.http import HttpRequest
from django.test import RequestFactory
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.test import APIClient
from rest_framework.views import APIView

from casino.core.errors import TokenMissing
from casino.core.idempotency import ATTEMPT_S, deed_once, idempotent, transfer_key
from casino.core.models import IdempotencyKey, User
from casino.core.services import token_issue

pytestmark = pytest.mark.django_db(transaction=True)

SPENT: list[Any] = []
KEYS: list[str] = []
SLOWLY, HELD, BEGUN, GO_ON = (threading.Event() for _ in range(4))


class SpendApi(APIView):
    @idempotent
    def post(self, request: Request) -> Response:
        BEGUN.set()
        if SLOWLY.is_set():
            time.sleep(0.3)
        if HELD.is_set():
            GO_ON.wait(10)
        body = request.data
        assert isinstance(body, dict)
        SPENT.append(body["amount_minor"])
        KEYS.append(transfer_key(request))
        if body["amount_minor"] > 1000:
            raise TokenMissing(1)
        return Response({"z": len(SPENT), "a": body["amount_minor"]}, status=201)


@pytest.fixture(autouse=True)
def nothing_spent() -> None:
    SPENT.clear()
    KEYS.clear()
    for event in (SLOWLY, HELD, BEGUN, GO_ON):
        event.clear()


def client_of(user: User) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token_issue(user=user)[1]}")
    return client


def spend(client: APIClient, key: str | None, amount_minor: int = 500) -> Any:
    headers = {} if key is None else {"Idempotency-Key": key}
    body = {"amount_minor": amount_minor}
    return client.post("/api/v1/spend", body, format="json", headers=headers)


def test_a_repeat_gets_the_first_answer_byte_for_byte(ann: User) -> None:
    client = client_of(ann)
    first, second = spend(client, "k1"), spend(client, "k1")
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.content == second.content
    assert "Idempotent-Replayed" not in first.headers
    assert second.headers["Idempotent-Replayed"] == "true"
    assert SPENT == [500]


def test_the_same_key_with_another_body_is_refused(ann: User) -> None:
    client = client_of(ann)
    spend(client, "k1")
    refused = spend(client, "k1", 600)
    assert (refused.status_code, refused.json()["code"]) == (422, "idempotency_key_reused")
    assert SPENT == [500]


def test_a_key_is_required(ann: User) -> None:
    refused = spend(client_of(ann), None)
    assert (refused.status_code, refused.json()["code"]) == (400, "idempotency_key_required")
    assert SPENT == []


@pytest.mark.parametrize("key", ["a b", "x" * 101, "ż"])
def test_a_key_has_its_form(ann: User, key: str) -> None:
    refused = spend(client_of(ann), key)
    assert (refused.status_code, refused.json()["code"]) == (400, "idempotency_key_malformed")


def test_keys_of_two_people_do_not_meet(ann: User, bob: User) -> None:
    spend(client_of(ann), "k1")
    assert spend(client_of(bob), "k1", 600).status_code == 201
    assert SPENT == [500, 600]
    assert len(set(KEYS)) == 2


def test_a_refused_attempt_leaves_the_key_free(ann: User) -> None:
    client = client_of(ann)
    assert spend(client, "k1", 5000).status_code == 404
    assert spend(client, "k1", 500).status_code == 201
    assert KEYS[0] == KEYS[1]


def test_a_second_request_is_told_that_the_first_still_runs(ann: User) -> None:
    HELD.set()
    codes: list[int] = []

    def run() -> None:
        codes.append(spend(client_of(ann), "k1").status_code)
        connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    assert BEGUN.wait(10)
    waiting = spend(client_of(ann), "k1")
    GO_ON.set()
    thread.join(10)
    assert (waiting.status_code, waiting.json()["code"]) == (409, "idempotency_still_running")
    assert codes == [201]


def test_of_many_at_once_one_is_carried_out(ann: User) -> None:
    SLOWLY.set()
    clients = [client_of(ann) for _ in range(8)]
    start = threading.Barrier(8)
    codes: list[int] = []

    def run(client: APIClient) -> None:
        start.wait(10)
        codes.append(spend(client, "k1").status_code)
        connection.close()

    threads = [threading.Thread(target=run, args=(client,)) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert SPENT == [500]
    assert sorted(codes) == [201] + [409] * 7
    assert spend(clients[0], "k1").headers["Idempotent-Replayed"] == "true"


def test_an_attempt_whose_process_died_is_taken_over_once(ann: User) -> None:
    client = client_of(ann)
    spend(client, "k1")
    abandoned = IdempotencyKey.objects.get()
    IdempotencyKey.objects.update(status=None, response="")
    assert spend(client, "k1").status_code == 409
    IdempotencyKey.objects.update(claimed_at=timezone.now() - timedelta(seconds=ATTEMPT_S + 1))
    assert spend(client, "k1").status_code == 201
    assert IdempotencyKey.objects.get().claim != abandoned.claim
    assert KEYS[0] == KEYS[1]  # the ledger sees the same transfer twice, and posts it once


def form_of(user: User, once: str, **fields: str) -> HttpRequest:
    request = RequestFactory().post("/admin/deed/", {"once": once, **fields})
    request.user = user
    return request


def test_a_form_that_is_sent_twice_at_the_same_moment_is_done_once(ann: User) -> None:
    done: list[int] = []
    told: list[str] = []

    def deed() -> str:
        BEGUN.set()
        GO_ON.wait(10)
        done.append(1)
        return f"done {len(done)}"

    def send() -> None:
        told.append(deed_once(form_of(ann, "k", amount="5"), "k", deed))
        connection.close()

    threads = [threading.Thread(target=send) for _ in range(2)]
    threads[0].start()
    assert BEGUN.wait(10)
    threads[1].start()
    GO_ON.set()
    for thread in threads:
        thread.join()
    assert (done, told) == ([1], ["done 1", "done 1"])
    assert deed_once(form_of(ann, "k", amount="6"), "k", deed) == "done 2"
    assert deed_once(form_of(ann, ""), "", deed) == "done 3"


def test_a_form_that_was_refused_may_be_sent_again(ann: User) -> None:
    def refuse() -> str:
        raise TokenMissing(1)

    with pytest.raises(TokenMissing):
        deed_once(form_of(ann, "k"), "k", refuse)
    assert deed_once(form_of(ann, "k"), "k", lambda: "done") == "done"
    assert deed_once(form_of(ann, "k"), "k", refuse) == "done"
