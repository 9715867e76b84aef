import os
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError

from casino.core.errors import LogAltered, LogBusy, SigningKeyUnusable
from casino.core.seal import head, seal_new
from casino.core.telling import teller
from casino.env import read_file
from casino.house import backups
from casino.house.errors import HouseError
from casino.house.housefile import NAME
from casino.house.places import data_folder


class Command(BaseCommand):
    help = "Write a backup of the database into a new folder, while the house runs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="made by this; must not exist")

    def handle(self, *args: Any, **options: Any) -> None:
        known = read_file(data_folder() / NAME)
        url = os.environ.get("DATABASE_OWNER_URL") or known.get("DATABASE_OWNER_URL")
        if not url:
            raise CommandError("DATABASE_OWNER_URL is not set: a backup is read as `owner`")
        told = teller(self.stderr.write)
        try:
            told("sealing the log")
            seal_new()
            told("dumping")
            manifest = backups.back_up(url, options["folder"].absolute(), head())
        except OperationalError as error:
            why = str(error).strip().partition("\n")[0]
            raise CommandError(f"the database does not answer: {why}") from error
        except (HouseError, LogAltered, LogBusy, SigningKeyUnusable) as error:
            raise CommandError(str(error)) from error
        told("done")
        self.stdout.write(
            f"{options['folder']}: {manifest.dump_bytes:,} bytes, the house as of"
            f" {manifest.taken_at}, {manifest.hands_in_play} hands in play"
        )
        self.stdout.write(
            "Not in it: CARD_KEYS and LOG_SIGNING_KEY. Without them hidden cards cannot be read"
            " and the log's seals are nobody's; keep them elsewhere."
        )
