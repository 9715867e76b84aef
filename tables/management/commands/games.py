"""List the games a table can be opened for."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from tables.engine.games import GAMES, Game
from tables.engine.games.mixed import MIXES, MixedGame
from tables.engine.history.stakes import default_options, is_modified, limits_of


def described(game: Game | MixedGame) -> dict[str, Any]:
    """A game as one JSON object. options: complete and in small stakes, ready for a table."""
    return {
        "id": game.id,
        "name": game.name,
        "family": game.family,
        "seats": [game.seats[0], game.seats[-1]],
        "limits": list(limits_of(game)),
        "options": default_options(game),
        "source": game.source,
    }


class Command(BaseCommand):
    help = (
        "List every game by its id. Modified ids (double_ID, triple_ID, four_before_ID, "
        "ID+kill_card) are not listed; they are taken wherever a game's id is."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="one JSON array of objects")

    def handle(self, *args: Any, **options: Any) -> None:
        plain = (game for game_id, game in GAMES.items() if not is_modified(game_id))
        games = [described(game) for game in (*plain, *MIXES.values())]
        if options["json"]:
            self.stdout.write(json.dumps(games, indent=1))
            return
        for game in games:
            least, most = game["seats"]
            limits = ", ".join(game["limits"]) or game["family"]
            self.stdout.write(f"{game['id']:24} {game['name']:36} {least}-{most:<3} {limits}")
