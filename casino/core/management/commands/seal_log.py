"""Seals what is new in the log, and writes the head out to be kept elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.core.disk import sync
from casino.core.errors import LogAltered, LogBusy, SigningKeyUnusable
from casino.core.seal import head, seal_new


class Command(BaseCommand):
    help = "Seal the new entries of the log."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--head", type=Path, help="write the signed head to this file")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            seals = seal_new()
        except (LogAltered, LogBusy, SigningKeyUnusable) as error:
            raise CommandError(str(error)) from error
        for seal in seals:
            self.stdout.write(str(seal))
        self.stdout.write(f"{sum(seal.entries for seal in seals)} entries sealed")
        if options["head"] is not None:
            try:
                kept(options["head"], json.dumps(head(), indent=1) + "\n")
            except OSError as error:
                why = f"{options['head']} cannot be written: {error.strerror}"
                raise CommandError(why) from error


def kept(path: Path, text: str) -> None:
    """Written whole or not at all: until then the head of before stands there, and it is needed."""
    if path.exists() and not path.is_file():  # standard output, or a pipe to another machine
        path.write_text(text, encoding="utf-8")
        return
    aside = path.with_name(f"{path.name}.part")
    aside.write_text(text, encoding="utf-8")
    sync(aside)
    aside.replace(path)
    sync(path.parent)
