from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.house.errors import HouseError
from casino.house.supervisor import ask_to_hold

LONGEST_S = 86_400


class Command(BaseCommand):
    help = "Keep a part of the running house down for a while, to see what the rest does."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("part", help="web, worker, clock, players, postgres or valkey")
        parser.add_argument("--seconds", type=float, default=10.0)
        parser.add_argument(
            "--stop", action="store_true", help="stop it in order; as a rule it is killed"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if not 0 < options["seconds"] <= LONGEST_S:  # nor is what is no number, as nan
            raise CommandError(f"--seconds is above 0 and at most {LONGEST_S}")
        how = "stop" if options["stop"] else "kill"
        try:
            ask_to_hold(settings.DATA_DIR, options["part"], options["seconds"], how)
        except HouseError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{options['part']} is down for {options['seconds']:g} s")
