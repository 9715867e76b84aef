"""Every page of the console through axe: nothing serious for screen readers, keys, poor sight."""

import hashlib
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from casino.core.models import Role
from tests.console.cast import staff
from tests.console.test_access import READ, address, house  # noqa: F401 - the fixture
from tests.console.test_in_browser import beside_playwright, opened  # noqa: F401 - the fixtures
from tests.web.conftest import browser  # noqa: F401 - the fixture

AXE = Path(__file__).parent / "vendor" / "axe.min.js"
ROOT = Path(__file__).parents[2]
# The library's own records, a part of a page, and figures for a program.
NOT_OURS = {"records", "pit-tiles", "job"}
RUN = """async (rules) => {
  const found = await axe.run({include: [['.console']]}, {
    runOnly: rules, resultTypes: ['violations'],
  });
  return found.violations.filter(v => ['serious', 'critical'].includes(v.impact))
    .map(v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.target.join(' ')).join(' | '));
}"""
TAGS = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]}
CONTRAST = {"type": "rule", "values": ["color-contrast"]}


def test_the_library_is_the_one_the_list_names() -> None:
    digest = hashlib.sha256(AXE.read_bytes()).hexdigest()
    listed = (ROOT / "docs" / "dependencies.md").read_text()
    assert re.search(rf"`tests/console/vendor/axe.min.js`.*`{digest}`", listed)
    assert "Mozilla Public License" in AXE.with_name("axe.LICENSE.txt").read_text()


@pytest.fixture
def page(opened: Any) -> Page:  # noqa: F811
    found: Page = opened(staff(Role.ADMIN, "Axel"), "/admin/account/")
    return found


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_every_page_is_usable_in_light_and_dark(
    page: Page,
    house: dict[str, Any],  # noqa: F811
) -> None:
    faults: list[str] = []
    page.add_init_script(AXE.read_text())
    for name, (args, roles) in READ.items():
        if name in NOT_OURS or Role.ADMIN not in roles:
            continue
        page.goto(address(name, args, house), wait_until="domcontentloaded")
        faults += [f"{name}: {fault}" for fault in page.evaluate(RUN, TAGS)]
        page.evaluate("document.documentElement.classList.toggle('dark')")
        faults += [f"{name}, dark: {fault}" for fault in page.evaluate(RUN, CONTRAST)]
        width = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        if width > 0:
            faults.append(f"{name}: {width} px wider than the screen")
    assert faults == []
