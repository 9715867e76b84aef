"""The supervisor with small stand-ins for the parts: starting again, holding, stopping in order."""

import errno
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command

from casino.house import supervisor
from casino.house.__main__ import house_from_environment
from casino.house.errors import (
    AddressRefused,
    AlreadyOpen,
    NotOpen,
    PortInUse,
    ProductionRefused,
    StepTooSlow,
    UnknownPart,
)
from casino.house.parts import FILE, PARTS, Part
from casino.house.places import ROOT
from casino.house.supervisor import Child, House, listen, lock_house, reason_in, rotate

# A part that writes down when it starts and when it is asked to stop, and forks a child, as a
# worker does.
STAND_IN = """
import os, signal, sys, time
name, book = sys.argv[1:3]
def note(word):
    with open(book, "a") as file:
        file.write(f"{name} {word} {os.getpid()}\\n")
def stop(*_):
    note("stops")
    os._exit(0)
if os.fork() == 0:
    note("forked")
    time.sleep(600)
signal.signal(signal.SIGTERM, signal.SIG_IGN if "stubborn" in name else stop)
note("starts")
time.sleep(600)
"""


class BareHouse(House):
    """No database to prepare."""

    def prepare_database(self) -> None:
        pass


class Cast:
    """A house of stand-ins in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.book = folder / "book"
        self.script = folder / "part.py"
        self.script.write_text(STAND_IN)
        self.lines: list[str] = []
        self.houses: list[House] = []

    def part(self, name: str, label: str, stop_s: float = 0.5) -> Part:
        return Part(name, label, (FILE, str(self.script), label, str(self.book)), stop_s)

    def house(self, parts: Sequence[Part], *, servers: bool = False) -> House:
        elsewhere = "" if servers else "elsewhere"
        house = BareHouse(
            self.folder / "var",
            0,
            parts=parts,
            settings={"DATABASE_URL": elsewhere, "REDIS_URL": elsewhere},
            durable=False,
            say=self.lines.append,
        )
        self.houses.append(house)
        house.start()
        return house

    def notes(self, word: str) -> list[str]:
        lines = self.book.read_text().split("\n") if self.book.exists() else []
        return [line.split()[0] for line in lines if f" {word} " in line]

    def forked(self) -> list[int]:
        return [int(line.split()[2]) for line in self.book.read_text().splitlines()]


@pytest.fixture
def cast(folder: Path) -> Iterator[Cast]:
    made = Cast(folder)
    yield made
    for house in made.houses:
        house.stop()


def until(true: Callable[[], bool], within_s: float = 20.0) -> None:
    end = time.monotonic() + within_s
    while not true():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.02)


def lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_part_that_dies_is_started_again_at_once_and_leaves_no_child(cast: Cast) -> None:
    house = cast.house([cast.part("clock", "clock")])
    until(lambda: len(cast.notes("forked")) == len(cast.notes("starts")) == 1)
    (before,) = house.pids("clock")
    os.kill(before, signal.SIGKILL)
    until(lambda: cast.notes("starts") == ["clock", "clock"])
    assert house.pids("clock") != [before]
    until(lambda: not any(lives(pid) for pid in cast.forked()[:2]))
    (line,) = cast.lines
    assert line.startswith("clock was ended by SIGKILL; started again at once")


def test_deaths_in_a_row_are_met_with_growing_patience() -> None:
    child = Child("web", "web-1", Path(os.devnull), 1.0, launch=lambda: pytest.fail("not started"))
    child.started_at = time.monotonic()
    assert [child.wait_s() for _ in range(7)] == [0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 10.0]
    child.started_at -= supervisor.STEADY_S + 1
    assert child.wait_s() == 0.0


def test_parts_stop_in_order_and_a_stubborn_one_is_killed(cast: Cast) -> None:
    parts = [
        cast.part("worker", "worker"),
        cast.part("clock", "clock"),
        cast.part("web", "web-1"),
        cast.part("web", "stubborn", stop_s=0.3),
    ]
    house = cast.house(parts)
    until(lambda: len(cast.notes("starts")) == 4)
    begun = time.monotonic()
    house.stop()
    assert time.monotonic() - begun < 2.0
    assert cast.notes("stops") == ["web-1", "clock", "worker"]
    until(lambda: not any(lives(pid) for pid in cast.forked()))


def test_a_held_part_stays_down_and_comes_back(cast: Cast) -> None:
    house = cast.house([cast.part("web", "web-1"), cast.part("clock", "clock")])
    until(lambda: len(cast.notes("starts")) == 2)
    begun = time.monotonic()
    house.hold("web", 1.0)
    assert house.pids("web") == []
    assert len(house.pids("clock")) == 1
    until(lambda: cast.notes("starts").count("web-1") == 2)
    assert time.monotonic() - begun >= 1.0
    assert cast.notes("stops") == []


def test_a_part_can_be_held_in_order(cast: Cast) -> None:
    house = cast.house([cast.part("clock", "clock")])
    until(lambda: cast.notes("starts") == ["clock"])
    house.hold("clock", 0.5, "stop")
    assert cast.notes("stops") == ["clock"]


def test_only_parts_of_a_running_house_are_held(cast: Cast) -> None:
    house = cast.house([cast.part("clock", "clock")])
    with pytest.raises(UnknownPart):
        house.hold("roulette", 1.0)
    house.stop()
    with pytest.raises(NotOpen):
        house.hold("clock", 1.0)


def test_one_data_folder_has_one_house(cast: Cast) -> None:
    cast.house([])
    with pytest.raises(AlreadyOpen, match=str(os.getpid())):
        cast.house([])


def test_a_house_that_did_not_open_leaves_the_folder_free(cast: Cast) -> None:
    with pytest.raises(PortInUse), socket.create_server(("127.0.0.1", 0)) as taken:
        listen("127.0.0.1", taken.getsockname()[1])
    house = cast.house([])
    house.stop()
    cast.house([])


def test_a_small_frame_is_not_kept_waiting_for_the_receipt_of_the_one_before() -> None:
    with listen("127.0.0.1", 0) as listener:
        here = socket.create_connection(listener.getsockname())
        there, _ = listener.accept()
        with here, there:
            assert there.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


@pytest.mark.parametrize(("host", "port"), [("127.0.0.1", 70_000), ("192.0.2.1", 0)])
def test_an_address_that_cannot_be_had_is_named(host: str, port: int) -> None:
    with pytest.raises(AddressRefused, match=host):
        listen(host, port)


def test_production_takes_no_house_players(folder: Path) -> None:
    house = House(folder / "var", 0, parts=PARTS, environment="production")
    with pytest.raises(ProductionRefused, match="players"):
        house.start()


def test_the_owner_of_the_schema_is_unknown_to_the_parts(cast: Cast) -> None:
    house = cast.house([], servers=True)
    assert "DATABASE_OWNER_URL" not in house.child_environment("web")
    assert "owner@" in house.child_environment("command", owner=True)["DATABASE_OWNER_URL"]


def test_servers_that_are_killed_come_back(cast: Cast) -> None:
    house = cast.house([], servers=True)
    before = house.pids("postgres") + house.pids("valkey")
    for pid in before:
        os.kill(pid, signal.SIGKILL)
    servers = [child.server for child in house.children]
    until(lambda: all(server and server.is_ready() for server in servers))
    assert not set(before) & set(house.pids("postgres") + house.pids("valkey"))


def test_nothing_outlives_a_killed_supervisor(cast: Cast) -> None:
    script = f"""
