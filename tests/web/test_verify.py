"""The page that checks proofs: in a real browser, the same verdicts as the stand-alone verifier."""

from __future__ import annotations

import json
import mimetypes
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.template import Context, Engine
from django.test import Client
from playwright.sync_api import Browser, Page, Route, expect

from tests.engine.fairness.test_vectors import PAGE as DOCUMENT
from tests.proof.cheats import (
    CHEATS,
    duplicate_card,
    receipt_missing_from_the_list,
    swapped_card,
)
from tests.proof.house import HONEST, House, listed
from tests.proof.vectors import bundle_of_vectors
from tests.proof.verifier import FILE, verifier
from tests.web.stage import POLICY, WEB
from tests.web.test_play import SMALL, UNNAMED, WIDER

PLAIN, SECURE = "http://house.test", "https://house.test"
# A bundle is checked in this time at K = 4 and ten seats; signatures without the browser's own
# cryptography are arithmetic on large numbers, and are counted apart.
CHECKED_MS = 20.0
JUDGE = """async (rows) => {
  const { verify, verifyTogether } = await import("/static/tables/verify/check.js");
  const plain = ({ checked, problems }) => ({ checked, problems });
  const found = [];
  let by = "";
  for (const { key, bundles } of rows) {
    const reports = [];
    for (const bundle of bundles) {
      const report = await verify(bundle, key);
      by ||= report.by;
      reports.push(report);
    }
    if (bundles.length > 1) reports.push(await verifyTogether(bundles));
    found.push(reports.map(plain));
  }
  return { by, found };
}"""
TIMED = """async ([bundle, rounds]) => {
  const { verify } = await import("/static/tables/verify/check.js");
  const rest = [];
  const signatures = [];
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now();
    const report = await verify(bundle);
    signatures.push(report.signatures_ms);
    rest.push(performance.now() - began - report.signatures_ms);
  }
  // The quickest: what is measured is this page, and not who else uses the processor.
  return { rest: Math.min(...rest), signatures: Math.min(...signatures) };
}"""


def page_html(language: str) -> str:
    engine = Engine(
        dirs=[str(WEB / "templates")], libraries={"static": "tests.web.plain_static"}
    )  # fmt: skip
    config = {"language": language, "python": "/verify/verify_hand.py", "document": "/verify/f.md"}
    return engine.get_template("tables/verify.html").render(Context({"config": config}))


