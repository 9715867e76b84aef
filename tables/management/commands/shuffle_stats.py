"""Judge the shuffle by its decks, or write what it draws from for a laboratory."""

import json
import multiprocessing
import os
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tables.management import shuffle_sources as sources
from tables.management.shuffle_battery import (
    ALPHA,
    DECKS_LEAST,
    Battery,
    Finding,
    failures,
)
from tables.management.shuffle_picture import picture

BATCH = 2_000
PROGRESS_S = 2.0
Task = tuple[str, int, bytes]


class Command(BaseCommand):
    help = (
        "Deal many decks and compare them with what chance allows; one failing run is followed by"
        " a second with fresh decks, and both are told. Exit status 1 when that fails too."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--decks", type=int, default=100_000, help=f"at least {DECKS_LEAST}")
        parser.add_argument(
            "--source", choices=(*sources.SOURCES, *sources.KNOWN_BAD), default="house",
            help="house: the secret shuffle alone; honest-decks: with players' seeds that never"
            " change; honest-seed: an unshuffled deck cut by one honest seed; the others are known"
            " to be bad, and show that the tests see it",
        )  # fmt: skip
        parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
        parser.add_argument("--json", action="store_true", help="one JSON object")
        parser.add_argument("--picture", type=Path, help="write an SVG of the last run here")
        parser.add_argument(
            "--raw", type=Path,
            help=f"judge nothing: write the first {sources.RAW_BYTES} unscaled bytes of each"
            " deck's stream to this file",
        )  # fmt: skip

    def handle(self, *args: Any, **options: Any) -> None:
        if options["processes"] < 1:
            raise CommandError("--processes must be at least 1")
        if options["raw"] is not None:
            self._raw(options["raw"], options["decks"])
            return
        if options["decks"] < DECKS_LEAST:
            raise CommandError(f"--decks must be at least {DECKS_LEAST}")
        runs = []
        for _ in range(2):
            battery = self._battery(options["source"], options["decks"], options["processes"])
            findings = battery.findings()
            runs.append(findings)
            if not failures(findings):
                break
        failed = failures(runs[-1])
        row = _row(options, runs)
        if options["picture"] is not None:
            title = f"{options['decks']:,} decks, {options['source']}"
            drawn = picture(battery, runs[-1], title, ALPHA / len(runs[-1]))
            options["picture"].write_text(drawn)
        self.stdout.write(json.dumps(row) if options["json"] else _text(row))
        if failed:
            sys.exit(1)

    def _battery(self, source: str, decks: int, processes: int) -> Battery:
        battery = Battery()
        began = told = time.monotonic()
        with multiprocessing.get_context("fork").Pool(processes) as pool:
            for made in pool.imap_unordered(_dealt, _tasks(source, decks)):
                battery.add(*sources.arrays(*made))
                now = time.monotonic()
                if now - told >= PROGRESS_S:
                    told = now
                    self._say(battery.decks, decks, now - began)
        return battery

    def _raw(self, file: Path, decks: int) -> None:
        began = told = time.monotonic()
        with file.open("wb") as out:
            for done in range(0, decks, BATCH):
                out.write(sources.raw(min(BATCH, decks - done)))
                now = time.monotonic()
                if now - told >= PROGRESS_S:
                    told = now
                    self._say(done, decks, now - began)
        self.stdout.write(f"{file}: {decks * sources.RAW_BYTES:,} bytes of {decks:,} streams")

    def _say(self, done: int, decks: int, seconds: float) -> None:
        self.stderr.write(f"{done:,} of {decks:,} decks, {done / seconds:,.0f} a second")


def _tasks(source: str, decks: int) -> Iterator[Task]:
    for done in range(0, decks, BATCH):
        yield source, min(BATCH, decks - done), os.urandom(sources.SEED_BYTES)


def _dealt(task: Task) -> tuple[bytes, bytes]:
    return sources.dealt(*task)


def _row(options: dict[str, Any], runs: list[list[Finding]]) -> dict[str, Any]:
    return {
        "source": options["source"],
        "decks": options["decks"],
        "processes": options["processes"],
        "level": ALPHA,
        "level_of_each_test": ALPHA / len(runs[0]),
        "runs": [
            {"tests": [one.to_json() for one in run], "failed": failures(run)} for run in runs
        ],
        "passed": not failures(runs[-1]),
    }


def _text(row: dict[str, Any]) -> str:
    lines = [f"{row['decks']:,} decks of {row['source']} by {row['processes']} processes"]
    for number, run in enumerate(row["runs"], start=1):
        lines.append(f"run {number}")
        for one in run["tests"]:
            freedom = one["degrees_of_freedom"]
            of = f" of {freedom} degrees of freedom" if freedom else ""
            lines.append(f"  {one['test']}: {one['statistic']:,.2f}{of}, p = {one['p']:.3g}")
    lines.append("PASSED" if row["passed"] else f"FAILED: {', '.join(row['runs'][-1]['failed'])}")
    return "\n".join(lines)
