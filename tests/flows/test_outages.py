"""The house's own silence costs nobody a decision: its parts are taken down in mid-decision."""

import os
import time
from pathlib import Path

import httpx
import psycopg
import pytest

from casino.env import read_file
from casino.house.supervisor import House
from tests.flows.conftest import furnished

pytestmark = pytest.mark.house

ACTION_S, OUTAGE_S, LONG_OUTAGE_S = 3, 4, 60  # each outage outlasts the decision

FURNISH = """
import json
from casino.core.models import User
from casino.core.services import token_issue
from tables.services import dealing, floor, seating
from tables.models import Table
from wallets import services as wallets
table = Table.objects.get(name="Amber")
Table.objects.filter(pk=table.pk).update(timing={{"action_s": {action_s}, "pause_s": 1}})
tokens = []
for name in ("hanna", "hubert"):
    user = User.objects.create_user(username=name, display_name=name)
    wallets.deposit(player_id=user.pk, amount_minor=100_000, currency=table.currency,
                    key="deposit:" + name, actor_id=None)
    seating.seat_take(table_id=table.pk, player=user, seat=None,
                      buy_in_minor=table.buy_in_most_minor, key="sit:" + name)
    tokens.append(token_issue(user=user, name="trial", scopes=["read", "play", "money"])[1])
print(json.dumps([table.pk, *tokens]))
"""


class Duel:
    """Two people at a table of the house, and what happened to them."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.table, *tokens = furnished(house, FURNISH.format(action_s=ACTION_S))
        self.people = [
            httpx.Client(
                base_url=f"{house.url}/api/v1/", headers={"Authorization": f"Bearer {token}"}
            )
            for token in tokens
        ]

    def snapshot(self, person: httpx.Client) -> dict:
        """Asked until the house answers."""
        for _ in range(100):
            try:
                answer = person.get(f"tables/{self.table}", timeout=3)
                if answer.status_code == 200:
                    return answer.json()
            except httpx.HTTPError:
                pass  # the web is down, which is what this is about
            time.sleep(0.1)
        raise AssertionError("the house does not answer")

    def awaited(self, within_s: float = 20) -> tuple[httpx.Client, dict]:
        """Who is to act, and the table as that person sees it."""
        end = time.monotonic() + within_s
        while time.monotonic() < end:
            for person in self.people:
                seen = self.snapshot(person)
                if seen["you"]["legal_actions"]:
                    return person, seen
            time.sleep(0.05)
        raise AssertionError("nobody is to act")

    def call(self, person: httpx.Client, seen: dict, timeout: float = 5) -> httpx.Response:
        names = {choice["name"] for choice in seen["you"]["legal_actions"]}
        body = {
            "action_id": str(os.urandom(16).hex()),
            "turn_id": seen["hand"]["turn"]["turn_id"],
            "action": {"name": "check" if "check" in names else "call"},
        }
        return person.post(f"tables/{self.table}/actions", json=body, timeout=timeout)

    def go_on(self) -> None:
        """One decision is made in time, so that the next one has only begun."""
        for _ in range(5):
            if self.call(*self.awaited()).status_code == 200:
                return
        raise AssertionError("nobody decides in time")

    def time_outs(self) -> int:
        url = read_file(Path(self.house.data) / "house.env")["DATABASE_URL"]
        with psycopg.connect(url) as database:
            (count,) = database.execute(
                "SELECT count(*) FROM tables_event WHERE table_id = %s"
                " AND events LIKE '%%\"default\":true%%'",
                [self.table],
            ).fetchone()
        return count


@pytest.fixture(scope="module")
def duel(house):
    return Duel(house)


def long_outage(part):
    return pytest.param(part, LONG_OUTAGE_S, marks=pytest.mark.slow)


@pytest.mark.parametrize(
    ("part", "outage_s"),
    [
        *((part, OUTAGE_S) for part in ("postgres", "web", "clock", "worker", "valkey")),
        *(long_outage(part) for part in ("postgres", "web")),
    ],
)
def test_nobody_is_folded_or_timed_out_for_an_outage(house, duel, part, outage_s):
    duel.go_on()
    person, seen = duel.awaited()
    turn, before = seen["hand"]["turn"], duel.time_outs()
    house.hold(part, outage_s)
    if part in ("worker", "valkey"):
        # The tables go on without them: the decision is made during the outage.
        assert duel.call(person, seen).status_code == 200
        time.sleep(outage_s)
    else:
        began = time.monotonic()
        if part == "postgres" and outage_s == LONG_OUTAGE_S:
            refused = duel.call(person, seen, timeout=20)
            assert (refused.status_code, refused.json()["code"]) == (503, "house_unavailable")
        time.sleep(outage_s - (time.monotonic() - began))
        again = duel.snapshot(person)
        assert again["hand"]["turn"]["turn_id"] == turn["turn_id"]
        assert duel.call(person, again).status_code == 200
        assert duel.time_outs() == before


def test_a_player_who_is_silent_himself_is_timed_out(duel):
    _, seen = duel.awaited()
    before = duel.time_outs()
    # An outage that has just ended may have given him more time.
    end = time.monotonic() + 10 * ACTION_S
    while duel.time_outs() == before and time.monotonic() < end:
        time.sleep(0.2)
    assert duel.time_outs() > before
    _, later = duel.awaited()
    assert later["seq"] > seen["seq"]
