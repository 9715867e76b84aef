"""A client that checks cards as they are shown, on the hands of an honest house and of a cheat."""

import json
import shutil
import subprocess
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, WebSocketRoute, expect

from tests.proof.house import House
from tests.web.client_house import ClientHouse, OwnTable
from tests.web.stage import ROOT

NODE = shutil.which("node")
FOLLOWED = """
import { readFileSync } from "node:fs";
import { LiveProofs } from "./tables/web/static/tables/verify/live.js";
const { bundle, cut_is_seen } = JSON.parse(readFileSync(0, "utf8"));
const proofs = new LiveProofs(bundle.table);
const told = (type, told) => proofs.take({ type: "events", events: [{ type, public: told }] });
for (const { number: cut, purpose, kind, roots, seeds, end } of bundle.cuts) {
  if (cut_is_seen) told("roots_published", { cut, purpose, kind, roots });
  if (end.end === "dealt") told("decks_cut", { cut, purpose, number: end.root, seeds });
  else told("cut_void", { cut });
}
const found = [];
for (const opening of bundle.openings) {
  proofs.take({ type: "openings", hand_id: bundle.hand, seq: opening.seq, openings: [opening] });
  const { shown, problems, isWhole } = proofs.found;
  found.push({ shown, isWhole, codes: problems.map(({ code }) => code) });
}
console.log(JSON.stringify(found));
"""

under_node = pytest.mark.skipif(NODE is None, reason="no Node here")


def followed(bundle: dict[str, Any], *, cut_is_seen: bool = True) -> list[dict[str, Any]]:
    """What the client has found after each card."""
    assert NODE
    done = subprocess.run(
        [NODE, "--input-type=module", "--eval", FOLLOWED],
        input=json.dumps({"bundle": bundle, "cut_is_seen": cut_is_seen}),
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told: list[dict[str, Any]] = json.loads(done.stdout)
    return told


HANDS = ("ring_hand", "draw_hand", "dice_hand", "withheld_hand", "whole_showdown")


@under_node
@pytest.mark.parametrize("hand", HANDS)
def test_each_card_of_an_honest_hand_holds_as_it_is_shown(hand: str) -> None:
    bundle = getattr(House(), hand)()
    told = followed(bundle)
    assert [one["shown"] for one in told] == list(range(1, len(bundle["openings"]) + 1))
    assert all(one["isWhole"] and not one["codes"] for one in told)


def another_card(bundle: dict[str, Any]) -> None:
    bundle["openings"][1]["card"] ^= 1


def another_root(bundle: dict[str, Any]) -> None:
    for root in bundle["cuts"][-1]["roots"]:
        root["root"] = root["root"][::-1]


def another_seed(bundle: dict[str, Any]) -> None:
    seeds = bundle["cuts"][-1]["seeds"]
    seeds[0] = seeds[0][::-1]


@under_node
@pytest.mark.parametrize(
    ("cheat", "code"),
    [(another_card, "proof_fails"), (another_root, "proof_fails"), (another_seed, "wrong_slot")],
)
def test_a_false_card_is_told_when_it_is_shown(
    cheat: Callable[[dict[str, Any]], None], code: str
) -> None:
    bundle = House().ring_hand()
    cheat(bundle)
    assert code in followed(bundle)[1]["codes"]


@under_node
def test_who_has_not_seen_the_roots_in_time_judges_nothing() -> None:
    told = followed(House().ring_hand(), cut_is_seen=False)
    assert not any(one["isWhole"] or one["codes"] for one in told)


class Listening(ClientHouse):
    """What the page's socket has said."""

    said: tuple[dict[str, Any], ...] = ()

    def heard(self, socket: WebSocketRoute, table: OwnTable, frame: dict[str, Any]) -> None:
        self.said = (*self.said, frame)
        super().heard(socket, table, frame)


@pytest.mark.browser
@pytest.mark.parametrize(
    ("language", "soon"),
    [("en", "from the next hand on"), ("pl", "od następnego rozdania")],
)
def test_a_player_has_his_cards_checked_by_a_click(
    browser: Browser, language: str, soon: str
) -> None:
    table = OwnTable(1, "Amber", "holdem", seats=4, seed="checked")
    house = Listening(browser, table, size=(1280, 900), language=language)
    house.open("/play/1")
    page = house.page
    button = page.locator("[data-check-cards]")
    expect(button).to_be_visible()
    assert not any("openings" in frame for frame in house.said)
    button.click()
    expect(page.locator("[data-cards-checked]")).to_contain_text(soon)
    page.wait_for_timeout(50)
    wishes = [frame for frame in house.said if "openings" in frame]
    assert wishes == [{"type": "subscribe", "openings": True}]
    assert house.faults == []
    house.close()
