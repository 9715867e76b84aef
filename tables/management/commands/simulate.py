"""Play hands at random on the engine that plays live ones, and check everything about them."""

import json
import os
import secrets
import sys
import time
from argparse import ArgumentParser
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tables.engine.banked.options import RULES, read_rules
from tables.engine.banked.vocabulary import BankedGame
from tables.engine.errors import RuleViolation
from tables.engine.games.mixed import MIXES
from tables.engine.history.simulation import CHECKS, USUAL
from tables.engine.history.stakes import dealt_by
from tables.engine.protocol import Json
from tables.management.random_play import (
    PROGRESS_S,
    Run,
    Task,
    every_run,
    played,
    played_by_many,
    stakes_of,
    summed,
)
from tables.management.strategy_simulation import STRATEGIES, simulate


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
        parser.add_argument(
            "--checks", choices=CHECKS, default=USUAL,
            help="full: everything, with everybody's eyes and played again; usual: the laws after"
            " every action, and one hand in four hundred in full; light: results alone",
        )  # fmt: skip
        parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
        parser.add_argument("--report", type=Path, help="with --every: write the sum here")
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
        if options["every"]:
            self._every(seed, options)
            return
        task = _task(_run(options), seed, options)
        _stakes(task.run, options["options"])
        self._show(played(task, self.stderr.write), options)

    def _every(self, seed: str, options: dict[str, Any]) -> None:
        """Play every run by several processes; the first violation ends it."""
        tasks = [_task(run, seed, options) for run in every_run(options["hands"])]
        for task in tasks:
            _stakes(task.run, options["options"])
        hands = sum(task.run.hands for task in tasks)
        rows: list[Json] = []
        began = told = time.monotonic()
        for row in played_by_many(tasks, options["processes"]):
            rows.append(row)
            self._show(row, options)
            if time.monotonic() - told > PROGRESS_S:
                told = time.monotonic()
                done = sum(row["hands"] for row in rows)
                self.stderr.write(
                    f"{len(rows)} of {len(tasks)} runs, {done:,} of {hands:,} hands,"
                    f" {told - began:.0f} s"
                )
        if options["report"]:
            report = summed(rows, options["processes"], time.monotonic() - began)
            options["report"].write_text(json.dumps(report, indent=1) + "\n")

    def _show(self, row: Json, options: dict[str, Any]) -> None:
        """Print a row. A violation is the end of everything."""
        self.stdout.write(json.dumps(row) if options["json"] else _line(row))
        if row["violation"]:
            sys.exit(1)

    def _by_strategy(self, seed: str, options: dict[str, Any]) -> None:
        run = _run(options)
        if not isinstance(run.game, BankedGame):
            raise CommandError(f"{run.game.id} is played between players: no strategy is priced")
        stakes = _stakes(run, options["options"])
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


def _task(run: Run, seed: str, options: dict[str, Any]) -> Task:
    return Task(run, seed, options["checks"], options["options"])


def _run(options: dict[str, Any]) -> Run:
    try:
        game = MIXES.get(options["game"]) or dealt_by(options["game"])
    except RuleViolation as error:
        raise CommandError(str(error)) from error
    seats = options["seats"]
    if seats is not None and seats not in game.seats:
        raise CommandError(f"{game.id} seats {game.seats[0]} to {game.seats[-1]}")
    return Run(game, options["limit"], seats, options["hands"])


def _stakes(run: Run, changes: Json) -> Json:
    """The options of a run's table, checked before it is played."""
    try:
        return stakes_of(run, changes)[0]
    except RuleViolation as error:
        raise CommandError(str(error)) from error


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
