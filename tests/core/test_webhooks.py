"""Webhooks: who is told what, how it is signed, and what becomes of what cannot be delivered."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import socket
from datetime import timedelta
from typing import Any

import httpx
import pytest
from django.db import transaction
from django.utils import timezone
from rest_framework.test import APIClient

from casino.core import outbox, webhooks
from casino.core.errors import AddressRefused, TooManyWebhooks
from casino.core.models import Role, User, Webhook, WebhookMessage
from tests.core.cast import person

pytestmark = pytest.mark.django_db
URL = "https://hooks.example.org/told"
KIND = Webhook.Kind
CLIENT = httpx.AsyncClient


class Program:
    """A receiving program: what it is sent, and what it answers."""

    def __init__(self) -> None:
        self.statuses: list[int] = []
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        return httpx.Response(self.statuses.pop(0) if self.statuses else 200)

    def bodies(self) -> list[Any]:
        return [json.loads(request.content) for request in self.requests]


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    known = {"hooks.example.org": ["93.184.216.34"]}

    def found(host: str, port: int, **more: Any) -> list[Any]:
        if host not in known:
            raise socket.gaierror
        return [(2, 1, 6, "", (address, port)) for address in known[host]]

    monkeypatch.setattr(socket, "getaddrinfo", found)
    return known


@pytest.fixture(autouse=True)
def program(names: dict[str, list[str]], monkeypatch: pytest.MonkeyPatch) -> Program:
    answers, client = Program(), httpx.AsyncClient

    def reached(**more: Any) -> httpx.AsyncClient:
        assert not more.pop("follow_redirects")
        return client(transport=httpx.MockTransport(answers), **more)

    monkeypatch.setattr(httpx, "AsyncClient", reached)
    return answers


def signature_of(secret: str, request: httpx.Request) -> str:
    """As the scheme's own text says it is made."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    told = f"{request.headers['webhook-id']}.{request.headers['webhook-timestamp']}."
    digest = hmac.new(key, told.encode() + request.content, hashlib.sha256).digest()
    return "v1," + base64.b64encode(digest).decode()


def hook(owner: User, *kinds: str) -> tuple[Webhook, str]:
    return webhooks.webhook_add(owner=owner, url=URL, kinds=kinds or [KIND.BUY_IN])


def bought(player: User, key: str = "sit:1") -> None:
    webhooks.tell(KIND.BUY_IN, key, [player.pk], {"player": player.pk, "amount_minor": 500})


def due_now() -> int:
    WebhookMessage.objects.update(next_at=timezone.now() - timedelta(seconds=1))
    return webhooks.messages_due()


def test_a_message_is_signed_and_says_what_happened(ann: User, program: Program) -> None:
    made, secret = hook(ann)
    bought(ann)
    assert due_now() == 1
    (request,) = program.requests
    assert request.headers["webhook-signature"] == signature_of(secret, request)
    assert request.headers["webhook-id"] == made.messages.get().sent_as
    body = program.bodies()[0]
    assert body["type"] == "chips.bought"
    assert body["data"] == {"player": ann.pk, "amount_minor": 500}
    assert request.headers["host"] == "hooks.example.org"
    assert request.url.host == "93.184.216.34"


def test_a_restored_house_that_counts_anew_gives_no_message_the_id_of_a_lost_one(
    ann: User, program: Program
) -> None:
    hook(ann)
    bought(ann)
    assert due_now() == 1
    lost = WebhookMessage.objects.get()
    WebhookMessage.objects.all().delete()
    WebhookMessage.objects.create(
        pk=lost.pk, webhook=lost.webhook, kind=lost.kind, key="buy_in:other", body=lost.body
    )
    assert due_now() == 1
    first, second = (request.headers["webhook-id"] for request in program.requests)
    assert first != second


def test_a_player_is_told_of_himself_and_the_house_of_everybody(
    ann: User, program: Program
) -> None:
    bob, ada = person("Bob"), person("Ada", Role.ADMIN)
    for owner in (ann, bob, ada):
        hook(owner)
    bought(ann)
    told = set(WebhookMessage.objects.values_list("webhook__owner", flat=True))
    assert told == {ann.pk, ada.pk}
    User.objects.filter(pk=ada.pk).update(role=Role.FLOOR)
    bought(ann, "sit:2")
    assert WebhookMessage.objects.filter(webhook__owner=ada).count() == 1


