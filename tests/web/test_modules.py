"""The screens' modules, tested where they are written: under Node, else in a browser."""

import json
import mimetypes
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Route

from tests.web.record import FIXTURES
from tests.web.stage import ROOT

MODULES = "tests/web/modules"
NODE = shutil.which("node")
RUNNER = """
import { allTests } from "/tests/web/modules/all.js";
const recordings = JSON.parse(document.getElementById("given").textContent);
const failed = [];
let count = 0;
for (const [module, tests] of Object.entries(allTests(recordings))) {
  for (const [name, run] of Object.entries(tests)) {
    count += 1;
    try { await run(); } catch (error) { failed.push(`${module}: ${name}: ${error.message}`); }
  }
}
document.getElementById("result").textContent = JSON.stringify({ count, failed });
"""


@pytest.mark.skipif(NODE is None, reason="no Node here; the browser runs the same tests")
def test_every_module_does_what_its_tests_say() -> None:
    assert NODE
    done = subprocess.run(
        [NODE, "--test", f"{MODULES}/node.test.js"],
        cwd=ROOT, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]


@pytest.mark.browser
@pytest.mark.skipif(NODE is not None, reason="Node has run them")
def test_every_module_does_what_its_tests_say_in_a_browser(browser: Browser) -> None:
    recordings = {path.name: json.loads(path.read_text()) for path in FIXTURES.glob("*.json")}
    result = run_in(browser, RUNNER, recordings)
    assert result["count"] > 40
    assert result["failed"] == []


def run_in(browser: Browser, script: str, given: Any) -> dict[str, Any]:
    """What a module script makes of `given`, in a page of its own."""
    data = json.dumps(given).replace("<", "\\u003c")
    page_html = (
        f'<p id="result"></p><script type="application/json" id="given">{data}</script>'
        "<script type=module src=/run.js></script>"
    )

    def serve(route: Route) -> None:
        path = route.request.url.removeprefix("http://modules.test")
        if path == "/":
            route.fulfill(body=page_html, content_type="text/html; charset=utf-8")
        elif path == "/run.js":
            route.fulfill(body=script, content_type="text/javascript")
        else:
            file = Path(ROOT / path[1:])
            route.fulfill(path=file, content_type=mimetypes.guess_type(file.name)[0])

    page = browser.new_page()
    page.route("**/*", serve)
    page.goto("http://modules.test/")
    found = page.locator("#result:not(:empty)").text_content(timeout=60_000)
    page.close()
    return json.loads(found or "{}")  # type: ignore[no-any-return]
