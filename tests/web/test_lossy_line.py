"""What a display holds, over a line that loses and reorders, is what the house shows to all."""

import json
import subprocess
from pathlib import Path
from typing import Any

import orjson
import pytest

from tables import jobs, selectors
from tables.engine.games import GAMES
from tables.models import Table
from tests.tables.dealing_cast import dealt, move, played_out, player, seated, table
from tests.web.gallery import played
from tests.web.stage import ROOT
from tests.web.test_modules import NODE, run_in

IN_BROWSER = """
import { lossy } from "/tests/web/modules/lossy.js";
const given = JSON.parse(document.getElementById("given").textContent);
document.getElementById("result").textContent = JSON.stringify(await lossy(given));
"""


def watched(recordings: dict[str, Any], folder: Path, request: pytest.FixtureRequest) -> Any:
    """What a display makes of recordings over such a line: under Node, else in a browser."""
    if NODE is None:
        return run_in(request.getfixturevalue("browser"), IN_BROWSER, recordings)
    file = folder / "hands.json"
    file.write_text(json.dumps(recordings))
    done = subprocess.run(
        [NODE, "tests/web/modules/lossy.node.js", str(file)],
        cwd=ROOT, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def test_a_hand_of_every_game_ends_on_the_screen_as_in_the_engine_whatever_the_line_does(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    hands = {game: played(game) for game in GAMES if game != "three_card_poker"}
    found = watched(hands, tmp_path, request)
    assert found["wrong"] == []
    assert found["events"] > 2_000
    assert found["repaired"] > 100


@pytest.mark.browser
@pytest.mark.skipif(NODE is None, reason="the test above has run in the browser")
def test_the_line_can_be_tried_in_a_browser_too(browser: Any) -> None:
    found = run_in(browser, IN_BROWSER, {"holdem": played("holdem")})
    assert (found["hands"], found["wrong"]) == (1, [])


def told_of(at: Table, from_seq: int) -> list[dict[str, Any]]:
    """All public frames of a table after a moment, as its displays are sent them."""
    frames: list[dict[str, Any]] = []
    while pushes := selectors.pushes_since(at.pk, from_seq):
        frames += [orjson.loads(push.text) for push in pushes]
        from_seq = pushes[-1].seq
    return frames


def public(at: Table) -> dict[str, Any]:
    plain: dict[str, Any] = json.loads(json.dumps(selectors.table_snapshot(at.pk), default=str))
    return plain


def in_the_database(hands: int) -> dict[str, Any]:
    """Hands dealt, played and left half-way at a table of the house, with what it shows of them."""
    at = table(positions={"button": 1}, max_seats=6)
    seated(at, *(player(name) for name in ("alice", "bob", "carol")))
    before = public(at)
    for number in range(hands):
        dealt(at)
        if number % 3 == 1:
            move(at, name="fold")
        played_out(at)
    dealt(at)
    move(at, name="call")
    return {"snapshot": before, "frames": told_of(at, before["seq"]), "last": public(at)}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("hands", [4, pytest.param(90, marks=pytest.mark.slow)])
def test_a_display_holds_what_the_database_shows_to_all_whatever_the_line_does(
    hands: int, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "send", lambda *task: True)
    found = watched({"holdem": in_the_database(hands)}, tmp_path, request)
    assert found["wrong"] == []
    assert found["events"] > 22 * hands
    assert found["repaired"] > hands
