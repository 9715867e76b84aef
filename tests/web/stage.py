"""A dealer display in a browser, fed with a recorded hand through a fake WebSocket."""

from __future__ import annotations

import copy
import json
import mimetypes
import shutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from django.template import Context, Engine
from playwright.sync_api import Browser, BrowserContext, Page, Route, WebSocketRoute

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "tables" / "web"
FIXTURES = Path(__file__).parent / "fixtures"
ORIGIN = "http://house.test"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'"
)
CHROMIUM_FOUND = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
CHROMIUM: dict[str, Any] = {
    "executable_path": CHROMIUM_FOUND,
    "args": [
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
        # Pages of the address bar, drawn by nobody: two for every page that a test opens, and
        # half of what opening it costs.
        "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup",
    ],
}
TIMES = ("at", "deadline", "server_time")


def recording(name: str) -> dict[str, Any]:
    return json.loads((FIXTURES / name).read_text())  # type: ignore[no-any-return]


def moved(value: Any, by: timedelta) -> Any:
    """A recording with every time in it moved, so that it plays now."""
    if isinstance(value, list):
        return [moved(one, by) for one in value]
    if isinstance(value, dict):
        return {
            key: stamp(datetime.fromisoformat(one) + by)
            if key in TIMES and isinstance(one, str)
            else moved(one, by)
            for key, one in value.items()
        }
    return value


def stamp(time: datetime) -> str:
    return time.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def page_html(
    snapshot: dict[str, Any], language: str = "en", metres: float = 2, **more: Any
) -> str:
    engine = Engine(
        dirs=[str(WEB / "templates")],
        libraries={
            "static": "tests.web.plain_static",
            "l10n": "django.templatetags.l10n",
        },
    )
    config = {
        "table_id": snapshot["table"]["id"],
        "socket_path": "/ws/v1/tables/7",
        "ticket": "first",
        "ticket_url": "/display/7/ticket",
        "language": language,
        **more,
    }
    facts = {"snapshot": snapshot, "config": config, "metres": metres, "density": 1}
    return engine.get_template("tables/display.html").render(Context(facts))


