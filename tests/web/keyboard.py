"""A player who has only a keyboard: what he presses, and what axe says of what he is shown."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

AXE = Path(__file__).parents[1] / "console" / "vendor" / "axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]
RUN = """async (tags) => {
  const found = await axe.run({ runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'] });
  return found.violations.filter((one) => ['serious', 'critical'].includes(one.impact))
    .map((one) => one.id + ': ' + one.nodes.slice(0, 3).map((node) => node.target.join(' ')).join(' | '));
}"""  # noqa: E501
TABS_MOST = 120
MATCHES = "(selector) => Boolean(document.activeElement?.matches(selector))"
TEXT = "() => document.querySelector('#play, #verify').innerText"
BIDS_MOST = 3
MIDDLE = ":is([data-move=check], [data-move=call], [data-move=bring_in]):enabled"


class Keys:
    """One tab, worked with Tab, Enter, the space bar, arrows and the hotkeys the page names."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.bids = 0

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def reach(self, selector: str) -> bool:
        """Tab on until the focus is there; false if it has gone meanwhile, as decisions do."""
        for _ in range(TABS_MOST):
            if self.page.evaluate(MATCHES, selector):
                return True
            if not self.is_there(selector):
                return False
            self.page.keyboard.press("Tab")
        raise AssertionError(f"no Tab reaches {selector}: {self.page.evaluate(TEXT)}")

    def choose(self, selector: str) -> None:
        expect(self.page.locator(selector).first).to_be_visible()
        assert self.reach(selector), f"{selector} has gone"
        self.press("Enter")

    def takes(self, selector: str) -> bool:
        """As choose(), where it is there now."""
        found = self.is_there(selector) and self.reach(selector)
        if found:
            self.press("Enter")
        return found

    def fill(self, selector: str, text: str) -> None:
        assert self.reach(selector), f"{selector} has gone"
        self.press("ControlOrMeta+a")
        self.page.keyboard.type(text)

    def is_there(self, selector: str) -> bool:
        return self.page.locator(selector).count() > 0

    def faults(self) -> list[str]:
        """What axe finds serious in the page as it stands; the wider than the screen too."""
        self.page.evaluate(AXE.read_text())
        found: list[str] = self.page.evaluate(RUN, TAGS)
        wider = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        return [*found, *([f"{wider} px wider than the screen"] if wider > 0 else [])]

    def decide(self) -> bool:
        """One decision, if one is asked for; whether there was one."""
        if not self.is_there(".act.mine"):
            return False
        if self.is_there("[data-move=bet]") and self.is_there("[data-wager=ante]"):
            return self.bets()
        if self.is_there("[data-move=play]:enabled"):
            self.press("p")
        elif self.is_there(".own.picking"):
            return self.picks()
        elif self.is_there("[data-move^=declare-]"):
            return self.takes("[data-move=declare-high]:enabled")
        elif self.is_there("[data-move=bid]"):
            challenges = self.bids >= BIDS_MOST and self.is_there("[data-move=challenge]:enabled")
            taken = self.takes(f"[data-move={'challenge' if challenges else 'bid'}]:enabled")
            self.bids += taken
            return taken
        elif self.is_there(MIDDLE):
            self.press("c")
        else:
            return self.takes(".act [data-move]:enabled")
        return True

    def bets(self) -> bool:
        """The least Ante: a chip by its digit, the wager by Tab, the bet by its letter."""
        if self.is_there("[data-wager=ante].on:not(.changed)"):
            return False
        if not self.is_there("[data-wager=ante].on"):
            self.press("1")
            if not self.takes("[data-wager=ante]:enabled"):
                return False
        self.press("b")
        return True

    def picks(self) -> bool:
        """As many cards or dice as must be named, one where none must."""
        main = self.page.locator(".act .btn.main[data-move]")
        asked = self.page.locator(".act .ask small")
        if not main.count() or not asked.count():
            return False
        most = int(re.findall(r"\d+", asked.inner_text())[1])
        name = main.get_attribute("data-move")
        named = most if name in ("pass_cards", "arrange", "discard") else 1
        for _ in range(named - self.page.locator(".own.picking .tap[aria-pressed=true]").count()):
            if not self.reach(".own.picking .tap[aria-pressed=false]"):
                return False
            self.press("Space")
        return self.takes(f"[data-move={name}]:enabled")


def heard(page: Page) -> Any:
    """What a screen reader was told last: the turn, and the newest line of the hand."""
    return page.locator("p[role=status].unseen").text_content()
