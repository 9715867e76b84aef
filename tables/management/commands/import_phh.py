"""Play foreign hands (PHH) on the engine that plays live ones, and say what came out otherwise."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tables.engine.errors import BadHistory
from tables.engine.history.phh_reading import TEXT_MOST, read_phh
from tables.engine.history.phh_replay import DIFFERS, NOT_PLAYED, Report, replayed, summed

WORDS = {
    "same": "the same stacks",
    "same_but_rake": "the same stacks but for the rake",
    "played": "played; it tells no stacks at its end",
    "differs": "comes out otherwise",
    "not_played": "cannot be played",
}


class Command(BaseCommand):
    help = (
        "Play the hands of PHH files (.phh, .phhs) again on this engine and compare the stacks at"
        " their end. Nothing is stored. Exits with 1 if a hand comes out otherwise."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument("--json", action="store_true", help="one JSON object a hand and line")

    def handle(self, *args: Any, **options: Any) -> None:
        reports = []
        for path in options["files"]:
            for report in self.reports(path):
                reports.append(report)
                if options["json"]:
                    self.stdout.write(json.dumps({"file": path.name, **report.to_json()}))
                else:
                    self.stdout.write("\n".join(lines(path, report)))
        if not options["json"]:
            told = ", ".join(f"{count} {status}" for status, count in summed(reports).items())
            self.stdout.write(f"{len(reports)} hands: {told}")
        if any(report.status in (DIFFERS, NOT_PLAYED) for report in reports):
            raise SystemExit(1)

    def reports(self, path: Path) -> Iterator[Report]:
        try:
            if path.stat().st_size > 4 * TEXT_MOST:
                raise BadHistory("", f"has more than {TEXT_MOST} characters")
            hands = read_phh(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, BadHistory) as error:
            raise CommandError(f"{path}: {error}") from error
        for name, told in hands:
            yield replayed(name, told)


def lines(path: Path, report: Report) -> Iterator[str]:
    """A hand in words."""
    what = f"{path.name} hand {report.name} ({report.variant or '?'}): {WORDS[report.status]}"
    yield what + (f", {report.filled} unknown cards filled in" if report.filled else "")
    for difference in report.differences:
        facts = {name: value for name, value in difference.items() if name != "code"}
        if difference["code"] == "stacks_differ":
            for who, ours, theirs in stacks(report):
                yield f"  player {who} ends with {ours}, is told to end with {theirs}"
            continue
        told = ", ".join(f"{name} {value}" for name, value in facts.items())
        yield f"  {difference['code']}: {told}"


def stacks(report: Report) -> Iterator[tuple[int, Decimal, Decimal]]:
    """Whose stack differs, in units of the currency."""
    unit = Decimal(10) ** -report.exponent
    pairs = zip(report.ours_minor or (), report.theirs_minor or (), strict=True)
    for who, (ours, theirs) in enumerate(pairs, start=1):
        if ours != theirs:
            yield who, ours * unit, theirs * unit
