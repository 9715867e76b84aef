"""The players' page of a running house, in a browser: a lost connection, and another language."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from casino.house.seed import DEMO_PASSWORD, PERSON
from casino.house.supervisor import House
from tests.web.conftest import browser  # noqa: F401 - the fixture
from tests.web.test_play import PATIENCE_MS, Player

pytestmark = [pytest.mark.browser, pytest.mark.house]


@pytest.fixture
def address(house: House) -> Iterator[str]:
    expect.set_options(timeout=PATIENCE_MS)
    yield f"{house.url}/play/"
    expect.set_options(timeout=5_000)


def test_a_lost_connection_is_said_and_mended(
    browser: Browser,  # noqa: F811
    address: str,
) -> None:
    player = Player(browser, address)
    player.page.route_web_socket("**/ws/v1/tables/*", lambda socket: socket.close(code=4503))
    player.sign_in()
    player.page.locator(".row").first.click()
    banner = player.page.get_by_role("alert").filter(has_text="Reconnecting")
    expect(banner).to_be_visible()
    player.page.unroute_all()
    player.page.context.close()


def test_it_speaks_polish(browser: Browser, address: str) -> None:  # noqa: F811
    player = Player(browser, f"{address}?lang=pl")
    player.page.get_by_label("Nazwa użytkownika").fill(PERSON.username)
    player.page.get_by_label("Hasło").fill(DEMO_PASSWORD)
    player.page.get_by_role("button", name="Zaloguj się").click()
    expect(player.page.get_by_role("heading", name="Stoły")).to_be_visible()
    expect(player.page.locator("html")).to_have_attribute("lang", "pl")
    player.sound()
    player.page.locator(".row").first.click()
    expect(player.page.get_by_role("heading", name="To rozdanie")).to_be_attached()
    player.sound()
    player.page.context.close()
