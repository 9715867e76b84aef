"""A house in mid-hand for its attackers: who sits where, with which keys."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import websockets
from websockets.asyncio.client import connect

from casino.house.supervisor import House
from tests.flows.conftest import furnished

PASSWORD = "a long one 123"
# No connection is kept: one that the server closes while it is taken again is no answer.
APART = httpx.Limits(max_keepalive_connections=0)
Outcome = int | str

FURNISH = """
import json
from datetime import timedelta
from django.test import Client
from django.utils import timezone
from casino.core.models import Role, Token, User
from casino.core.services import token_issue, token_revoke
from tables import beliefs
from tables.models import Hand, Table
from tables.services import acting, seating
from wallets import services as wallets

def account(name, role=Role.PLAYER):
    return User.objects.create_user(
        username=name, display_name=name.title(), password=%(password)r, role=role,
        is_staff=role != Role.PLAYER,
    )

people = {name: account(name) for name in ("anna", "bert", "carl", "dora")}
staff = {role: account("staff_" + role, Role(role))
         for role in ("floor", "surveillance", "cage", "dealer", "pit_manager", "finance")}
duel = Table.objects.get(name="Duel")
banked = Table.objects.get(name="Three Card 2")
slow = {"action_s": 900, "decision_s": 900, "betting_s": 900, "pause_s": 0}
Table.objects.filter(pk__in=[duel.pk, banked.pk]).update(timing=slow)
for user in people.values():
    wallets.deposit(player_id=user.pk, amount_minor=50_000, currency=duel.currency,
                    key=f"deposit:{user.pk}", actor_id=None)
for name in ("anna", "carl"):
    seating.seat_take(table_id=duel.pk, player=people[name], seat=None,
                      buy_in_minor=duel.buy_in_least_minor, key="sit:" + name)
for name in ("anna", "bert"):
    seating.seat_take(table_id=banked.pk, player=people[name], seat=None,
                      buy_in_minor=banked.buy_in_least_minor, key="banked:" + name)
everything = ["read", "play", "money", "account"]
tokens = {name: token_issue(user=user, scopes=everything)[1] for name, user in people.items()}
tokens["bert_reads"] = token_issue(user=people["bert"], scopes=["read"])[1]
tokens["bert_accounts"] = token_issue(user=people["bert"], scopes=["account"])[1]
tokens["bert_expired"] = token_issue(user=people["bert"], scopes=everything, days=-1)[1]
revoked, tokens["bert_revoked"] = token_issue(user=people["bert"], scopes=everything)
token_revoke(token=revoked, by=people["bert"])

def session_of(user):
    browser = Client()
    browser.force_login(user)
    return browser.cookies["sessionid"].value

