"""ACC-03 and ACC-04: failures lock an account for an address, and one sees the last sign-in."""

import threading
from datetime import timedelta

import pytest
from django.contrib.auth import authenticate
from django.db import connection
from django.test import RequestFactory
from django.utils import timezone

from casino.core.errors import LockedOut, SignInRefused
from casino.core.models import LogEntry, SignInFailure, User
from casino.core.signing_in import FAILURES_MAX, sign_in
from tests.core.cast import PASSWORD, person

HOME, AWAY = "192.0.2.1", "2001:db8::1"
pytestmark = pytest.mark.django_db


def fail(username: str = "ann", address: str = HOME) -> None:
    with pytest.raises(SignInRefused):
        sign_in(username=username, password="wrong", address=address)


def test_signing_in_tells_when_one_did_so_before(ann: User) -> None:
    first = sign_in(username="ann", password=PASSWORD, address=HOME)
    second = sign_in(username="ANN", password=PASSWORD, address=HOME)
    assert first.user == ann
    assert first.previous is None
    assert second.previous == first.user.last_login
    ann.refresh_from_db()
    assert ann.previous_sign_in == second.previous


def test_repeated_failures_lock_the_account_for_that_address(ann: User) -> None:
    for _ in range(FAILURES_MAX):
        fail()
    with pytest.raises(LockedOut) as locked:
        sign_in(username="Ann", password=PASSWORD, address=HOME)
    assert 0 < locked.value.retry_after_s <= 900
    assert sign_in(username="ann", password=PASSWORD, address=AWAY).user == ann


def test_a_lock_ends_by_itself(ann: User) -> None:
    for _ in range(FAILURES_MAX):
        fail()
    SignInFailure.objects.update(last_at=timezone.now() - timedelta(minutes=16))
    assert sign_in(username="ann", password=PASSWORD, address=HOME).user == ann


def test_success_forgets_the_failures(ann: User) -> None:
    for _ in range(2):
        for _ in range(FAILURES_MAX - 1):
            fail()
        sign_in(username="ann", password=PASSWORD, address=HOME)
    assert not SignInFailure.objects.exists()


def test_an_unknown_name_locks_just_the_same(db: None) -> None:
    for _ in range(FAILURES_MAX):
        fail("nobody")
    with pytest.raises(LockedOut):
        sign_in(username="nobody", password="wrong", address=HOME)


def test_an_inactive_account_is_refused_like_a_wrong_password(db: None) -> None:
    person("Gone", is_active=False)
    with pytest.raises(SignInRefused):
        sign_in(username="gone", password=PASSWORD, address=HOME)


def test_a_name_the_database_cannot_hold_is_refused(db: None) -> None:
    fail("an\x00n")


def test_failures_go_to_the_log_without_the_name_or_the_address(ann: User) -> None:
    fail()
    fail("nobody")
    refused = list(LogEntry.objects.filter(kind="sign_in.refused").order_by("id"))
    assert [entry.subject for entry in refused] == [f"user:{ann.pk}", "user:unknown"]
    assert refused[0].facts == {"failures": 1, "locked": False}


def test_the_login_page_locks_by_the_same_count(ann: User) -> None:
    request = RequestFactory().post("/admin/login/", REMOTE_ADDR=HOME)
    assert authenticate(request, username="ann", password=PASSWORD) == ann
    for _ in range(FAILURES_MAX):
        assert authenticate(request, username="ann", password="wrong") is None
    assert authenticate(request, username="ann", password=PASSWORD) is None


@pytest.mark.django_db(transaction=True)
def test_guessing_in_parallel_gives_no_more_tries(ann: User) -> None:
    refused: list[type[Exception]] = []

    def guess() -> None:
        try:
            sign_in(username="ann", password="wrong", address=HOME)
        except (SignInRefused, LockedOut) as error:
            refused.append(type(error))
        finally:
            connection.close()

    threads = [threading.Thread(target=guess) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert refused.count(SignInRefused) == FAILURES_MAX
    assert refused.count(LockedOut) == 12 - FAILURES_MAX
