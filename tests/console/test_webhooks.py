"""The page of the house's webhooks: added, told a new secret, switched, sent again."""

from __future__ import annotations

import re

import pytest

from casino.core import outgoing, webhooks
from casino.core.hooks import Webhook, WebhookMessage
from casino.core.models import Role
from tests.cast import person
from tests.console.cast import PASSWORD, console

pytestmark = pytest.mark.django_db(transaction=True)
URL = "https://told.example/house"


@pytest.fixture
def public(monkeypatch: pytest.MonkeyPatch) -> None:
    def addresses(url: str) -> list[str]:
        outgoing.url_of(url)
        return ["93.184.216.34"]

    monkeypatch.setattr(webhooks, "addresses_of", addresses)


def added(client):
    body = {"url": URL, "kinds": ["hand.settled", "jackpot.hit"], "password": PASSWORD}
    return client.post("/admin/webhooks/new/", body, follow=True)


def test_an_administrator_adds_one_and_is_told_its_secret_once(public):
    client = console(Role.ADMIN)
    page = added(client).content.decode()
    hook = Webhook.objects.get()
    assert (hook.url, hook.kinds, hook.is_house) == (URL, ["hand.settled", "jackpot.hit"], True)
    assert len(re.findall(r"whsec_[\w+/=]+", page)) == 1
    again = client.get("/admin/webhooks/").content.decode()
    assert "whsec_" not in again
    assert URL in again
    assert "a hand is settled" in again


def test_what_leads_into_the_house_is_refused_on_the_form():
    client = console(Role.ADMIN)
    body = {"url": "https://127.0.0.1/", "kinds": ["hand.settled"], "password": PASSWORD}
    answer = client.post("/admin/webhooks/new/", body)
    assert answer.status_code == 422
    assert not Webhook.objects.exists()


def test_a_new_secret_signs_beside_the_former_one_and_it_is_switched_off_and_on(public):
    client = console(Role.ADMIN)
    added(client)
    hook = Webhook.objects.get()
    client.post(f"/admin/webhooks/{hook.pk}/secret/", {"password": PASSWORD})
    hook.refresh_from_db()
    assert hook.former_secret is not None
    for is_on in (False, True):
        client.post(f"/admin/webhooks/{hook.pk}/switch/")
        hook.refresh_from_db()
        assert hook.is_on is is_on


def test_what_was_sent_is_listed_and_sent_again(public):
    client = console(Role.ADMIN)
    added(client)
    hook = Webhook.objects.get()
    webhooks.tell("hand.settled", "7", [], {"hand": 7})
    message = WebhookMessage.objects.get()
    WebhookMessage.objects.update(status="dead", attempts=8, problem="answered with 500")
    page = client.get(f"/admin/webhooks/{hook.pk}/").content.decode()
    assert "answered with 500" in page
    client.post(f"/admin/webhooks/{hook.pk}/{message.pk}/again/")
    message.refresh_from_db()
    assert (message.status, message.attempts) == ("waiting", 0)
    assert client.post(f"/admin/webhooks/{hook.pk}/999/again/").status_code == 404


def test_a_player_s_own_webhook_is_not_the_house_s_to_see():
    ann = person("Ann")
    hook = Webhook.objects.create(owner=ann.user, url=URL, kinds=["hand.settled"], secret=b"")
    client = console(Role.ADMIN)
    assert URL not in client.get("/admin/webhooks/").content.decode()
    assert client.get(f"/admin/webhooks/{hook.pk}/").status_code == 404
    assert client.post(f"/admin/webhooks/{hook.pk}/switch/").status_code == 404
