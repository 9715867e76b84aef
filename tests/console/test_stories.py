"""A gaming day at the console as those who run it live it, in a browser, from the door to the log.

One long story: what each does stands on what the others did before, and the auditor reads all of it
back at its end. Everybody signs in by the form, and types his password where it is asked for.
"""

import csv
import re
from collections.abc import Callable, Iterator
from datetime import date, time
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from casino.console.models import Job
from casino.console.tasks import console_job
from casino.core.models import LogEntry, Role, User
from tables.models import Hand, Paytable, Table
from tables.services import dealing
from tests.cast import Person, deal, holdem_table, person, settle, three_card_table
from tests.console.cast import staff
from tests.console.test_in_browser import beside_playwright  # noqa: F401 - the fixture
from tests.tables.dealing_cast import played_out, run_out
from tests.web.conftest import browser  # noqa: F401 - the fixture
from wallets.gaming_day import gaming_day
from wallets.models import HousePolicy, Transfer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser, pytest.mark.slow]
PASSWORD = "a long one 123"
SignIn = Callable[[Role, str], Page]


@pytest.fixture
def sign_in(live_server: LiveServer, browser: Browser) -> Iterator[SignIn]:  # noqa: F811
    """A browser of his own for each person; what a page complains of fails the story."""
    complaints: list[str] = []
    contexts = []

    def signed_in(role: Role, name: str) -> Page:
        user = staff(role, name)
        user.set_password(PASSWORD)
        user.save()
        context = browser.new_context(base_url=live_server.url, accept_downloads=True)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else 0)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto("/admin/")
        page.locator("input[name=username]").fill(user.username)
        page.locator("input[name=password]").fill(PASSWORD)
        page.locator("button[type=submit]").first.click()
        page.wait_for_url(re.compile("/admin/(?!login)"))
        return page

    yield signed_in
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def day() -> Iterator[date]:
    """A gaming day that can be ended: it began at the last second of the day before."""
    stood = HousePolicy.objects.get().gaming_day_starts
    HousePolicy.objects.update(gaming_day_starts=time(23, 59, 59))
    yield gaming_day(timezone.now())
    HousePolicy.objects.update(gaming_day_starts=stood)


def done(page: Page, words: str | re.Pattern[str]) -> None:
    """The page says that it was done."""
    expect(page.get_by_text(words).first).to_be_visible()


def asked(page: Page, link: str | re.Pattern[str], within: Locator | None = None) -> Locator:
    """Press a button that asks before it does anything; the dialog."""
    (within or page.locator(".console")).get_by_role("link", name=link).first.click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    return dialog


def confirmed(page: Page, dialog: Locator, button: str) -> None:
    """Type the password where it is asked for, and do it."""
    password = dialog.get_by_label("Your password, once more")
    if password.count():
        password.fill(PASSWORD)
    with page.expect_navigation():
        dialog.get_by_role("button", name=button, exact=True).click()


def agreed(page: Page, request: str) -> None:
    """The second person finds the request in his inbox, reads it and agrees."""
    page.goto("/admin/approvals/")
    page.get_by_role("link", name=request).click()
    expect(page.get_by_role("heading", name="What it would do")).to_be_visible()
    confirmed(page, asked(page, "Agree"), "Agree, and do it")
    done(page, "Agreed to, and done.")


def ante(cards: Table, who: Person) -> None:
    turn = who.sees(cards)["hand"]["turn"]["turn_id"]
    bet = {"name": "bet", "wagers": {"ante": 1_000, "pair_plus": 500}}
    assert who.client.act(cards, turn, bet).status_code == 200