class Visit:
    """One visit to the page, at a house that answers nothing but its files and one hand."""

    def __init__(
        self, browser: Browser, origin: str = PLAIN, *, language: str = "en", search: str = "",
        proof: dict[str, Any] | None = None, width: int = 390,
    ) -> None:  # fmt: skip
        self.origin, self.language, self.proof = origin, language, proof
        self.errors: list[str] = []
        self.context = browser.new_context(viewport={"width": width, "height": 844})
        if proof is not None:
            self.context.add_init_script('sessionStorage.setItem("croupier.token", "\\"token\\"")')
        self.page: Page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self.listen)
        self.page.route("**/*", self.serve)
        self.page.goto(f"{origin}/verify/{search}")
        expect(self.page.locator("h1")).to_be_visible()

    def listen(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.errors.append(message.text)

    def serve(self, route: Route) -> None:
        path = route.request.url.removeprefix(self.origin).split("?")[0]
        if path == "/verify/":
            route.fulfill(
                body=page_html(self.language),
                content_type="text/html; charset=utf-8",
                headers={"Content-Security-Policy": POLICY},
            )
        elif path.startswith("/static/") and (WEB / path[1:]).is_file():
            route.fulfill(path=WEB / path[1:], content_type=mimetypes.guess_type(path)[0])
        elif path == "/api/v1/hands":
            hand = {
                "id": 1001, "number": 7, "table": {"name": "Table 7"},
                "started_at": "2026-01-15T20:00:00Z",
            }  # fmt: skip
            route.fulfill(json={"hands": [hand], "next": None})
        elif path == "/api/v1/hands/1001/proof":
            route.fulfill(json=self.proof)
        else:
            route.fulfill(status=404)

    def check(self, *texts: str) -> None:
        """By keyboard alone: the text goes in, and Enter on the button sends it."""
        self.page.get_by_label("Or paste a proof here").fill(texts[0])
        self.page.get_by_role("button", name="Check", exact=True).press("Enter")


@pytest.fixture
def visits(browser: Browser) -> Iterator[Any]:
    made: list[Visit] = []

    def visit(*args: Any, **facts: Any) -> Visit:
        made.append(Visit(browser, *args, **facts))
        return made[-1]

    yield visit
    for one in made:
        assert one.errors == []
        one.context.close()


def rows() -> list[dict[str, Any]]:
    """Every honest hand and every cheat, as bundles."""
    found = []
    for name in HONEST:
        house = House()
        found.append({"key": house.public_key, "bundles": [getattr(house, name)()]})
    house = House()
    one_by_one = house.ring_hand()
    house.sign_each(one_by_one)
    found.append({"key": house.public_key, "bundles": [one_by_one]})
    house = House()
    found.append({"key": "00" * 32, "bundles": [house.ring_hand(), house.draw_hand()]})
    found.append({"key": "", "bundles": [bundle_of_vectors()]})
    found.append({"key": "", "bundles": [House().alone("house"), {"format": 7}][:1]})
    found.append({"key": "", "bundles": [{**House().ring_hand(), "table": "7", "cuts": [[]]}]})
    found += [{"key": "", "bundles": cheat(House())} for cheat in CHEATS]
    return found


def by_python(row: dict[str, Any]) -> list[dict[str, Any]]:
    reports = [verifier.verify(bundle, row["key"]) for bundle in row["bundles"]]
    if len(reports) > 1:
        reports.append(verifier.verify_together(row["bundles"]))
    told = [report.to_json() for report in reports]
    return [{"checked": one["checked"], "problems": one["problems"]} for one in told]


@pytest.mark.browser
@pytest.mark.parametrize(("origin", "by"), [(PLAIN, "page"), (SECURE, "browser")])
def test_the_browser_finds_what_the_stand_alone_verifier_finds(
    visits: Any, origin: str, by: str
) -> None:
    """Without TLS the page has no cryptography but its own; with it, the browser's."""
    every = rows()
    found = visits(origin).page.evaluate(JUDGE, every)
    assert found["by"] == by
    for row, reports in zip(every, found["found"], strict=True):
        assert reports == by_python(row)


@pytest.mark.browser
def test_ten_seats_and_four_decks_are_checked_before_anybody_notices(visits: Any) -> None:
    bundle = House().whole_showdown()
    assert len(json.dumps(bundle)) < 50_000
    took = visits(SECURE).page.evaluate(TIMED, [bundle, 60])
    assert took["rest"] + took["signatures"] < CHECKED_MS
    assert visits(PLAIN).page.evaluate(TIMED, [bundle, 60])["rest"] < CHECKED_MS


@pytest.mark.browser
def test_a_pasted_proof_is_explained_step_by_step(visits: Any) -> None:
    visit = visits()
    visit.check(json.dumps(House().ring_hand()))
    page = visit.page
    expect(page.locator("h2", has_text="Everything holds")).to_be_visible()
    expect(page.locator(".check.holds")).to_have_count(11)
    expect(page.locator(".check.none")).to_have_count(3)
    expect(page.get_by_text("Not compared")).to_be_visible()
    expect(page.get_by_role("row")).to_have_count(12)
    expect(page.locator(".answer")).to_be_focused()
    expect(page.locator("ol.checks h3").nth(2)).to_have_text("holds Signatures")


@pytest.mark.browser
def test_a_false_proof_is_told_as_such_and_where(visits: Any) -> None:
    visit = visits(language="pl")
    page = visit.page
    page.get_by_label("Albo wklej dowód tutaj").fill(json.dumps(duplicate_card(House())[0]))
    page.get_by_role("button", name="Sprawdź").click()
    expect(page.locator("h2")).to_contain_text("2 rzeczy się nie zgadzają")
    expect(page.locator(".check.wrong h3")).to_have_text("nie zgadza się Pozostałe talie")
    expect(page.locator(".problems li").first).to_contain_text("jakaś karta jest dwa razy")
    page.get_by_role("button", name="English").click()
    expect(page.locator(".problems li").first).to_contain_text("has a card twice")


@pytest.mark.browser
def test_files_are_checked_one_by_one_and_together(visits: Any, tmp_path: Path) -> None:
    house = House()
    names = []
    hands = [house.ring_hand(), house.ring_hand(), house.ring_hand()]
    for number, bundle in enumerate([*hands, listed(hands[1])]):
        names.append(tmp_path / f"{number}.json")
        names[-1].write_text(json.dumps(bundle))
    visit = visits()
    page = visit.page
    page.get_by_label("Files with proofs").set_input_files([names[0], names[2]])
    page.get_by_label("The house's key").fill(house.public_key)
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator(".result.holds")).to_have_count(2)
    expect(page.locator(".result.wrong h2")).to_contain_text("All of them together")
    expect(page.locator(".problems li")).to_have_text([f"root {n} is missing" for n in range(5, 9)])
    page.get_by_label("Files with proofs").set_input_files([names[0], names[2], names[3]])
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator(".result.holds")).to_have_count(3)
    page.get_by_label("Files with proofs").set_input_files(names[:3])
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator(".result.holds")).to_have_count(4)
    assert page.locator(".result.wrong").count() == 0


