"""Work out the exact figures of a version of the paytables, without a database."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tables.engine.banked.options import RULES
from tables.engine.banked.sheet import rules_hash, sheet
from tables.engine.errors import BadOptions
from tables.errors import ReturnOutOfBounds
from tables.odds import percents
from tables.services.versions import banked_game, returns_check


class Command(BaseCommand):
    help = (
        "Price the paytables of a JSON file: a version's content, or a table's options. "
        "Exit status 1 when a return is outside the operator's floor and ceiling."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="a JSON object; - reads standard input")
        parser.add_argument("--game", default="three_card_poker")
        parser.add_argument("--json", action="store_true", help="one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            game = banked_game(options["game"])
            rules = _rules(options["file"])
            wagers = sheet(game, rules)
        except (OSError, ValueError, BadOptions) as error:
            raise CommandError(str(error)) from error
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


def _rules(file: str) -> dict[str, Any]:
    text = sys.stdin.read() if file == "-" else Path(file).read_text()
    read = json.loads(text)
    if not isinstance(read, dict):
        raise ValueError("the file holds no JSON object")
    own = {"limits", "version"} if "limits" in read else set()
    unknown = sorted(set(read) - set(RULES) - own)
    if unknown:
        raise ValueError(f"unknown: {', '.join(unknown)}; known: {', '.join(RULES)}")
    return {name: read[name] for name in RULES if name in read}


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
