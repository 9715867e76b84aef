from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.web.stage import CHROMIUM, CHROMIUM_FOUND


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM_FOUND is None:
        pytest.skip("no Chromium here; make install-browser adds it")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(**CHROMIUM)
        yield chromium
        chromium.close()
