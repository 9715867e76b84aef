"""A player on two spots in a browser: each is bet on, decided and paid by itself."""

import re
import time
from uuid import uuid4

import httpx
import pytest
from playwright.sync_api import Browser, expect

from casino.house.seed import DEMO_PASSWORD, PERSON
from tests.web.test_play import PLAY_S, Player, address

__all__ = ["address"]
pytestmark = [pytest.mark.browser, pytest.mark.house, pytest.mark.slow, pytest.mark.timeout(300)]
TABLE = "Three Card 2"


def seated(house: str) -> int:
    """Take two spots beside each other, wherever they are free; the table's id."""
    with httpx.Client(base_url=house.replace("/play/", "/api/v1/")) as door:
        body = {"username": PERSON.username, "password": DEMO_PASSWORD}
        token = door.post("sign-in", json=body).json()["token"]
        door.headers["Authorization"] = f"Bearer {token}"
        table = next(one for one in door.get("tables").json()["tables"] if one["name"] == TABLE)
        answer = door.post(
            f"tables/{table['id']}/seats",
            json={"buy_in_minor": table["buy_in"]["most_minor"], "spots": 2},
            headers={"Idempotency-Key": str(uuid4())},
        )
        assert answer.status_code == 201, answer.text
        return int(table["id"])


def step(player: Player, bets: set[str]) -> None:
    """Bet the least Ante on each spot, then play whatever is asked."""
    page = player.page
    if player.move("play").is_visible():
        player.move("play").click(timeout=2000)
        return
    for spot in page.locator("[data-spot]").all():
        name = spot.get_attribute("data-spot") or ""
        if name in bets or not page.locator("[data-wager=ante]:not(:disabled)").is_visible():
            continue
        spot.click(timeout=2000)
        page.locator("[data-wager=ante]").click(timeout=2000)
        player.move("bet").click(timeout=2000)
        expect(spot).not_to_contain_text("–")
        bets.add(name)


def test_each_of_two_spots_is_bet_decided_and_paid(browser: Browser, address: str) -> None:
    table = seated(address)
    player = Player(browser, address)
    player.sign_in()
    expect(player.page.get_by_role("heading", name="Tables")).to_be_visible()
    player.page.goto(f"{address}{table}")
    spots = player.page.locator("[data-spot]")
    expect(spots).to_have_count(2)
    expect(player.page.locator("[data-spots='2']")).to_have_attribute("aria-pressed", "true")
    player.sound()
    bets: set[str] = set()
    end = time.monotonic() + PLAY_S
    while not all(re.search(r"[+−]\d|= ?0|\b0\b", text) for text in spots.all_inner_texts()):
        assert time.monotonic() < end, player.page.inner_text("#play")
        step(player, bets)
        player.page.wait_for_timeout(150)
    assert len(bets) == 2
    player.sound()
