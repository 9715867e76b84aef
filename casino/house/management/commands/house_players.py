import asyncio
import os
import random
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.env import Environment
from casino.house import seed
from casino.house.players import PACES, Crowd


class Command(BaseCommand):
    help = "Let the house players of a demo house sit down and play, until told to stop."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        env = Environment({})
        parser.add_argument(
            "--pace", choices=tuple(PACES), default=env.choice("HOUSE_PACE", tuple(PACES), "calm")
        )
        parser.add_argument(
            "--time-outs",
            type=float,
            metavar="CHANCE",
            help="how often a player lets a decision run out, 0 to 1",
        )
        parser.add_argument("--seed", type=int, help="repeat the players' choices, not the cards")

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.PRODUCTION:
            raise CommandError("a production house has no house players")
        pace = PACES[options["pace"]]
        if options["time_outs"] is not None:
            pace = replace(pace, time_out_chance=options["time_outs"])
        url = os.environ.get("CROUPIER_URL") or f"http://{settings.HOST}:{settings.PORT}"
        chance = random.Random(options["seed"])  # noqa: S311 - how to bet, not which cards
        crowd = Crowd(url, pace, chance, Path(settings.DATA_DIR) / "players.json")
        count = Environment({}).count("HOUSE_PLAYERS", len(seed.HOUSE_PLAYERS))
        asyncio.run(until_told(crowd, [one.username for one in seed.house_accounts(count)]))


async def until_told(crowd: Crowd, usernames: list[str]) -> None:
    playing = asyncio.create_task(crowd.run(usernames, seed.house_password()))
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, playing.cancel)
    await asyncio.wait([playing])
    crowd.write_counts()
    if not playing.cancelled():
        playing.result()  # raises what ended it
