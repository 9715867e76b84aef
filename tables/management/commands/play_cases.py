"""Play worked cases on the engine that plays live hands."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tables.engine.history.banked_cases import (
    play_price_case,
    play_settlement_case,
    stated_paytables,
)
from tables.engine.history.cases import case_expected, play_hand_case
from tables.engine.history.ranking_cases import play_ranking_case

Case = Mapping[str, Any]
Play = Callable[[Case], Any]


def player_of(stored: Mapping[str, Any]) -> Play:
    """What plays the cases of a file. Raises KeyError for an unknown kind."""
    if stored["kind"] == "three_card_poker":
        paytables = stated_paytables(stored.get("about", ""))
        return lambda case: play_settlement_case(case, paytables)
    players: dict[str, Play] = {
        "hands": play_hand_case,
        "paytables": play_price_case,
        "ranking": play_ranking_case,
    }
    return players[stored["kind"]]


def agrees(case: Case, got: Any) -> bool:
    """Whether the answer is what a case that states one expects."""
    if "expected" in case:
        return bool(got == case["expected"])
    expect = case.get("expect")
    if expect is None:
        return True
    if "bets" in case:  # what else it says of a wager is explanation
        same = all(
            figure == expect["wagers"][wager][name]
            for wager, figures in got["wagers"].items()
            for name, figure in figures.items()
        )
        return same and got["net"] == expect["net"] and set(got["wagers"]) == set(expect["wagers"])
    return all(got.get(name) == wanted for name, wanted in case_expected(case).items())


def answer(case: Case, play: Play) -> dict[str, Any]:
    try:
        got = play(case)
        return {"id": case["id"], "ok": agrees(case, got), "got": got}
    except Exception as error:
        # A case that cannot be played is an answer too; the next one is still played.
        return {"id": case.get("id"), "ok": False, "error": f"{type(error).__name__}: {error}"}


class Command(BaseCommand):
    help = "Play every case of the named files and print one JSON object a line, in file order."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")

    def handle(self, *args: Any, **options: Any) -> None:
        failed = False
        for path in options["files"]:
            try:
                stored = json.loads(path.read_text())
                play, cases = player_of(stored), stored["cases"]
            except (OSError, ValueError, KeyError, TypeError) as error:
                raise CommandError(f"{path} holds no cases: {error!r}") from error
            for case in cases:
                line = answer(case, play)
                failed = failed or not line["ok"]
                self.stdout.write(json.dumps(line))
        if failed:
            sys.exit(1)