print(json.dumps({
    "ids": {name: user.pk for name, user in people.items()},
    "tokens": tokens,
    "sessions": {role: session_of(user) for role, user in staff.items()}
                | {name: session_of(user) for name, user in people.items()},
    "duel": duel.pk, "banked": banked.pk, "currency": duel.currency,
    "anna_token": Token.objects.filter(user=people["anna"]).first().pk,
}))
"""


@dataclass
class World:
    house: House
    facts: dict[str, Any] = field(default_factory=dict)
    browsers: dict[str, httpx.Client] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.facts = furnished(self.house, FURNISH % {"password": PASSWORD})
        self.plain = httpx.Client(base_url=self.house.url, timeout=20, limits=APART)
        self.in_mid_hand()

    def in_mid_hand(self) -> None:
        """The duel's first hand is folded and settled, its second one waits for a decision."""
        self.fold_once()
        self.wait_for(lambda: self.table("anna")["last_hand"] is not None)
        self.settled_hand = self.ask("anna", "GET", "hands").json()["hands"][0]["id"]
        self.wait_for(self.turn)

    def fold_once(self) -> None:
        self.wait_for(self.turn)
        for name in ("anna", "carl"):
            if self.table(name)["you"]["legal_actions"]:
                assert self.act(name, {"name": "fold"}).status_code == 200
                return

    def turn(self) -> dict[str, Any] | None:
        hand = self.table("anna")["hand"]
        found: dict[str, Any] | None = hand and hand["turn"]
        return found

    def wait_for(self, seen: Callable[[], object], tries: int = 300) -> None:
        import time

        for _ in range(tries):
            if seen():
                return
            time.sleep(0.1)
        raise AssertionError("the house does not go on")

    # What attackers do.

    def ask(
        self, who: str | None, method: str, path: str, json: Any = None, **more: Any
    ) -> httpx.Response:
        """One request to the API below /api/v1/; `who` names a token of the furniture."""
        headers = dict(more.pop("headers", {}))
        if who is not None:
            headers["Authorization"] = f"Bearer {self.facts['tokens'][who]}"
        return self.plain.request(method, f"/api/v1/{path}", json=json, headers=headers, **more)

    def once(self, who: str, path: str, json: Any, key: str | None = None) -> httpx.Response:
        return self.ask(who, "POST", path, json, headers={"Idempotency-Key": key or str(uuid4())})

    def table(self, who: str, name: str = "duel") -> dict[str, Any]:
        found: dict[str, Any] = self.ask(who, "GET", f"tables/{self.facts[name]}").json()
        return found

    def act(self, who: str, action: Any, name: str = "duel", **changes: Any) -> httpx.Response:
        hand = self.table(who, name)["hand"] or {}
        body = {
            "action_id": str(uuid4()),
            "turn_id": (hand.get("turn") or {"turn_id": 1})["turn_id"],
            "action": action,
        }
        return self.ask(who, "POST", f"tables/{self.facts[name]}/actions", body | changes)

    def awaited(self) -> str:
        """Which of the two is to act."""
        return next(n for n in ("anna", "carl") if self.table(n)["you"]["legal_actions"])

    def browser(self, who: str | None, **more: Any) -> httpx.Client:
        """A browser in which a member of the staff, or a player, is signed in."""
        cookies = {} if who is None else {"sessionid": self.facts["sessions"][who]}
        return httpx.Client(
            base_url=self.house.url, cookies=cookies, timeout=20, limits=APART, **more
        )

    def page(self, who: str | None, path: str) -> httpx.Response:
        with self.browser(who) as browser:
            return browser.get(path)

    def post_page(self, who: str, path: str, data: dict[str, str]) -> httpx.Response:
        """As a person would, with the token of the form that was shown to him."""
        with self.browser(who) as browser:
            shown = browser.get("/admin/account/")
            found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', shown.text)
            if found is None:
                return shown
            data = data | {"csrfmiddlewaretoken": found[1]}
            return browser.post(path, data=data, headers={"Referer": self.house.url})

    def ticket(self, who: str, role: str = "watcher", name: str = "duel") -> str:
        answer = self.ask(who, "POST", f"tables/{self.facts[name]}/tickets", {"role": role})
        return str(answer.json()["ticket"])

    def socket(
        self,
        ticket: str | None,
        *said: str | bytes,
        name: str = "duel",
        origin: str | None = None,
    ) -> Outcome:
        """What the house answers last: a code of closing, an HTTP status, or a message's words.

        Messages are sent in a row after the greeting; then one ping, whose answer ends it.
        """
        return asyncio.run(self._socket(ticket, said, name, origin))

    async def _socket(
        self, ticket: str | None, said: tuple[str | bytes, ...], name: str, origin: str | None
    ) -> Outcome:
        query = "" if ticket is None else f"?ticket={ticket}"
        url = self.house.url.replace("http", "ws", 1) + f"/ws/v1/tables/{self.facts[name]}{query}"
        headers = {} if origin is None else {"Origin": origin}
        heard: Outcome = "open"
        try:
            async with connect(url, additional_headers=headers, open_timeout=10) as socket:
                await asyncio.wait_for(socket.recv(), 10)
                for words in said:
                    await socket.send(words)
                await socket.send('{"type": "ping"}')
                while True:
                    answer = json.loads(await asyncio.wait_for(socket.recv(), 10))
                    if answer["type"] == "pong":
                        return heard
                    if answer["type"] == "refused":
                        heard = str(answer["problem"]["code"])
        except websockets.InvalidStatus as refused:
            return refused.response.status_code
        except websockets.ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else "cut"

    def sql(self, statement: str) -> Outcome:
        """The SQLSTATE with which the database refuses a statement of the role `app`."""
        try:
            with psycopg.connect(self.app_url) as database:
                database.execute(statement)
                database.execute("SET CONSTRAINTS ALL IMMEDIATE")
                database.rollback()
        except psycopg.Error as error:
            return error.sqlstate or "no state"
        return "done"

    @cached_property
    def app_url(self) -> str:
        return self.house.child_environment("command")["DATABASE_URL"]

    def total_minor(self, who: str) -> int:
        """All money of a player, in the wallet and at tables."""
        with psycopg.connect(self.app_url) as database:
            row = database.execute(
                "SELECT sum(balance_minor) FROM wallets_account WHERE player_id = %s",
                [self.facts["ids"][who]],
            ).fetchone()
        assert row is not None
        return int(row[0])
