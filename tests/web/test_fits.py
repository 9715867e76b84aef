"""Every display fits its screen: nothing is cut off, lies over another thing, or scrolls.

The whole of it, every game at every number of players, is `make fits`; here are the fullest hands.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.web import fits
from tests.web.gallery import moments, played
from tests.web.scenarios import SCENARIOS
from tests.web.stage import recording

pytestmark = pytest.mark.browser
HANDS = [("holdem", 6), ("holdem", 10), ("omaha8", 7), ("stud8", 8), ("anaconda", 7), ("badugi", 8)]


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    opened = fits.opened(browser)
    yield opened
    opened.close()


@pytest.mark.parametrize(("game", "players"), HANDS)
def test_full_tables_fit(page: Page, game: str, players: int) -> None:
    record = played(game, players, full=True)
    at = [frames for _, frames in moments(record)]
    assert fits.unfitting(page, record, at, "pl") == []


@pytest.mark.parametrize("name", SCENARIOS)
def test_what_comes_seldom_fits_in_both_languages_at_once(page: Page, name: str) -> None:
    assert fits.of_scenario(page, name, "both", every=False) == []


@pytest.mark.parametrize("later_ms", [300, 4000])
def test_a_round_fits_in_both_languages_at_once(page: Page, later_ms: int) -> None:
    record = recording("three_card_poker.json")
    assert fits.unfitting(page, record, range(len(record["frames"]) + 1), "both", later_ms) == []


def test_the_measure_sees_what_does_not_fit(page: Page) -> None:
    record = played("holdem", 10, full=True)
    at = [frames for _, frames in moments(record)][-1:]
    handle = page.add_style_tag(content=".seat .hand { font-size: 6rem !important; }")
    found = fits.unfitting(page, record, at, "en")
    handle.evaluate("one => one.remove()")
    assert {fault.split(", ")[2].split()[2] for fault in found} >= {"spilt", "over"}
