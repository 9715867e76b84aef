"""ACC-01: every address of the players' door for everybody who might knock.

The addresses come from the URL configuration: one without a row here fails.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.urls import URLPattern, URLResolver, get_resolver
from rest_framework.test import APIClient
from rest_framework.views import APIView

from casino.core import devices
from casino.core.boxes import lock
from casino.core.models import Role, User, Webhook
from casino.core.services import token_issue
from tables.models import Hand, Paytable, Table
from tables.services import seating
from tests.cast import Person, holdem_table, person, three_card_table
from wallets import services as wallets

pytestmark = pytest.mark.django_db

CALLERS = ("anonymous", "device", "other", "player", "floor", "auditor")
# By caller in this order: + let in, - refused by name or sign-in, 0 there is no such thing for him.
OPEN = "++++++"
SIGNED_IN = "--++++"
PLAYERS = "--++--"
STAFF = "----++"
NOBODY = "------"
OWN = "--0+00"
SCREENS = "-+--++"

TABLE, HAND = "tables/<row:table_id>", "hands/<row:hand_id>"
WEBHOOK = "webhooks/<row:webhook_id>"
PAYTABLE = "paytables/<row:paytable_id>"
API = {
    "GET games": SIGNED_IN,
    "GET tables": SIGNED_IN,
    f"GET {TABLE}": SIGNED_IN,
    f"GET {TABLE}/events": SIGNED_IN,
    f"POST {TABLE}/tickets": SIGNED_IN,
    f"POST {TABLE}/seats": PLAYERS,
    "POST seats/random": PLAYERS,
    "GET waiting": PLAYERS,
    f"POST {TABLE}/reservations": PLAYERS,
    f"POST {TABLE}/waiting": PLAYERS,
    f"DELETE {TABLE}/waiting": PLAYERS,
    f"POST {TABLE}/seat-change": PLAYERS,
    f"POST {TABLE}/transfer": PLAYERS,
    f"PATCH {TABLE}/seat": PLAYERS,
    f"POST {TABLE}/spots": PLAYERS,
    f"POST {TABLE}/top-ups": PLAYERS,
    f"POST {TABLE}/tips": PLAYERS,
    f"POST {TABLE}/sit-out": PLAYERS,
    f"POST {TABLE}/return": PLAYERS,
    f"POST {TABLE}/actions": PLAYERS,
    f"POST {TABLE}/seeds": PLAYERS,
    f"POST {TABLE}/seeds/opened": PLAYERS,
    f"GET {TABLE}/cuts": SIGNED_IN,
    "POST sandbox/deposits": PLAYERS,
    "POST sandbox/tables": PLAYERS,
    f"DELETE sandbox/{TABLE}": PLAYERS,
    f"POST sandbox/{TABLE}/script": PLAYERS,
    f"GET sandbox/{TABLE}/script": PLAYERS,
    f"DELETE sandbox/{TABLE}/script": PLAYERS,
    f"POST sandbox/{TABLE}/clock": PLAYERS,
    f"GET {TABLE}/odds": SIGNED_IN,
    "GET paytables": STAFF,
    "POST paytables": STAFF,
    f"GET {PAYTABLE}": STAFF,
    f"PUT {PAYTABLE}": STAFF,
    f"GET {PAYTABLE}/returns": STAFF,
    f"POST {PAYTABLE}/price": NOBODY,  # but who answers for the games' figures
    f"POST {PAYTABLE}/ask": STAFF,
    f"POST {PAYTABLE}/approve": STAFF,
    f"POST {PAYTABLE}/refuse": STAFF,
    "GET voids": SIGNED_IN,
    "GET hands": PLAYERS,
    "GET hands/export": PLAYERS,
    f"GET {HAND}": SIGNED_IN,
    f"GET {HAND}/proof": SIGNED_IN,
    f"POST {HAND}/report": PLAYERS,
    f"POST {HAND}/flag": "--0+--",  # who was dealt in
    "GET wallet": PLAYERS,
    "GET wallet/statement": PLAYERS,
    "GET wallet/statement/period": PLAYERS,
    "POST wallet/withdrawals": PLAYERS,
    "GET wallet/exchange": PLAYERS,
    "POST wallet/exchange": PLAYERS,
    "GET wallet/bonuses": PLAYERS,
    "POST wallet/bonuses/<row:grant_id>/forfeit": PLAYERS,
    "GET wallet/session": PLAYERS,
    "GET wallet/limits": PLAYERS,
    "PUT wallet/limits": PLAYERS,
    "POST wallet/cool-off": PLAYERS,
    "POST wallet/exclusion": PLAYERS,
    "PUT wallet/reality-check": PLAYERS,
    "POST wallet/reality-check/acknowledge": PLAYERS,
    "POST registrations": OPEN,
    "POST sign-in": OPEN,
    "GET me": SIGNED_IN,
    "PUT me/password": SIGNED_IN,
    "GET me/second-factor": SIGNED_IN,
    "POST me/second-factor": SIGNED_IN,
    "PUT me/second-factor": SIGNED_IN,
    "DELETE me/second-factor": SIGNED_IN,
    "GET me/data": SIGNED_IN,
    "GET tokens": SIGNED_IN,
    "POST tokens": SIGNED_IN,
    "DELETE tokens/<row:token_id>": OWN,
    "GET webhooks": PLAYERS,
    "POST webhooks": PLAYERS,
    f"GET {WEBHOOK}/messages": "--0+--",
    f"POST {WEBHOOK}/messages/<row:message_id>/replay": "--00--",
    f"POST {WEBHOOK}/secret": "--0+--",
    f"DELETE {WEBHOOK}": "--0+--",
    # What ends something comes last.
    "DELETE tokens": SIGNED_IN,
    f"POST {TABLE}/leave": PLAYERS,
    "POST wallet/close": PLAYERS,
    "POST sign-out": SIGNED_IN,
}
PAGES = {
    "GET ": OPEN,
    "GET display/": OPEN,  # asks a stranger for the code of his screen
    "GET display/deeds": NOBODY,
    "POST display/deeds": NOBODY,  # but the display of a table at which a dealer is signed on
    "GET display/floor": "----++",
    "GET display/floor/now": "----++",
    "GET display/<row:table_id>": SCREENS,
    "POST display/<row:table_id>/ticket": SCREENS,
    "GET display/<row:table_id>/figures": SCREENS,
    "GET odds/<row:table_id>": OPEN,
    "GET play/": OPEN,
    "GET play/<row:table_id>": OPEN,
    "GET play/wallet": OPEN,
    "GET play/register": OPEN,
    "GET play/account": OPEN,
    "GET play/limits": OPEN,
    "GET play/hands": OPEN,
    "GET play/hands/<row:hand_id>": OPEN,
    "GET verify/": OPEN,
    "GET verify/verify_hand.py": OPEN,
    "GET verify/fairness.md": OPEN,
    "GET voids/": OPEN,
    "GET favicon.ico": OPEN,
    "GET metrics": "000000",  # but for who brings the token
    "GET api/openapi.json": "+",  # costly, and the same for all
    "GET api/docs/": OPEN,
}
MATRIX = PAGES | {f"{method} api/v1/{route}": row for told, row in API.items()
                  for method, _, route in [told.partition(" ")]}  # fmt: skip


def addresses(
    patterns: list[URLPattern | URLResolver] | None = None, before: str = ""
) -> Iterator[str]:
    """Method and route of everything but the console, which has a matrix of its own."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            if not route.startswith("admin/"):
                yield from addresses(pattern.url_patterns, route)
            continue
        view = getattr(pattern.callback, "view_class", None) or getattr(
            pattern.callback, "cls", None
        )
        methods = [name.upper() for name in ("get", "post", "put", "patch", "delete")
                   if view and issubclass(view, APIView) and hasattr(view, name)]  # fmt: skip
        for method in methods or ["POST" if route.endswith("/ticket") else "GET"]:
            yield f"{method} {route}"


