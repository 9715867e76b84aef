"""A house in play, and the player at its door: whatever he does to himself, he is there again.

Every request is committed, as in production. The workers' tasks are done between two requests, the
clock ticks, and others play on; a player whose session has ended signs in anew, and one whose
account is closed, barred or used up makes room for the next.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pyotp
from django.utils import timezone
from rest_framework.test import APIClient

from casino.core.approvals import approval_approve
from casino.core.hooks import Webhook, WebhookMessage
from casino.core.models import Role, Token, User
from tables import beliefs, clock, tasks
from tables.engine.history.choices import any_action
from tables.engine.protocol import Action
from tables.models import Cut, Hand, Paytable, Table
from tables.services import sandbox, seating
from tests.cast import CURRENCY, HOLDEM, holdem_table, person, three_card_table
from tests.tables.cut_cast import Giver
from wallets import bonuses, exchanging
from wallets.models import PLAY_MONEY, BonusGrant
from wallets.services import deposit

CASH_MINOR, BUY_IN_MINOR = 200_000, 5_000
# A player's requests, before he makes room: his limits only ever tighten.
REQUESTS_EACH = 80
LATEST = 6
TIMING = {"action_s": 3, "betting_s": 3, "decision_s": 3, "pause_s": 0, "cycle_s": 0}
QUICK = {"timing": TIMING, "reveal_ms": 3_000}
# Of which versions an operation makes another.
PAYTABLES_FOR = {
    "paytable_change": ("draft", "priced"), "paytable_price": ("draft", "priced"),
    "paytable_ask": ("priced", "approved"), "paytable_approve": ("asked",),
    "paytable_refuse": ("asked",),
}  # fmt: skip
TAKES = (Table.Status.OPEN, Table.Status.PAUSED)


class House:
    """Two tables in play, one empty and one full, those who agree to things, and what goes on."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.sent: list[tuple[Any, ...]] = []
        self.amber = holdem_table("Amber", **QUICK)
        self.banked = three_card_table("Banked", **QUICK)
        self.quiet = holdem_table("Quiet", max_seats=10)
        self.full = holdem_table("Full", options=HOLDEM | {"big_blind_minor": 200}, max_seats=2)
        self.bob = person("Bob", cash_minor=100_000_000)
        for one in (self.bob, person("Cid")):
            one.sits(self.full)
            one.client.send(f"tables/{self.full.pk}/sit-out", key=None)
        self.finance = person("Fay", Role.FINANCE).user
        self.head = person("Ada", Role.ADMIN).user
        self.maths = [signed_in(person(name, Role.GAME_MATHS).user) for name in ("Mia", "Max")]
        asked = exchanging.rate_ask(
            gives=CURRENCY, gets="PLN", gives_minor=100, gets_minor=425, middle_minor=430,
            source="fixing", valid_for=timedelta(hours=8), reason="of the day", by=self.finance,
        )  # fmt: skip
        approval_approve(approval_id=asked.pk, by=self.head)
        self.rate = exchanging.rate_set(approval_id=asked.pk, by=self.finance)

    def send(self, name: str, *args: Any, queue: str = "tables") -> bool:
        """In the broker's place."""
        self.sent.append((name, *args))
        return True

    def goes_on(self) -> None:
        """What workers, clock and the other player do until the next request."""
        for kind in ("web", "clock"):
            clock.pulse(kind)
        clock.tick()
        for _ in range(20):
            if not self.sent:
                break
            name, *args = self.sent.pop(0)
            queue, _, task = name.partition(".")
            if queue == "tables":
                getattr(tasks, task)(*args)
        self.bob_plays()

    def bob_plays(self) -> None:
        if not self.amber.seats.filter(player=self.bob.user).exists():
            self.bob.sits(self.amber, 20_000)
        if self.amber.seats.filter(player=self.bob.user, status="sitting_out").exists():
            self.bob.client.send(f"tables/{self.amber.pk}/return", key=None)
        if (wanted := decision(self.amber.pk, self.bob.user.pk, self.chance)) is not None:
            self.bob.client.act(self.amber, *wanted)


