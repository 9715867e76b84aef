"""Seals what is new in the log, and writes the head out to be kept elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from casino.core.seal import head, seal_new


class Command(BaseCommand):
    help = "Seal the new entries of the log."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--head", type=Path, help="write the signed head to this file")

    def handle(self, *args: Any, **options: Any) -> None:
        seals = seal_new()
        for seal in seals:
            self.stdout.write(str(seal))
        self.stdout.write(f"{sum(seal.entries for seal in seals)} entries sealed")
        if options["head"] is not None:
            options["head"].write_text(json.dumps(head(), indent=1) + "\n")
