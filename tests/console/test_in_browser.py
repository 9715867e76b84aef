"""The console in a real browser, as a pit manager and a mathematician use it."""

import re
from collections.abc import Iterator

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from casino.console.sessions import COOKIE
from casino.core.models import Role, User
from tables.models import Table
from tests.cast import holdem_table, person, three_card_table
from tests.console.cast import console_of, staff
from tests.web.conftest import browser  # noqa: F401 - the fixture

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]


@pytest.fixture(autouse=True, scope="module")
def beside_playwright() -> Iterator[None]:
    """Its event loop runs in the tests' thread; they read the database between its turns."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        yield


@pytest.fixture
def opened(live_server: LiveServer, browser: Browser) -> Iterator[object]:  # noqa: F811
    """Opens an address signed in as somebody; what the page complains of fails the test."""
    complaints: list[str] = []
    contexts = []

    def open_as(user: User, path: str) -> Page:
        context = browser.new_context(base_url=live_server.url)
        contexts.append(context)
        held = console_of(user).cookies
        context.add_cookies(
            [{"name": name, "value": held[name].value, "url": live_server.url}
             for name in (settings.SESSION_COOKIE_NAME, COOKIE)]
        )  # fmt: skip
        page = context.new_page()
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else 0)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path)
        return page

    yield open_as
    for context in contexts:
        context.close()
    refused = "status of 422"  # what was typed is no odds, and the page says so
    assert [said for said in complaints if refused not in said] == []


def test_a_table_is_paused_by_a_key_and_the_tile_follows(opened) -> None:  # type: ignore[no-untyped-def]
    table = holdem_table("Amber")
    holdem_table("Birch")
    page = opened(staff(Role.PIT_MANAGER), "/admin/pit/")
    page.keyboard.press("ArrowRight")
    expect(page.locator(f"#tile-{table.pk}")).to_be_focused()
    page.keyboard.press("p")
    dialog = page.get_by_role("dialog", name="Pause Amber")
    expect(dialog).to_be_visible()
    dialog.get_by_role("link", name="Leave it").click()
    expect(dialog).to_have_count(0)
    assert Table.objects.get(pk=table.pk).status == "open"
    page.locator(f"#tile-{table.pk}").focus()
    page.keyboard.press("p")
    page.get_by_role("dialog").get_by_role("button", name="Pause").click()
    expect(page.locator(f"#tile-{table.pk} .badge")).to_have_text(re.compile("paused", re.I))
    assert Table.objects.get(pk=table.pk).status == "paused"
    person("Ann").sits(table)
    expect(page.locator(f"#tile-{table.pk}")).to_contain_text("1/6 seats", timeout=8000)


def test_find_or_do_leads_to_a_deed(opened) -> None:  # type: ignore[no-untyped-def]
    table = holdem_table("Amber")
    page = opened(staff(Role.FLOOR), "/admin/pit/")
    page.keyboard.press("Control+k")
    page.locator("#search-input-command").fill("")
    page.locator("#search-input-command").press_sequentially("pause am")
    result = page.locator("#command-results a", has_text="Pause Amber")
    expect(result).to_be_visible(timeout=8000)
    result.click()
    page.get_by_role("button", name="Pause").click()
    page.wait_for_url("**/admin/pit/")
    assert Table.objects.get(pk=table.pk).status == "paused"


def test_the_exact_return_follows_the_keys(opened) -> None:  # type: ignore[no-untyped-def]
    table = three_card_table()
    maths = staff(Role.GAME_MATHS)
    assert table.paytable is not None
    page = opened(maths, f"/admin/paytables/{table.paytable.pk}/")
    page.get_by_role("button", name="New draft from this").click()
    page.get_by_label("Pair Plus: flush pays, to 1").fill("3")
    wager = page.locator('[data-wager="pair_plus"]')
    expect(wager.locator('[data-figure="returned"]')).to_have_text("92.7240")
    expect(wager.locator('[data-line="flush"] [data-figure="delta"]')).to_have_text("−4.959")
    page.get_by_label("Pair Plus: pair pays, to 1").fill("x")
    expect(page.get_by_role("alert")).to_contain_text("Pair Plus, pair")
    page.get_by_label("Pair Plus: pair pays, to 1").fill("9")
    expect(wager.get_by_text("cannot be sent on")).to_be_visible()
