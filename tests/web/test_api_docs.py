"""The API's pages come whole under the policy of every other page, and ask nobody else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from casino.middleware import PAGES

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]


@pytest.fixture(autouse=True, scope="module")
def beside_playwright() -> Iterator[None]:
    """Its event loop runs in the tests' thread; they read the database between its turns."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        yield


def test_the_documents_are_shown_without_an_inline_style_or_a_third_party(
    live_server: LiveServer, browser: Browser
) -> None:
    page = browser.new_page(base_url=live_server.url)
    complaints, asked = [], []
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else 0)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    answer = page.goto("/api/docs/")
    assert answer is not None
    assert answer.headers["content-security-policy"] == PAGES
    assert "unsafe" not in PAGES
    operation = page.locator("#operations-sign-in-sign_in")
    expect(operation).to_be_visible(timeout=60_000)
    operation.locator("button").first.click()
    expect(operation.get_by_text("Try it out")).to_be_visible()
    assert complaints == []
    assert asked
    assert [url for url in asked if not url.startswith((live_server.url, "data:", "blob:"))] == []
    page.close()
