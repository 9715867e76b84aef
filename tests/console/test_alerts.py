"""Alerts: found, told once, seen by name; sent signed, never into the house's own network."""

import base64
import hashlib
import hmac
import json
import socket
from datetime import timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest
from django.core import mail
from django.utils import timezone
from pytest_django import Settings

from casino.console import files, sending, watching, working
from casino.console.models import Delivery, RaisedAlert, Receiver, Scan
from casino.console.tasks import watch_house
from casino.core import outbox, outgoing
from casino.core.boxes import unlock
from casino.core.errors import AddressRefused, RoleMissing
from casino.core.log import log
from casino.core.models import IdempotencyKey, LogEntry, Role, User
from tables.models import Hand, Table, TableHour
from tests.cast import deal, holdem_table, person, settle, three_card_table
from tests.console.cast import console, staff
from tests.console.test_pit import lose_display
from tests.tables.dealing_cast import run_out
from wallets.gaming_day import gaming_day

pytestmark = pytest.mark.django_db(transaction=True)
PUBLIC = "93.184.216.34"


@pytest.fixture
def ada() -> User:
    return staff(Role.ADMIN, "Ada")


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """What host names lead to, in place of the network's."""
    known = {"hooks.example.org": [PUBLIC]}

    def found(host: str, port: int, **more: Any) -> list[Any]:
        if host not in known:
            raise socket.gaierror
        return [(2, 1, 6, "", (address, port)) for address in known[host]]

    monkeypatch.setattr(socket, "getaddrinfo", found)
    return known


class Answers:
    """A receiving program: what it is sent, and what it answers."""

    def __init__(self, *statuses: int) -> None:
        self.statuses = list(statuses)
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        return httpx.Response(self.statuses.pop(0) if self.statuses else 200)


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> Answers:
    answers, client = Answers(), httpx.AsyncClient

    def reached(**more: Any) -> httpx.AsyncClient:
        assert not more.pop("follow_redirects")
        return client(transport=httpx.MockTransport(answers), **more)

    monkeypatch.setattr(httpx, "AsyncClient", reached)
    return answers


def raised_kinds() -> set[str]:
    """New ones; that no process of a house is alive here is none of these tests'."""
    return {each.kind for each in watching.watch()} - {"silent"}


def test_a_chore_of_the_house_that_fails_keeps_no_other_from_its_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken() -> None:
        raise ZeroDivisionError

    done: list[str] = []
    monkeypatch.setattr(watching, "watch", broken)
    monkeypatch.setattr(files, "check_due", lambda: done.append("files"))
    monkeypatch.setattr(sending, "deliveries_due", broken)
    monkeypatch.setattr(working, "jobs_due", lambda: done.append("jobs"))
    with pytest.raises(ZeroDivisionError):
        watch_house()
    assert done == ["files", "jobs"]


def test_an_alert_is_raised_once_and_ends_with_its_condition() -> None:
    table = holdem_table()
    lose_display(table)
    assert raised_kinds() == {"display"}
    assert raised_kinds() == set()
    table.refresh_from_db()
    Table.objects.update(status="closed")
    assert raised_kinds() == set()
    assert RaisedAlert.objects.get(kind="display").ended_at is not None
    page = console(Role.FLOOR, "Flo").get("/admin/alerts/").content.decode()
    assert "Display lost" in page


def test_a_win_outside_the_band_of_luck_is_an_alert_after_enough_rounds() -> None:
    table = three_card_table()
    hour = timezone.now().replace(minute=0, second=0, microsecond=0)
    row = TableHour.objects.create(
        table=table, gaming_day=gaming_day(timezone.now()), hour=hour, hands=99,
        won_minor=-50_000, expected_minor=1_000, variance=10_000**2,
    )  # fmt: skip
    assert raised_kinds() == set()
    TableHour.objects.filter(pk=row.pk).update(hands=100)
    assert raised_kinds() == {"hold"}
    TableHour.objects.filter(pk=row.pk).update(won_minor=20_000)
    assert raised_kinds() == set()


