"""The dealer display in a browser: what a dealer reads, from recorded frames."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.web.scenarios import between_hands, every_spot
from tests.web.stage import ORIGIN, Stage, stamp

pytestmark = pytest.mark.browser

HOLDEM, FOLDED, THREE_CARD = (
    "holdem_side_pots.json",
    "holdem_folded_out.json",
    "three_card_poker.json",
)
DICE, RUNS = "liars_dice.json", "holdem_run_twice.json"
SHOWN, BOMB = "holdem_shown_one.json", "omaha8_bomb_pot.json"
SIZES = {"landscape": (1920, 1080), "portrait": (1080, 1920), "narrow": (390, 844)}
MOMENTS = {
    HOLDEM: (0, 1, 11, 17),
    FOLDED: (0, 4, 7),
    THREE_CARD: (0, 5, 8, 9, 11),
    DICE: (0, 2, 4, 6),
    RUNS: (1, 12, 14),
    SHOWN: (8, 9),
    BOMB: (1, 12, 13),
}
OUT_OF_SIGHT = """async () => {
  const drawn = () => new Promise((done) => requestAnimationFrame(done));
  await drawn();
  await drawn();
  const out = [];
  for (const one of document.querySelectorAll("#display *")) {
    if (one.closest(".heard, .deadman")) continue;
    const box = one.getBoundingClientRect();
    const beyond = box.right > innerWidth + 1 || box.bottom > innerHeight + 1 || box.left < -1;
    const cut = !one.children.length && one.clientWidth && one.scrollWidth > one.clientWidth + 1
      && !one.matches(".name");
    const spilt = one.matches(".seat, .spot, .pot, .placard, .money")
      && one.scrollHeight > one.clientHeight + 2;
    if (box.width && (beyond || cut || spilt)) out.push(`${one.className}: ${one.textContent}`);
  }
  return out;
}"""

Show = Callable[..., Stage]


@pytest.fixture
def show(browser: Browser) -> Iterator[Show]:
    stages: list[Stage] = []

    def open_stage(name: str, upto: int = 0, *, ago_s: float = 0.2, **more: Any) -> Stage:
        stage = Stage(browser, name, **more)
        stages.append(stage)
        live = "NA ŻYWO" if more.get("language") == "pl" else "LIVE"
        expect(stage.page.locator(".link")).to_contain_text(live)
        stage.play(upto, ago_s=ago_s)
        return stage

    yield open_stage
    for stage in stages:
        stage.close()


def out_of_sight(stage: Stage) -> list[str]:
    """What does not fit, once the page has had the time to lay itself out."""
    found: list[str] = []
    for _ in range(10):
        found = stage.page.evaluate(OUT_OF_SIGHT)
        if not found:
            break
        stage.page.wait_for_timeout(80)
    return found


def told(stage: Stage, upto: int) -> None:
    """The frames before `upto`, and the time to draw them."""
    stage.play(upto)
    stage.page.wait_for_timeout(80)


def seat(stage: Stage, number: int) -> Locator:
    return stage.page.locator(".seat, .spot").filter(
        has=stage.page.locator("h2 .no", has_text=f"{number}")
    )


@pytest.mark.parametrize("name", [HOLDEM, FOLDED, THREE_CARD, DICE])
def test_a_whole_hand_breaks_no_policy_and_asks_nobody_else(show: Show, name: str) -> None:
    stage = show(name)
    asked: list[str] = []
    stage.page.on("request", lambda request: asked.append(request.url))
    for upto in range(1, len(stage.record["frames"]) + 1):
        stage.play(upto)
        stage.page.wait_for_timeout(40)
    assert stage.errors == []
    assert [url for url in asked if not url.startswith(ORIGIN)] == []


@pytest.mark.parametrize("language", ["en", "pl"])
@pytest.mark.parametrize("name", MOMENTS)
def test_nothing_is_cut_off_or_scrolls(show: Show, name: str, language: str) -> None:
    stage = show(name, language=language)
    for upto in MOMENTS[name]:
        told(stage, upto)
        for size, (width, height) in SIZES.items():
            stage.page.set_viewport_size({"width": width, "height": height})
            assert out_of_sight(stage) == [], f"{size}, after {upto} frames"


@pytest.mark.parametrize("seats", [5, 7, 10])
def test_a_table_of_any_size_fits(show: Show, seats: int) -> None:
    def resized(record: dict[str, Any]) -> None:
        record["snapshot"]["table"]["max_seats"] = seats

    stage = show(HOLDEM, change=resized)
    for upto in (12, 17):
        told(stage, upto)
        for size, (width, height) in SIZES.items():
            stage.page.set_viewport_size({"width": width, "height": height})
            assert out_of_sight(stage) == [], f"{size}, after {upto} frames"


def test_whose_turn_it_is_and_what_it_costs(show: Show) -> None:
    stage = show(HOLDEM, 9, ago_s=6)
    hub = stage.page.locator(".hub")
    expect(hub).to_contain_text("Seat 5 to act")
    expect(hub).to_contain_text("60 to call")
    expect(hub).to_contain_text("raise to 120–250")
    expect(stage.page.locator(".seat.now .name")).to_have_text("Edyta")
    expect(stage.page.locator(".dial b")).to_have_text("14")
    expect(stage.page.locator(".board .card[data-c]")).to_have_count(3)
    expect(seat(stage, 3)).to_contain_text("bets")


def test_an_all_in_cuts_the_pot_and_says_who_may_win_it(show: Show) -> None:
    stage = show(HOLDEM, 12)
    pots = stage.page.locator("ul.stack li")
    expect(pots.nth(0)).to_contain_text("Main9302345")
    expect(pots.nth(1)).to_contain_text("Side 1")
    expect(pots.last).to_contain_text("In all")


def test_the_showdown_says_for_each_pot_who_gets_what_and_why(show: Show) -> None:
    stage = show(HOLDEM, 17)
    pots = stage.page.locator(".pot")
    expect(pots.nth(0)).to_contain_text("Main 1,120")
    expect(pots.nth(0)).to_contain_text("1,110")
    expect(pots.nth(0)).to_contain_text("Full house")
    expect(pots.nth(0)).to_contain_text("rake 10")
    expect(pots.nth(1)).to_contain_text("495 → 248 + 247")
    expect(seat(stage, 3)).to_contain_text("647")
    assert stage.page.locator(".seat .card.up").count() == 4  # 2h 2s, Ad, Ac win something


def test_a_hand_without_a_showdown_shows_no_card(show: Show) -> None:
    stage = show(FOLDED, 7)
    expect(stage.page.locator(".hub")).to_contain_text("Seat 9 wins")
    expect(stage.page.locator(".hub")).to_contain_text("70")
    expect(seat(stage, 7)).to_contain_text("time out")
    assert stage.page.locator(".card[data-c]").count() == 0


def test_no_more_bets_is_said_by_the_server_not_by_the_clock(show: Show) -> None:
    stage = show(THREE_CARD, 7, ago_s=7.5)
    expect(stage.page.locator(".cry")).to_have_text("Bets closing")
    stage.wait(3)
    expect(stage.page.locator(".dial b")).to_have_text("0")
    expect(stage.page.locator(".shout")).to_have_count(0)
    stage.play(8)
    expect(stage.page.locator(".shout")).to_have_text("No more bets")
    expect(stage.page.locator(".decisions")).to_contain_text("0 of 3 decided")


@pytest.mark.parametrize("reduced_motion", [False, True])
def test_spots_are_paid_one_by_one_from_the_dealers_right(show: Show, reduced_motion: bool) -> None:
    stage = show(THREE_CARD, 11, ago_s=0, reduced_motion=reduced_motion)
    money, now = stage.page.locator(".money"), stage.page.locator(".spot.now .no")
    expect(now).to_have_text("6")
    expect(money).to_contain_text("paid 0 of 3")
    expect(money.locator(".sum")).to_have_text("Spot 6 in allTake100")
    expect(seat(stage, 4)).to_contain_text("270")  # every spot's sums stand there from the first
    expect(now).to_have_text("4", timeout=2500)
    expect(money.locator("tr").nth(1)).to_contain_text("Ante Bonus50Pay 1 to 150")
    expect(money.locator(".sum")).to_have_text("Spot 4 in allPay270Take10")
    stage.beat()
    expect(now).to_have_text("2", timeout=2500)
    stage.beat()
    expect(money).to_contain_text("All paid", timeout=2500)
    expect(money.locator("tfoot")).to_have_text("Round in allPay 360Take 110")
    expect(stage.page.locator(".verdict")).to_contain_text("Qualifies")


def test_stale_data_may_not_be_paid_from_and_the_return_is_said(show: Show) -> None:
    stage = show(THREE_CARD, 11)
    stage.beating = False
    alarm = stage.page.locator(".alarm")
    expect(stage.page.locator(".link.lag")).to_be_visible(timeout=4000)
    expect(alarm).to_contain_text("Do not pay from this screen", timeout=6000)
    hidden = stage.page.locator(".wagers td").last.evaluate("one => getComputedStyle(one).color")
    assert hidden == "rgba(0, 0, 0, 0)"
    stage.beating = True
    expect(alarm).to_have_count(0, timeout=15_000)
    expect(stage.page.locator(".link.back")).to_have_text("Resynchronised")
    assert stage.tickets >= 1
    assert stage.asked[-1] == {"type": "subscribe"}


def test_a_screen_that_has_stopped_says_so_by_itself(browser: Browser) -> None:
    stage = Stage(browser, HOLDEM, reduced_motion=True, frozen_clock=True)
    deadman = stage.page.locator(".deadman")
    stage.page.clock.pause_at(datetime.now(UTC).timestamp() * 1000 + 1000)
    stage.page.wait_for_timeout(6500)
    assert deadman.evaluate("one => getComputedStyle(one).opacity") == "1"
    stage.close()


def test_a_screen_that_cannot_be_drawn_shows_no_half_of_it_and_starts_anew(show: Show) -> None:
    stage = show(HOLDEM, 12)
    stage.page.evaluate("sessionStorage.setItem('renewed_at', Date.now())")  # not again just yet
    whole = stage.snapshot()
    stage.tell({**whole, "state": {**whole["state"], "seats": [None]}})
    expect(stage.page.locator(".deadman.broken")).to_contain_text("Do not pay")
    assert stage.page.locator(".table").count() == 0
    stage.page.evaluate("sessionStorage.removeItem('renewed_at')")
    expect(stage.page.locator(".table")).to_be_visible()


def test_a_screen_whose_script_does_not_load_says_so(browser: Browser) -> None:
    stage = Stage(browser, HOLDEM, missing="/static/tables/ring.js")
    deadman = stage.page.locator(".deadman")
    expect(deadman).to_have_css("opacity", "1", timeout=8000)
    expect(deadman).to_contain_text("do not pay from it")
    stage.close()


def test_a_void_hand_fills_the_screen_with_it(show: Show) -> None:
    stage = show(HOLDEM, 10)
    voided = {"type": "hand_voided", "public": {"hand_id": 9071, "reason": "Misdeal"}}
    at = stamp(datetime.now(UTC))
    stage.tell(
        {"type": "events", "seq": stage.seq + 1, "prev": stage.seq, "at": at, "events": [voided]}
    )
    expect(stage.page.locator(".voided")).to_contain_text("Hand void")
    expect(stage.page.locator(".voided")).to_contain_text("Misdeal")


def test_a_screen_reader_hears_the_moment(show: Show) -> None:
    stage = show(THREE_CARD, 5)
    status = stage.page.get_by_role("status")
    expect(status).to_have_text("Place your bets")
    stage.play(11, ago_s=0)
    expect(status).to_have_text("Spot 6: Take 100")
    expect(stage.page.get_by_role("img", name="Queen of spades")).to_be_visible()
    unnamed = stage.page.locator("[role=img]:not([aria-label])")
    expect(unnamed).to_have_count(0)


def test_polish_reads_polish(show: Show) -> None:
    stage = show(THREE_CARD, 11, language="pl", ago_s=0)
    expect(stage.page.locator("html")).to_have_attribute("lang", "pl")
    expect(stage.page.locator(".money")).to_contain_text("rozliczono 0 z 3")
    expect(seat(stage, 2)).to_contain_text("Kolor do waleta")
    expect(stage.page.get_by_role("img", name="dama pik")).to_be_visible()


def test_in_both_languages_a_seat_says_its_words_in_each(show: Show) -> None:
    stage = show(HOLDEM, 9, language="both")
    expect(seat(stage, 3)).to_contain_text("bets stawia")
    expect(seat(stage, 5)).to_contain_text("to act decyduje")
    expect(stage.page.locator(".hub .owe .second").last).to_have_text("przebicie do")
    stage.play(17)
    expect(seat(stage, 5)).to_contain_text("Ful: dwójki na siódemkach")


def test_the_placard_tells_every_paytable_in_force(show: Show) -> None:
    stage = show("", 16, record=every_spot())
    expect(stage.page.locator(".placard")).to_contain_text("Primethree of a colour 3")


def test_a_challenge_shows_the_dice_and_the_ones_that_count(show: Show) -> None:
    stage = show(DICE, 3)
    expect(stage.page.locator(".bid")).to_contain_text("4")
    expect(stage.page.locator(".bid")).to_contain_text("bid of seat 3")
    assert stage.page.locator(".seat .die:not(.under)").count() == 0
    stage.play(4)
    expect(stage.page.locator(".reveal")).to_contain_text("The bid is true")
    expect(stage.page.locator(".reveal")).to_contain_text("Seat 1 loses")
    assert stage.page.locator(".seat .die.up").count() == 5  # three sixes and two ones


def test_an_empty_table_waits_for_players(show: Show) -> None:
    def nobody(record: dict[str, Any]) -> None:
        record["snapshot"]["seats"] = []

    stage = show(HOLDEM, change=nobody)
    expect(stage.page.locator(".hub")).to_contain_text("Waiting for players")
    expect(stage.page.locator(".hub")).to_contain_text("0 of 6 seats taken")


def test_the_last_results_are_asked_for_and_told_between_hands(show: Show) -> None:
    """With the browser's own timers: those of a frozen clock may be called by anybody."""
    record = between_hands()
    stage = show("", record=record, figures=record["figures"])
    expect(stage.page.locator("#display")).to_contain_text("12,344")
    assert stage.errors == []
