"""Settings are read as they are written, or the start is stopped."""

import os
import re
import subprocess
import sys

import pytest
from django.core.exceptions import ImproperlyConfigured

from casino.env import Environment
from casino.settings import BASE_DIR, database


@pytest.mark.parametrize(
    ("written", "wanted"), [("off", 0), ("0", 0), ("on", 24), ("1", 1), ("200", 200), (None, 24)]
)
def test_how_many_is_a_number_or_off_or_on(
    written: str | None, wanted: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HOUSE_PLAYERS", raising=False)
    if written is not None:
        monkeypatch.setenv("HOUSE_PLAYERS", written)
    assert Environment({}).count("HOUSE_PLAYERS", 24) == wanted


def test_how_many_is_refused_when_it_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOUSE_PLAYERS", "many")
    with pytest.raises(ImproperlyConfigured, match="HOUSE_PLAYERS"):
        Environment({}).count("HOUSE_PLAYERS", 24)


def test_what_a_database_url_says_of_the_line_is_kept() -> None:
    url = "postgresql://app@db/croupier?sslmode=verify-full&connect_timeout=9"
    url += "&options=-cjit%3Doff"
    described = database(url, reuse=True, part="web")
    options = described["OPTIONS"]
    assert (options["sslmode"], options["connect_timeout"]) == ("verify-full", "9")
    assert options["options"].startswith("-cjit=off -c lock_timeout=2000")
    assert options["keepalives_idle"] == 5
    assert not {"dbname", "user", "password", "host", "port"} & set(options)
    assert (described["NAME"], described["HOST"]) == ("croupier", "db")


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("PORT", "abc", "PORT must be a whole number"),
        ("CROUPIER_ENV", "prod", "CROUPIER_ENV must be one of"),
        ("DATABASE_URL", "postgres", "the database URL cannot be read"),
    ],
)
def test_a_command_that_is_told_nonsense_says_so_in_one_line(
    name: str, value: str, said: str
) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "run"],
        cwd=BASE_DIR, env={**os.environ, name: value}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert said in line


# What a container is built with, is refused in production, or is given by one part to another.
NOT_OF_CONTAINERS = {"CROUPIER_SERVERS", "DEBUG", "HOST", "SANDBOX", "STATIC_ROOT"}


def test_every_setting_is_in_the_book_of_operations_and_reaches_the_containers() -> None:
    read = (BASE_DIR / "casino" / "settings.py").read_text(encoding="utf-8")
    settings = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', read))
    assert len(settings) > 40
    book = (BASE_DIR / "docs" / "operations.md").read_text(encoding="utf-8")
    told = set(re.findall(r"`([A-Z_]+)`", book))
    assert settings - told == {"CROUPIER_SERVERS"}
    composed = (BASE_DIR / "compose.yaml").read_text(encoding="utf-8")
    passed = set(re.findall(r"^ +([A-Z_]+): ", composed, re.M)) | {"PORT"}
    assert settings - passed == NOT_OF_CONTAINERS
