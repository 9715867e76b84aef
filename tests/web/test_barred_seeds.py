"""A player whose seeds are barred reads so at the table, as soon as the house tells him."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.client_house import ClientHouse, OwnTable, stamp

pytestmark = pytest.mark.browser

CASES = [
    ((1440, 900), "en", "Until {time} the cards are cut without yours.", "Your own seed"),
    ((390, 844), "pl", "Do {time} karty przekłada się bez Twojego.", "Twoje własne ziarno"),
]


class Barring(ClientHouse):
    """Its snapshots name `until`; `says` sends whatever else."""

    until: str | None = None

    def says(self, **frame: Any) -> None:
        assert self.socket is not None
        self.socket.send(json.dumps(frame))


def opened(browser: Browser, size: tuple[int, int], language: str, until: str | None) -> Barring:
    table = OwnTable(1, "Amber", "holdem", seats=4, seed="barred")
    former = table.state

    def state() -> dict[str, Any]:
        told = former()
        return {**told, "you": {**told["you"], "seeds_barred_until": house.until}}

    table.state = state  # type: ignore[method-assign]
    house = Barring(browser, table, size=size, language=language)
    house.until = until
    house.open("/play/1")
    drawer = house.page.locator(".drawer")
    expect(house.page.locator(".side-panel")).to_be_attached()
    if drawer.is_visible():
        drawer.click()
    return house


def at_local(page: Page, until: str) -> str:
    """The instant as the reader's clock shows it, hours and minutes."""
    words = page.evaluate(
        "(at) => new Date(at).toLocaleTimeString('en-GB',"
        " { hour: '2-digit', minute: '2-digit', second: '2-digit' })",
        until,
    )
    assert isinstance(words, str)
    return words


@pytest.mark.parametrize(("size", "language", "words", "own"), CASES)
@pytest.mark.parametrize("way", ["snapshot", "standing", "refusal"])
def test_he_reads_until_when_and_is_not_asked_for_a_seed(
    browser: Browser, size: tuple[int, int], language: str, words: str, own: str, way: str
) -> None:
    until = stamp(datetime.now(UTC) + timedelta(seconds=90))
    house = opened(browser, size, language, until if way == "snapshot" else None)
    page, note = house.page, house.page.locator(".note", has_text=words.split("{")[0])
    form = page.get_by_label(own)
    if way != "snapshot":
        expect(form).to_be_visible()
        expect(note).to_have_count(0)
    if way == "standing":
        house.says(type="standing", seq=1, barred=None, since=None, seeds_barred_until=until)
    elif way == "refusal":
        problem = {"code": "seed_barred", "status": 409, "until": until}
        house.says(type="seed_refused", cut=1, problem=problem)
    expect(note).to_contain_text(words.format(time=at_local(page, until)))
    expect(form).to_have_count(0)
    house.says(type="standing", seq=1, barred=None, since=None, seeds_barred_until=None)
    expect(form).to_be_visible()
    expect(note).to_have_count(0)
    assert house.faults == []
    house.close()
