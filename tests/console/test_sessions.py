"""How long staff stay signed in, and that what they may do is bound to the browser they are at."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from casino.console.access import STEP_UP_KEY
from casino.console.sessions import BEGAN, COOKIE, SEEN
from casino.core.errors import ApprovalSameBrowser
from casino.core.log import browser
from casino.core.models import Approval, LogEntry, Role, User
from tables.services import paytables
from tests.cast import CURRENCY, THREE_CARD, person
from tests.console.cast import console_of, staff
from tests.console.test_approvals import asked

pytestmark = pytest.mark.django_db(transaction=True)
PASSWORD = "a long one 123"


@pytest.fixture
def finn() -> User:
    return staff(Role.FINANCE, "Finn")


@pytest.fixture
def nora() -> User:
    user = staff(Role.FINANCE, "Nora")
    user.set_password(PASSWORD)
    user.save()
    return user


def aged(client: Client, key: str, by: timedelta) -> None:
    session = client.session
    session[key] -= int(by.total_seconds())
    session.save()


def is_in(client: Client) -> bool:
    return client.get("/admin/approvals/").status_code == 200


@pytest.mark.parametrize(
    ("key", "past", "why"),
    [(SEEN, timedelta(minutes=61), "idle"), (BEGAN, timedelta(hours=12, minutes=1), "shift")],
)
def test_who_was_away_or_there_for_too_long_is_signed_out(
    finn: User, key: str, past: timedelta, why: str
) -> None:
    client = console_of(finn)
    assert is_in(client)
    aged(client, key, past)
    assert client.get("/api/v1/me").status_code in (401, 403)
    assert not is_in(client)
    entry = LogEntry.objects.get(kind="sign_in.ended")
    assert (entry.actor_id, entry.facts) == (finn.pk, {"why": why})


def test_a_session_of_before_there_were_limits_is_ended(finn: User) -> None:
    client = console_of(finn)
    session = client.session
    del session[BEGAN]
    session.save()
    assert not is_in(client)


def test_who_works_stays_and_a_page_that_renews_itself_is_nobody_working(finn: User) -> None:
    client = console_of(finn)
    aged(client, SEEN, timedelta(minutes=40))
    before = client.session[SEEN]
    renewed = client.get("/admin/approvals/", headers={"Sec-Fetch-Mode": "cors"})
    assert (renewed.status_code, client.session[SEEN]) == (200, before)
    client.get("/admin/approvals/", headers={"Sec-Fetch-Mode": "navigate"})
    assert client.session[SEEN] > before


def test_a_player_s_session_has_no_such_end(nora: User) -> None:
    player = User.objects.create_user(username="ann", password=None, display_name="Ann")
    client = Client()
    client.force_login(player)
    assert BEGAN not in client.session
    assert client.get("/api/v1/me").status_code == 200


def test_the_browser_s_mark_is_closed_to_scripts_and_foreign_pages(finn: User) -> None:
    client = Client()
    client.force_login(finn)
    client.get("/admin/approvals/")
    mark = client.cookies[COOKIE]
    assert (mark["httponly"], mark["samesite"], mark["path"]) == (True, "Strict", "/admin/")
    client.get("/admin/approvals/")
    assert client.cookies[COOKIE].value == mark.value


def test_a_session_carried_to_another_browser_has_typed_no_password(finn: User, nora: User) -> None:
    request, _ = asked(finn)
    hers = console_of(nora)
    stolen = Client()
    stolen.cookies["sessionid"] = hers.cookies["sessionid"].value
    assert is_in(stolen)
    assert stolen.session[STEP_UP_KEY]
    where = f"/admin/approvals/{request.pk}/agree/"
    assert stolen.post(where, {"note": ""}).status_code == 422
    assert Approval.objects.get().status == "asked"
    assert hers.post(where, {"note": ""}).status_code == 302
    assert Approval.objects.get().status == "executed"


def test_a_made_up_mark_is_no_mark(nora: User, finn: User) -> None:
    request, _ = asked(finn)
    client = console_of(nora)
    client.cookies[COOKIE] = client.cookies[COOKIE].value[:-2] + "xx"
    assert client.post(f"/admin/approvals/{request.pk}/agree/", {"note": ""}).status_code == 422


def test_nobody_agrees_at_the_browser_at_which_it_was_asked(finn: User, nora: User) -> None:
    """Two names signed in one after the other at one machine may be one person."""
    client = console_of(finn)
    player = person("Ann").user
    answer = client.post(
        f"/admin/players/{player.pk}/adjust/{CURRENCY}/",
        {"way": "give", "why": "Goodwill", "amount": "5.00", "note": ""},
    )
    assert answer.status_code == 302
    request = Approval.objects.get()
    where = f"/admin/approvals/{request.pk}/agree/"
    hers = console_of(nora)
    hers.cookies[COOKIE] = client.cookies[COOKIE].value
    refused = hers.post(where, {"note": "", "password": PASSWORD})
    assert refused.status_code == 422
    assert "another browser" in refused.content.decode()
    assert console_of(nora).post(where, {"note": ""}).status_code == 302
    after = Approval.objects.get()
    assert after.status == "executed"
    assert "" != after.decided_on != after.asked_on != ""


def test_a_program_does_not_agree_to_what_was_asked_at_the_console() -> None:
    first, second = (person(name, Role.GAME_MATHS) for name in ("Mia", "Max"))
    content = {"paytables": THREE_CARD["paytables"]}
    version = paytables.paytable_draft(
        game="three_card_poker", name="lean", content=content, by=first.user
    )
    paytables.paytable_price(paytable_id=version.pk, by=first.user)
    told = browser.set("a" * 32)
    paytables.paytable_ask(paytable_id=version.pk, tables=[], reason="thinner", by=first.user)
    browser.reset(told)
    answer = second.client.send(f"paytables/{version.pk}/approve", {}, key=None)
    assert (answer.status_code, answer.json()["code"]) == (403, "approval_same_browser")
    assert Approval.objects.get().status == "asked"


def test_the_database_holds_the_same_law(finn: User, nora: User) -> None:
    row = Approval.objects.create(
        kind="wallet.adjustment", subject="x", reason="r", asked_by=finn, asked_on="a" * 32,
        expires_at=timezone.now() + timedelta(hours=1),
    )  # fmt: skip
    again = Approval.objects.filter(pk=row.pk)
    for at in ("a" * 32, ""):
        with pytest.raises(IntegrityError), transaction.atomic():
            again.update(
                status="approved", approved_by=nora, decided_at=timezone.now(), decided_on=at
            )
    assert again.update(
        status="approved", approved_by=nora, decided_at=timezone.now(), decided_on="b" * 32
    )
    assert ApprovalSameBrowser(7).code == "approval_same_browser"
