"""The players' page and a house of one player, in memory: the engine deals, nothing is stored.

All that the page asks for by the public API is answered here, in the shapes of docs/protocol.md,
so that every family can be played and looked at within seconds.
"""

from __future__ import annotations

import json
import mimetypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from random import Random
from typing import Any

from django.template import Context, Engine
from playwright.sync_api import Browser, Page, Route, WebSocketRoute

from tables.engine.errors import RuleViolation
from tables.engine.games import GAMES
from tables.engine.history.choices import any_action
from tables.engine.history.simulation import any_setup
from tables.engine.history.stakes import default_options, more_dice
from tables.engine.protocol import SeatIn
from tests.web.record import BEGIN, NAMES, Recorder
from tests.web.stage import POLICY, WEB, stamp

ORIGIN = "http://house.test"
API = "/api/v1/"
PURSE_MINOR = 123_450
STACK_MINOR = 9_600
TRIES = 20
STEPS_MOST = 600
WINDOW_S = 30
CHOICES = {
    "posts": False,
    "auto_post": True,
    "agrees_to_blind": False,
    "straddles": False,
    "wants_bomb_pot": False,
    "sits_out_at": None,
    "tops_up_to_minor": None,
}
Answer = Any
Answering = Callable[[dict[str, Any]], Answer]


