"""Play hands at random on the engine that plays live ones, and check everything about them."""

import json
import secrets
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple

from django.core.management.base import BaseCommand, CommandError

from tables.engine.banked.options import RULES, read_rules
from tables.engine.banked.vocabulary import BankedGame
from tables.engine.errors import RuleViolation
from tables.engine.games import GAMES, WITH_KILL_CARD, Game
from tables.engine.games.mixed import MIXES, MixedGame
from tables.engine.history.laws import LawBroken
from tables.engine.history.simulation import Simulation
from tables.engine.history.stakes import dealt_by, default_options, limits_of, rotation
from tables.engine.protocol import Json
from tables.management.strategy_simulation import STRATEGIES, simulate

PROGRESS_S = 2.0
FULL, LIGHT = "full", "light"


class Run(NamedTuple):
    """One row of a simulation: a game at a limit, with a number of seats (None: any number)."""

    game: Game | MixedGame
    limit: str | None
    seats: int | None
    hands: int


def every_run(hands: int) -> Iterator[Run]:
    """Each game as it usually is; then at each limit with the fewest and the most seats."""
    for mix in MIXES.values():
        yield Run(mix, None, None, hands)
    for game in (*GAMES.values(), *WITH_KILL_CARD.values()):
        yield Run(game, None, None, hands)
        for limit in limits_of(game) or (None,):
            for seats in (game.seats[0], game.seats[-1]):
                yield Run(game, limit, seats, max(1, hands // 10))


class Command(BaseCommand):
    help = (
        "Play random legal hands and check every rule that holds in all of them. "
        "Exit status 1 at the first violation, told with its seed and the number of the hand."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", nargs="?", help="the id of a game; see manage.py games")
        parser.add_argument("--every", action="store_true", help="all games, limits and sizes")
        parser.add_argument("--hands", type=int, default=1_000)
        parser.add_argument("--seats", type=int, help="any number by turns unless given")
        parser.add_argument("--limit", help="no_limit, pot, half_pot, fixed or spread")
        parser.add_argument("--options", type=json.loads, default={}, help="JSON of table options")
        parser.add_argument("--seed", help="a text; the same seed plays the same hands")
        parser.add_argument(
            "--strategy", choices=STRATEGIES,
            help="of a game against the house: play by it, in columns, against the exact price",
        )  # fmt: skip
        parser.add_argument("--checks", choices=(FULL, LIGHT), default=FULL)
        parser.add_argument("--json", action="store_true", help="one JSON object per row")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["every"] == bool(options["game"]):
            raise CommandError("name a game, or ask for --every")
        if options["hands"] < 1:
            raise CommandError("--hands must be at least 1")
        seed = options["seed"] or secrets.token_hex(4)
        if options["strategy"]:
            self._by_strategy(seed, options)
            return
        runs = every_run(options["hands"]) if options["every"] else iter([_run(options)])
        for run in runs:
            row = self._play(run, seed, options)
            self.stdout.write(json.dumps(row) if options["json"] else _line(row))
            if row["violation"]:
                sys.exit(1)

    def _by_strategy(self, seed: str, options: dict[str, Any]) -> None:
        run = _run(options)
        if not isinstance(run.game, BankedGame):
            raise CommandError(f"{run.game.id} is played between players: no strategy is priced")
        stakes, _ = _stakes(run, options["options"])
        rules = read_rules(run.game, {name: stakes[name] for name in RULES if name in stakes})
        began = time.monotonic()
        cards = int.from_bytes(sha256(seed.encode()).digest()[:8])
        judged = simulate(run.game, rules, options["strategy"], run.hands, cards)
        row = {
            "game": run.game.id,
            "strategy": options["strategy"],
            "seed": seed,
            "hands": run.hands,
            "seconds": round(time.monotonic() - began, 3),
            "wagers": {wager: each.to_json() for wager, each in judged.items()},
            "inside": all(each.inside for each in judged.values()),
        }
        self.stdout.write(json.dumps(row) if options["json"] else _strategy_lines(row))
        if not row["inside"]:
            sys.exit(1)

    def _play(self, run: Run, seed: str, options: dict[str, Any]) -> dict[str, Any]:
        stakes, games = _stakes(run, options["options"])
        simulation = Simulation(games, run.seats, full=options["checks"] == FULL)
        violation = None
        began, told = time.process_time(), time.monotonic()
        for number in range(1, run.hands + 1):
            try:
                simulation.play_one(Random(f"{seed}/{number}"))  # noqa: S311 - to be repeatable
            except Exception as error:
                # Whatever the engine raises on a legal action is a violation too.
                violation = {"hand": number, **_violated(error)}
                break
            if time.monotonic() - told > PROGRESS_S:
                told = time.monotonic()
                self.stderr.write(f"{run.game.id}: {number} of {run.hands} hands")
        spent = time.process_time() - began
        return {
            "game": run.game.id,
            "limit": stakes.get("limit"),
            "seats": run.seats,
            "seed": seed,
            "checks": options["checks"],
            "hands_per_s": round(simulation.figures.hands / max(spent, 1e-6), 1),
            **simulation.figures.to_json(),
            "violation": violation,
        }


def _run(options: dict[str, Any]) -> Run:
    try:
        game = MIXES.get(options["game"]) or dealt_by(options["game"])
    except RuleViolation as error:
        raise CommandError(str(error)) from error
    seats = options["seats"]
    if seats is not None and seats not in game.seats:
        raise CommandError(f"{game.id} seats {game.seats[0]} to {game.seats[-1]}")
    return Run(game, options["limit"], seats, options["hands"])


def _stakes(run: Run, changes: Json) -> tuple[Json, list[tuple[Game, Json]]]:
    """The options of a table, and the games it deals by turns with theirs."""
    try:
        stakes = default_options(run.game, run.limit, **changes)
        return stakes, rotation(run.game, stakes)
    except RuleViolation as error:
        raise CommandError(str(error)) from error


def _violated(error: Exception) -> dict[str, str]:
    if isinstance(error, LawBroken):
        return {"law": error.law, "facts": error.facts}
    return {"law": "the engine plays on", "facts": f"{type(error).__name__}: {error}"}


def _strategy_lines(row: dict[str, Any]) -> str:
    lines = [
        f"{wager}: house edge {100 * each['house_edge']:.4f} %, exactly"
        f" {100 * each['exact_house_edge']:.4f} %, {each['standard_errors']} standard errors"
        for wager, each in row["wagers"].items()
    ]
    head = f"{row['game']}, {row['strategy']}: {row['hands']} hands in {row['seconds']} s"
    return "\n  ".join([head, *lines])


def _line(row: dict[str, Any]) -> str:
    seats = row["seats"] or "any"
    name = f"{row['game']} {row['limit'] or ''} {seats} seats".replace("  ", " ")
    if row["violation"]:
        broken = row["violation"]
        where = f"seed {row['seed']}, hand {broken['hand']}"
        return f"{name}: VIOLATION, {where}: {broken['law']}: {broken['facts']}"
    shown = ", ".join(f"{cls} {count}" for cls, count in list(row["classes"].items())[:4])
    return (
        f"{name}: {row['hands']} hands, {row['hands_per_s']:.0f}/s, "
        f"{row['showdown_share']:.0%} shown down, mean pot {row['pot_minor']['mean']:.0f}, {shown}"
    )
