"""`manage.py house`: a house of its own plays so many hands without a person and is then audited.

It runs beside any other house: own data folder, own servers, own port. What it reports is counted
in its database once it has come to rest; only the frames pushed are counted where they arrived.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from casino.house.errors import FolderUnusable, HouseError
from casino.house.places import MEMORY_FOLDER, MEMORY_LEAST_MB, free_mb
from casino.house.supervisor import House

POLL_S = 0.25
SAY_EVERY_S = 2.0
REST_S = 60.0  # how long hands in play may take to end once no further one is dealt
AWAY_S = 30.0  # how long a database that was killed is waited for
# What names another house; this one has its own of each.
FOREIGN = (
    "DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "HOST", "PORT", "SECRET_KEY", "CARD_KEYS",
    "LOG_SIGNING_KEY", "ALLOWED_HOSTS", "CROUPIER_ENV", "CROUPIER_URL", "CROUPIER_PART",
    "CROUPIER_ROLE",
)  # fmt: skip

T = TypeVar("T")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--hands", type=int, default=60, help="how many to settle (60)")
    parser.add_argument("--report", type=Path, help="where to write the JSON report")
    parser.add_argument("--data", type=Path, help="an empty folder to keep the house in")
    parser.add_argument("--seconds-most", type=float, default=600.0, help="give up then (600)")


def as_words(options: Mapping[str, Any]) -> list[str]:
    names = ("hands", "report", "data", "seconds_most")
    return [
        word
        for name in names
        if options[name] is not None
        for word in (f"--{name.replace('_', '-')}", str(options[name]))
    ]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="manage.py house")
    add_arguments(parser)
    options = parser.parse_args(arguments)
    if options.hands < 1:
        parser.error("--hands is at least 1")
    if options.report and not options.report.absolute().parent.is_dir():
        parser.error(f"{options.report.absolute().parent} is no folder to write a report into")
    leave_well()
    try:
        report = tried(options)
    except HouseError as error:
        print(f"croupier: {error}", file=sys.stderr)
        return 1
    return reported(report, options.report)


def reported(report: dict[str, Any], path: Path | None) -> int:
    """Print a report, and write it where it is wanted too; the command's exit code."""
    text = json.dumps(report, indent=2)
    if path:
        path.write_text(text + "\n", encoding="utf-8")
    print(text)
    return 0 if report["ok"] else 1


def leave_well() -> None:
    """Nobody else reads what is written from now on, and who is told to end closes its house."""
    os.umask(0o077)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, leave)


def leave(number: int, frame: object) -> None:
    """Close the house and go; being told twice is no reason to leave processes behind."""
    for other in (signal.SIGINT, signal.SIGTERM):
        signal.signal(other, signal.SIG_IGN)
    sys.exit(128 + number)


def tried(options: argparse.Namespace) -> dict[str, Any]:
    data = kept_folder(options.data) if options.data else throw_away_folder()
    trial = Trial(data, options.hands, options.seconds_most)
    went_well = False
    try:
        report = trial.run()
        went_well = report["ok"]
    except SystemExit:
        went_well = True  # somebody asked: nothing is wrong that logs could explain
        raise
    finally:
        if not options.data:
            clear_away(trial, keep_logs=not went_well)
    return report


def kept_folder(folder: Path) -> Path:
    if folder.exists() and any(folder.iterdir()):
        raise FolderUnusable(folder, "it is not empty, and this house counts from its first hand")
    return folder.absolute()


def throw_away_folder() -> Path:
    """In memory where there is room; the servers' account passes through to its own folder."""
    fits = os.access(MEMORY_FOLDER, os.W_OK) and free_mb(MEMORY_FOLDER) >= MEMORY_LEAST_MB
    folder = Path(tempfile.mkdtemp(prefix="croupier-house-", dir=MEMORY_FOLDER if fits else None))
    folder.chmod(0o711)
    return folder


