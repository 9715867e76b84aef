"""Against the house all spots decide at the same time: who has decided waits for the others."""

import pytest
from playwright.sync_api import Browser, expect

from tests.web.client_house import ClientHouse, OwnTable

pytestmark = pytest.mark.browser


def test_who_has_decided_is_asked_no_more_while_others_still_decide(browser: Browser) -> None:
    table = OwnTable(1, "Amber", "three_card_poker", seats=4, seed="deciding")
    house = ClientHouse(browser, table)
    table.begin()
    other = next(seat for seat in table.stacks if seat != table.hero)
    least_minor = table.hand.legal(other)[0]["wagers"]["ante"]["least_minor"]
    table.act(0, other, "bet", wagers={"ante": least_minor})
    house.open("/play/1")
    page = house.page
    page.locator("[data-wager=ante]").click()
    page.locator("[data-move=bet]").click()
    expect(page.locator("[data-move=play]")).to_be_enabled()
    table.others_act = lambda: None  # type: ignore[method-assign]
    page.locator("[data-move=play]").click()
    expect(page.locator("[data-move=play]")).to_have_count(0)
    expect(page.locator(".act")).to_contain_text("You play")
    assert table.hand.waiting
    assert house.faults == []
    house.close()
