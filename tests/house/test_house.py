"""A whole house, as `make run` opens it: opened, killed, opened again, closed."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from casino.env import read_file
from casino.house.places import ROOT
from tests.house.conftest import open_folder

pytestmark = pytest.mark.house


class Opened:
    """`python -m casino.house` on a folder, as a stranger to it sees it."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.output = data.with_name("output")
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.process = self.open()

    def environment(self) -> dict[str, str]:
        taken = ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "CROUPIER_ENV")
        environment = {key: value for key, value in os.environ.items() if key not in taken}
        return environment | {"CROUPIER_DATA": str(self.data), "PORT": str(self.port)}

    def open(self) -> "subprocess.Popen[bytes]":
        with self.output.open("wb") as output:
            return subprocess.Popen(
                [sys.executable, "-m", "casino.house"],
                cwd=ROOT,
                env=self.environment(),
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def wait_open(self) -> str:
        end = time.monotonic() + 120
        while "Ctrl-C closes" not in (text := self.output.read_text()):
            assert self.process.poll() is None, text
            assert time.monotonic() < end, text
            time.sleep(0.05)
        return text

    def command(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=self.environment(),
            capture_output=True,
            text=True,
            check=False,
        )

    def pids(self) -> dict[str, list[int]]:
        parts: dict[str, list[int]] = json.loads((self.data / "status.json").read_text())["parts"]
        return parts

    def count(self, table: str) -> int:
        url = read_file(self.data / "house.env")["DATABASE_OWNER_URL"]
        with psycopg.connect(url) as connection:
            row = connection.execute(f"SELECT count(*) FROM {table}").fetchone()  # type: ignore[arg-type]
        assert row
        return int(row[0])


class Small(Opened):
    """With few tables and few to play at them, each of whom has to sign in."""

    def environment(self) -> dict[str, str]:
        return super().environment() | {"HOUSE_TABLES": "3", "HOUSE_PLAYERS": "6"}


@pytest.fixture(scope="module")
def opened() -> Iterator[Opened]:
    with open_folder() as folder:
        house = Small(folder / "var")
        try:
            house.wait_open()
            yield house
        finally:
            house.process.terminate()
            house.process.wait()


def children_of_session(pids: list[int]) -> list[int]:
    """The processes, of those given and all in their sessions, that still run."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            state, _, group, *_ = (entry / "stat").read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(group) in pids and state != "Z":
            found.append(int(entry.name))
    return found


def test_it_says_where_everything_is(opened: Opened) -> None:
    text = opened.output.read_text()
    for path in ("/admin/", "/api/docs/", "/display/"):
        assert f"http://127.0.0.1:{opened.port}{path}" in text
    with urllib.request.urlopen(f"http://127.0.0.1:{opened.port}/ready") as answer:
        assert answer.status == 200


def test_a_second_one_on_the_same_data_is_refused_in_one_line(opened: Opened) -> None:
    second = opened.command("-m", "casino.house")
    assert second.returncode == 1
    assert "already open" in second.stderr
    assert second.stderr.count("\n") == 1


def test_a_part_is_held_from_another_process(opened: Opened) -> None:
    held = opened.command("manage.py", "hold", "clock", "--seconds", "1")
    assert held.returncode == 0, held.stderr
    end = time.monotonic() + 20
    while not opened.pids()["clock"]:
        assert time.monotonic() < end
        time.sleep(0.05)
    wrong = opened.command("manage.py", "hold", "roulette")
    assert wrong.returncode != 0
    assert "no part roulette" in wrong.stderr


def test_killed_with_its_postmaster_it_opens_again_on_the_same_data(opened: Opened) -> None:
    pids = opened.pids()
    transfers = opened.count("wallets_transfer")
    tables = opened.count("tables_table")
    assert tables > 0
    os.kill(opened.process.pid, signal.SIGKILL)
    os.kill(pids["postgres"][0], signal.SIGKILL)
    opened.process = opened.open()
    opened.wait_open()
    everyone = [pid for some in pids.values() for pid in some]
    assert children_of_session(everyone) == []
    assert opened.count("tables_table") == tables
    assert opened.count("wallets_transfer") >= transfers


def test_it_closes_within_five_seconds_and_leaves_nothing(opened: Opened) -> None:
    everyone = [pid for some in opened.pids().values() for pid in some]
    begun = time.monotonic()
    opened.process.send_signal(signal.SIGINT)
    assert opened.process.wait(20) == 0
    assert time.monotonic() - begun < 5.0
    assert children_of_session(everyone) == []