def test_every_address_has_its_row() -> None:
    assert sorted(addresses()) == sorted(MATRIX)


class House:
    """A table with Ann in a seat, a hand of hers, and a client for everybody who knocks."""

    def __init__(self) -> None:
        self.table: Table = holdem_table()
        self.banked: Table = three_card_table()
        self.ann, self.bob = person("Ann"), person("Bob")
        self.floor = person("Fred", Role.FLOOR)
        self.auditor = person("Iris", Role.SURVEILLANCE)
        seating.seat_take(
            table_id=self.table.pk, player=self.ann.user, seat=1, buy_in_minor=5_000, key="sit"
        )
        self.token, _ = token_issue(user=self.ann.user, name="hers")
        self.webhook = Webhook.objects.create(
            owner=self.ann.user, url="https://example.org/", kinds=["hand.settled"],
            secret=lock(b"whsec_AAAA", "webhook"),
        )  # fmt: skip
        self.paytable = Paytable.objects.create(
            game="three_card_poker", name="draft", version=1, content={}, content_hash="0" * 64
        )
        self.hand = Hand.objects.create(
            table=self.table, number=1, game="holdem", engine_version="1", status="settled",
            definition={"id": "holdem", "family": "poker", "name": "Hold'em", "steps": [],
                        "shares": [{"ranking": "high"}]},
            options={}, result={"nets_minor": {}, "stacks_minor": {}, "rake_minor": 0, "pots": []},
            seats={"1": {"player": self.ann.user.pk, "name": "Ann", "account": 0,
                         "stack_minor": 5_000}},
        )  # fmt: skip
        _, self.key = devices.device_enrol(
            name="Screen", table_id=self.table.pk, by=self.floor.user
        )

    def path(self, route: str) -> str:
        if "odds" in route:
            route = route.replace("<row:table_id>", str(self.banked.pk))
        for name, row in (
            ("table_id", self.table), ("hand_id", self.hand), ("token_id", self.token),
            ("paytable_id", self.paytable), ("webhook_id", self.webhook),
        ):  # fmt: skip
            route = route.replace(f"<row:{name}>", str(row.pk))
        return "/" + re.sub("<row:(grant|message)_id>", "1", route)

    def caller(self, name: str) -> APIClient:
        client = APIClient()
        user: Person | None = {
            "other": self.bob, "player": self.ann, "floor": self.floor, "auditor": self.auditor,
        }.get(name)  # fmt: skip
        if name == "device":
            client.get(f"/display/{self.table.pk}", {"key": self.key})
        elif user is not None:
            client.force_login(User.objects.get(pk=user.user.pk))
        return client