def signed_in(user: User) -> APIClient:
    client = APIClient(raise_request_exception=False)
    client.force_login(user)
    return client


def decision(table_id: int, player_id: int, chance: random.Random) -> tuple[int, Action] | None:
    """The turn and a legal action of it, where this player is awaited."""
    belief = beliefs.read(table_id)
    if belief.hand_id is None or belief.finished or belief.state is None:  # its deck is awaited
        return None
    hand = belief.hand()
    for seat in belief.seats_of(player_id):
        if seat in hand.waiting and (choices := hand.legal(seat)):
            return belief.turn_id, any_action(choices, chance, chip_minor=50)
    return None


@dataclass
class Player:
    """Registered and signed in through the door; half of them by a browser, half by a program."""

    house: House
    number: int
    password: str = "seven ravens over Torun"
    secret: str = ""
    asked: int = 0
    step: int = 0
    user: User = field(init=False)
    client: APIClient = field(init=False)
    giver: Giver = field(init=False)
    own: Table | None = None

    def __post_init__(self) -> None:
        answer = APIClient().post(
            "/api/v1/registrations",
            {"username": self.username, "password": self.password, "display_name": self.username},
            format="json",
        )
        assert answer.status_code == 201, answer.content
        self.user = User.objects.get(pk=answer.json()["id"])
        self.giver = Giver(self.user)
        deposit(
            player_id=self.user.pk, amount_minor=CASH_MINOR, currency=CURRENCY,
            key=f"deposit:{self.user.pk}", actor_id=None,
        )  # fmt: skip
        bonuses.bonus_grant(
            player_id=self.user.pk, currency=CURRENCY, amount_minor=500, wager_minor=5_000,
            funds="cash_first", expires_at=timezone.now() + timedelta(days=7),
            key=f"grant:{self.user.pk}", by=self.house.finance,
        )  # fmt: skip
        assert self.signs_in()
        self.asks("webhooks", {"url": "https://example.org/", "kinds": ["chips.bought"]})
        self.asks("tokens", {"name": "a program", "scopes": ["read"]})
        self.secret = self.asks("me/second-factor", {"password": self.password}).json()["secret"]
        self.takes_seats()
        for table in (self.house.amber, self.house.banked):  # as every player's client does
            cut = self.cut(table.pk, "open")
            body = {"cut": cut, "commitment": self.giver.commitment(cut)}
            self.asks(f"tables/{table.pk}/seeds", body)

    @property
    def username(self) -> str:
        return f"player.{self.number}"

    def asks(self, path: str, body: Any) -> Any:
        """Something that is not counted, as he needs it to have what to ask for."""
        headers = {"Idempotency-Key": str(uuid4())}
        return self.client.post(f"/api/v1/{path}", body, format="json", headers=headers)

    def code(self) -> str:
        """Of his second factor; each half minute's counts once, from the last to the next one."""
        if not self.secret:
            return ""
        now = int(timezone.now().timestamp()) // 30
        self.step = min(max(self.step + 1, now - 1), now + 1)
        return pyotp.TOTP(self.secret).at(30 * self.step)

    def signs_in(self) -> bool:
        """False: his account is one that nobody signs in to any more."""
        if self.number % 2:
            if User.objects.filter(pk=self.user.pk, is_active=True).exists():
                self.client = signed_in(User.objects.get(pk=self.user.pk))
                return True
            return False
        body = {"username": self.username, "password": self.password, "code": self.code()}
        answer = APIClient().post("/api/v1/sign-in", body, format="json")
        if answer.status_code == 200:
            self.client = APIClient(raise_request_exception=False)
            self.client.credentials(HTTP_AUTHORIZATION=f"Bearer {answer.json()['token']}")
        return bool(answer.status_code == 200)

    def takes_seats(self) -> None:
        """At a ring game, against the house, and alone at a table of play money of his own; what
        is empty stays so."""
        if self.house.quiet.pk in self.seated:
            self.asks(f"tables/{self.house.quiet.pk}/leave", None)
        for table in (self.house.amber, self.house.banked):
            if not table.seats.filter(player=self.user).exists():
                self.asks(f"tables/{table.pk}/seats", {"buy_in_minor": BUY_IN_MINOR})
            elif table.seats.filter(player=self.user, status="sitting_out").exists():
                self.asks(f"tables/{table.pk}/return", None)
        if self.own is None or not self.own.seats.filter(player=self.user).exists():
            self.asks("sandbox/deposits", {"amount_minor": 100_000})
            made = self.asks(
                "sandbox/tables",
                {"name": str(uuid4()), "game": "three_card_poker", "timing": TIMING},
            )
            if made.status_code == 201:
                told = made.json()
                self.own = Table.objects.get(pk=told["table"])
                body = {"buy_in_minor": BUY_IN_MINOR, "invitation": told["invitation"]}
                self.asks(f"tables/{self.own.pk}/seats", body)

    def leaves(self) -> None:
        """His seats become free when their hands are over, his own tables close."""
        for table_id in self.seated:
            seating.seat_leave(table_id=table_id, player=self.user)
        for table_id in self.own_tables():
            sandbox.table_close(table_id=table_id, player=self.user)

    # What is there for him now, to be asked for.

    @property
    def seated(self) -> list[int]:
        return list(self.user.seats.order_by("pk").values_list("table_id", flat=True))

    def own_tables(self) -> list[int]:
        open_to = Table.objects.filter(opened_by=self.user, status__in=TAKES)
        return list(open_to.values_list("pk", flat=True))

    def rows(self, name: str, operation: str) -> list[int]:
        """Ids that a path of this operation may well name, the likeliest alone; else others'."""
        if name == "table_id":
            return self.tables(operation)
        if name == "hand_id":
            return self.hands()
        mine: Any = {
            "token_id": Token.objects.filter(user=self.user, revoked_at=None),
            "webhook_id": Webhook.objects.filter(owner=self.user, is_on=True),
            "message_id": WebhookMessage.objects.filter(webhook__owner=self.user),
            "grant_id": BonusGrant.objects.filter(player=self.user),
            "paytable_id": Paytable.objects.filter(
                status__in=PAYTABLES_FOR.get(operation, Paytable.Status.values)
            ),
        }[name]
        return list(mine.order_by("-pk").values_list("pk", flat=True)[:LATEST])

    def hands(self) -> list[int]:
        """The latest that he was dealt in to, and the last one of all."""
        latest = list(Hand.objects.order_by("-pk")[: 4 * LATEST])
        mine = [one.pk for one in latest if beliefs.dealt_to(one.seats, self.user.pk)]
        return mine[:LATEST] + [one.pk for one in latest[:1]]

    def tables(self, operation: str) -> list[int]:
        seated = self.seated
        if operation == "table_act":
            chance = self.house.chance
            return [one for one in seated if decision(one, self.user.pk, chance)] or seated
        if operation.startswith("sandbox"):
            return [one for one in self.own_tables() if one in seated] or self.own_tables()
        if operation in ("list_join", "list_leave"):
            return [self.house.full.pk]
        if operation in ("seat_take", "seat_reserve"):
            return [t.pk for t in (self.house.amber, self.house.banked, self.house.quiet)
                    if t.pk not in seated] or [self.house.quiet.pk]  # fmt: skip
        if operation == "table_odds":
            return [self.house.banked.pk]
        if operation == "seed_open":
            asked = Cut.objects.filter(status="listed", commitments_given__player=self.user)
            return list(asked.values_list("table_id", flat=True)) or seated
        everywhere = [self.house.amber.pk, self.house.banked.pk, self.house.quiet.pk]
        return seated if operation.startswith("seat") and seated else everywhere + seated

    def cut(self, table_id: int, status: str) -> int:
        found = Cut.objects.filter(table_id=table_id, status=status).order_by("-number").first()
        return 1 if found is None else found.number

    def free_seat(self, table_id: int) -> int:
        table = Table.objects.get(pk=table_id)
        taken = {number for seat in table.seats.all() for number in seat.numbers}
        free = [n for n in range(1, table.max_seats + 1) if n not in taken]
        return self.house.chance.choice(free or [1])

    def currency(self) -> str:
        return self.house.chance.choice((CURRENCY, CURRENCY, CURRENCY, PLAY_MONEY, "PLN"))