class OwnTable(Recorder):
    """A table at which one seat is the page's and the others play by chance."""

    def __init__(
        self,
        table_id: int,
        name: str,
        game_id: str,
        *,
        seats: int,
        hero: int = 1,
        seed: str = "",
        **options: Any,
    ) -> None:
        self.random = Random(f"{seed}/{game_id}/{name}")
        game = GAMES[game_id]
        self.setup = any_setup(
            game, default_options(game, **options), self.random, min(seats, game.seats[-1])
        )
        # Deep stacks: what is looked at is the game, not who has run out of chips.
        self.setup = replace(
            self.setup, seats=[SeatIn(seat.seat, STACK_MINOR) for seat in self.setup.seats]
        )
        stacks = {seat.seat: STACK_MINOR for seat in self.setup.seats}
        super().__init__(
            game_id,
            self.setup.options,
            stacks,
            viewer=self.nearest(stacks, hero),
            id=table_id,
            name=name,
            exponent=0,
            chip_minor=self.setup.options.get("chip_minor", 1),
            max_seats=max(stacks),
            min_players=2,
            jackpot=None,
            time_collection=None,
            stopped=False,
            version=1,
        )
        self.last_view: dict[str, Any] | None = None
        self.told: Callable[[dict[str, Any]], None] = lambda frame: None

    @staticmethod
    def nearest(stacks: Mapping[int, int], hero: int) -> int:
        return min(stacks, key=lambda seat: abs(seat - hero))

    @property
    def hero(self) -> int:
        assert self.viewer is not None
        return self.viewer

    def begin(self, number: int = 12_345) -> None:
        self.now = datetime.now(UTC)
        hand, events = self.setup.start()
        self.open(hand, events, number, self.setup.button)

    def put(self, told: Sequence[dict[str, Any]]) -> None:
        self.now = datetime.now(UTC)
        super().put(told)
        self.told(self.frames[-1])

    def turn(self) -> dict[str, Any]:
        self.now = datetime.now(UTC)
        self.table["timing"] = dict.fromkeys(("action_s", "betting_s", "decision_s"), WINDOW_S)
        return super().turn()

    @property
    def is_asked(self) -> bool:
        return not self.hand.over and bool(self.hand.legal(self.hero))

    def others_act(self) -> None:
        """Until the page's seat is asked, or the hand is over."""
        for _ in range(STEPS_MOST):
            hand = self.hand
            if hand.over:
                return
            if hand.window == "dice":
                self.setup.deck.extend(more_dice(self.random))
                self.expire(0)
            elif hand.window == "reshuffle":
                order = hand.mucked  # type: ignore[attr-defined]
                self.random.shuffle(order)
                self.write(hand.reshuffle(order))  # type: ignore[attr-defined]
            elif self.hero in hand.waiting or (hand.window == "betting" and self.is_asked):
                return
            elif hand.waiting:
                self.other_acts(hand.waiting[0])
            else:
                self.expire(0)
        raise AssertionError("the hand does not end")

    def other_acts(self, seat: int) -> None:
        choices = [one for one in self.hand.legal(seat) if one["name"] not in ("fold", "forfeit")]
        for _ in range(TRIES):
            action = dict(any_action(choices, self.random, self.table["chip_minor"]))
            if "to_minor" in action:  # small, so that a hand lasts
                action["to_minor"] = next(
                    one["least_to_minor"] for one in choices if one["name"] == action["name"]
                )
            try:
                self.write(self.hand.act(seat, action))
            except RuleViolation:
                continue  # openers he does not hold
            return
        self.expire(0)

    def settle(self) -> None:
        self.last_view = self.hand.view(self.hero)
        self.tell(0, ("hand_settled", {"hand_id": 12_345}))

    def row(self) -> dict[str, Any]:
        """As the lobby lists it."""
        return {**self.table, "seats_taken": len(self.seats)}

    def state(self) -> dict[str, Any]:
        """The snapshot for the page's player."""
        started = self.turn_id > 0
        running = started and not self.hand.over
        view = self.hand.view(self.hero) if started else None
        return {
            "table": self.table,
            "seq": self.seq,
            "server_time": stamp(datetime.now(UTC)),
            "seats": [{**seat, "owes": [], "time_bank_ms": 30_000} for seat in self.seats],
            "hand": self.running(view) if running else None,
            "choice": None,
            "last_hand": self.ended(view) if started and not running else None,
            "cuts": [],
            "floor_calls": [],
            "you": {
                "seat": self.hero,
                "dealt_as": self.hero if running else None,
                "legal_actions": self.hand.legal(self.hero) if running else [],
                "choices": dict(CHOICES),
                "money": {"cash_minor": PURSE_MINOR, "bonus_minor": 0},
            },
        }

    def running(self, view: dict[str, Any] | None) -> dict[str, Any]:
        opened = self.frames[0]["events"][0]["public"]
        turns = [
            event["public"]
            for frame in self.frames
            for event in frame["events"]
            if event["type"] == "turn_opened"
        ]
        return {
            "id": opened["hand_id"],
            "number": opened["number"],
            "game": self.table["game"],
            "button": opened["button"],
            "stakes": self.options,
            "root": opened["root"],
            "cut": None,
            "seats": opened["seats"],
            "turn": turns[-1],
            "view": view,
        }

    def ended(self, view: dict[str, Any] | None) -> dict[str, Any]:
        hand = self.running(view)
        kept = {name: hand[name] for name in ("id", "number", "game", "stakes", "view")}
        return {**kept, "result": self.hand.result, "settled_at": self.frames[-1]["at"]}

    def history(self) -> dict[str, Any]:
        opened = self.frames[0]["events"][0]["public"]
        return {
            "id": opened["hand_id"],
            "number": opened["number"],
            "table": self.table["id"],
            "game": self.game.id,
            "status": "settled",
            "started_at": self.frames[0]["at"],
            "settled_at": self.frames[-1]["at"],
            "result": None,
            "formats": ["native", "text"],
            "formats_refused": {},
            "frames": self.frames,
        }