def test_each_large_win_is_told_once(settings: Settings) -> None:
    table = holdem_table()
    players = [person(name) for name in ("Ann", "Bob")]
    for player in players:
        player.sits(table)
    assert watching.large_wins() == 0
    hand = deal(table)
    settle(table, run_out(table))
    hand.refresh_from_db()
    assert hand.result is not None
    won = max(hand.result["nets_minor"].values())
    settings.LARGE_WIN_UNITS = won // 100 + 1
    assert watching.large_wins() == 0
    Scan.objects.update(upto=hand.pk - 1)
    settings.LARGE_WIN_UNITS = won // 100
    assert watching.large_wins() == 1
    assert watching.large_wins() == 0
    entry = LogEntry.objects.get(kind="alert.large_win")
    assert (entry.subject, entry.facts["won_minor"]) == (f"hand:{hand.pk}", won)
    assert "alert.large_win" in raised_kinds()
    assert Hand.objects.count() == 1


def test_a_large_win_in_a_hand_that_began_before_others_and_ended_after_them_is_told(
    settings: Settings,
) -> None:
    settings.LARGE_WIN_UNITS = 0  # any win is one
    slow, quick = holdem_table(), holdem_table(name="Quick")
    for table, names in ((slow, ("Ann", "Bob")), (quick, ("Cid", "Dee"))):
        for name in names:
            person(name).sits(table)
    hand = deal(slow)
    deal(quick)
    settle(quick, run_out(quick))
    assert watching.large_wins() == 1
    settle(slow, run_out(slow))
    assert watching.large_wins() == 1
    told = LogEntry.objects.filter(kind="alert.large_win").order_by("pk")
    assert told.values_list("subject", flat=True)[1] == f"hand:{hand.pk}"
    assert watching.large_wins() == 0


def test_a_clock_that_drifts_is_told_and_not_every_time(settings: Settings) -> None:
    assert abs(watching.clock_drift()) < settings.CLOCK_DRIFT_MOST_S
    watching.drift_told(3.5)
    watching.drift_told(3.6)
    entry = LogEntry.objects.get(kind="alert.clock_drift")
    assert entry.facts == {"milliseconds": 3500}
    assert raised_kinds() == {"alert.clock_drift"}


def test_what_the_log_tells_of_trouble_is_an_alert() -> None:
    kinds = {
        "reconciliation.difference", "payments.difference", "entropy.failed", "log.altered",
        "files.altered",
    }  # fmt: skip
    for kind in kinds:
        log(kind, "house:all", None)
    assert raised_kinds() == kinds


def test_mail_goes_to_who_asked_for_it(ada: User) -> None:
    sending.receiver_add(kind="mail", address="pit@example.org", only_critical=True, by=ada)
    holdem_table()
    log("alert.large_win", "hand:1", None, {"won_minor": 5})
    log("entropy.failed", "house:all", None)
    watching.watch()
    assert sending.deliveries_due() == 1
    assert [message.to for message in mail.outbox] == [["pit@example.org"]]
    assert "No randomness" in mail.outbox[0].subject
    assert sending.deliveries_due() == 0


def test_a_message_is_signed_over_id_time_and_text(
    ada: User, names: dict[str, list[str]], program: Answers
) -> None:
    receiver, secret = sending.receiver_add(
        kind="webhook", address="https://hooks.example.org/a?b=1", only_critical=False, by=ada
    )
    assert secret.encode() not in bytes(receiver.secret or b"")
    assert unlock(receiver.secret or b"", outgoing.PURPOSE).decode() == secret
    log("entropy.failed", "house:all", None)
    watching.watch()
    assert sending.deliveries_due() == 1
    (request,) = program.requests
    assert request.url == f"https://{PUBLIC}:443/a?b=1"
    assert request.headers["host"] == "hooks.example.org"
    assert request.extensions["sni_hostname"] == "hooks.example.org"
    body = request.read()
    signed = f"{request.headers['webhook-id']}.{request.headers['webhook-timestamp']}.".encode()
    key = base64.b64decode(secret.removeprefix("whsec_"))
    wanted = base64.b64encode(hmac.new(key, signed + body, hashlib.sha256).digest()).decode()
    assert request.headers["webhook-signature"] == f"v1,{wanted}"
    assert json.loads(body)["data"]["grade"] == "crit"


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.0.0.8", "192.168.1.1", "172.16.0.1", "169.254.169.254", "0.0.0.0",
        "100.64.0.1", "224.0.0.1", "240.0.0.1", "::1", "fe80::1", "fc00::1", "::ffff:10.0.0.1",
        "64:ff9b::a00:1", "2002:a00:1::", "::",
    ],
)  # fmt: skip
def test_no_message_goes_to_a_private_address(
    address: str, ada: User, names: dict[str, list[str]], program: Answers
) -> None:
    names["evil.example.org"] = [PUBLIC, address]
    with pytest.raises(AddressRefused):
        sending.receiver_add(
            kind="webhook", address="https://evil.example.org/", only_critical=False, by=ada
        )
    assert not Receiver.objects.exists()


