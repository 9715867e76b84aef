"""A whole house without a person, while it is shot at: it plays on, and its books are right."""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from casino.house.errors import NotOpen
from casino.house.places import ROOT
from casino.house.supervisor import status_of
from casino.house.trial import as_words

pytestmark = [pytest.mark.house, pytest.mark.timeout(240)]

HANDS = 20
KILLED = ("web", "worker", "clock")
SETTLING_S = 3.0


@pytest.fixture
def folder() -> Iterator[Path]:
    """Empty, and passable for the servers' own account."""
    with tempfile.TemporaryDirectory(prefix="croupier-trial-") as made:
        Path(made).chmod(0o711)
        yield Path(made) / "house"


def house(folder: Path) -> "subprocess.Popen[str]":
    options = {
        "hands": HANDS,
        "report": folder.parent / "report.json",
        "data": folder,
        "seconds_most": 150,
    }
    command = [sys.executable, "manage.py", "house", *as_words(options)]
    return subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )


def report_of(process: "subprocess.Popen[str]", folder: Path) -> dict[str, Any]:
    _, said = process.communicate()
    path = folder.parent / "report.json"
    assert path.exists(), said
    report: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    assert process.returncode == (0 if report["ok"] else 1), said
    return report


def check(report: dict[str, Any]) -> None:
    assert report["ok"], report["faults"]
    assert report["hands_settled"] >= HANDS
    assert sum(report["hands"].values()) == report["hands_settled"]
    assert report["showdowns"] > 0
    assert report["open_hands"] == report["settled_twice"] == report["settled_otherwise"] == 0
    assert report["events_dense"]
    assert report["chips_conserved"]
    assert report["ledger"]["ok"]
    assert set(report["ledger"]["currencies"].values()) == {0}
    assert report["actions"] > report["hands_settled"]
    assert report["events_pushed"] > report["actions"]


def test_it_plays_and_killing_its_processes_costs_no_hand_and_no_money(folder: Path) -> None:
    process = house(folder)
    chance = random.Random(5)
    killed = set()
    try:
        while process.poll() is None and "players" not in parts_of(folder):
            time.sleep(0.1)
        time.sleep(SETTLING_S)
        for part in [*KILLED, *chance.choices(KILLED, k=3)]:
            for pid in parts_of(folder).get(part, [])[:1]:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                    killed.add(part)
            time.sleep(chance.uniform(0.3, 2.0))
        check(report_of(process, folder))
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait()
    assert killed == set(KILLED)


def parts_of(folder: Path) -> dict[str, list[int]]:
    """The running processes of each part; nothing when the house is not open yet, or no more."""
    try:
        parts: dict[str, list[int]] = status_of(folder)["parts"]
    except NotOpen:
        return {}
    return parts
