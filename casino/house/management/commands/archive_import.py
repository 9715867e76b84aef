from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.house import archives
from casino.house.errors import HouseError
from tables.errors import ReplayDiffers
from tables.vault import SecretUnreadable


class Command(BaseCommand):
    help = "Read an archive of hands into this house, and play some of them again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="as archive_export has made it")
        parser.add_argument(
            "--replays", type=int, default=100, metavar="HANDS",
            help="how many are played again; they need the CARD_KEYS they were dealt under",
        )  # fmt: skip
        parser.add_argument(
            "--key", action="append", default=[], metavar="BASE64",
            help="public key of the house that wrote it, if not this one's or a former one",
        )  # fmt: skip

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            done = archives.bring_back(
                options["folder"], replays=options["replays"], keys=options["key"]
            )
        except SecretUnreadable as error:
            raise CommandError(f"no key of this house opens {error}: see CARD_KEYS") from error
        except (HouseError, ReplayDiffers) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"{done.added:,} hands added, {done.known:,} were there already,"
            f" {done.replayed} played again"
        )
