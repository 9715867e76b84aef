"""The second factor at the console: set up, asked for, not taken twice, recovered, locked."""

import re
from datetime import timedelta

import pyotp
import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from casino.core import second_factor
from casino.core.errors import FactorRefused, FactorStands, LockedOut
from casino.core.factors import LogOrigin, SecondFactor
from casino.core.models import LogEntry, Role, User
from tests.cast import holdem_table
from tests.console.cast import console, console_of, once_more, staff

pytestmark = pytest.mark.django_db(transaction=True)
PASSWORD = "a long one 123"
HERE = "127.0.0.1"


@pytest.fixture
def petra() -> User:
    user = staff(Role.PIT_MANAGER, "Petra")
    user.set_password(PASSWORD)
    user.save()
    return user


def with_factor(user: User) -> tuple[pyotp.TOTP, list[str]]:
    totp = pyotp.TOTP(second_factor.factor_begin(user=user))
    codes = second_factor.factor_confirm(user=user, code=totp.now(), address=HERE)
    SecondFactor.objects.update(last_step=0)  # as if the half minute of the first code were over
    return totp, codes


def at_the_door(password: str = PASSWORD) -> Client:
    client = Client()
    client.post("/admin/login/", {"username": "petra", "password": password})
    return client


def test_it_is_set_up_with_a_first_code_and_then_asked_for(petra: User) -> None:
    client = at_the_door()
    page = client.get("/admin/second-factor/begin/").content.decode()
    found = re.search(r"<code>([A-Z2-7 ]+)</code>", page)
    assert found is not None
    totp = pyotp.TOTP(found[1].replace(" ", ""))
    assert client.post("/admin/second-factor/begin/", {"code": "000000"}).status_code == 422
    told = client.post("/admin/second-factor/begin/", {"code": totp.now()}).content.decode()
    assert len(re.findall(r"<li><code>[0-9a-z]{5}-[0-9a-z]{5}</code>", told)) == 10
    assert client.get("/admin/pit/").status_code == 200  # this session has shown it
    SecondFactor.objects.update(last_step=0)
    fresh = at_the_door()
    led = fresh.get("/admin/pit/")
    assert (led.status_code, led.url) == (302, "/admin/second-factor/?next=%2Fadmin%2Fpit%2F")
    answer = fresh.post(led.url, {"code": totp.now()})
    assert answer.url == "/admin/pit/"
    assert fresh.get("/admin/pit/").status_code == 200
    kinds = set(LogEntry.objects.values_list("kind", flat=True))
    assert {"second_factor.on", "sign_in.done"} <= kinds
    assert found[1].replace(" ", "").encode() not in bytes(SecondFactor.objects.get().secret)


def test_a_session_without_the_code_opens_nothing_anywhere(petra: User) -> None:
    with_factor(petra)
    client, table = at_the_door(), holdem_table()
    for where in ("/admin/", "/admin/pit/", f"/admin/pit/{table.pk}/pause/", "/admin/core/user/",
                  "/admin/account/", "/admin/step-up/"):  # fmt: skip
        for answer in (client.get(where), client.post(where)):
            assert answer.url.startswith("/admin/second-factor/"), where
    assert client.get("/api/v1/me").status_code in (401, 403)
    table.refresh_from_db()
    assert table.status == "open"


def test_a_code_is_taken_once_and_an_old_one_not_at_all(petra: User) -> None:
    totp, _ = with_factor(petra)
    code = totp.now()
    second_factor.factor_check(user=petra, code=code, address=HERE)
    with pytest.raises(FactorRefused):
        second_factor.factor_check(user=petra, code=code, address=HERE)
    old = totp.at(timezone.now() - timedelta(seconds=120))
    with pytest.raises(FactorRefused):
        second_factor.factor_check(user=petra, code=old, address=HERE)


def test_a_recovery_code_opens_once(petra: User) -> None:
    _, codes = with_factor(petra)
    second_factor.factor_check(user=petra, code=codes[0].upper(), address=HERE)
    assert second_factor.recovery_codes_left(petra) == 9
    with pytest.raises(FactorRefused):
        second_factor.factor_check(user=petra, code=codes[0], address=HERE)
    other = staff(Role.CAGE, "Cara")
    with_factor(other)
    with pytest.raises(FactorRefused):
        second_factor.factor_check(user=other, code=codes[1], address=HERE)
    assert LogEntry.objects.filter(kind="second_factor.recovered").count() == 1


