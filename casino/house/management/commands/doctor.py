import json
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.house.doctor import FAULT, examine


class Command(BaseCommand):
    help = "Look whether this house is well; ends with 1 when something must be mended."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--at-rest", action="store_true", help="of a house that is not open")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        findings = examine(at_rest=options["at_rest"])
        faults = [finding for finding in findings if finding.grade == FAULT]
        if options["json"]:
            answer = {"ok": not faults, "findings": [asdict(finding) for finding in findings]}
            self.stdout.write(json.dumps(answer, indent=2))
        else:
            for finding in findings:
                self.stdout.write(
                    f"{finding.grade:8} {finding.question:14} {finding.words}".rstrip()
                )
        if faults:
            raise CommandError(f"{faults[0].question}: {faults[0].words}")
