"""Pictures of every family in its states: `make gallery`, or `python -m tests.web.gallery`.

Hands come from `fixtures/` and, of every game in the catalogue, from the engine itself, which
plays one by chance with a fixed seed. Each picture is `<folder>/<language>-<size>/<scene>.png`;
a sheet of all of them in small stands beside each folder.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import django
from django.conf import settings
from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from tables.engine.errors import RuleViolation
from tables.engine.games import GAMES
from tables.engine.history.choices import any_action
from tables.engine.history.simulation import any_setup
from tables.engine.history.stakes import default_options, more_dice
from tests.web import other_pages
from tests.web.record import RECORDINGS, Recorder
from tests.web.scenarios import SCENARIOS, scenario
from tests.web.stage import CHROMIUM, FIXTURES, Stage

SIZES = {"wide": (1920, 1080), "tall": (1080, 1920), "small": (1280, 720)}
LANGUAGES = ("en", "pl", "both")
PLAYERS_MOST = 8
STEPS_MOST = 400
THUMB = 480
SEED = "gallery"
# One game for each thing that a screen shows in its own way; `--games all` takes the others too.
FAMILIES = (
    "omaha8", "courchevel", "omaha6", "stud", "stud8", "razz", "five_card_draw", "triple_draw_27",
    "badugi", "baduci", "hilo_declare", "gardena_jackpots", "shotgun", "anaconda",
    "spit_in_the_ocean", "binglao", "crazy_pineapple", "short_deck", "bluff_hand",
)  # fmt: skip


class Scene(NamedTuple):
    """A hand at one of its moments: after how many frames, shown how long after the last."""

    name: str
    record: dict[str, Any]
    frames: int
    ago_s: float = 0.3


def played(game_id: str, players: int = PLAYERS_MOST, full: bool = False) -> dict[str, Any]:
    """A recorded hand of a game, played by chance; nobody folds while he need not.

    full: no seat of the table is free.
    """
    random = Random(f"{SEED}/{game_id}")
    game = GAMES[game_id]
    options = default_options(game)
    setup = any_setup(game, options, random, min(players, game.seats[-1]))
    if full:
        close = (seat._replace(seat=n) for n, seat in enumerate(setup.seats, 1))
        setup = replace(setup, seats=tuple(close), button=random.randint(1, len(setup.seats)))
    stacks = {seat.seat: seat.stack_minor for seat in setup.seats}
    table = Recorder(
        game_id, options, stacks, id=7, name="7", max_seats=max(stacks), exponent=0
    )  # fmt: skip
    table.open(*setup.start(), 12_345, setup.button)
    for _ in range(STEPS_MOST):
        hand = table.hand
        if hand.over:
            break
        if hand.window == "dice":
            setup.deck.extend(more_dice(random))
            table.expire(1)
        elif hand.window == "reshuffle":
            order = hand.mucked  # type: ignore[attr-defined]
            random.shuffle(order)
            table.write(hand.reshuffle(order))  # type: ignore[attr-defined]
        elif not hand.waiting:
            table.expire(1)
        else:
            stays_in(table, hand.waiting[0], random)
    table.tell(0.05, ("hand_settled", {"hand_id": 12_345}))
    return table.recording(game.name)


def stays_in(table: Recorder, seat: int, random: Random) -> None:
    choices = [one for one in table.hand.legal(seat) if one["name"] not in ("fold", "forfeit")]
    for _ in range(8):
        action = dict(any_action(choices, random, table.options.get("chip_minor", 1)))
        try:
            table.act(2, seat, action.pop("name"), **action)
        except RuleViolation:
            continue  # openers he does not hold
        return
    table.expire(20)


def moments(record: dict[str, Any]) -> list[tuple[str, int]]:
    """The frames worth a look: dealt, half-way, the last decision, the showdown, the end."""
    kinds = [{event["type"] for event in frame["events"]} for frame in record["frames"]]
    ended = next((at for at, found in enumerate(kinds) if "hand_over" in found), len(kinds) - 1)
    wanted = {"1-dealt": 1, "2-half": ended // 2 + 1, "3-last": ended, "4-end": ended + 1}
    return list(dict(sorted(wanted.items())).items())


def scenes(games: Sequence[str]) -> Iterator[Scene]:
    for file in RECORDINGS:
        if file.startswith("own_"):
            continue  # a player's own view, which no display is sent
        record = json.loads((FIXTURES / file).read_text())
        name = file.removesuffix(".json")
        if name == "three_card_poker":
            yield from three_card(record)
            continue
        for moment, upto in moments(record):
            yield Scene(f"{name}-{moment}", record, upto)
    for name in SCENARIOS:
        record = scenario(name)
        upto = len(record["frames"])
        for moment, ago_s in (
            (("1", 0.3), ("2-later", 4), ("3-paid", 21)) if upto else (("1", 0.3),)
        ):
            yield Scene(f"{name}-{moment}", record, upto, ago_s)
    for game_id in games:
        record = played(game_id)
        for moment, upto in moments(record):
            yield Scene(f"{game_id}-{moment}", record, upto)


def three_card(record: dict[str, Any]) -> Iterator[Scene]:
    for name, frames, ago_s in (
        ("1-idle", 0, 0.3), ("2-betting", 1, 4), ("3-bets", 7, 1), ("4-closing", 7, 16.5),
        ("5-no-more-bets", 8, 0.3), ("6-decisions", 8, 4), ("7-decided", 9, 1),
        ("8-first-spot", 11, 0.3), ("9-second-spot", 11, 2.2), ("a-all-paid", 11, 8),
    ):  # fmt: skip
        yield Scene(f"three_card_poker-{name}", record, frames, ago_s)


def pictures(
    browser: Browser, shown: Sequence[Scene], folder: Path, languages: Sequence[str],
    sizes: Sequence[str],
) -> Iterator[Path]:  # fmt: skip
    """Write the pictures, a hand's one after the other on one screen. Yields each file."""
    for language in languages:
        stage: Stage | None = None
        for scene in shown:
            # The same frames at a later moment are told anew: when they were written decides.
            told = stage is not None and bool(stage.sent) and scene.frames <= len(stage.sent)
            if stage is None or stage.shows is not scene.record or told:
                if stage is not None:
                    stage.close()
                figures = scene.record.get("figures")
                stage = Stage(
                    browser, "", record=scene.record, language=language, still=True, figures=figures
                )
                stage.shows = scene.record  # type: ignore[assignment]
            stage.play(scene.frames, ago_s=scene.ago_s)
            for size in sizes:
                width, height = SIZES[size]
                stage.page.set_viewport_size({"width": width, "height": height})
                settled(stage)
                file = folder / f"{language}-{size}" / f"{scene.name}.png"
                file.parent.mkdir(parents=True, exist_ok=True)
                stage.page.screenshot(path=file)
                yield file
        if stage is not None:
            stage.close()


