"""Mixed games watched through whole rotations: `python -m tests.web.rotation FOLDER`.

A house of its own plays HORSE, every ring game in turn, and dealer's choice, and nothing else. A
browser has the display of each table open; whenever the game changes a picture of the running hand
is taken. It ends when every game of the first two was seen and the choice has gone round its seats,
and says which games it has not seen, what the pages complained of, and where pictures are.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

from casino.house import trial
from casino.house.trial import Trial, patiently, tell
from tests.web.stage import CHROMIUM

WATCHED = ("Fern", "Gorse", "Choice")
CHOICES = 12
POLL_S = 0.4
SETTLED_IN_S = 1.2  # from a game's first hand to its picture: forced bets and cards are there
SIZE = {"width": 1920, "height": 1080}


@dataclass
class Watch:
    """One table's display. wanted: games to be seen; None: so many changes are enough."""

    name: str
    page: Page
    folder: Path
    wanted: set[str] | None
    seen: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    shown: str = ""
    due: float = 0.0

    def __post_init__(self) -> None:
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self.heard)

    def heard(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.complaints.append(message.text)

    def look(self) -> None:
        title = self.page.locator("h1").first.text_content(timeout=5_000) or ""
        if " · " not in title:
            return
        game, now = title.partition(" · ")[2], time.monotonic()
        if game != self.shown:
            self.shown, self.due = game, now + SETTLED_IN_S
        elif self.due and now >= self.due and self.page.locator(".seat, .player").count():
            self.due = 0.0
            name = re.sub(r"[^a-z0-9]+", "-", game.lower())
            self.page.screenshot(path=self.folder / f"{self.name}-{len(self.seen):02}-{name}.png")
            self.seen.append(game)
            tell(f"{self.name}: {game}")

    @property
    def missing(self) -> set[str]:
        return set() if self.wanted is None else self.wanted - set(self.seen)

    @property
    def is_done(self) -> bool:
        return not self.missing if self.wanted is not None else len(self.seen) >= CHOICES


@dataclass
class Rotation(Trial):
    folder: Path = Path()
    skip: int = 0
    watched: tuple[str, ...] = WATCHED
    found: dict[str, Any] = field(default_factory=dict)

    def play(self, settled: Callable[[], int], shown_down: Callable[[], int]) -> None:
        names = self.close_the_rest()
        addresses = dict(re.findall(r"(\w+)\s+(http://\S+/display/\S+)", self.house.welcome))
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(**CHROMIUM)
            watches = [self.opened(browser, name, addresses[name], names) for name in self.watched]
            end = time.monotonic() + self.seconds_most
            while time.monotonic() < end and not all(watch.is_done for watch in watches):
                for watch in watches:
                    watch.look()
                time.sleep(POLL_S)
            browser.close()
        self.found = {
            watch.name: {
                "games": watch.seen,
                "missing": sorted(watch.missing),
                "complaints": watch.complaints[:20],
            }
            for watch in watches
        }

    def close_the_rest(self) -> dict[str, set[str] | None]:
        """Only the watched tables deal; by table, the names of all its games."""
        from django.utils import timezone

        from tables.engine.games import part_game
        from tables.engine.games.mixed import MIXES, parts_of
        from tables.models import Table
        from tables.services.floor import table_drain

        names: dict[str, set[str] | None] = {}
        for table in patiently(lambda: list(Table.objects.all())):
            if table.name not in self.watched:
                patiently(lambda table_id=table.pk: table_drain(table_id=table_id))  # type: ignore[misc]
                continue
            mix = MIXES[table.game]
            parts = parts_of(mix, table.options)
            if self.skip and len(parts) > self.skip and not mix.by_button:
                parts = parts[self.skip :]
                table.mix = {
                    "index": self.skip,
                    "hands": 0,
                    "since": timezone.now().isoformat(),
                }
                patiently(partial(table.save, update_fields=["mix"]))
            names[table.name] = None if mix.by_button else {part_game(p).name for p in parts}
        return names

    def opened(
        self, browser: Browser, name: str, address: str, names: dict[str, set[str] | None]
    ) -> Watch:
        page = browser.new_page(viewport=SIZE)
        page.goto(address)
        return Watch(name, page, self.folder, names[name])


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="tests.web.rotation")
    parser.add_argument("folder", type=Path, help="where pictures and the report go")
    parser.add_argument("--skip", type=int, default=0, help="so many games of longer mixes")
    parser.add_argument("--tables", nargs="+", choices=WATCHED, default=WATCHED)
    parser.add_argument("--seconds-most", type=float, default=900.0)
    options = parser.parse_args(arguments)
    os.umask(0o077)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, trial.leave)
    options.folder.mkdir(parents=True, exist_ok=True)
    data = trial.throw_away_folder()
    rotation = Rotation(
        data,
        0,
        options.seconds_most,
        folder=options.folder,
        skip=options.skip,
        watched=tuple(options.tables),
    )
    try:
        report = rotation.run()
    finally:
        if rotation.house.place is not None:
            shutil.rmtree(rotation.house.place.servers, ignore_errors=True)
        shutil.rmtree(data, ignore_errors=True)
    report |= {"rotations": rotation.found}
    text = json.dumps(report, indent=2)
    options.folder.joinpath("rotation.json").write_text(text + "\n", encoding="utf-8")
    print(json.dumps(rotation.found, indent=2))
    whole = all(not one["missing"] and not one["complaints"] for one in rotation.found.values())
    return 0 if whole and report["ok"] else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
