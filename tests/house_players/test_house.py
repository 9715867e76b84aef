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
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from casino.env import read_file
from casino.house import searching
from casino.house.errors import NotOpen
from casino.house.places import ROOT
from casino.house.searching import Listener, Moment
from casino.house.supervisor import status_of
from casino.house.trial import as_words

pytestmark = [pytest.mark.house, pytest.mark.timeout(240)]

HANDS, CUTS = 12, 4
PLAYERS = "22"  # two a table
KILLED = ("web", "worker", "clock")


@dataclass
class Run:
    """A house that was played in while its processes were killed, and all that it gave away."""

    report: dict[str, Any]
    killed: set[str]
    moment: Moment
    sent: list[bytes]  # through Valkey, from before the first hand to the end
    kept: list[bytes]  # in Valkey, at the moment
    logs: dict[str, bytes]


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    # Passable for the servers' own account.
    with tempfile.TemporaryDirectory(prefix="croupier-trial-") as made:
        Path(made).chmod(0o711)
        yield shot_at(Path(made) / "house")


def shot_at(folder: Path) -> Run:
    process = house(folder)
    chance = random.Random(5)
    killed = set()
    listener = moment = None
    try:
        while process.poll() is None and "players" not in parts_of(folder):
            time.sleep(0.1)
        valkey = read_file(folder / "house.env")["REDIS_URL"]
        listener = Listener(valkey)
        while process.poll() is None and searching.cut_by_players(folder) < CUTS:
            time.sleep(0.2)
        for part in [*KILLED, *chance.choices(KILLED, k=3)]:
            for pid in parts_of(folder).get(part, [])[:1]:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                    killed.add(part)
            if moment is None:
                moment, kept = searching.moment_of(folder), searching.stored(valkey)
            time.sleep(chance.uniform(0.3, 2.0))
        report = report_of(process, folder)
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait()
    listener.close()
    assert moment is not None
    return Run(report, killed, moment, listener.taken(), kept, searching.logs_of(folder))


def house(folder: Path) -> "subprocess.Popen[str]":
    options = {
        "hands": HANDS,
        "report": folder.parent / "report.json",
        "data": folder,
        "seconds_most": 150,
    }
    command = [sys.executable, "manage.py", "house", *as_words(options)]
    return subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "HOUSE_PLAYERS": PLAYERS},
    )  # fmt: skip


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


def test_it_plays_and_killing_its_processes_costs_no_hand_and_no_money(run: Run) -> None:
    check(run.report)
    assert run.killed == set(KILLED)


def test_the_search_has_something_to_find(run: Run) -> None:
    """Hands in play with hidden cards, seeds, tasks and frames, and a dump that is whole."""
    moment = run.moment
    assert len(moment.orders) > HANDS
    assert moment.seeds
    assert any(cards for cards in moment.hands.values())
    assert b"COPY public.tables_handsecret" in moment.dump
    assert any(b"roots_published" in line for line in run.sent)
    assert any(b"tables.cut_go_on" in line for line in run.sent)
    for part in ("postgres", "web", "worker", "clock"):
        assert any(name.startswith(part) for name in run.logs), list(run.logs)
    # What is public is found by the same search: it can find.
    known = [seed.hex().encode() for seed in moment.seeds if seed not in moment.waiting]
    assert searching.found(known, moment.dump) == known


def test_a_dump_reads_no_salt_no_order_and_no_hidden_card(run: Run) -> None:
    assert searching.in_dump(run.moment) == []


def test_valkey_never_hears_of_a_hidden_card(run: Run) -> None:
    """Neither in a frame that is pushed, nor in a task of the broker, nor in a key it holds."""
    assert searching.tasks_of(run.sent)
    assert searching.in_valkey(run.sent, run.kept, run.moment) == []


def test_no_log_names_a_card_or_a_secret(run: Run) -> None:
    """PostgreSQL's too, which has seen statements fail under the kills, and what was counted."""
    assert [name for name in run.logs if name.startswith("counter")]
    assert searching.in_logs(run.logs, run.moment) == []


def parts_of(folder: Path) -> dict[str, list[int]]:
    """The running processes of each part; nothing when the house is not open yet, or no more."""
    try:
        parts: dict[str, list[int]] = status_of(folder)["parts"]
    except NotOpen:
        return {}
    return parts