import sys, time
from pathlib import Path
from tests.house.test_supervisor import BareHouse
from casino.house.parts import Part
part = Part("worker", "worker", ("path", {str(cast.script)!r}, "worker", {str(cast.book)!r}), 1.0)
house = BareHouse(Path({str(cast.folder / "var")!r}), 0, parts=[part], durable=False,
    settings={{"DATABASE_URL": "", "REDIS_URL": ""}})
house.start()
time.sleep(600)
"""
    process = subprocess.Popen([sys.executable, "-c", script], cwd=ROOT)
    status = cast.folder / "var" / "status.json"
    until(lambda: status.exists() and len(cast.notes("forked")) == 1)
    parts = json.loads(status.read_text())["parts"]
    pids = [pid for some in parts.values() for pid in some] + cast.forked()
    assert all(lives(pid) for pid in pids)
    process.kill()
    process.wait()
    until(lambda: not any(lives(pid) for pid in pids), within_s=5.0)
    house = cast.house([], servers=True)
    assert len(house.pids("postgres")) == 1


def test_a_long_log_is_kept_once_and_begun_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "LOG_BYTES", 10)
    log = tmp_path / "web-1.log"
    with log.open("ab", buffering=0) as child:
        child.write(b"0123456789 older")
        rotate(log)
        child.write(b"newer")
    assert log.read_text() == "newer"
    assert log.with_suffix(".log.1").read_text() == "0123456789 older"


def test_a_log_that_finds_no_room_for_its_older_half_ends_no_house(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*paths: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    house = cast.house([cast.part("web", "web-1")])
    log = house.children[0].log
    monkeypatch.setattr(supervisor, "LOG_BYTES", 10)
    monkeypatch.setattr(supervisor, "LOG_CHECK_TICKS", 1)
    monkeypatch.setattr(supervisor.shutil, "copyfile", full)
    log.write_bytes(b"0123456789 older")
    until(lambda: log.stat().st_size == 0)
    pid = house.pids("web")[0]
    os.kill(pid, signal.SIGKILL)
    until(lambda: house.pids("web") not in ([], [pid]))  # the keeper is at its work
    assert not house.closed.is_set()


@pytest.mark.parametrize("left", ["", "{}"])
def test_what_a_power_cut_left_of_the_status_is_no_open_house(tmp_path: Path, left: str) -> None:
    (tmp_path / supervisor.STATUS).write_text(left)
    with pytest.raises(NotOpen):
        supervisor.status_of(tmp_path)


def test_a_migration_may_take_longer_than_other_steps(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "STEP_S", 0.2)
    house = cast.house([])
    slow = [sys.executable, "-c", "import time; time.sleep(1); print('done')"]
    monkeypatch.setattr(house, "leashed", lambda command: slow)
    assert house.step("migrate") == "done\n"
    with pytest.raises(StepTooSlow):
        house.step("seed_demo")


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "1e9"])
def test_a_part_is_held_for_a_while_that_ends(seconds: str) -> None:
    with pytest.raises(CommandError, match="--seconds is above 0"):
        call_command("hold", "web", f"--seconds={seconds}")


def test_a_house_without_a_web_process_does_not_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEB_PROCESSES", "0")
    with pytest.raises(ImproperlyConfigured, match="WEB_PROCESSES"):
        house_from_environment()


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("Traceback:\n  File\nmany.DatabaseError: no\nLINE 1: x\n  ^\n", "many.DatabaseError: no"),
        ("CommandError: not like this", "CommandError: not like this"),
        ("ERRORS:\n?: (core.E002) a demo key\n\tHINT: bring one\n", "?: (core.E002) a demo key"),
        ("said\nsomething\n", "something"),
        ("", "it said nothing"),
    ],
)
def test_the_telling_line_of_a_failed_step_is_shown(words: str, reason: str) -> None:
    assert reason_in(words) == reason


def test_a_lock_is_freed_with_its_file(tmp_path: Path) -> None:
    lock_house(tmp_path).close()
    lock_house(tmp_path).close()


def test_a_console_that_is_gone_stops_nothing(folder: Path) -> None:
    def broken(line: str) -> None:
        raise BrokenPipeError

    house = House(folder, 0, say=broken)
    folder.joinpath("log").mkdir()
    house.say("still here")
    assert "still here" in folder.joinpath("log", "house.log").read_text()
