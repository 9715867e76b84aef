"""The players and tables of the house's tests: everyone has money, every table is ready to deal."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from rest_framework.test import APIClient

from casino.core.models import Role, Scope, User
from casino.core.services import token_issue
from tables import beliefs
from tables.engine.games.three_card_poker import STANDARD_PAYTABLES
from tables.models import Hand, Table
from tables.services import dealing, settling
from tables.services.floor import table_open
from wallets import services as wallets

CURRENCY = "EUR"
PURSE_MINOR = 100_000
HOLDEM = {"limit": "no_limit", "small_blind_minor": 50, "big_blind_minor": 100}
WAGER = {"least_minor": 500, "most_minor": 10_000, "step_minor": 100}
THREE_CARD = {
    "limits": {"ante": WAGER, "pair_plus": WAGER, "six_card": WAGER},
    "paytables": {
        wager: next(iter(STANDARD_PAYTABLES[wager].values()))
        for wager in ("ante_bonus", "pair_plus", "six_card")
    },
}


class Client(APIClient):
    """Speaks JSON with one token, and keeps the text of every answer it got."""

    def __init__(self, token: str | None = None) -> None:
        super().__init__()
        self.answers: list[str] = []
        if token is not None:
            self.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")

    def request(self, **request: Any) -> Any:
        response = super().request(**request)
        self.answers.append(response.content.decode())
        return response

    def read(self, path: str, **query: Any) -> Any:
        return self.get(f"/api/v1/{path}", query)

    def send(self, path: str, body: Any = None, *, key: str | None = "", **more: Any) -> Any:
        """key: "" makes a new Idempotency-Key, None sends none."""
        headers = {} if key is None else {"Idempotency-Key": key or str(uuid4())}
        return self.post(f"/api/v1/{path}", body, format="json", headers=headers, **more)

    def act(self, table: Table, turn_id: int, action: Mapping[str, Any], **more: Any) -> Any:
        body = {"action_id": str(uuid4()), "turn_id": turn_id, "action": action, **more}
        return self.send(f"tables/{table.pk}/actions", body, key=None)


@dataclass
class Person:
    """Somebody with an account, and a client with a token of it."""

    user: User
    client: Client = field(init=False)

    def __post_init__(self) -> None:
        self.client = client_of(self.user)

    @property
    def name(self) -> str:
        return self.user.display_name

    def cash_minor(self) -> int:
        account = wallets.player_account(player_id=self.user.pk, currency=CURRENCY)
        return wallets.balances_of(account_ids=[account])[account]

    def sits(self, table: Table, chips_minor: int = 10_000, seat: int | None = None) -> int:
        body = {"buy_in_minor": chips_minor, "seat": seat}
        response = self.client.send(f"tables/{table.pk}/seats", body)
        assert response.status_code == 201, response.content
        return int(response.json()["seat"])

    def sees(self, table: Table) -> dict[str, Any]:
        response = self.client.read(f"tables/{table.pk}")
        assert response.status_code == 200, response.content
        snapshot: dict[str, Any] = response.json()
        return snapshot


def client_of(user: User, *scopes: Scope) -> Client:
    """A client with a token of these scopes; of all when none is named."""
    _, token = token_issue(user=user, scopes=scopes or Scope.values)
    return Client(token)


def person(name: str, role: Role = Role.PLAYER, cash_minor: int = PURSE_MINOR) -> Person:
    user = User.objects.create_user(
        username=name.lower(),
        password=None,
        display_name=name,
        role=role,
        is_staff=role != Role.PLAYER,
    )
    if cash_minor and role == Role.PLAYER:
        wallets.deposit(
            player_id=user.pk,
            amount_minor=cash_minor,
            currency=CURRENCY,
            key=f"deposit:{user.pk}",
            actor_id=None,
        )
    return Person(user)


def holdem_table(name: str = "Amber", **facts: Any) -> Table:
    return table_open(
        **{
            "name": name,
            "game": "holdem",
            "options": HOLDEM,
            "currency": CURRENCY,
            "buy_in_least_minor": 1_000,
            "buy_in_most_minor": 20_000,
            "max_seats": 6,
            "chip_minor": 50,
            **facts,
        }
    )


def three_card_table(name: str = "Three Card", **facts: Any) -> Table:
    return table_open(
        **{
            "name": name,
            "game": "three_card_poker",
            "options": THREE_CARD,
            "currency": CURRENCY,
            "buy_in_least_minor": 1_000,
            "buy_in_most_minor": 50_000,
            "max_seats": 7,
            "min_players": 1,
            "chip_minor": 100,
            "float_minor": 1_000_000,
            **facts,
        }
    )


def deal(table: Table) -> Hand:
    """Deal the next hand now, as the worker would."""
    hand = dealing.hand_open(table_id=table.pk, number=beliefs.read(table.pk).hand_number + 1)
    assert hand is not None
    return hand


def settle(table: Table, hand: Hand) -> None:
    assert settling.hand_settle(table_id=table.pk, hand_id=hand.pk)