class ClientHouse:
    """A page of the client in a tab of its own, and the house that it believes in."""

    def __init__(
        self,
        browser: Browser,
        *tables: OwnTable,
        size: tuple[int, int] = (390, 844),
        language: str = "en",
        signed_in: bool = True,
    ) -> None:
        self.tables = {table.table["id"]: table for table in tables}
        self.language = language
        self.answers: dict[tuple[str, str], Answer | Answering] = standing_answers()
        self.asked: list[tuple[str, str, Any]] = []
        self.faults: list[str] = []
        self.socket: WebSocketRoute | None = None
        self.context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce"
        )
        self.page: Page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", self.listen)
        self.page.route(f"{ORIGIN}/**", self.serve)
        self.page.route_web_socket("**/ws/v1/tables/*", self.connect)
        if signed_in:
            self.page.add_init_script(
                "sessionStorage.setItem('croupier.token', '\"ck_test\"');"
                'sessionStorage.setItem(\'croupier.player\', \'{"id":1,"name":"Ana"}\');'
            )

    def close(self) -> None:
        self.context.close()

    def open(self, path: str = "/play/") -> None:
        self.page.goto(f"{ORIGIN}{path}")

    def listen(self, message: Any) -> None:
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.faults.append(message.text)

    # The public API

    def serve(self, route: Route) -> None:
        path = route.request.url.removeprefix(ORIGIN).split("?")[0]
        if path.startswith(API):
            self.answer(route, path.removeprefix(API))
        elif path.startswith("/static/") and (WEB / path[1:]).is_file():
            route.fulfill(path=WEB / path[1:], content_type=mimetypes.guess_type(path)[0])
        elif path.startswith("/play"):
            route.fulfill(
                body=self.html(),
                content_type="text/html; charset=utf-8",
                headers={"Content-Security-Policy": POLICY},
            )
        else:
            route.fulfill(status=404)

    def html(self) -> str:
        engine = Engine(
            dirs=[str(WEB / "templates")], libraries={"static": "tests.web.plain_static"}
        )
        config = {"language": self.language, **self.config()}
        return engine.get_template("tables/play.html").render(Context({"config": config}))

    def config(self) -> dict[str, Any]:
        return {}

    def answer(self, route: Route, path: str) -> None:
        method = route.request.method
        body = json.loads(route.request.post_data or "null")
        self.asked.append((method, path, body))
        found = self.answers.get((method, path), self.of_tables(method, path, body))
        if callable(found):
            found = found(body)
        if found is None:
            problem = {"code": "not_found", "status": 404, "detail": "There is nothing here."}
            route.fulfill(status=404, json=problem)
        elif isinstance(found, dict) and found.get("status", 0) in range(400, 600):
            route.fulfill(status=found["status"], json=found)
        else:
            route.fulfill(json=found)

    def of_tables(self, method: str, path: str, body: Any) -> Any:
        parts = path.split("/")
        if path == "tables":
            return {"tables": [table.row() for table in self.tables.values()], "next": None}
        if path == "hands":
            return {"hands": [hand_row(table) for table in self.tables.values()], "next": None}
        if parts[0] == "hands" and len(parts) == 2:
            table = next(iter(self.tables.values()))
            return table.history()
        if parts[0] != "tables" or int(parts[1]) not in self.tables:
            return None
        table = self.tables[int(parts[1])]
        if parts[2:] == ["tickets"]:
            return {"ticket": "one"}
        if parts[2:] == ["events"]:
            return {"frames": table.frames, "seq": table.seq}
        return table.state() if parts[2:] == [] else None

    # The socket

    def connect(self, socket: WebSocketRoute) -> None:
        table = self.tables[int(socket.url.split("?")[0].rsplit("/", 1)[1])]
        self.socket = socket
        table.told = lambda frame: socket.send(json.dumps(frame))
        socket.on_message(lambda text: self.heard(socket, table, json.loads(str(text))))
        now = stamp(datetime.now(UTC))
        you = {"seat": table.hero, "role": "player"}
        hello = {"type": "hello", "server_time": now, "heartbeat_ms": 1000, "you": you}
        socket.send(json.dumps({**hello, "last_seq": table.seq}))

    def heard(self, socket: WebSocketRoute, table: OwnTable, frame: dict[str, Any]) -> None:
        if frame["type"] == "subscribe" and "from_seq" not in frame:
            told = {"type": "snapshot", "seq": table.seq, "state": table.state()}
            socket.send(json.dumps(told))
        elif frame["type"] == "subscribe":
            for one in table.frames:
                if one["seq"] > frame["from_seq"]:
                    socket.send(json.dumps(one))
            self.beat(table)
        elif frame["type"] == "act":
            self.act(socket, table, frame)

    def act(self, socket: WebSocketRoute, table: OwnTable, frame: dict[str, Any]) -> None:
        sent = {"action_id": frame["action_id"], "turn_id": frame["turn_id"]}
        try:
            events = table.hand.act(table.hero, frame["action"])
        except RuleViolation as refusal:
            problem = {"code": refusal.code, "status": 409, "detail": str(refusal)}
            socket.send(json.dumps({"type": "refused", **sent, "problem": problem}))
            return
        table.write(events)
        socket.send(json.dumps({"type": "ack", **sent, "seq": table.seq}))
        if table.hand.window == "betting":
            table.expire(0)  # the only bet that is waited for
        table.others_act()
        if table.hand.over:
            table.settle()

    def beat(self, table: OwnTable) -> None:
        if self.socket:
            now = stamp(datetime.now(UTC))
            self.socket.send(
                json.dumps({"type": "heartbeat", "seq": table.seq, "server_time": now})
            )