def test_after_three_wrong_codes_the_right_one_waits(petra: User) -> None:
    totp, _ = with_factor(petra)
    for _ in range(3):
        with pytest.raises(FactorRefused):
            second_factor.factor_check(user=petra, code="000000", address=HERE)
    with pytest.raises(LockedOut):
        second_factor.factor_check(user=petra, code=totp.now(), address=HERE)
    second_factor.factor_check(user=petra, code=totp.now(), address="10.1.1.1")


def test_a_second_one_is_not_begun_beside_the_first(petra: User) -> None:
    with_factor(petra)
    with pytest.raises(FactorStands):
        second_factor.factor_begin(user=petra)


def test_a_house_may_ask_every_member_of_the_staff_for_one(petra: User, settings: Settings) -> None:
    settings.SECOND_FACTOR_REQUIRED = True
    led = console_of(petra).get("/admin/pit/")
    assert led.url.startswith("/admin/second-factor/begin/")


def test_the_first_person_of_a_house_is_made_by_a_command_and_adds_the_others(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.SECOND_FACTOR_REQUIRED = True
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
    call_command("createsuperuser", username="petra", display_name="Petra", interactive=False)
    client = at_the_door()
    page = client.get(client.get("/admin/").url).content.decode()
    found = re.search(r"<code>([A-Z2-7 ]+)</code>", page)
    assert found is not None
    code = pyotp.TOTP(found[1].replace(" ", "")).now()
    assert client.post("/admin/second-factor/begin/", {"code": code}).status_code == 200
    other = {
        "username": "carl", "display_name": "Carl", "role": Role.CAGE, "is_staff": "on",
        "usable_password": "true", "password1": PASSWORD, "password2": PASSWORD,
    }  # fmt: skip
    assert once_more(client).post("/admin/core/user/add/", other).status_code == 302
    carl = User.objects.get(username="carl")
    assert (carl.role, carl.is_staff, carl.check_password(PASSWORD)) == (Role.CAGE, True, True)


def test_something_dangerous_asks_for_password_and_code(petra: User) -> None:
    totp, _ = with_factor(petra)
    client, table = at_the_door(), holdem_table()
    client.post("/admin/second-factor/", {"code": totp.now()})
    SecondFactor.objects.update(last_step=0)
    where = f"/admin/pit/{table.pk}/close/"
    assert client.post(where, {"password": PASSWORD}).status_code == 422
    assert client.post(where, {"password": PASSWORD, "code": "1"}).status_code == 422
    sent = {"password": PASSWORD, "code": totp.now()}
    assert client.post(where, sent).status_code == 302
    table.refresh_from_db()
    assert table.status == "closed"
    entry = LogEntry.objects.get(kind="table.closed")
    kept = LogOrigin.objects.get(entry_id=entry.pk)
    assert (kept.address, kept.role) == (HERE, "pit_manager")


def test_it_is_turned_off_by_its_owner_or_an_administrator(petra: User) -> None:
    with_factor(petra)
    where = f"/admin/second-factor/{petra.pk}/off/"
    assert console(Role.CAGE, "Cara").post(where).status_code == 403
    assert console(Role.ADMIN, "Ada").post(where).status_code == 302
    assert not second_factor.is_on(petra)


def test_whose_second_factor_is_lost_is_helped_on_his_page_by_an_administrator(petra: User) -> None:
    with_factor(petra)
    page, off = f"/admin/core/user/{petra.pk}/change/", f"/admin/second-factor/{petra.pk}/off/"
    ada = console(Role.ADMIN, "Ada")
    assert f'href="{off}"' in ada.get(page).content.decode()
    assert off not in console(Role.CAGE, "Cara").get(page).content.decode()
    ada.post(off)
    assert off not in ada.get(page).content.decode()


def test_nobody_is_led_away_from_the_house(petra: User) -> None:
    totp, _ = with_factor(petra)
    client = at_the_door()
    answer = client.post("/admin/second-factor/?next=//evil.test/admin/", {"code": totp.now()})
    assert answer.url == "/admin/"
