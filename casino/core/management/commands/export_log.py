"""Writes the log out for somebody else to keep and check."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from casino.core.seal import entries_between


class Command(BaseCommand):
    help = (
        "Write entries to a file, one a line: exactly the bytes that an entry's hash covers, so"
        " that the file can be checked against an exported head without this database."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--from", dest="from_id", type=int, default=1, help="first entry")
        parser.add_argument("--to", dest="to_id", type=int, help="last entry; else all there are")

    def handle(self, *args: Any, **options: Any) -> None:
        digest, lines = sha256(), 0
        with options["file"].open("wb") as file:
            for entry in entries_between(options["from_id"], options["to_id"]):
                line = entry.content + b"\n"
                file.write(line)
                digest.update(line)
                lines += 1
        self.stdout.write(f"{lines} entries, sha256 {digest.hexdigest()}")
