"""Screens that are no display of a table: floor board, the field for a code, the dealer's bar."""

from __future__ import annotations

import mimetypes
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from django.template import Context, Engine
from playwright.sync_api import Browser, Page, Route

from tests.web.stage import ORIGIN, POLICY, WEB, Stage, stamp

GAMES = (
    ("Three Card Poker", "banked", "betting"), ("Hold'em", "poker", "flop"),
    ("Omaha Hi-Lo", "poker", "river"), ("Seven-card Stud", "poker", "fourth"),
    ("Badugi", "poker", "draw2"), ("Liar's dice", "bluff", ""),
)  # fmt: skip


def board_of(count: int) -> dict[str, Any]:
    """A floor of so many tables: some call, one does not go on, some rest."""
    now = datetime.now(UTC)
    tables = []
    for n in range(1, count + 1):
        game, family, street = GAMES[n % len(GAMES)]
        plays = n % 4 != 0
        late_s = -95 if n == 7 else 4 + n % 20
        calls = [{"why": "dispute", "since": stamp(now - timedelta(minutes=3))}] if n == 5 else []
        if n == 11:
            calls = [{"why": "chips", "since": stamp(now)}]
        hand = {
            "id": n, "number": 48_000 + n, "street": street, "players": 6, "in_it": 2 + n % 4,
            "amount_minor": 12_350 * n, "waiting": [1 + n % 6], "window": "turn",
            "deadline": stamp(now + timedelta(seconds=late_s)), "over": False,
        }  # fmt: skip
        tables.append({
            "id": n, "name": f"Table {n}", "pit": "Main floor", "game": game, "family": family,
            "status": "paused" if n == 8 else "open", "stopped": n == 12, "stakes": {},
            "currency": "EUR", "exponent": 2, "max_seats": 8, "taken": n % 9, "at_play": n % 9,
            "seq": 40, "floor_calls": calls, "hand": hand if plays else None,
            "dealer": {"name": "Dora", "since": stamp(now), "break_since": None} if n % 3 else None,
        })  # fmt: skip
    return {"server_time": stamp(now), "tables": tables, "build": "one"}


def rendered(template: str, **facts: Any) -> str:
    engine = Engine(
        dirs=[str(WEB / "templates")],
        libraries={
            "static": "tests.web.plain_static", "l10n": "django.templatetags.l10n",
        },
    )  # fmt: skip
    return engine.get_template(f"tables/{template}").render(Context(facts))


def opened(browser: Browser, html: str, now: Callable[[], Any] | None = None) -> Page:
    page = browser.new_page(reduced_motion="reduce")

    def serve(route: Route) -> None:
        path = route.request.url.removeprefix(ORIGIN)
        if path == "/":
            policy = {"Content-Security-Policy": POLICY}
            route.fulfill(body=html, content_type="text/html; charset=utf-8", headers=policy)
        elif path == "/now" and now is not None:
            route.fulfill(json=now())
        elif (WEB / path[1:]).is_file():
            kind = mimetypes.guess_type(path)[0]
            route.fulfill(path=WEB / path[1:], content_type=kind)
        else:
            route.fulfill(status=404)

    page.route("**/*", serve)
    page.goto(f"{ORIGIN}/")
    return page


def board(browser: Browser, count: int, language: str) -> Page:
    html = rendered(
        "board.html", board=board_of(count), metres=2, density=1,
        config={"now_url": "/now", "language": language, "build": "one"},
    )  # fmt: skip
    page = opened(browser, html, lambda: board_of(count))
    page.wait_for_selector(".tiles")
    return page


def dealers_bar(browser: Browser, language: str, *, upto: int, signed_on: bool) -> Stage:
    def change(record: dict[str, Any]) -> None:
        if signed_on:
            since = record["snapshot"]["server_time"]
            dealer = {"name": "Dora", "since": since, "break_since": None, "confirmed_hand": None}
            record["snapshot"]["dealer"] = dealer

    stage = Stage(
        browser, "three_card_poker.json", change=change, language=language, still=True,
        deeds_url="/display/deeds",
    )  # fmt: skip
    stage.page.wait_for_selector(".bar")
    stage.play(upto, ago_s=1)
    return stage


def pages(browser: Browser, language: str) -> Iterator[tuple[str, Page]]:
    """Each with its name; the caller closes it."""
    for count in (6, 16, 40):
        yield f"board-{count}", board(browser, count, language)
    yield "enrol", opened(browser, rendered("screen_enrol.html"))
    yield "enrol-wrong", opened(browser, rendered("screen_enrol.html", wrong=True))
    yield "waits", opened(browser, rendered("screen_waits.html", device={"name": "Desk 1"}))
    yield "not-admitted", opened(browser, rendered("display_refused.html"))
    yield "bar-nobody", dealers_bar(browser, language, upto=5, signed_on=False).page
    yield "bar-betting", dealers_bar(browser, language, upto=5, signed_on=True).page
    paid = dealers_bar(browser, language, upto=12, signed_on=True).page
    paid.locator(".deed-key").nth(1).click()
    yield "bar-armed", paid
    asks = dealers_bar(browser, language, upto=12, signed_on=True).page
    asks.locator(".deed-key").nth(2).click()
    yield "bar-calls", asks
    for name, at in (("bar-who", 0), ("bar-pin", 1)):
        signs = dealers_bar(browser, language, upto=5, signed_on=False).page
        signs.locator(".deed-key").nth(4).click()
        for _ in range(at):
            signs.locator(".names button").first.click()
            signs.locator(".keypad button").first.click()
        signs.wait_for_timeout(200)
        yield name, signs


def pictures(browser: Browser, folder: Path, language: str, sizes: dict[str, tuple[int, int]],
             wanted: Sequence[str] = ()) -> Iterator[Path]:  # fmt: skip
    for name, page in pages(browser, language):
        if not wanted or name in wanted:
            for size, (width, height) in sizes.items():
                page.set_viewport_size({"width": width, "height": height})
                page.wait_for_timeout(300)
                file = folder / f"{language}-{size}" / f"{name}.png"
                file.parent.mkdir(parents=True, exist_ok=True)
                page.screenshot(path=file)
                yield file
        page.context.close()
