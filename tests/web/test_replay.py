"""A played hand is read step by step in the player's client, whatever its family."""

from __future__ import annotations

import json
import mimetypes
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.web.stage import ROOT, recording

MOUNT = """
import { html, render } from "/tables/web/static/vendor/preact-htm.js";
import { translator } from "/tables/web/static/tables/i18n.js";
import { money } from "/tables/web/static/tables/money.js";
import { Replay } from "/tables/web/static/tables/play/replay.js";
import { PLAY_WORDS } from "/tables/web/static/tables/play/words.js";
const told = JSON.parse(document.getElementById("told").textContent);
const t = translator(told.language, PLAY_WORDS);
const client = {
  hand: async () => told.hand, table: async () => ({ table: told.table }),
  hands: async () => ({ hands: [{ id: told.hand.id, seat: told.seat }] }),
};
const app = {
  t, client, go: () => {}, amountIn: (exponent) => (minor) => money(minor, exponent, t.language),
};
render(html`<${Replay} app=${app} id=${told.hand.id} />`, document.getElementById("page"));
"""


def told_of(name: str, language: str) -> dict[str, Any]:
    recorded = recording(name)
    frames = recorded["frames"]
    opened = frames[0]["events"][0]["public"]
    hand = {
        "id": opened["hand_id"],
        "number": opened["number"],
        "table": recorded["snapshot"]["table"]["id"],
        "started_at": frames[0]["at"],
        "frames": frames,
    }
    return {
        "hand": hand,
        "table": recorded["snapshot"]["table"],
        "seat": opened["seats"][0]["seat"],
        "language": language,
    }


@pytest.mark.browser
@pytest.mark.parametrize("language", ["en", "pl"])
@pytest.mark.parametrize(
    "name",
    [
        "holdem_side_pots.json",
        "three_card_poker.json",
        "own_spots.json",
        "liars_dice.json",
        "holdem_run_twice.json",
        "holdem_shown_one.json",
        "omaha8_bomb_pot.json",
    ],
)
def test_every_step_of_a_hand_is_shown_from_the_first_to_the_last(
    browser: Browser, name: str, language: str
) -> None:
    told = json.dumps(told_of(name, language)).replace("<", "\\u003c")
    body = (
        f'<div id="page"></div><script type="application/json" id="told">{told}</script>'
        "<script type=module src=/mount.js></script>"
    )

    def serve(route: Route) -> None:
        path = route.request.url.removeprefix("http://replay.test")
        if path == "/":
            route.fulfill(body=body, content_type="text/html; charset=utf-8")
        elif path == "/mount.js":
            route.fulfill(body=MOUNT, content_type="text/javascript")
        else:
            file = ROOT / path[1:]
            route.fulfill(path=file, content_type=mimetypes.guess_type(file.name)[0])

    page = browser.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.route("**/*", serve)
    page.goto("http://replay.test/")
    steps = page.get_by_role("slider")
    expect(steps).to_have_value("0")
    last = int(steps.get_attribute("max") or 0)
    assert last > 5
    for place in range(1, last + 1):
        page.keyboard.press("ArrowRight")
        expect(steps).to_have_value(str(place))
    page.close()
    assert faults == []
