"""Settings are read as they are written, or the start is stopped."""

import os
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