def verdict(status: int) -> str:
    assert status < 500, status
    return {401: "-", 403: "-", 404: "0"}.get(status, "+")


def test_everybody_gets_in_where_he_may_and_nowhere_else() -> None:
    house = House()
    callers = {name: house.caller(name) for name in CALLERS}
    wrong = {}
    for told, row in MATRIX.items():
        method, _, route = told.partition(" ")
        found = ""
        for name in CALLERS[: len(row)]:
            answer = callers[name].generic(
                method, house.path(route), "{}", "application/json",
                headers={"Idempotency-Key": str(uuid4())},
            )  # fmt: skip
            found += verdict(answer.status_code)
        if found != row:
            wrong[told] = f"{found}, not {row}"
    assert wrong == {}


def test_another_s_token_answers_as_one_that_was_never_issued() -> None:
    house = House()
    bob = house.caller("other")
    foreign = bob.delete(f"/api/v1/tokens/{house.token.pk}")
    nobody = bob.delete(f"/api/v1/tokens/{10**15}")
    assert (foreign.status_code, foreign.json()["code"]) == (404, "token_missing")
    assert (nobody.status_code, nobody.json()["code"]) == (404, "token_missing")
    assert house.token.user.tokens.filter(pk=house.token.pk, revoked_at=None).exists()


@pytest.mark.parametrize("number", [str(2**63), "9" * 40, "-1", "0x1", "1.5", "%00"])
def test_a_number_that_no_row_can_have_is_no_address(number: str) -> None:
    client = House().caller("player")
    for told in MATRIX:
        method, _, route = told.partition(" ")
        if "<row:" in route:
            path = "/" + route.split("<")[0] + number + route.split(">", 1)[1]
            answer = client.generic(method, path, "{}", "application/json")
            assert answer.status_code == 404, told


def test_a_cookie_asks_for_a_csrf_token_and_a_bearer_does_not() -> None:
    house = House()
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(house.ann.user)
    for told in API:
        method, _, route = told.partition(" ")
        if method == "GET" or route in ("registrations", "sign-in"):
            continue
        refused = client.generic(method, house.path(f"api/v1/{route}"), "{}", "application/json")
        assert refused.status_code == 403, told
        assert refused.json()["detail"].startswith("CSRF"), told
    bearer = APIClient(enforce_csrf_checks=True)
    _, raw = token_issue(user=house.ann.user)
    bearer.credentials(HTTP_AUTHORIZATION=f"Bearer {raw}")
    assert bearer.post("/api/v1/sign-out").status_code == 204
    assert wallets.player_account(player_id=house.ann.user.pk, currency="EUR")