def test_what_is_rolled_back_was_never_told(ann: User) -> None:
    hook(ann)
    with transaction.atomic():
        bought(ann)
        transaction.set_rollback(True)
    assert not WebhookMessage.objects.exists()


def test_the_same_event_is_told_once(ann: User) -> None:
    hook(ann)
    bought(ann)
    bought(ann)
    assert WebhookMessage.objects.count() == 1


def test_kinds_that_nobody_asked_for_are_not_told(ann: User) -> None:
    hook(ann, KIND.HAND_SETTLED)
    bought(ann)
    assert not WebhookMessage.objects.exists()


def test_while_a_secret_changes_both_sign(ann: User, program: Program) -> None:
    made, former = hook(ann)
    secret = webhooks.webhook_secret_new(webhook=made, by=ann)
    bought(ann)
    assert due_now() == 1
    (request,) = program.requests
    signatures = request.headers["webhook-signature"].split()
    assert signatures == [signature_of(secret, request), signature_of(former, request)]
    Webhook.objects.update(former_until=timezone.now())
    bought(ann, "sit:2")
    assert due_now() == 1
    assert program.requests[1].headers["webhook-signature"].count("v1,") == 1


def test_what_fails_waits_longer_each_time_and_is_given_up_at_last(
    ann: User, program: Program
) -> None:
    made, _ = hook(ann)
    bought(ann)
    program.statuses = [500, 302, *[503] * 6]
    waits = []
    for _ in range(outbox.ATTEMPTS_MOST):
        assert due_now() == 0
        message = made.messages.get()
        waits.append((message.next_at - timezone.now()).total_seconds())
        assert webhooks.messages_due() == 0  # not due yet
    assert message.status == "dead"
    assert waits[4] > 8 * waits[0]
    assert len({request.content for request in program.requests}) == 1
    webhooks.message_again(webhook=made, message_id=message.pk, by=ann)
    assert due_now() == 1
    assert program.requests[-1].headers["webhook-id"] == program.requests[0].headers["webhook-id"]


def test_a_receiver_that_is_gone_is_switched_off(ann: User, program: Program) -> None:
    hook(ann)
    bought(ann)
    program.statuses = [410]
    assert due_now() == 0
    assert Webhook.objects.get().is_on is False
    bought(ann, "sit:2")
    assert WebhookMessage.objects.count() == 1


def test_a_name_that_turns_private_is_refused_when_it_is_sent(
    ann: User, names: dict[str, list[str]], program: Program
) -> None:
    made, _ = hook(ann)
    bought(ann)
    names["hooks.example.org"] = ["93.184.216.34", "10.0.0.7"]
    assert due_now() == 0
    assert program.requests == []
    assert "private address" in made.messages.get().problem
    with pytest.raises(AddressRefused):
        hook(ann)


def test_one_receiver_out_of_reach_keeps_no_other_waiting(
    ann: User, names: dict[str, list[str]], program: Program
) -> None:
    bob = person("Bob")
    names["gone.example.org"] = ["93.184.216.35"]
    webhooks.webhook_add(owner=ann, url="https://gone.example.org/", kinds=[KIND.BUY_IN])
    hook(bob)
    for number in range(3):
        bought(ann, f"sit:{number}")
    bought(bob)
    asked: list[str] = []

    def found(host: str, port: int, **more: Any) -> list[Any]:
        asked.append(host)
        if host == "gone.example.org":
            raise socket.gaierror
        return [(2, 1, 6, "", ("93.184.216.34", port))]

    names.clear()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(socket, "getaddrinfo", found)
        assert due_now() == 1
    assert (asked.count("gone.example.org"), len(program.requests)) == (1, 1)
    waits = WebhookMessage.objects.filter(webhook__owner=ann)
    assert set(waits.values_list("status", "attempts")) == {("waiting", 1)}


def test_a_message_that_cannot_even_be_put_together_stops_no_other(
    ann: User, program: Program
) -> None:
    bob = person("Bob")
    broken, _ = hook(ann)
    hook(bob)
    bought(ann)
    bought(bob)
    Webhook.objects.filter(pk=broken.pk).update(secret=b"no secret of this house")
    assert due_now() == 1
    assert broken.messages.get().status == "waiting"
    assert len(program.requests) == 1


