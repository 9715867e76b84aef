import os
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from casino.house.restoring import add_arguments, as_words


class Command(BaseCommand):
    help = "Bring a backup back into an empty database, prove its books, and say what is lost."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        # Anew, because the settings loaded here may belong to another house.
        words = as_words(options)
        os.execv(sys.executable, [sys.executable, "-m", "casino.house.restoring", *words])  # noqa: S606
