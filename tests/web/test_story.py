"""A visit by keyboard alone, at a house of its own: from opening an account to taking money out.

Two players, one in English on a telephone's screen, one in Polish on a desk's, sit down at a table
of each family in the sandbox, play a whole hand of it, and each view is put through axe.
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tables.engine.games import GAMES
from tables.engine.history.stakes import default_options
from tests.house.conftest import open_folder
from tests.house.test_house import Opened
from tests.web.keyboard import Keys

pytestmark = [
    pytest.mark.browser,
    pytest.mark.house,
    pytest.mark.slow,  # a house of its own, and a hand of eight games
    pytest.mark.timeout(600),
]

FAMILIES = (
    "holdem",
    "omaha8",
    "stud",
    "triple_draw_27",
    "anaconda",
    "hilo_declare",
    "three_card_poker",
    "bluff_common",
)
PICTURES = os.environ.get("STORY_PICTURES")  # a folder for a picture of each view
PASSWORD = "nine-kings-ahead"
HAND_S = 150
ASK_EVERY_S = 0.7
PATIENCE_MS = 15_000
TIMING = {"action_s": 60, "betting_s": 12, "decision_s": 60, "pause_s": 6}
TOKEN = "JSON.parse(sessionStorage.getItem('croupier.token'))"


class Sandbox(Opened):
    """A demo house without its own players: nobody else is at its tables."""

    def environment(self) -> dict[str, str]:
        return super().environment() | {"HOUSE_PLAYERS": "0"}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    expect.set_options(timeout=PATIENCE_MS)
    with open_folder() as folder:
        house = Sandbox(folder / "var")
        try:
            house.wait_open()
            yield f"http://127.0.0.1:{house.port}"
        finally:
            house.process.terminate()
            house.process.wait()
            expect.set_options(timeout=5_000)


class Visitor(Keys):
    """One of the two: his tab, what he is called, and what axe has found on his way."""

    def __init__(self, browser: Browser, address: str, name: str, language: str, width: int):
        size = {"width": width, "height": 844 if width < 1000 else 900}
        # Colours are looked at as they stand, not on their way from one to the other.
        still = browser.new_context(viewport=size, reduced_motion="reduce")
        super().__init__(still.new_page())
        self.address, self.name, self.language, self.width = address, name, language, width
        self.found: list[str] = []
        self.page.on("pageerror", lambda error: self.found.append(str(error)))
        self.page.goto(f"{address}/play/?lang={language}")

    def looks_at(self, view: str) -> None:
        if PICTURES:
            file = f"{view.replace(' ', '-')}-{self.language}-{self.width}.png"
            self.page.screenshot(path=Path(PICTURES) / file)
        self.found += [f"{self.name}, {view}: {fault}" for fault in self.faults()]

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """By REST, as a program of the player's would."""
        headers = {
            "Authorization": f"Bearer {self.page.evaluate(TOKEN)}",
            "Idempotency-Key": secrets.token_hex(8),
        }
        url = f"{self.address}/api/v1/{path}"
        answer = self.page.request.fetch(url, method=method, headers=headers, data=body)
        assert answer.ok, (path, answer.status, answer.text())
        return answer.json()

    def registers(self) -> None:
        self.looks_at("door")
        self.choose("a[href='/play/register']")
        expect(self.page.locator("[name=display_name]")).to_be_visible()
        self.looks_at("register")
        self.fill("[name=username]", self.name)
        self.fill("[name=display_name]", self.name.title())
        self.fill("[name=password]", PASSWORD)
        self.press("Enter")
        expect(self.page.locator("main.lobby")).to_be_visible()
        self.looks_at("lobby")

    def deposits(self) -> None:
        self.choose("nav a[href='/play/wallet']")
        self.choose("[data-move=play-money]")
        expect(self.page.locator(".purse-card .big b").first).to_be_visible()
        self.looks_at("wallet")

    def sits(self, table: int, invitation: str) -> None:
        self.page.goto(f"{self.address}/play/{table}?lang={self.language}&invitation={invitation}")
        self.choose("[data-move=sit]")
        expect(self.page.get_by_role("dialog")).to_be_visible()
        self.press("Enter")  # the focus is in the amount
        expect(self.page.get_by_role("dialog")).to_have_count(0)

    def has_played(self, table: int) -> dict[str, Any] | None:
        hands = self.ask("GET", "hands?limit=2")["hands"]
        over = (one for one in hands if one["status"] == "settled" and one["table"]["id"] == table)
        return next(over, None)

    def leaves(self) -> None:
        if self.page.locator(".drawer").is_visible():
            self.choose(".drawer")
            self.looks_at("hand and table")
        self.choose("[data-move=leave]")
        self.choose("dialog .btn.main")
        expect(self.page.get_by_role("dialog")).to_have_count(0)

    def reads(self, hand: int) -> None:
        """The list of hands, the hand step by step, its proof."""
        self.page.goto(f"{self.address}/play/hands?lang={self.language}")
        row = f"a[href='/play/hands/{hand}']"
        expect(self.page.locator(row)).to_be_visible()
        self.looks_at("hands")
        self.choose(row)
        steps = self.page.get_by_role("slider")
        last = steps.get_attribute("max")
        assert last is not None
        assert int(last) > 3
        self.press("ArrowRight", "ArrowRight")
        expect(steps).to_have_value("2")
        self.press("End")
        expect(steps).to_have_value(last)
        self.looks_at("replay")
        self.choose(f"a[href='/verify/?hand={hand}&lang={self.language}']")
        expect(self.page.locator(".result.holds")).to_be_visible()
        self.looks_at("verify")

    def takes_out(self) -> None:
        self.page.goto(f"{self.address}/play/wallet?lang={self.language}")
        self.choose("[data-move=withdraw]")
        expect(self.page.get_by_role("dialog")).to_be_visible()
        self.looks_at("withdrawal")
        self.press("Enter")
        expect(self.page.get_by_role("dialog")).to_have_count(0)
        purse = self.ask("GET", "wallet")["purses"][0]
        assert purse["cash"]["amount_minor"] == 0
        assert purse["pending"]["amount_minor"] > 0

    def looks_around(self) -> None:
        for page in ("account", "limits"):
            self.page.goto(f"{self.address}/play/{page}?lang={self.language}")
            expect(self.page.locator("main.account")).to_be_visible()
            self.looks_at(page)