def test_a_day_from_the_first_table_to_the_auditors_last_look(
    sign_in: SignIn, day: date, tmp_path: Path
) -> None:
    holdem_table("Amber")
    cards = three_card_table("Opal")
    ann, bob = person("Ann", cash_minor=0), person("Bob")

    # The pit manager keeps a table's kind as a template and opens another one from it.
    max_ = sign_in(Role.PIT_MANAGER, "Max")
    max_.goto("/admin/tables/")
    dialog = asked(max_, "Template", max_.get_by_role("row", name=re.compile("Amber")))
    dialog.get_by_label("Name").fill("No limit 0.50/1")
    confirmed(max_, dialog, "Keep it")
    dialog = asked(max_, "Open a table", max_.get_by_role("row", name=re.compile("No limit")))
    dialog.get_by_label("Name").fill("Birch")
    confirmed(max_, dialog, "Open it now")
    done(max_, "Birch is open.")
    birch = Table.objects.get(name="Birch")

    # The cage pays a player in; he and another sit down.
    cora = sign_in(Role.CAGE, "Cora")
    cora.goto("/admin/cage/?q=Ann")
    dialog = asked(cora, "Pay in EUR")
    dialog.get_by_label("Amount, EUR").fill("500")
    dialog.get_by_label("Reference or reason").fill("banknotes")
    confirmed(cora, dialog, "Pay in")
    expect(cora.get_by_role("row", name=re.compile("banknotes"))).to_contain_text("500.00")
    for who in (ann, bob):
        who.sits(birch)

    # He watches a hand from the pit: only what the table shows while it runs, then every step.
    max_.goto("/admin/pit/")
    hand = deal(birch)
    tile = max_.locator(f"#tile-{birch.pk}")
    expect(tile).to_contain_text("to act", timeout=10_000)
    tile.get_by_role("link", name="Hand 1").click()
    done(max_, "The hand is in play: only what the table shows.")
    played_out(birch)
    max_.reload()
    expect(max_.get_by_role("heading", name="What it moved")).to_be_visible()
    max_.get_by_role("button", name="First", exact=True).click()
    max_.get_by_role("button", name="On", exact=True).click()

    # Nothing further is dealt at a table that is paused by its key.
    max_.goto("/admin/pit/")
    tile.focus()
    max_.keyboard.press("p")
    confirmed(max_, max_.get_by_role("dialog"), "Pause")
    expect(tile.locator(".badge")).to_have_text(re.compile("paused", re.I))
    assert dealing.hand_open(table_id=birch.pk, number=2) is None

    _paytable_between_rounds(sign_in, cards)
    _wallet_by_two(sign_in, cora, ann)

    # The floor has a settled hand undone; the pit manager agrees; its page shows what went back.
    fay = sign_in(Role.FLOOR, "Fay")
    fay.goto(f"/admin/hands/{hand.pk}/")
    dialog = asked(fay, "Undo, by two people")
    expect(dialog).to_contain_text("Ann")
    dialog.get_by_label("Reason").fill("The board was dealt from the wrong stub")
    confirmed(fay, dialog, "Ask a second person")
    agreed(max_, "Undo a settled hand")
    fay.goto(f"/admin/hands/{hand.pk}/")
    done(fay, "Undone")
    expect(fay.get_by_role("heading", name=re.compile("reversal", re.I))).to_be_visible()
    assert Transfer.objects.filter(hand_id=hand.pk, kind="reversal").count() == 1

    # She excludes a player in mid-hand: it is played to its end, and the next one is without him.
    max_.goto("/admin/pit/")
    tile.focus()
    max_.keyboard.press("o")
    confirmed(max_, max_.get_by_role("dialog"), "Open")
    second = deal(birch)
    fay.goto(f"/admin/players/{bob.user.pk}/")
    dialog = asked(fay, "Exclude")
    dialog.get_by_label("Reason").fill("asked for it at the table")
    confirmed(fay, dialog, "Exclude now")
    done(fay, "Excluded until lifted")
    assert bob.sees(birch)["you"]["dealt_as"] is not None
    settle(birch, run_out(birch))
    second.refresh_from_db()
    assert (second.status, len(second.seats)) == ("settled", 2)
    assert dealing.hand_open(table_id=birch.pk, number=3) is None

    exported = _day_closed(sign_in, day, tmp_path)
    assert {row[0] for row in exported} >= {"Birch", "Opal"}
    _all_of_it_in_the_log(sign_in, day, ann.user, hand)


def _paytable_between_rounds(sign_in: SignIn, cards: Table) -> None:
    """A mathematician edits, another agrees while a round runs; the next one is paid by it."""
    cid = person("Cid")
    cid.sits(cards)
    running = deal(cards)
    ante(cards, cid)
    old = cards.paytable
    assert old is not None
    mat = sign_in(Role.GAME_MATHS, "Mat")
    mat.goto(f"/admin/paytables/{old.pk}/")
    mat.get_by_role("button", name="New draft from this").click()
    mat.get_by_label("Pair Plus: flush pays, to 1").fill("3")
    wager = mat.locator('[data-wager="pair_plus"]')
    expect(wager.locator('[data-figure="returned"]')).to_have_text("92.7240")
    mat.get_by_label("Note for the other person").fill("as upstairs")
    mat.get_by_label("Opal").check()
    mat.get_by_role("button", name="Send for approval").click()
    done(mat, re.compile("Priced and sent on, as request"))
    agreed(sign_in(Role.GAME_MATHS, "Mia"), "Put a paytable in force")
    settle(cards, run_out(cards))
    running.refresh_from_db()
    assert running.paytable_id == old.pk
    following = deal(cards)
    ante(cards, cid)
    settle(cards, run_out(cards))
    assert following.paytable_id != old.pk
    pays = Paytable.objects.get(pk=following.paytable_id).content["paytables"]
    assert pays["pair_plus"]["flush"] == 3
    mat.goto(f"/admin/paytables/{following.paytable_id}/")
    done(mat, re.compile("Mia, "))


