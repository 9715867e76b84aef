from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.house import archives
from casino.house.errors import HouseError


class Command(BaseCommand):
    help = "Write hands that are over into a new folder that another house can read."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="made by this; must not exist")
        parser.add_argument("--after", type=int, default=0, metavar="HAND", help="ids above this")
        parser.add_argument("--to", type=int, metavar="HAND", help="ids up to this; else all")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            done = archives.export(options["folder"], after=options["after"], to=options["to"])
        except HouseError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"{options['folder']}: {done.hands:,} hands, as far as id {done.last},"
            f" in {done.files} files, {done.bytes:,} bytes"
        )