def table_of(owner: Visitor, game: str) -> dict[str, Any]:
    options = {} if game == "three_card_poker" else default_options(GAMES[game])
    body = {"name": f"{game} {owner.name}", "game": game, "options": options, "max_seats": 4}
    return owner.ask("POST", "sandbox/tables", {**body, "timing": TIMING})


def play(players: tuple[Visitor, ...], game: str) -> dict[Visitor, int]:
    """Until each of them has a settled hand of this table. By player its id."""
    opened = table_of(players[0], game)
    for one in players:
        one.bids = 0
        one.sits(opened["table"], opened["invitation"])
    hands: dict[Visitor, int] = {}
    looked: set[Visitor] = set()
    asked = time.monotonic()
    end = time.monotonic() + HAND_S
    while len(hands) < len(players):
        assert time.monotonic() < end, (game, [one.page.inner_text("#play") for one in players])
        acted = False
        for one in players:
            if one.is_there(".act.mine") and one not in looked:
                looked.add(one)
                one.looks_at(game)
            acted = one.decide() or acted
        if not acted and time.monotonic() - asked > ASK_EVERY_S:
            asked = time.monotonic()
            for one in players:
                found = one.has_played(opened["table"])
                if found:
                    hands.setdefault(one, found["id"])
        players[0].page.wait_for_timeout(40)
    return hands


def visit(players: tuple[Visitor, ...], games: tuple[str, ...] = FAMILIES) -> None:
    for one in players:
        one.registers()
        one.deposits()
    for nth, game in enumerate(games):
        hands = play(players, game)
        for one in players:
            one.leaves()
        reader = players[nth % 2]
        reader.reads(hands[reader])
    for one in players:
        one.looks_around()
        one.takes_out()
        lines = one.ask("GET", "wallet/statement?limit=200")["lines"]
        kinds = {line["kind"] for line in lines}
        assert {"play_money", "buy_in", "cash_out", "withdrawal"} <= kinds
    assert [fault for one in players for fault in one.found] == []


@pytest.mark.parametrize(
    ("first", "second"),
    [(("agnes", "en", 390), ("bartek", "pl", 1440)), (("celina", "pl", 390), ("dora", "en", 1440))],
    ids=["english-narrow-polish-wide", "polish-narrow-english-wide"],
)
def test_a_whole_visit_by_keyboard_alone(
    browser: Browser, address: str, first: tuple[str, str, int], second: tuple[str, str, int]
) -> None:
    visit((Visitor(browser, address, *first), Visitor(browser, address, *second)))