@pytest.mark.browser
def test_one_of_ones_own_hands_is_fetched_and_checked(visits: Any) -> None:
    proof = swapped_card(House())[0]
    visit = visits(search="?hand=1001", proof=proof)
    expect(visit.page.locator(".problems li").first).to_contain_text("not the one committed to")
    chosen = visit.page.get_by_label("One of your hands")
    expect(chosen).to_have_value("1001")
    assert "Hand 7 at Table 7" in chosen.inner_text()


@pytest.mark.browser
def test_a_proof_of_nothing_says_that_it_proves_nothing(visits: Any) -> None:
    visit = visits()
    visit.check(json.dumps(House().round_without_bets()))
    expect(visit.page.locator(".result.holds .undealt")).to_contain_text("nothing is proven")
    visit.check(json.dumps(House().dealt_round()))
    expect(visit.page.locator(".result.holds")).to_be_visible()
    expect(visit.page.locator(".undealt")).to_have_count(0)


@pytest.mark.browser
def test_a_receipt_that_the_house_leaves_out_is_kept_by_the_browser_itself(visits: Any) -> None:
    house = House()
    honest = house.ring_hand()
    (bundle,) = receipt_missing_from_the_list(House())
    (kept,) = bundle["receipts"]
    bundle["receipts"] = []
    visit = visits()
    keep = "([table, one]) => import('/static/tables/verify/receipts.js')"
    keep += ".then(({ keepReceipt }) => keepReceipt(table, one))"
    visit.page.evaluate(keep, [bundle["table"], {**kept, "signature": "00" * 64}])
    visit.check(json.dumps(honest))
    expect(visit.page.locator(".result.holds")).to_be_visible()
    visit.page.evaluate(keep, [bundle["table"], kept])
    visit.check(json.dumps(bundle))
    expect(visit.page.locator(".problems li")).to_have_text(
        "cut 1: your receipt is not on the list"
    )
    expect(visit.page.get_by_text("1 receipt that this browser kept")).to_be_visible()


@pytest.mark.browser
@pytest.mark.parametrize("text", ["{", "[]", "null", '{"cuts": 5}', ""])
def test_nonsense_is_answered_in_words(visits: Any, text: str) -> None:
    visit = visits()
    visit.check(text)
    words = {"": "Choose a hand or a file", "{": "This is no JSON"}.get(text)
    if words:
        expect(visit.page.get_by_role("alert")).to_contain_text(words)
    else:
        expect(visit.page.locator(".problems li").first).to_contain_text("not as it has to be")


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 1280])
def test_everything_on_the_page_has_a_name_and_room(visits: Any, width: int) -> None:
    visit = visits(width=width)
    visit.check(json.dumps(House().whole_showdown()))
    expect(visit.page.locator(".result")).to_be_visible()
    assert visit.page.evaluate(UNNAMED) == []
    assert visit.page.evaluate(SMALL) == []
    assert visit.page.evaluate(WIDER) <= 0


@pytest.mark.django_db
def test_the_house_hands_out_the_page_the_verifier_and_what_it_was_written_from() -> None:
    client = Client()
    page = client.get("/verify/")
    assert page.status_code == 200
    assert "/verify/verify_hand.py" in page.content.decode()
    python = client.get("/verify/verify_hand.py")
    assert "attachment" in python.headers["Content-Disposition"]
    assert b"".join(python.streaming_content) == FILE.read_bytes()  # type: ignore[attr-defined]
    document = client.get("/verify/fairness.md")
    assert b"".join(document.streaming_content) == DOCUMENT.read_bytes()  # type: ignore[attr-defined]
