"""A production house starts only on settings and data of its own."""

import base64
import os
import subprocess
import sys

import pytest
from django.core.checks import run_checks

from casino.asgi import unfit
from tests.conftest import superuser
from tests.plugin import ROOT
from tests.tables.dealing_cast import table

KEY = base64.b64encode(bytes(range(32))).decode()
OWN = {
    "CROUPIER_ENV": "production",
    "SECRET_KEY": "a-secret-of-this-house-alone-" + "x" * 40,
    "CARD_KEYS": f"one:{KEY}",
    "LOG_SIGNING_KEY": KEY,
    "ALLOWED_HOSTS": "house.example",
}


def loaded(changes: dict[str, str | None]) -> subprocess.CompletedProcess[str]:
    """Load the settings and run the checks that need no database."""
    environment = {**os.environ, **OWN, "CROUPIER_DATA": "/nonexistent"}
    for name, value in changes.items():
        environment.pop(name, None)
        if value is not None:
            environment[name] = value
    return subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


def run_here(script: str) -> str:
    """What a script in a production house prints."""
    environment = {**os.environ, **OWN, "DJANGO_SETTINGS_MODULE": "casino.settings"}
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip


def test_a_house_with_settings_of_its_own_starts():
    done = loaded({})
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"SECRET_KEY": None}, "SECRET_KEY"),
        ({"SECRET_KEY": "unsafe-demo-only"}, "SECRET_KEY"),
        ({"DEBUG": "on"}, "DEBUG"),
        ({"CARD_KEYS": None}, "CARD_KEYS"),
        ({"CARD_KEYS": "demo:" + "A" * 43 + "="}, "CARD_KEYS"),
        ({"LOG_SIGNING_KEY": None}, "LOG_SIGNING_KEY"),
        ({"LOG_SIGNING_KEY": "B" * 43 + "="}, "LOG_SIGNING_KEY"),
        ({"DATABASE_URL": None}, "DATABASE_URL"),
        ({"REDIS_URL": None}, "REDIS_URL"),
        ({"CROUPIER_ENV": "prod"}, "CROUPIER_ENV"),
        ({"SANDBOX": "on"}, "SANDBOX"),
    ],
)
def test_a_missing_or_default_secret_stops_the_start_with_its_name(changes, word):
    done = loaded(changes)
    assert done.returncode != 0
    assert word in done.stderr


@pytest.mark.django_db(transaction=True)
def test_demo_tables_players_and_a_sandbox_stop_a_production_house(settings):
    settings.PRODUCTION = True
    settings.CARD_KEYS, settings.LOG_SIGNING_KEY = [f"one:{KEY}"], KEY
    with superuser() as admin:
        assert "house.E003" in [fault.id for fault in run_checks(databases=["default"])]
        assert "sandbox" in unfit()
        admin.execute("DELETE FROM core_sandbox")
        try:
            assert unfit() == ""
            table(is_house=True)
            faults = run_checks(databases=["default"])
            assert "house.E001" in [fault.id for fault in faults]
            assert "1 demo tables" in unfit()
        finally:
            admin.execute("INSERT INTO core_sandbox (id) VALUES (1)")


def test_a_production_house_has_no_address_of_a_sandbox():
    script = (
        "import django; django.setup()\n"
        "from tables.api.urls import urlpatterns\n"
        "print([str(one.pattern) for one in urlpatterns if 'sandbox' in str(one.pattern)])"
    )
    assert run_here(script).strip() == "[]"


def test_a_production_house_is_spoken_to_over_tls_alone():
    """Not even a page that is not there goes without the year of HSTS, nor a cookie without TLS."""
    script = (
        "import django; django.setup()\n"
        "from django.test import Client\n"
        "asks = Client(headers={'host': 'house.example'}).get\n"
        "for path in ('/play/', '/admin/login/', '/nothing'):\n"
        "    told = asks(path, secure=True)\n"
        "    print(told.status_code, told['Strict-Transport-Security'])\n"
        "    cookies = told.cookies.items()\n"
        "    print({name for name, one in cookies if not one['secure']}, len(cookies))\n"
        "bare = asks('/play/')\n"
        "print(bare.status_code, bare['Location'], bare.get('Strict-Transport-Security'))"
    )
    year = "max-age=31536000"
    told = run_here(script).splitlines()
    assert [told[0], told[2], told[4]] == [f"200 {year}", f"200 {year}", f"404 {year}"]
    assert told[3].startswith("set() ")
    assert told[3] != "set() 0"
    assert told[6] == "301 https://house.example/play/ None"


async def test_a_health_check_needs_no_host_name_and_no_tls(settings):
    from asgiref.testing import ApplicationCommunicator

    from casino.asgi import application

    settings.SECURE_SSL_REDIRECT, settings.ALLOWED_HOSTS = True, ["house.example"]
    scope = {"type": "http", "path": "/ready", "method": "GET", "headers": []}
    asked = ApplicationCommunicator(application, scope)
    await asked.send_input({"type": "http.request"})
    assert (await asked.receive_output(2))["status"] == 200