def test_a_name_that_turns_private_later_is_refused_when_it_is_sent(
    ada: User, names: dict[str, list[str]], program: Answers
) -> None:
    sending.receiver_add(
        kind="webhook", address="https://hooks.example.org/", only_critical=False, by=ada
    )
    names["hooks.example.org"] = ["169.254.169.254"]
    log("entropy.failed", "house:all", None)
    watching.watch()
    assert sending.deliveries_due() == 0
    assert program.requests == []
    assert "private address" in Delivery.objects.get().problem


@pytest.mark.parametrize(
    "url",
    ["http://hooks.example.org/", "https://u:p@hooks.example.org/", "ftp://x", "https://", "x",
     "https://[::1]/", "https://unknown.example.org/", "https://hooks.example.org:99999/"],
)  # fmt: skip
def test_only_encrypted_addresses_of_the_web(url: str, names: dict[str, list[str]]) -> None:
    with pytest.raises(AddressRefused):
        outgoing.addresses_of(url)


def test_what_fails_is_tried_again_later_and_given_up_at_last(
    ada: User, names: dict[str, list[str]], program: Answers
) -> None:
    sending.receiver_add(
        kind="webhook", address="https://hooks.example.org/", only_critical=False, by=ada
    )
    log("entropy.failed", "house:all", None)
    watching.watch()
    program.statuses = [500, 302, *[503] * 6]
    waits = []
    for _ in range(outbox.ATTEMPTS_MOST):
        before = timezone.now()
        assert sending.deliveries_due() == 0
        waits.append(Delivery.objects.get().next_at - before)
        assert sending.deliveries_due() == 0  # not due yet
        Delivery.objects.update(next_at=timezone.now())
    assert len(program.requests) == outbox.ATTEMPTS_MOST
    assert timedelta(seconds=9) < waits[0] < timedelta(seconds=14)
    assert waits[4] > 8 * waits[0]
    delivery = Delivery.objects.get()
    assert delivery.status == "dead"
    sending.delivery_again(delivery_id=delivery.pk, by=ada)
    assert sending.deliveries_due() == 1


def test_a_program_that_is_gone_is_switched_off(
    ada: User, names: dict[str, list[str]], program: Answers
) -> None:
    sending.receiver_add(
        kind="webhook", address="https://hooks.example.org/", only_critical=False, by=ada
    )
    log("entropy.failed", "house:all", None)
    watching.watch()
    program.statuses = [410]
    sending.deliveries_due()
    assert Receiver.objects.get().is_on is False


def test_a_receivers_secret_is_told_once_and_kept_with_no_form(names: dict[str, list[str]]) -> None:
    client = console(Role.ADMIN, "Ada")
    sent = {"kind": "webhook", "address": "https://hooks.example.org/", "once": str(uuid4())}
    told = client.post("/admin/alerts/new/", sent, follow=True).content.decode()
    assert "told this once" in told
    assert json.loads(IdempotencyKey.objects.get().response)["said"] == ""


def test_only_the_administrator_says_where_alerts_go() -> None:
    with pytest.raises(RoleMissing):
        sending.receiver_add(
            kind="mail", address="a@example.org", only_critical=False,
            by=staff(Role.PIT_MANAGER, "Petra"),
        )  # fmt: skip
    client = console(Role.ADMIN, "Ada")
    sent = {"kind": "mail", "address": "no mail"}
    assert client.post("/admin/alerts/new/", sent).status_code == 422
    assert (
        client.post("/admin/alerts/new/", {**sent, "address": "a@example.org"}).status_code == 302
    )
    receiver = Receiver.objects.get()
    assert client.post(f"/admin/alerts/receivers/{receiver.pk}/").status_code == 302
    receiver.refresh_from_db()
    assert receiver.is_on is False
