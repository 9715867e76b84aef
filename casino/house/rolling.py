"""`manage.py rolling`: a house of one version is replaced by another, part by part, while it plays.

The soak's house and audit. It opens on the program of an older commit (`--old`); then the newer one
migrates, and each web process, the workers, the clock and the house players are told to end and
come back as the newer one, one after the other, with a while between in which both play on. Nobody
is killed: who does not end by himself in time is a fault, and so is a while in which nothing goes
on.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from casino.house import trial
from casino.house.parts import PARTS
from casino.house.places import ROOT
from casino.house.soak import AuditedSoak, run_restlessly
from casino.house.supervisor import STEPS, Child
from casino.house.trial import patiently, tell

ENDS_WITHIN_S = 15.0
GOES_ON_WITHIN_S = 60.0
POLL_S = 0.05
TOLD = "SELECT coalesce(sum(seq), 0) FROM tables_table"


@dataclass
class Rolling(AuditedSoak):
    """old: the folder of the program that the house opens with; the newer one is this program."""

    old: Path = ROOT
    steps: list[dict[str, Any]] = field(default_factory=list)
    stubborn: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.house.code = dict.fromkeys((STEPS, *(part.label for part in PARTS)), self.old)

    def play(self, settled: Callable[[], int], shown_down: Callable[[], int]) -> None:
        from casino.house.accounting import scalar

        ways = {"nothing, all old": lambda: None, "the schema": self.migrated}
        ways |= {part.label: lambda label=part.label: self.replaced(label) for part in PARTS}  # type: ignore[misc]
        for name, replace in ways.items():
            began, hands, told = (
                time.monotonic(),
                patiently(settled),
                patiently(lambda: scalar(TOLD)),
            )
            replace()
            took_s = round(time.monotonic() - began, 1)
            time.sleep(self.seconds_of_play / len(ways))
            step = {
                "replaced": name, "took_s": took_s, **self.running(),
                "events": self.told_since(told), "hands_settled": patiently(settled) - hands,
            }  # fmt: skip
            self.steps.append(step)
            tell(" ".join(f"{key}={value}" for key, value in step.items()))

    @staticmethod
    def told_since(before: int) -> int:
        """How much was told at the tables; where nothing was, what comes first within a while."""
        from casino.house.accounting import scalar

        end = time.monotonic() + GOES_ON_WITHIN_S
        while not (told := patiently(lambda: scalar(TOLD)) - before) and time.monotonic() < end:
            time.sleep(POLL_S)
        return told

    def migrated(self) -> None:
        """As `owner`, while the old parts deal on."""
        del self.house.code[STEPS]
        self.house.step("migrate", "--no-input", owner=True)

    def replaced(self, label: str) -> None:
        """Ends by SIGTERM; the supervisor begins it again at once, from the newer program."""
        (child,) = (child for child in self.house.children if child.label == label)
        before = child.process
        del self.house.code[label]
        assert before is not None
        child.send(child.stop_signal)
        end = time.monotonic() + ENDS_WITHIN_S
        while child.process in (before, None):
            if time.monotonic() > end:
                self.stubborn.append(label)
                child.kill()
                return
            time.sleep(POLL_S)

    def running(self) -> dict[str, list[str]]:
        """Which part runs which program, as the kernel says where its process stands."""
        found: dict[str, list[str]] = {"old": [], "new": []}
        for child in self.house.children:
            if child.server is None and child.process is not None:
                found["new" if _stands_in(child, ROOT) else "old"].append(child.label)
        return found

    def run(self) -> dict[str, Any]:
        report = super().run() | {"steps": self.steps}
        report["faults"] += [f"{label} did not end by itself" for label in self.stubborn]
        for step in self.steps:
            if not step["events"]:
                report["faults"].append(f"nothing went on after {step['replaced']}")
        if self.steps[-1]["old"]:
            report["faults"].append(f"not replaced: {', '.join(self.steps[-1]['old'])}")
        report["ok"] = not report["faults"]
        return report


def _stands_in(child: Child, folder: Path) -> bool:
    assert child.process is not None
    return Path(f"/proc/{child.process.pid}/cwd").resolve() == folder.resolve()


@contextmanager
def program_of(commit: str) -> Iterator[Path]:
    """The program of a commit in a folder of its own. Raises CalledProcessError without one."""
    with tempfile.TemporaryDirectory(prefix="croupier-old-") as folder:
        packed = Path(folder) / "program.tar"
        git = ["git", "-C", str(ROOT), "archive", "--output", str(packed), commit]
        subprocess.run(git, check=True)
        program = Path(folder) / "program"
        with tarfile.open(packed) as archive:
            archive.extractall(program, filter="data")
        yield program


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--old", required=True, help="the commit or tag that the house opens with")
    parser.add_argument("--seconds", type=float, default=90.0, help="of play (90)")
    parser.add_argument("--tables", type=int, default=11, help="of mixed kinds (11)")
    parser.add_argument("--players", type=int, default=30, help="restless ones (30)")
    parser.add_argument("--report", type=Path, help="where to write the JSON report")


def as_words(options: dict[str, Any]) -> list[str]:
    return [
        word
        for name in ("old", "seconds", "tables", "players", "report")
        if options[name] is not None
        for word in (f"--{name}", str(options[name]))
    ]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="manage.py rolling")
    add_arguments(parser)
    options = parser.parse_args(arguments)

    try:
        with program_of(options.old) as old:
            report = run_restlessly(
                options,
                lambda data, settings: nullcontext(
                    Rolling(
                        data, 0, 0.0, settings=settings, seconds_of_play=options.seconds, old=old
                    )
                ),
            )
    except subprocess.CalledProcessError:
        print(f"croupier: {options.old} is no commit of this program", file=sys.stderr)
        return 1
    if report is None:
        return 1
    return trial.reported(report, options.report)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
