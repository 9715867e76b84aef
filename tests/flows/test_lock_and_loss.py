"""Seven people of one table over real sockets: they bet at the lock, and the workers are killed
between the reveal and the payment. What was accepted, the ledger and the screens agree."""

import asyncio
import json
import os
import signal
import time
from datetime import datetime
from functools import partial
from pathlib import Path
from uuid import uuid4

import httpx
import psycopg
import pytest
from websockets.asyncio.client import connect

from casino.env import read_file
from tests.flows.conftest import furnished

pytestmark = pytest.mark.house

PLAYERS, GRACE_S = 7, 0.25
LATE = ("too_late", "turn_passed", "bets_closed", "no_hand_in_play")

FURNISH = """
import json
from casino.core.models import User
from casino.core.services import token_issue
from tables.models import Table
from tables.services import seating
from wallets import services as wallets
table = Table.objects.get(name="Three Card 1")
Table.objects.filter(pk=table.pk).update(timing={"betting_s": 6, "decision_s": 20, "pause_s": 1})
tokens = []
for number in range(1, 8):
    user = User.objects.create_user(username=f"rush{number}", display_name=f"Rush {number}")
    wallets.deposit(player_id=user.pk, amount_minor=100_000, currency=table.currency,
                    key=f"deposit:{number}", actor_id=None)
    seating.seat_take(table_id=table.pk, player=user, seat=number, buy_in_minor=50_000,
                      key=f"sit:{number}")
    tokens.append(token_issue(user=user, name="trial", scopes=["read", "play", "money"])[1])
print(json.dumps([table.pk, *tokens]))
"""


class Person:
    """One player's socket: every frame it was sent, and the answers to what it said."""

    def __init__(self, house, table, token, seat):
        self.house, self.table, self.seat = house, table, seat
        self.headers = {"Authorization": f"Bearer {token}"}
        self.events, self.answers = [], {}
        self.turn = None

    async def arrive(self):
        async with httpx.AsyncClient(base_url=f"{self.house.url}/api/v1/") as client:
            path = f"tables/{self.table}/tickets"
            answer = await client.post(path, headers=self.headers, json={"role": "player"})
        url = self.house.url.replace("http", "ws", 1)
        self.line = await connect(
            f"{url}/ws/v1/tables/{self.table}?ticket={answer.json()['ticket']}", compression=None
        )
        await self.line.send(json.dumps({"type": "subscribe"}))
        self.listening = asyncio.create_task(self.listen())

    async def listen(self):
        async for text in self.line:
            frame = json.loads(text)
            if frame["type"] == "events":
                self.events += frame["events"]
                for event in frame["events"]:
                    if event["type"] == "turn_opened":
                        self.turn = event["public"]
            elif frame.get("action_id"):
                self.answers[frame["action_id"]] = frame

    async def act(self, **action):
        action_id = str(uuid4())
        said = {"type": "act", "action_id": action_id, "turn_id": self.turn["turn_id"]}
        await self.line.send(json.dumps({**said, "action": action}))
        return await until(lambda: self.answers.get(action_id))

    async def bet_at(self, moment, ante):
        await asyncio.sleep(max(0.0, moment - time.time()))
        return await self.act(name="bet", wagers={"ante": ante})

    def begin(self, hand):
        """Forget what was before this round; false while it has not been heard of."""
        opened = [
            place
            for place, event in enumerate(self.events)
            if event["type"] == "hand_opened" and event["public"]["hand_id"] == hand
        ]
        self.events = self.events[opened[-1] :] if opened else self.events
        return bool(opened) and self.turn["window"] == "betting"

    def told(self, kind):
        return [event["public"] for event in self.events if event["type"] == kind]


async def until(found, within_s=30.0):
    end = time.monotonic() + within_s
    while not (value := found()):
        assert time.monotonic() < end, "waited in vain"
        await asyncio.sleep(0.005)
    return value


