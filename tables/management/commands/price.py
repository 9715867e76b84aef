"""Work out the exact figures of a version of the paytables, without a database."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tables.engine.banked.options import KNOWN, RULES
from tables.engine.banked.sheet import rules_hash, sheet
from tables.engine.banked.vocabulary import BankedGame, Bonus
from tables.engine.errors import BadOptions, UnknownGame
from tables.errors import ReturnOutOfBounds
from tables.odds import percents
from tables.services.versions import banked_game, returns_check


class Command(BaseCommand):
    help = (
        "Price the paytables of a JSON file: a version's content, a table's options, odds by wager "
        "and line, or one paytable as {group, pays}. Exit status 1 when a return is outside the "
        "operator's floor and ceiling, 2 when there is nothing to price."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="a JSON object; - reads standard input")
        parser.add_argument("--game", default="three_card_poker")
        parser.add_argument("--json", action="store_true", help="one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            game = banked_game(options["game"])
            rules = _rules(options["file"], game)
            wagers = sheet(game, rules)
        except (OSError, ValueError, BadOptions, UnknownGame) as error:
            raise CommandError(str(error), returncode=2) from error
        refused = None
        try:
            returns_check(game, rules)
        except ReturnOutOfBounds as error:
            refused = str(error)
        row = {
            "game": game.id,
            "content_hash": rules_hash(rules),
            "wagers": {
                wager: {**figures, "percent": percents(figures)}
                for wager, figures in wagers.items()
            },
            "allowed": refused is None,
            "refused": refused,
        }
        self.stdout.write(json.dumps(row) if options["json"] else _text(row))
        if refused is not None:
            sys.exit(1)


def _rules(file: str, game: BankedGame) -> dict[str, Any]:
    text = sys.stdin.read() if file == "-" else Path(file).read_text()
    read = json.loads(text, object_pairs_hook=_each_once)
    if not isinstance(read, dict):
        raise ValueError("the file holds no JSON object")
    if set(read) >= {"group", "pays"}:
        bonus = next(wager.id for wager in game.wagers if isinstance(wager, Bonus))
        return {
            "paytables": {bonus if read["group"] == "ante_play" else read["group"]: read["pays"]}
        }
    if read and set(read) <= set(game.wager):
        return {"paytables": read}
    own = set(KNOWN) - set(RULES) if "limits" in read else set()
    unknown = sorted(set(read) - set(RULES) - own)
    if unknown:
        raise ValueError(f"unknown: {', '.join(unknown)}; known: {', '.join(RULES)}")
    return {name: read[name] for name in RULES if name in read}


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object that names nothing twice. Raises ValueError."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(name for name in found if [key for key, _ in pairs].count(name) > 1)
        raise ValueError(f"{twice} stands there twice")
    return found


def _text(row: dict[str, Any]) -> str:
    lines = [f"{row['game']}, content {row['content_hash'][:12]}"]
    for wager, figures in row["wagers"].items():
        shares = figures["percent"]
        edge = "/".join(map(str, figures["house_edge"]))
        lines.append(
            f"  {wager}: house edge {shares['house_edge']} % = {edge}, element of risk"
            f" {shares['element_of_risk']} %, hits {shares['hit_frequency']} %,"
            f" standard deviation {figures['standard_deviation']},"
            f" worst case {figures['worst_case_units']} units"
        )
        if "strategy" in figures:
            lines.append(f"    play {figures['strategy']['threshold']} or better")
    if row["refused"]:
        lines.append(f"  REFUSED: {row['refused']}")
    return "\n".join(lines)