@pytest.mark.parametrize("url", ["https://kasyno-łódź.example/told", "https://hooks.example.org/é"])
def test_names_and_paths_in_any_script_are_written_as_requests_have_them(
    ann: User, names: dict[str, list[str]], program: Program, url: str
) -> None:
    host = httpx.URL(url).raw_host.decode()
    names[host] = ["93.184.216.34"]
    webhooks.webhook_add(owner=ann, url=url, kinds=[KIND.BUY_IN])
    bought(ann)
    assert due_now() == 1
    assert program.requests[0].headers["host"] == host


@pytest.mark.parametrize("url", ["https://hooks.example.org/\x00", "https://\ud800.example.org/"])
def test_what_no_request_can_carry_is_refused_when_it_is_given(ann: User, url: str) -> None:
    with pytest.raises(AddressRefused):
        webhooks.webhook_add(owner=ann, url=url, kinds=[KIND.BUY_IN])


def test_an_answer_that_never_ends_is_given_up_after_a_time(
    ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, _ = hook(ann)
    bought(ann)
    monkeypatch.setattr("casino.core.outgoing.WHOLE_S", 0.02)

    async def drips(request: httpx.Request) -> httpx.Response:
        await asyncio.sleep(5)
        return httpx.Response(200)

    def reached(**more: Any) -> httpx.AsyncClient:
        return CLIENT(transport=httpx.MockTransport(drips))

    monkeypatch.setattr(httpx, "AsyncClient", reached)
    assert due_now() == 0
    assert made.messages.get().problem.startswith("TimeoutError")


def test_a_slow_batch_gives_the_rest_back_before_its_lease_is_out(
    ann: User, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook(ann)
    for number in range(3):
        bought(ann, f"sit:{number}")
    monkeypatch.setattr(outbox, "WORKED_MOST_S", -1.0)
    assert due_now() == 0
    assert program.requests == []
    monkeypatch.undo()
    now = timezone.now()
    assert WebhookMessage.objects.filter(next_at__lte=now, attempts=0).count() == 3


def test_what_waits_for_an_ended_webhook_is_forgotten_in_time(ann: User, settings: Any) -> None:
    settings.WEBHOOK_MESSAGES_KEPT_DAYS = -1
    made, _ = hook(ann)
    bought(ann)
    webhooks.webhook_switch(webhook=made, is_on=False, by=ann)
    assert webhooks.messages_forget() == 1


def test_an_account_has_a_few_webhooks_and_no_more(ann: User) -> None:
    for _ in range(webhooks.OWN_MOST):
        made, _ = hook(ann)
    with pytest.raises(TooManyWebhooks):
        hook(ann)
    webhooks.webhook_switch(webhook=made, is_on=False, by=ann)
    hook(ann)


def test_old_messages_are_forgotten_and_waiting_ones_kept(ann: User, settings: Any) -> None:
    settings.WEBHOOK_MESSAGES_KEPT_DAYS = -1
    made, _ = hook(ann)
    for number in range(3):
        bought(ann, f"sit:{number}")
    newest = made.messages.values_list("pk", flat=True)[0]
    WebhookMessage.objects.filter(pk=newest).update(status="sent")
    assert webhooks.messages_forget() == 1
    assert made.messages.count() == 2


def test_all_of_it_by_the_api(ann: User, program: Program) -> None:
    client = APIClient()
    client.force_authenticate(ann)
    body = {"url": URL, "kinds": ["chips.bought"]}
    made = client.post("/api/v1/webhooks", body, format="json")
    assert made.status_code == 201
    assert made.json()["secret"].startswith("whsec_")
    path = f"/api/v1/webhooks/{made.json()['id']}"
    bought(ann)
    assert due_now() == 1
    page = client.get(f"{path}/messages").json()
    assert (page["messages"][0]["status"], page["next"]) == ("sent", None)
    again = client.post(f"{path}/messages/{page['messages'][0]['id']}/replay")
    assert (again.status_code, again.json()["status"]) == (202, "waiting")
    assert due_now() == 1
    assert len(program.requests) == 2
    assert client.post(f"{path}/secret").json()["secret"] != made.json()["secret"]
    assert client.delete(path).status_code == 204
    assert client.get("/api/v1/webhooks").json()["webhooks"][0]["is_on"] is False
    private = client.post("/api/v1/webhooks", {**body, "url": "https://[::1]/"}, format="json")
    assert (private.status_code, private.json()["code"]) == (400, "address_refused")
