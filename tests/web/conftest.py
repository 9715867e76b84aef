from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.web.stage import CHROMIUM


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(**CHROMIUM)
        yield chromium
        chromium.close()
