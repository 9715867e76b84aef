"""Checks the log against its seals and any heads kept elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.core.heads import heads_of
from casino.core.telling import teller
from casino.core.verifying import verify


class Command(BaseCommand):
    help = "Verify the sealed log; fails if anything differs from what was sealed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--head", type=Path, action="append", default=[], help="a head exported earlier"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        verdict = verify(heads_of(options["head"]), teller(self.stderr.write))
        for finding in verdict.findings:
            self.stderr.write(str(finding))
        figures = (
            f"{verdict.seals} seals over {verdict.sealed_entries} entries,"
            f" {verdict.unsealed_entries} not sealed yet"
        )
        if not verdict.sound:
            raise CommandError(f"the log is not sound: {len(verdict.findings)} findings; {figures}")
        self.stdout.write(f"the log is sound: {figures}")