class Stage:
    """One display and the server it believes in."""

    def __init__(
        self,
        browser: Browser,
        name: str,
        *,
        size: tuple[int, int] = (1920, 1080),
        language: str = "en",
        reduced_motion: bool = False,
        frozen_clock: bool = False,
        missing: str = "",
        change: Any = None,
        record: dict[str, Any] | None = None,
        still: bool = False,
        figures: dict[str, Any] | None = None,
        clock_ahead: timedelta = timedelta(0),
        **config: Any,
    ) -> None:
        """record: a hand that is not among the fixtures. still: no glow, for pictures. figures:
        what the house tells of the table's last hands; None where it tells nothing.
        clock_ahead: of the screen's own clock."""
        self.figures = figures
        if figures is not None:
            config["figures_url"] = "/display/7/figures"
        record = copy.deepcopy(record) if record is not None else recording(name)
        if change:
            change(record)
        first = datetime.fromisoformat(record["snapshot"]["server_time"])
        self.record = moved(record, datetime.now(UTC) - first)
        self.seq = self.record["snapshot"]["seq"]
        self.sent: list[dict[str, Any]] = []
        self.asked: list[dict[str, Any]] = []
        self.sockets: list[WebSocketRoute] = []
        self.addresses: list[str] = []
        self.tickets = 0
        self.errors: list[str] = []
        self.missing = missing
        self.beating = True
        self.admits = True
        self.build: str | None = config.get("build")
        self.shows: dict[str, Any] | None = None
        self.context: BrowserContext = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            reduced_motion="reduce" if reduced_motion or still else "no-preference",
        )
        self.page: Page = self.context.new_page()
        if frozen_clock:
            self.page.clock.install()
        if clock_ahead:
            ahead_ms = clock_ahead.total_seconds() * 1000
            self.page.add_init_script(
                "{ const now = Date.now.bind(Date); const Clock = Date;"
                f" Date.now = () => now() + {ahead_ms};"
                " globalThis.Date = new Proxy(Clock, {construct: (made, given) =>"
                " new made(...(given.length ? given : [Date.now()]))}); }"
            )
        self.page.on("console", self.listen)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.html = page_html(self.record["snapshot"], language, **config)
        self.page.route(f"{ORIGIN}/**", self.serve)
        self.page.route_web_socket("**/ws/v1/tables/*", self.connect)
        self.page.goto(f"{ORIGIN}/display/7")

    def listen(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.errors.append(message.text)

    def serve(self, route: Route) -> None:
        path = route.request.url.removeprefix(ORIGIN).split("?")[0]
        if path == "/display/7":
            route.fulfill(
                body=self.html,
                content_type="text/html; charset=utf-8",
                headers={"Content-Security-Policy": POLICY},
            )
        elif path == "/display/7/ticket" and route.request.method == "POST":
            if not self.admits:
                route.fulfill(status=403, json={"code": "device_invalid"})
                return
            self.tickets += 1
            route.fulfill(json={"ticket": f"later-{self.tickets}"})
        elif path == "/display/deeds":
            route.fulfill(json={"dealers": [{"id": 1, "name": "Dora"}, {"id": 2, "name": "Edek"}]})
        elif path == "/display/7/figures":
            route.fulfill(json=self.figures)
        elif path.startswith("/static/") and path != self.missing and (WEB / path[1:]).is_file():
            route.fulfill(path=WEB / path[1:], content_type=mimetypes.guess_type(path)[0])
        else:
            route.fulfill(status=404)

    def connect(self, socket: WebSocketRoute) -> None:
        self.sockets.append(socket)
        self.addresses.append(socket.url)
        socket.on_message(lambda text: self.answer(socket, json.loads(str(text))))
        self.tell(
            {
                "type": "hello",
                "server_time": stamp(datetime.now(UTC)),
                "heartbeat_ms": 1000,
                "you": {"seat": None, "role": "display"},
                "last_seq": self.seq,
                **({} if self.build is None else {"build": self.build}),
            }
        )

    def answer(self, socket: WebSocketRoute, frame: dict[str, Any]) -> None:
        self.asked.append(frame)
        if not self.beating or frame["type"] != "subscribe":
            return
        if "from_seq" not in frame:
            self.tell(self.snapshot())
            return
        for one in self.sent:
            if one["seq"] > frame["from_seq"]:
                self.tell(one)
        self.beat()

    def snapshot(self) -> dict[str, Any]:
        state = copy.deepcopy(self.record["snapshot"])
        state.update(seq=self.seq, server_time=stamp(datetime.now(UTC)))
        return {"type": "snapshot", "seq": self.seq, "state": state}

    def tell(self, frame: dict[str, Any]) -> None:
        self.sockets[-1].send(json.dumps(frame))

    def beat(self) -> None:
        now = stamp(datetime.now(UTC))
        self.tell({"type": "heartbeat", "seq": self.seq, "server_time": now})

    def play(self, upto: int, *, ago_s: float = 0.2) -> None:
        """Send the frames before `upto` as though the last was written `ago_s` ago."""
        frames = self.record["frames"][len(self.sent) : upto]
        if not frames:
            return
        last = datetime.fromisoformat(frames[-1]["at"])
        by = datetime.now(UTC) - timedelta(seconds=ago_s) - last
        for frame in moved(frames, by):
            self.sent.append(frame)
            self.seq = frame["seq"]
            self.tell(frame)
        self.beat()

    def wait(self, seconds: float) -> None:
        """Let time pass; the server's heart beats meanwhile."""
        left = seconds
        while left > 0:
            step = min(1.0, left)
            self.page.wait_for_timeout(step * 1000)
            left -= step
            if self.beating and self.sockets:
                self.beat()

    def wait_until(self, holds: Callable[[], bool], seconds: float = 10) -> None:
        """Let time pass until something holds; the page's own messages are heard meanwhile."""
        for _ in range(int(seconds * 10)):
            if holds():
                return
            self.page.wait_for_timeout(100)
        raise AssertionError("it did not come to hold")

    def close(self) -> None:
        self.context.close()
