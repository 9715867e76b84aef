"""The page of what came to nothing: every reason in the reader's words, and room for all of it."""

from __future__ import annotations

import mimetypes

import pytest
from django.test import RequestFactory, override_settings
from playwright.sync_api import Browser, Route

from tables import voids
from tables.web.void_views import voids_page
from tests.web.stage import WEB
from tests.web.test_play import WIDER

ORIGIN = "http://house.test"
STATIC = "django.contrib.staticfiles.storage.StaticFilesStorage"
REASONS = ("withheld", "game_changed", "hand_voided", "table_closed", "replaced", "fouled_deck")
FOUND = {
    "hands": {"settled": 1_182_345, "voided": 12},
    "cuts": {"dealt": 1_190_012, "void": 321},
    "void_cuts": {**dict.fromkeys(REASONS, 40), "card_boxed": 3},
    "withheld_seeds": 44,
    "questions": [
        voids.Question("redealt_rounds", "bank", 21, 19, 145_123, 143_011, 0.6104).to_json(),
        voids.Question("withholders", "withholder", 5, 3, 1_200, 1_300, None).to_json(),
        voids.Question("voided_rounds", "dealer", 2, 38, 20, 20, 1e-9).to_json(),
    ],
}
pytestmark = pytest.mark.usefixtures("many")


@pytest.fixture
def many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(voids, "figures", lambda: FOUND)


def html(language: str) -> str:
    request = RequestFactory().get("/voids/", {"lang": language})
    with override_settings(STORAGES={"staticfiles": {"BACKEND": STATIC}}):
        return voids_page(request).content.decode()


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("because a seed was withheld", "1,182,345", "145,123 : 143,011", "p = 0.610",
                "p &lt; 0.001")),
        ("pl", ("bo zatajono ziarno", "1\N{NO-BREAK SPACE}182\N{NO-BREAK SPACE}345", "p = 0,610",
                "p &lt; 0,001")),
    ],
)  # fmt: skip
def test_reasons_and_figures_are_told_in_the_readers_way(
    language: str, words: tuple[str, ...]
) -> None:
    page = html(language)
    for one in words:
        assert one in page
    assert not any(reason in page for reason in (*REASONS[1:], "card_boxed", "fouled deck"))
    # Whatever was wrong with a deal is one line; the lines add up to what was void.
    assert page.count('<tr class="part">') == len(REASONS)
    assert ">43</td>" in page


@pytest.mark.browser
@pytest.mark.parametrize("language", ["en", "pl"])
@pytest.mark.parametrize("width", [320, 390, 768, 1440])
def test_nothing_is_wider_than_the_screen(browser: Browser, language: str, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 844})
    page, made = context.new_page(), html(language)

    def serve(route: Route) -> None:
        path = route.request.url.removeprefix(ORIGIN).split("?")[0]
        if path == "/voids/":
            route.fulfill(body=made, content_type="text/html; charset=utf-8")
        else:
            route.fulfill(path=WEB / path[1:], content_type=mimetypes.guess_type(path)[0])

    page.route("**/*", serve)
    page.goto(f"{ORIGIN}/voids/")
    assert page.evaluate(WIDER) <= 0
    assert page.locator("h2").is_visible()
    context.close()