def _wallet_by_two(sign_in: SignIn, cora: Page, ann: Person) -> None:
    """The cage asks for a correction, finance agrees; nobody agrees to his own."""
    had = ann.cash_minor()
    cora.goto(f"/admin/players/{ann.user.pk}/")
    dialog = asked(cora, "Correct EUR")
    dialog.get_by_label("Amount, EUR").fill("12.50")
    dialog.get_by_role("textbox", name="Note").fill("short by a chip")
    confirmed(cora, dialog, "Ask a second person")
    done(cora, re.compile("Asked for, as request"))
    assert ann.cash_minor() == had
    cora.goto("/admin/approvals/?tab=mine")
    cora.get_by_role("link", name="Correct a balance").click()
    done(cora, "You asked for this: another person decides.")
    expect(cora.get_by_role("link", name="Agree")).to_have_count(0)
    agreed(sign_in(Role.FINANCE, "Fred"), "Correct a balance")
    assert ann.cash_minor() == had + 1_250


def a_worker_comes() -> None:
    """The last long work is done, as its page sees."""
    console_job(Job.objects.latest("pk").pk)


def _day_closed(sign_in: SignIn, day: date, folder: Path) -> list[list[str]]:
    """Finance counts, closes and exports the day that has just ended; the rows of the file."""
    HousePolicy.objects.update(gaming_day_starts=timezone.now().time().replace(microsecond=0))
    finn = sign_in(Role.FINANCE, "Finn")
    finn.goto(f"/admin/close/?day={day}")
    finn.get_by_role("button", name="Count and compare now").click()
    a_worker_comes()
    expect(finn.locator(".checks .is-due")).to_have_count(0)
    confirmed(finn, asked(finn, "Close the day"), "Close the day")
    done(finn, f"Gaming day {day} is being closed.")
    a_worker_comes()
    expect(finn.get_by_text("snapshot")).to_be_visible()
    finn.goto(f"/admin/reports/?begins={day}&ends={day}&by=table&demo=on")
    with finn.expect_download() as download:
        finn.get_by_role("button", name="CSV").click()
    file = folder / "day.csv"
    download.value.save_as(file)
    return list(csv.reader(file.read_text(encoding="utf-8-sig").splitlines()))


def _all_of_it_in_the_log(sign_in: SignIn, day: date, ann: User, hand: Hand) -> None:
    """Surveillance finds every deed, who did it and why, and takes it away as a file."""
    sue = sign_in(Role.SURVEILLANCE, "Sue")
    told = (
        ("table.opened", "Max", ""), ("template.saved", "Max", ""), ("table.paused", "Max", ""),
        ("paytable.in_force", "Mia", ""), ("approval.asked", "Cora", "short by a chip"),
        ("approval.approved", "Fred", "short by a chip"),
        ("hand.reversed", "Max", "wrong stub"), ("limits.changed", "Fay", "asked for it"),
        ("day.closed", "Finn", ""), ("report.exported", "Finn", ""), ("user.viewed", "Cora", ""),
    )  # fmt: skip
    for kind, who, why in told:
        sue.goto(f"/admin/audit/?kind={kind}&actor={who}")
        row = sue.get_by_role("row", name=re.compile(who)).first
        expect(row).to_contain_text(who)
        if why:
            expect(row).to_contain_text(why)
    sue.goto(f"/admin/audit/?subject=user:{ann.pk}")
    expect(sue.get_by_role("row", name=re.compile("Cora")).first).to_be_visible()
    with sue.expect_download() as download:
        sue.get_by_role("button", name="CSV").click()
    assert "user.viewed" in Path(download.value.path()).read_text(encoding="utf-8-sig")
    refused = sue.request.get(f"/admin/hands/{hand.pk}/undo/")
    assert refused.status == 403  # who looks on changes nothing
    assert LogEntry.objects.filter(kind="report.exported").count() >= 2
