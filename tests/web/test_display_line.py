"""A display and its line: clocks that differ, a backlog, a restart, being shown out."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.web.stage import Stage, stamp

pytestmark = pytest.mark.browser
HOLDEM = "holdem_side_pots.json"
THREE_CARD = "three_card_poker.json"
REFUSED = "<!doctype html><title>Screen</title><h1>This screen was shown out</h1>"


@pytest.fixture
def stage(browser: Browser) -> Iterator[Stage]:
    opened = Stage(browser, HOLDEM)
    expect(opened.page.locator(".link")).to_contain_text("LIVE")
    yield opened
    opened.close()


@pytest.mark.parametrize("hours", [-26, 3])
def test_a_screen_whose_clock_is_wrong_counts_down_by_the_houses(
    browser: Browser, hours: int
) -> None:
    wrong = Stage(browser, HOLDEM, clock_ahead=timedelta(hours=hours))
    says = wrong.page.evaluate("Date.now()") / 1000 - datetime.now(UTC).timestamp()
    assert abs(says - hours * 3600) < 60
    wrong.play(9, ago_s=6)
    expect(wrong.page.locator(".dial b")).to_have_text("14")
    wrong.wait(3)
    expect(wrong.page.locator(".dial b")).to_have_text(re.compile("^1[01]$"))
    expect(wrong.page.locator(".link")).to_contain_text("LIVE")
    wrong.close()


def test_a_clock_that_jumps_while_the_screen_is_open_changes_nothing(stage: Stage) -> None:
    stage.play(9, ago_s=6)
    expect(stage.page.locator(".dial b")).to_have_text("14")
    stage.page.evaluate("(now => { Date.now = () => now() + 7_200_000; })(Date.now)")
    stage.wait(1)
    expect(stage.page.locator(".dial b")).to_have_text(re.compile("^1[23]$"))
    expect(stage.page.locator(".alarm")).to_have_count(0)


def test_a_network_that_falls_silent_is_noticed_though_its_socket_stays_open(stage: Stage) -> None:
    stage.play(12)
    stage.beating = False
    first = stage.sockets[-1]
    expect(stage.page.locator(".alarm")).to_contain_text("Do not pay", timeout=8000)
    stage.page.wait_for_timeout(3000)
    assert len(stage.sockets) > 1
    first.send('{"type": "heartbeat", "seq": 422, "server_time": "2030-01-01T00:00:00Z"}')
    stage.page.wait_for_timeout(300)
    expect(stage.page.locator(".alarm")).to_be_visible()  # what it still delivers counts no more


def test_a_backlog_after_a_freeze_is_passed_over_for_the_table_as_it_stands(stage: Stage) -> None:
    stage.play(3)
    stage.beating = False
    expect(stage.page.locator(".alarm")).to_be_visible(timeout=8000)
    stage.wait_until(lambda: len(stage.asked) > 1 and stage.asked[-1] == {"type": "subscribe"})
    late = stage.record["frames"][3:17]
    old = stamp(datetime.now(UTC) - timedelta(seconds=20))
    for frame in late:  # all that was written meanwhile, at once
        stage.tell({**frame, "at": old})
    stage.page.wait_for_timeout(400)
    expect(stage.page.locator(".alarm")).to_be_visible()
    assert stage.page.locator(".pot").count() == 0  # no showdown is told from old frames
    stage.seq = late[-1]["seq"]
    stage.beating = True
    stage.tell(stage.snapshot())
    stage.beat()
    expect(stage.page.locator(".alarm")).to_have_count(0)
    expect(stage.page.locator(".link.back")).to_have_text("Resynchronised")


def test_a_restart_of_the_house_costs_a_moment_and_no_frame(stage: Stage) -> None:
    stage.play(5)
    stage.sockets[-1].close(code=4503, reason="restarting")
    stage.wait_until(lambda: len(stage.sockets) > 1)
    assert stage.tickets == 1
    assert "ticket=later-1" in stage.addresses[-1]
    stage.wait_until(lambda: len(stage.asked) > 1)
    assert stage.asked[-1] == {"type": "subscribe", "from_seq": stage.seq}
    stage.play(12)
    expect(stage.page.locator("ul.stack li").first).to_contain_text("930")
    expect(stage.page.locator(".link")).to_contain_text("LIVE")


def test_a_screen_that_is_shown_out_shows_the_table_no_longer(stage: Stage) -> None:
    stage.play(12)
    stage.html, stage.admits = REFUSED, False
    stage.tell({"type": "reload", "why": "revoked"})
    expect(stage.page.locator("h1")).to_have_text("This screen was shown out")
    assert stage.page.locator(".table").count() == 0


def test_a_screen_that_was_shown_out_while_it_was_away_learns_it_by_its_ticket(
    stage: Stage,
) -> None:
    stage.play(12)
    stage.html, stage.admits = REFUSED, False
    stage.sockets[-1].close(code=4401, reason="display closed")
    expect(stage.page.locator("h1")).to_have_text("This screen was shown out", timeout=6000)


def test_a_newer_page_is_loaded_between_hands_and_not_before(browser: Browser) -> None:
    stage = Stage(browser, HOLDEM, build="one")
    stage.build = "two"
    stage.play(5)
    stage.sockets[-1].close(code=4503, reason="restarting")
    stage.wait_until(lambda: len(stage.sockets) > 1)
    stage.wait(1)
    loads: list[Any] = []
    stage.page.on("load", lambda page: loads.append(page))
    assert loads == []
    ended = [{"type": "hand_settled", "public": {"hand_id": 9071}}]
    stage.seq += 1
    frame = {"type": "events", "seq": stage.seq, "prev": stage.seq - 1, "events": ended}
    stage.tell({**frame, "at": stamp(datetime.now(UTC))})
    stage.wait_until(lambda: bool(loads))
    stage.close()