def one(house, query, *values):
    url = read_file(Path(house.data) / "house.env")["DATABASE_URL"]
    with psycopg.connect(url) as database:
        (value,) = database.execute(query, values).fetchone()
    return value


def seated(house):
    table, *tokens = furnished(house, FURNISH)
    return [Person(house, table, token, seat) for seat, token in enumerate(tokens, start=1)]


async def begun_before_all(people):
    """The next round whose betting all of them have heard to open; a busy machine may miss one."""
    opened = partial(people[0].told, "hand_opened")
    known = len(opened())
    end = time.monotonic() + 90
    while time.monotonic() < end:
        await asyncio.sleep(0.5)
        if len(opened()) > known:
            hand = opened()[-1]["hand_id"]
            heard = [person.begin(hand) for person in people]
            if all(heard):
                return hand
            known = len(opened())
    raise AssertionError("no round was heard by all")


async def test_bets_at_the_lock_and_workers_killed_before_the_payment(house):
    people = await asyncio.to_thread(seated, house)
    await asyncio.gather(*(person.arrive() for person in people))
    first = people[0]
    hand = await begun_before_all(people)
    early = await first.act(name="bet", wagers={"ante": 500})
    assert early["type"] == "ack", early

    # Seven bets within 50 ms of the lock, half of them before it.
    lock = datetime.fromisoformat(first.turn["deadline"]).timestamp() + GRACE_S
    moments = [lock - 0.025 + 0.05 * place / (PLAYERS - 1) for place in range(PLAYERS)]
    antes = [1_000 + 100 * place for place in range(PLAYERS)]
    answers = await asyncio.gather(
        *(
            person.bet_at(moment, ante)
            for person, moment, ante in zip(people, moments, antes, strict=True)
        )
    )
    for answer in answers:
        assert answer["type"] == "ack" or answer["problem"]["code"] in LATE, answer
    accepted = {1: 500} | {
        person.seat: ante
        for person, ante, answer in zip(people, antes, answers, strict=True)
        if answer["type"] == "ack"
    }
    await until(lambda: all(person.told("cards_dealt") for person in people))
    for person in people:
        kinds = [event["type"] for event in person.events]
        closed = kinds.index("no_more_bets")
        assert "bet_placed" not in kinds[closed:]
        placed = {each["seat"]: each["wagers"]["ante"] for each in person.told("bet_placed")}
        assert placed == accepted
    in_play = int(
        one(house, "SELECT accounts ->> 'in_play' FROM tables_table WHERE id = %s", first.table)
    )
    held = "SELECT balance_minor FROM wallets_account WHERE id = %s"
    assert one(house, held, in_play) == 2 * sum(accepted.values())

    # The workers can no longer pay, and die once the round is revealed to everybody.
    workers = house.pids("worker")
    assert workers
    for pid in workers:
        os.kill(pid, signal.SIGSTOP)
    await until(lambda: all(person.turn["window"] == "decision" for person in people))
    for person in people:
        if person.seat in accepted:
            assert (await person.act(name="play"))["type"] == "ack"
    await until(lambda: all(person.told("hand_over") for person in people))
    status = "SELECT status FROM tables_hand WHERE id = %s"
    assert one(house, status, hand) == "finished"
    for pid in workers:
        os.kill(pid, signal.SIGKILL)
    await until(lambda: all(person.told("hand_settled") for person in people))

    assert one(house, status, hand) == "settled"
    paid = "SELECT count(*) FROM wallets_transfer WHERE key = %s"
    assert one(house, paid, f"hand:{hand}:settle") == 1
    over = first.told("hand_over")[-1]
    account = (
        "SELECT a.balance_minor FROM wallets_account a JOIN tables_hand h"
        " ON (h.seats -> %s ->> 'account')::bigint = a.id WHERE h.id = %s"
    )
    for person in people:
        assert person.told("hand_over")[-1] == over
        shown_minor = over["stacks_minor"][str(person.seat)]
        assert one(house, account, str(person.seat), hand) == shown_minor
    for person in people:
        await person.line.close()
