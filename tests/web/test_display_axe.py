"""The displays through axe: nothing serious for screen readers, keys or poor sight."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.console.test_accessible import AXE
from tests.web.gallery import played
from tests.web.scenarios import scenario
from tests.web.stage import Stage

pytestmark = pytest.mark.browser
RUN = """async () => {
  const found = await axe.run(document, {
    runOnly: {type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']},
    resultTypes: ['violations'],
  });
  return found.violations.filter(v => ['serious', 'critical'].includes(v.impact))
    .map(v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.target.join(' ')).join(' | '));
}"""
MOMENTS = {
    "holdem_side_pots.json": (0, 9, 12, 17),
    "three_card_poker.json": (0, 5, 9, 11),
    "liars_dice.json": (2, 4),
    "holdem_run_twice.json": (12, 14),
}


def faults(page: Page) -> list[str]:
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    found: list[str] = page.evaluate(RUN)
    return found


@pytest.mark.parametrize("name", MOMENTS)
def test_every_moment_of_a_hand_is_accessible(browser: Browser, name: str) -> None:
    stage = Stage(browser, name, still=True, language="pl")
    found = []
    for upto in MOMENTS[name]:
        stage.play(upto)
        stage.page.wait_for_timeout(100)
        found += [f"after {upto}: {fault}" for fault in faults(stage.page)]
    stage.close()
    assert found == []


@pytest.mark.parametrize(
    "record",
    [lambda: played("stud8"), lambda: scenario("between_hands"), lambda: scenario("every_spot")],
    ids=["stud", "between hands", "every spot"],
)
def test_up_cards_results_and_full_layouts_are_accessible(
    browser: Browser, record: Callable[[], dict[str, Any]]
) -> None:
    told = record()
    stage = Stage(
        browser, "", record=told, still=True, language="both", figures=told.get("figures")
    )
    stage.play(len(told["frames"]) // 2 + 1)
    stage.page.wait_for_timeout(100)
    found = faults(stage.page)
    stage.close()
    assert found == []


def test_the_dealers_bar_and_a_stale_screen_are_accessible(browser: Browser) -> None:
    stage = Stage(browser, "three_card_poker.json", still=True, deeds_url="/display/deeds")
    stage.play(5)
    stage.page.wait_for_timeout(100)
    found = faults(stage.page)
    stage.beating = False
    expect(stage.page.locator(".alarm")).to_be_visible(timeout=8000)
    found += faults(stage.page)
    stage.close()
    assert found == []
