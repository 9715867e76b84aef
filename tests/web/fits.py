"""Does every game fit on every screen? `make fits`, or `python -m tests.web.fits`.

A hand of every game, at every number of players, at several of its moments, drawn at three sizes in
every language: nothing may be cut off, leave the screen or lie over something else.
"""

from __future__ import annotations

import argparse
import json
import mimetypes
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from playwright.sync_api import Browser, Page, Route, sync_playwright

from tables.engine.games import GAMES
from tests.web.gallery import LANGUAGES, SIZES, moments, played
from tests.web.scenarios import SCENARIOS, scenario
from tests.web.stage import CHROMIUM, WEB

ORIGIN = "http://fits.test"
LATER_MS = (300, 4000, 21_000)  # after the last frame: as it is told, in the middle of paying, paid
STYLES = ("tokens", "cards", "display", "dealer")
HOME = (
    "<!doctype html><html lang=en><head><meta charset=utf-8>"
    + "".join(f"<link rel=stylesheet href=/static/tables/{name}.css>" for name in STYLES)
    + '</head><body><div class="display" id="drawn"></div>'
    + '<script type="module" src="/fits.js"></script></body></html>'
)


def opened(browser: Browser) -> Page:
    """A page on which hands are drawn without a house."""
    page = browser.new_page(reduced_motion="reduce")

    def serve(route: Route) -> None:
        path = route.request.url.removeprefix(ORIGIN)
        if path == "/":
            route.fulfill(body=HOME, content_type="text/html; charset=utf-8")
            return
        file = Path(__file__).with_name("fits.js") if path == "/fits.js" else WEB / path[1:]
        if file.is_file():
            route.fulfill(path=file, content_type=mimetypes.guess_type(file.name)[0])
        else:
            route.fulfill(status=404)

    page.route("**/*", serve)
    page.goto(f"{ORIGIN}/")
    page.wait_for_function("'unfitting' in globalThis")
    return page


def unfitting(
    page: Page, record: dict[str, Any], at: Sequence[int], language: str, later_ms: int = 300
) -> list[str]:
    """Per size, what does not fit of a hand after so many of its frames."""
    faults: list[str] = []
    told = {name: record.get(name) for name in ("snapshot", "frames", "figures")}
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(
            "size => innerWidth === size[0] && innerHeight === size[1]", arg=[width, height]
        )
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        found = page.evaluate(
            "([told, at, language, later]) => unfitting(told, at, language, later)",
            [told, list(at), language, later_ms],
        )
        faults += [f"{size}, {language}, {fault}" for fault in found]
    return faults


def of_scenario(page: Page, name: str, language: str, *, every: bool = True) -> list[str]:
    """What does not fit of a scenario at any of its moments, or half-way and at its end."""
    record = scenario(name)
    end = len(record["frames"])
    faults = unfitting(page, record, range(end) if every else [end // 2], language)
    for later_ms in LATER_MS:
        faults += unfitting(page, record, [end], language, later_ms)
    return [f"{name}, 0 players, {fault}" for fault in faults]


def counts(game_id: str) -> Iterator[int]:
    """How many may sit down to a game, as far as a display has seats."""
    yield from (seats for seats in GAMES[game_id].seats if 2 <= seats <= 10)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    every = [one for one in GAMES if one != "three_card_poker"]
    parser.add_argument("--games", nargs="*", default=every)
    parser.add_argument("--players", nargs="*", type=int, default=list(range(2, 11)))
    parser.add_argument("--languages", nargs="*", default=list(LANGUAGES), choices=LANGUAGES)
    parser.add_argument("--scenarios", nargs="*", default=list(SCENARIOS), choices=list(SCENARIOS))
    asked = parser.parse_args(arguments)
    if not settings.configured:
        settings.configure()
        django.setup()
    faults: list[str] = []
    drawn = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**CHROMIUM)
        page = opened(browser)
        for game_id in asked.games:
            for players in counts(game_id):
                if players not in asked.players:
                    continue
                record = played(game_id, players, full=True)
                at = [frames for _, frames in moments(record)]
                for language in asked.languages:
                    drawn += len(at) * len(SIZES)
                    for fault in unfitting(page, record, at, language):
                        faults.append(f"{game_id}, {players} players, {fault}")
                        print(faults[-1], flush=True)
        for name in asked.scenarios:
            for language in asked.languages:
                found = of_scenario(page, name, language)
                print(*found, sep="\n", flush=True)
                faults += found
        browser.close()
    print(json.dumps({"drawn": drawn, "faults": len(faults)}))
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
