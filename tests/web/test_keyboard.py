"""A hand of each family by keyboard alone: every decision reached, named and pressed."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import Browser, expect

from tests.web.client_house import ClientHouse, OwnTable
from tests.web.keyboard import Keys, heard

pytestmark = pytest.mark.browser

PHONE, DESK = (390, 844), (1440, 900)
HANDS = {
    "holdem": ("en", PHONE),
    "omaha8": ("pl", DESK),
    "stud": ("en", DESK),
    "triple_draw_27": ("pl", PHONE),
    "anaconda": ("en", PHONE),
    "hilo_declare": ("pl", DESK),
    "three_card_poker": ("en", DESK),
    "bluff_common": ("pl", PHONE),
}
TURN = {"en": "Your turn", "pl": "Twoja kolej"}
OVER_S = 20


def sat_down(browser: Browser, game: str, language: str, size: tuple[int, int]) -> ClientHouse:
    table = OwnTable(1, "Amber", game, seats=4, seed="keys")
    house = ClientHouse(browser, table, language=language, size=size)
    table.begin()
    table.others_act()
    house.open("/play/1")
    expect(house.page.locator(".act")).to_be_visible()
    return house


@pytest.mark.parametrize("game", HANDS)
def test_a_whole_hand_is_played_by_keyboard_alone(browser: Browser, game: str) -> None:
    language, size = HANDS[game]
    house = sat_down(browser, game, language, size)
    keys, table = Keys(house.page), house.tables[1]
    if game != "three_card_poker":
        expect(house.page.locator("p[role=status].unseen")).to_contain_text(TURN[language])
    assert keys.faults() == []
    end = time.monotonic() + OVER_S
    decided = 0
    while not table.hand.over:
        assert time.monotonic() < end, (heard(house.page), house.page.inner_text("#play"))
        decided += keys.decide()
        house.page.wait_for_timeout(30)
    assert decided > 0
    assert any(event["type"] == "hand_settled" for event in table.frames[-1]["events"])
    if game == "holdem":  # cards that lie open, who won and why; alike in the others
        assert keys.faults() == []
    assert house.faults == []
    house.close()
