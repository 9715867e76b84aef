"""The player's client in a browser, at a house of its own: play, leave, read the books."""

import re
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from casino.house.seed import DEMO_PASSWORD, PERSON
from tests.house.conftest import open_folder
from tests.house.test_house import Opened

pytestmark = [pytest.mark.browser, pytest.mark.house, pytest.mark.timeout(300)]

PLAY_S = 180
PATIENCE_MS = 15_000  # a house that opens has much to do at first
UNNAMED = """() => [...document.querySelectorAll(
    "button, a, input, select, [role=img], [role=group]")]
  .filter((one) => one.checkVisibility() && !one.closest("[aria-hidden=true]"))
  .filter((one) => !(one.getAttribute("aria-label") || one.textContent.trim()
    || one.labels?.length || one.querySelector("[aria-label]")))
  .map((one) => one.outerHTML.slice(0, 120))"""
SMALL = """() => [...document.querySelectorAll("button, select, input:not([type=checkbox])")]
  .filter((one) => one.checkVisibility() && !one.closest(".log"))
  .filter((one) => one.getBoundingClientRect().height < 43.5)
  .map((one) => `${one.className} ${one.textContent} ${one.getBoundingClientRect().height}`)"""
WIDER = "() => document.documentElement.scrollWidth - innerWidth"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    expect.set_options(timeout=PATIENCE_MS)
    with open_folder() as folder:
        house = Opened(folder / "var")
        try:
            text = house.wait_open()
            url = f"http://127.0.0.1:{house.port}/play/"
            assert url in text
            yield url
        finally:
            house.process.terminate()
            house.process.wait()
            expect.set_options(timeout=5_000)


class Player:
    """The demo's person in one tab."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.address = address
        self.errors: list[str] = []
        self.page: Page = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self.listen)
        self.page.goto(address)

    def listen(self, message: object) -> None:
        text = str(getattr(message, "text", ""))
        if "Content Security Policy" in text:
            self.errors.append(text)

    def sign_in(self, password: str = DEMO_PASSWORD) -> None:
        self.page.get_by_label("User name").fill(PERSON.username)
        self.page.get_by_label("Password").fill(password)
        self.page.get_by_role("button", name="Sign in").click()

    def sit(self, table: str) -> None:
        self.page.locator(".row").filter(has_text=re.compile(rf"{table}(?!\d)")).click()
        self.page.get_by_role("button", name="Sit down", exact=True).click()
        self.page.get_by_role("button", name="Buy in for").click()
        expect(self.page.get_by_role("dialog")).to_have_count(0)
        expect(self.page.locator(".act")).to_be_visible()
        if self.move("post").is_visible():  # a game is running: in at once, for a big blind
            self.move("post").click()

    def tip(self) -> None:
        """A chip for the dealers, in mid-hand or between hands: it goes when no hand holds it."""
        self.page.get_by_role("button", name="Hand and table").click()
        self.page.get_by_role("button", name="Tip the dealers").click()
        self.page.get_by_role("button", name=re.compile(r"^Tip \d")).click()
        thanks = self.page.get_by_text("given to the dealers. Thank you.")
        expect(thanks).to_be_visible(timeout=1_000 * PLAY_S)

    def leave(self) -> None:
        self.page.get_by_role("button", name="Hand and table").click()
        self.page.get_by_role("button", name="Leave the table").click()
        self.page.get_by_role("button", name="Leave", exact=True).click()

    def move(self, name: str) -> Locator:
        return self.page.locator(f"[data-move={name}]:not(:disabled)")

    def sound(self) -> None:
        assert self.page.evaluate(UNNAMED) == []
        assert self.page.evaluate(SMALL) == []
        assert self.page.evaluate(WIDER) <= 0
        assert self.errors == []


def holdem_step(player: Player) -> bool:
    """Check or call when asked; whether a hand has come to its end."""
    for name in ("check", "call"):
        if player.move(name).is_visible():
            player.move(name).click(timeout=2000)
            break
    told = player.page.locator(".log").inner_text()
    return "Your cards:" in told and re.search(r"\bwins?\b", told) is not None


def three_card_step(player: Player) -> bool:
    """Bet the least Ante and Pair Plus, play, and see what each brought."""
    results = player.page.locator(".wager.done").all_inner_texts()
    if len(results) >= 3:
        assert all(re.search("won|lost|stake back", one) for one in results), results
        return True
    if player.move("play").is_visible():
        player.move("play").click(timeout=2000)
    elif player.page.locator("[data-wager=ante]:not(:disabled):not(.on)").is_visible():
        player.page.locator("[data-wager=ante]").click(timeout=2000)
        player.page.locator("[data-wager=pair_plus]").click(timeout=2000)
        player.move("bet").click(timeout=2000)
    return False


@pytest.mark.slow  # as long as the hands take that others play at the same tables
def test_a_player_signs_in_plays_leaves_and_reads_the_books(browser: Browser, address: str) -> None:
    ring, banked = Player(browser, address), Player(browser, address)
    ring.sign_in("not the password")
    expect(ring.page.get_by_role("alert")).to_have_text("User name or password is not right.")
    ring.sound()
    for player, table in ((banked, "Three Card 1"), (ring, "Amber")):
        player.sign_in()
        expect(player.page.get_by_role("heading", name="Tables")).to_be_visible()
        player.sit(table)
        player.sound()

    done = {"ring": False, "banked": False}
    end = time.monotonic() + PLAY_S
    while not all(done.values()):
        assert time.monotonic() < end, (done, ring.page.inner_text("#play"))
        done["ring"] = done["ring"] or holdem_step(ring)
        done["banked"] = done["banked"] or three_card_step(banked)
        ring.page.wait_for_timeout(150)
    ring.sound()
    banked.sound()

    for player in (ring, banked):
        player.tip()
        player.leave()
    expect(banked.page.locator(".toast, .title").first).to_be_visible()
    page = banked.page
    page.goto(f"{address}wallet")
    statement = page.get_by_role("table", name="Statement")
    expect(statement).to_contain_text("Chips bought")
    expect(statement).to_contain_text("Hand settled")
    expect(statement).to_contain_text("Tip")
    banked.sound()

    page.get_by_role("link", name="Hands").click()
    page.locator(".row").filter(has_text="Three Card Poker").first.click()
    told = page.get_by_role("status").first
    expect(told).to_contain_text("step 1 of")
    page.keyboard.press("End")
    expect(told).not_to_contain_text("step 1 of")
    page.keyboard.press("Home")
    expect(told).to_contain_text("step 1 of")
    banked.sound()