def clear_away(trial: Trial, *, keep_logs: bool) -> None:
    if keep_logs:
        logs = Path(tempfile.mkdtemp(prefix="croupier-logs-"))
        shutil.copytree(trial.data / "log", logs, dirs_exist_ok=True)
        print(f"croupier: the logs are kept in {logs}", file=sys.stderr)
    if trial.house.place is not None:
        shutil.rmtree(trial.house.place.servers, ignore_errors=True)
    shutil.rmtree(trial.data, ignore_errors=True)


@dataclass
class Trial:
    """One run: open, play until enough hands are settled, come to rest, count."""

    data: Path
    hands: int
    seconds_most: float
    given_up: str = ""
    seconds: dict[str, float] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=lambda: {"HOUSE_PACE": "quick"})

    def __post_init__(self) -> None:
        for name in FOREIGN:
            os.environ.pop(name, None)
        os.environ["CROUPIER_DATA"] = str(self.data)
        self.house = House(
            self.data,
            0,
            environment="demo",
            settings=self.settings,
            durable=False,
            say=tell,
        )

    def run(self) -> dict[str, Any]:
        began = time.monotonic()
        try:
            self.house.start()
            self.house.wait_ready()
            self.mark("opening", began)
            # Settings, and with them the database, are this house's: it has just written them.
            import django

            django.setup()
            from casino.house import accounting

            playing = time.monotonic()
            self.play(accounting.settled, accounting.shown_down)
            self.mark("playing", playing)
            resting = time.monotonic()
            self.come_to_rest(accounting.open_hands)
            self.mark("resting", resting)
            report = patiently(accounting.figures)
            report["faults"] = accounting.faults(report)
        finally:
            self.house.stop()
        if self.given_up:
            report["faults"].append(self.given_up)
        report |= {
            "seconds": round(self.seconds["playing"] + self.seconds["resting"], 2),
            "seconds_by_phase": self.seconds,
            "events_pushed": frames_received(self.data),
            "ok": not report["faults"],
        }
        return report

    def mark(self, phase: str, since: float) -> None:
        self.seconds[phase] = round(time.monotonic() - since, 2)

    def play(self, settled: Callable[[], int], shown_down: Callable[[], int]) -> None:
        """Wait for so many settled hands, and for one that was shown down among them."""
        began = said = time.monotonic()
        while not self.given_up:
            count = patiently(settled)
            now = time.monotonic()
            if now - said >= SAY_EVERY_S:
                said = now
                tell(f"{count} hands settled, {count / (now - began):.1f} a second")
            if count >= self.hands and patiently(shown_down):
                return
            if now - began > self.seconds_most:
                self.given_up = f"{count} of {self.hands} hands in {self.seconds_most:g} s"
            time.sleep(POLL_S)

    def rest_s(self) -> float:
        """How long hands in play may take to end."""
        return REST_S

    def come_to_rest(self, open_hands: Callable[[], int]) -> None:
        """Deal no further hand, let those in play end, then send the players home."""
        from tables.models import Table
        from tables.services.floor import table_pause

        dealing = Table.objects.filter(status=Table.Status.OPEN)
        for table_id in patiently(lambda: list(dealing.values_list("pk", flat=True))):
            patiently(lambda table_id=table_id: table_pause(table_id=table_id))  # type: ignore[misc]
        end = time.monotonic() + self.rest_s()
        while patiently(open_hands) and time.monotonic() < end:
            time.sleep(POLL_S)
        self.house.hold("players", AWAY_S, "stop")


def patiently(read: Callable[[], T]) -> T:
    """Ask a server of the house, again if it is being restarted under us."""
    import psycopg
    import redis
    from django.db import InterfaceError, OperationalError, connection

    away = (OperationalError, InterfaceError, psycopg.OperationalError, redis.ConnectionError)
    end = time.monotonic() + AWAY_S
    while True:
        try:
            return read()
        except away:
            if time.monotonic() > end:
                raise
            connection.close()
            time.sleep(POLL_S)


def frames_received(data: Path) -> int:
    try:
        counts = json.loads(data.joinpath("players.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return 0
    return int(counts["frames"])


def tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