def settled(stage: Stage) -> None:
    """Wait until the screen is drawn and live; a busy machine takes its time."""
    for _ in range(40):
        stage.beat()
        stage.page.wait_for_timeout(250)
        told = stage.figures is None or stage.page.locator(".ledger").count() > 0
        if told and stage.page.locator(".link.lag, .link.old").count() == 0:
            return


def sheet(files: Sequence[Path], to: Path, across: int = 4) -> None:
    """All pictures of a folder in small, in rows."""
    thumbs = []
    for file in files:
        with Image.open(file) as picture:
            picture.thumbnail((THUMB, THUMB * 2))
            thumbs.append(picture.convert("RGB"))
    if not thumbs:
        return
    width, height = (max(size) for size in zip(*(thumb.size for thumb in thumbs), strict=True))
    rows = -(-len(thumbs) // across)
    whole = Image.new("RGB", (width * across, height * rows), "#222222")
    for at, thumb in enumerate(thumbs):
        whole.paste(thumb, (at % across * width, at // across * height))
    whole.save(to, quality=80)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("var/gallery"))
    parser.add_argument("--languages", nargs="*", default=["en", "pl"], choices=LANGUAGES)
    parser.add_argument("--sizes", nargs="*", default=list(SIZES), choices=list(SIZES))
    parser.add_argument("--games", nargs="*", default=list(FAMILIES), help="ids, or: all")
    parser.add_argument("--only", default="", help="scenes whose name matches this")
    asked = parser.parse_args(arguments)
    if not settings.configured:
        settings.configure()  # templates only; no house is asked for anything
        django.setup()
    every = [one for one in GAMES if one != "three_card_poker"]
    games = every if asked.games == ["all"] else asked.games
    shown = [scene for scene in scenes(games) if re.search(asked.only, scene.name)]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**CHROMIUM)
        files = list(pictures(browser, shown, asked.out, asked.languages, asked.sizes))
        for language in asked.languages if not asked.only else ():
            sizes = {size: SIZES[size] for size in asked.sizes}
            files += other_pages.pictures(browser, asked.out, language, sizes)
        browser.close()
    for folder in sorted({file.parent for file in files}):
        mine = [file for file in files if file.parent == folder]
        sheet(mine, asked.out / f"{folder.name}.jpg")
    print(f"{len(files)} pictures of {len(shown)} scenes in {asked.out}")


if __name__ == "__main__":
    main()
