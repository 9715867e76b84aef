"""Account, limits and money on the players' page, by keyboard: what is asked of the house."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from casino.core import second_factor
from tests.web.client_house import ClientHouse, OwnTable, limits, session
from tests.web.keyboard import Keys

pytestmark = pytest.mark.browser
SECRET = "JBSWY3DPEHPK3PXP"


@pytest.fixture
def house(browser: Browser) -> Iterator[ClientHouse]:
    opened = ClientHouse(browser, OwnTable(1, "Amber", "holdem", seats=4, seed="account"))
    yield opened
    assert opened.faults == []
    opened.close()


def asked(house: ClientHouse, method: str, path: str) -> Any:
    return [body for one, at, body in house.asked if (one, at) == (method, path)]


def test_a_second_factor_is_set_up_and_its_recovery_codes_are_told_once(house: ClientHouse) -> None:
    keys = Keys(house.page)
    house.answers["POST", "me/second-factor"] = {
        "secret": SECRET, "address": "otpauth://totp/x",
        "picture": second_factor.picture_of("otpauth://totp/x"),
    }  # fmt: skip
    house.answers["PUT", "me/second-factor"] = {"recovery_codes": ["aaaa-bbbb", "cccc-dddd"]}
    house.open("/play/account")
    expect(house.page.get_by_text("Your last sign-in: ")).to_be_visible()
    assert keys.faults() == []
    form = "section[aria-labelledby=factor]"
    keys.fill(f"{form} [name=password]", "nine-kings")
    keys.press("Enter")
    expect(house.page.get_by_text("JBSW Y3DP EHPK 3PXP")).to_be_visible()
    picture = house.page.locator(f"{form} img.qr")
    expect(picture).to_have_attribute("alt", re.compile("picture for your app"))
    drawn = "image => image.complete && image.naturalWidth > 100"
    assert picture.evaluate(drawn)  # the page's content policy lets it be shown
    assert keys.faults() == []
    house.answers["GET", "me/second-factor"] = {"on": True, "recovery_codes_left": 2}
    keys.fill(f"{form} [name=code]", "123456")
    keys.press("Enter")
    expect(house.page.get_by_text("cccc-dddd")).to_be_visible()
    expect(house.page.get_by_text("2 recovery codes left.")).to_be_visible()
    assert asked(house, "POST", "me/second-factor") == [{"password": "nine-kings"}]
    assert asked(house, "PUT", "me/second-factor") == [{"code": "123456"}]


def test_another_sign_in_is_ended_and_the_account_closed_after_a_question(
    house: ClientHouse,
) -> None:
    keys = Keys(house.page)
    house.answers["DELETE", "tokens/1"] = {}
    house.answers["POST", "wallet/close"] = limits()
    house.open("/play/account")
    keys.choose(".tokens .btn")
    expect(house.page.get_by_text("It is signed out.")).to_be_visible()
    keys.choose("section[aria-labelledby=closing] .btn")
    expect(house.page.get_by_role("dialog")).to_be_visible()
    assert keys.faults() == []
    keys.press("Enter")  # the focus is on keeping it
    assert asked(house, "POST", "wallet/close") == []
    keys.choose("section[aria-labelledby=closing] .btn")
    keys.choose("dialog .answers .btn:not(.main)")
    expect(house.page.get_by_role("dialog")).to_have_count(0)
    assert len(asked(house, "POST", "wallet/close")) == 1
    assert asked(house, "DELETE", "tokens/1") == [None]


def test_limits_are_set_in_whole_minor_units_and_time_in_seconds(house: ClientHouse) -> None:
    keys = Keys(house.page)
    house.answers["PUT", "wallet/limits"] = limits()
    house.open("/play/limits")
    expect(house.page.get_by_text("1,250 EUR of 50,000 EUR")).to_be_visible()
    assert keys.faults() == []
    keys.fill("[name=most]", "300")
    keys.press("Enter")
    expect(house.page.get_by_text("Done.")).to_be_visible()
    keys.reach("select[name=kind]")
    keys.press("End")
    keys.fill("[name=most]", "90")
    keys.press("Enter")
    expect(house.page.locator("[name=most]")).to_have_value("")
    loss = {"kind": "loss", "window_days": 1, "currency": "EUR", "most_minor": 300}
    time = {"kind": "time", "window_days": 1, "most_s": 5_400}
    assert asked(house, "PUT", "wallet/limits") == [loss, time]


def test_a_refused_withdrawal_says_why_and_a_granted_one_how_much(house: ClientHouse) -> None:
    keys = Keys(house.page)
    path = ("POST", "wallet/withdrawals")
    house.answers[path] = {"code": "insufficient_funds", "status": 409, "detail": "too little"}
    house.open("/play/wallet")
    keys.choose("[data-move=withdraw]")
    keys.fill("[name=sum]", "500")
    keys.press("Enter")
    expect(house.page.get_by_text("Your wallet does not hold that much.")).to_be_visible()
    house.answers[path] = {"transfer": 9, "pending": {"amount_minor": 500, "currency": "EUR"}}
    keys.press("Enter")
    expect(house.page.get_by_text("500 EUR set aside to be paid out.")).to_be_visible()
    body = {"amount_minor": 500, "currency": "EUR"}
    assert asked(house, *path) == [body, body]


def test_a_reality_check_stops_the_page_until_it_is_seen(house: ClientHouse) -> None:
    keys = Keys(house.page)
    due = {**session(), "barred": "reality_check_due"}
    house.answers["GET", "wallet/session"] = due
    house.answers["POST", "wallet/reality-check/acknowledge"] = session()
    house.open("/play/1")
    expect(house.page.get_by_role("dialog")).to_contain_text("1 h 24 min")
    assert keys.faults() == []
    keys.press("Enter")
    expect(house.page.get_by_role("dialog")).to_have_count(0)
    assert asked(house, "POST", "wallet/reality-check/acknowledge") == [None]


def test_the_floor_is_called_about_the_hand_in_play(house: ClientHouse) -> None:
    keys, table = Keys(house.page), house.tables[1]
    table.begin()
    table.others_act()
    house.answers["POST", "hands/12345/flag"] = {"hand": 12_345, "at": "", "is_answered": False}
    house.open("/play/1")
    keys.choose(".drawer")
    keys.choose("[data-move=flag]")
    keys.choose("dialog .btn.main")
    expect(house.page.get_by_text("The floor has been called about hand 12,345.")).to_be_visible()
    assert asked(house, "POST", "hands/12345/flag") == [{}]
