import os
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from casino.house.rolling import add_arguments, as_words


class Command(BaseCommand):
    help = "Replace a house of its own, part by part, by a newer version, and check what it did."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        # Anew, because the settings loaded here may belong to another house.
        words = as_words(options)
        os.execv(sys.executable, [sys.executable, "-m", "casino.house.rolling", *words])  # noqa: S606