def hand_row(table: OwnTable) -> dict[str, Any]:
    nets = (table.hand.result or {}).get("nets_minor", {}) if table.turn_id else {}
    return {
        "id": 12_345,
        "number": 12_345,
        "table": {"id": table.table["id"], "name": table.table["name"]},
        "game": table.table["game"],
        "status": "settled",
        "started_at": stamp(BEGIN),
        "settled_at": stamp(BEGIN),
        "seat": table.hero,
        "currency": "EUR",
        "net_minor": nets.get(str(table.hero), nets.get(table.hero, 0)),
        "rake_minor": 0,
        "drop_minor": 0,
    }


def amount(minor: int) -> dict[str, Any]:
    return {"amount_minor": minor, "currency": "EUR"}


def line(number: int, kind: str, account: str, minor: int, balance: int) -> dict[str, Any]:
    at_table = kind in ("buy_in", "settle", "cash_out")
    return {
        "id": number,
        "at": stamp(BEGIN),
        "kind": kind,
        "phase": "single",
        "account": account,
        "table": 1 if at_table else None,
        "hand": 12_345 if kind == "settle" else None,
        "amount": amount(minor),
        "balance": amount(balance),
        "reason": "",
    }


def session() -> dict[str, Any]:
    return {"since": stamp(BEGIN), "elapsed_s": 5_040, "net": [amount(-1_250)], "barred": None}


def token(number: int, hint: str) -> dict[str, Any]:
    return {
        "id": number,
        "name": "sign-in",
        "hint": hint,
        "scopes": ["play"],
        "created_at": stamp(BEGIN),
        "last_used_at": stamp(BEGIN),
        "expires_at": None,
    }


def limits() -> dict[str, Any]:
    of_time = {"most_s": 7_200, "used_s": 5_040, "next_s": None}
    of_money = {"most_minor": 50_000, "used_minor": 1_250, "next_minor": 80_000}
    nothing = dict.fromkeys((*of_time, *of_money))
    kinds = (
        ("loss", "EUR", 1, of_money, stamp(BEGIN)),
        ("time", None, 7, of_time, None),
    )
    return {
        "state": "verified",
        "excluded_until": None,
        "excluded_until_lifted": False,
        "cool_off_until": None,
        "reality_check_s": 1_800,
        "limits": [
            {
                "kind": kind, "currency": currency, "window_days": days, "next_from": begins,
                **nothing, **figures,
            }
            for kind, currency, days, figures, begins in kinds
        ],
    }  # fmt: skip


def standing_answers() -> dict[tuple[str, str], Any]:
    purse = {
        "currency": "EUR",
        "exponent": 0,
        "cash": amount(PURSE_MINOR),
        "bonus": amount(0),
        "pending": amount(5_000),
        "owed": amount(0),
        "tables": [{"table": 1, "chips": amount(20_000)}],
    }
    lines = [
        line(5, "settle", "seat", -1_250, 18_750),
        line(4, "buy_in", "seat", 20_000, 20_000),
        line(3, "buy_in", "cash", -20_000, PURSE_MINOR),
        line(2, "withdrawal", "cash", -5_000, PURSE_MINOR + 20_000),
        line(1, "deposit", "cash", 148_450, 148_450),
    ]
    player = {"id": 1, "name": NAMES[0]}
    return {
        ("POST", "sign-in"): {
            "token": "ck_test", "player": player, "last_sign_in": stamp(BEGIN),
        },
        ("GET", "me"): {
            **player, "username": "ana", "role": "player", "scopes": ["account", "money", "play"],
            "last_sign_in": stamp(BEGIN),
        },
        ("GET", "wallet"): {"purses": [purse]},
        ("GET", "wallet/statement"): {"lines": lines, "next": None},
        ("GET", "waiting"): {"lists": []},
        ("GET", "wallet/session"): session(),
        ("GET", "wallet/limits"): limits(),
        ("GET", "tokens"): {"tokens": [token(2, "ck_test"), token(1, "ck_else")]},
        ("GET", "me/second-factor"): {"on": False, "recovery_codes_left": 0},
    }  # fmt: skip
