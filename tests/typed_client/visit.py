"""A hand of hold'em as a program of somebody else plays it, with the client made of our document.

Type checked, strictly, together with the client: what the document says is what it relies on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar
from uuid import uuid4

from croupier_client import AuthenticatedClient, Client
from croupier_client.api.hands import hands as hands_list
from croupier_client.api.registrations import register
from croupier_client.api.sign_in import sign_in
from croupier_client.api.sign_out import sign_out
from croupier_client.api.tables import seat_leave, seat_take, table, table_act
from croupier_client.api.wallet import wallet, wallet_statement
from croupier_client.models import (
    ActionsInput,
    ActionsInputAction,
    HandsOutputHand,
    Player,
    Problem,
    RegistrationsInput,
    SeatsInput,
    SignInInput,
    Snapshot,
    StatementOutputLine,
)
from croupier_client.types import Response

T = TypeVar("T")
ACTIONS_MOST = 20


class Refused(Exception):
    """What the house answered instead: its code, and the sentence about it."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(f"{problem.status} {problem.code}: {problem.detail}")
        self.code = problem.code


def had(answer: Response[T | Problem]) -> T:
    """The answer itself. Raises Refused for a problem."""
    parsed = answer.parsed
    if isinstance(parsed, Problem):
        raise Refused(parsed)
    if parsed is None:
        raise ValueError(f"no answer of this kind is documented: {answer.status_code}")
    return parsed


def joined(base: str, username: str, password: str) -> Player:
    client = Client(base_url=base, raise_on_unexpected_status=True)
    body = RegistrationsInput(username=username, display_name=username, password=password)
    return had(register.sync_detailed(client=client, body=body))


@dataclass
class Guest:
    client: AuthenticatedClient

    @classmethod
    def entering(cls, base: str, username: str, password: str) -> Guest:
        door = Client(base_url=base, raise_on_unexpected_status=True)
        body = SignInInput(username=username, password=password)
        answer = had(sign_in.sync_detailed(client=door, body=body))
        client = AuthenticatedClient(
            base_url=base, token=answer.token, raise_on_unexpected_status=True
        )
        return cls(client)

    def sits(self, table_id: int, buy_in_minor: int) -> int:
        answer = seat_take.sync_detailed(
            table_id, client=self.client, body=SeatsInput(buy_in_minor=buy_in_minor),
            idempotency_key=str(uuid4()),
        )  # fmt: skip
        return had(answer).seat

    def sees(self, table_id: int) -> Snapshot:
        return had(table.sync_detailed(table_id, client=self.client))

    def plays_on(self, table_id: int) -> str | None:
        """Check where that is possible, else call; None when it is not his turn."""
        seen = self.sees(table_id)
        if seen.hand is None or seen.hand.turn is None or seen.you is None:
            return None
        names = [str(action["name"]) for action in seen.you.legal_actions]
        if not names:
            return None
        name = "check" if "check" in names else "call"
        body = ActionsInput(
            action_id=uuid4(), turn_id=int(seen.hand.turn["turn_id"]),
            action=ActionsInputAction(name=name),
        )  # fmt: skip
        acted = had(table_act.sync_detailed(table_id, client=self.client, body=body))
        if acted.replayed or acted.seq <= seen.seq:
            raise ValueError(f"the action stands at {acted.seq}, after {seen.seq}")
        return name

    def leaves(self, table_id: int) -> None:
        had(seat_leave.sync_detailed(table_id, client=self.client, idempotency_key=str(uuid4())))

    def cash_minor(self) -> int:
        (purse,) = had(wallet.sync_detailed(client=self.client)).purses
        return purse.cash.amount_minor

    def lines(self) -> list[StatementOutputLine]:
        return had(wallet_statement.sync_detailed(client=self.client)).lines

    def hands(self) -> list[HandsOutputHand]:
        return had(hands_list.sync_detailed(client=self.client)).hands

    def goes(self) -> int:
        return int(sign_out.sync_detailed(client=self.client).status_code)


def played(guests: list[Guest], table_id: int) -> list[str]:
    """Everybody plays on until nobody is asked any more; what was done, in order."""
    done: list[str] = []
    for _ in range(ACTIONS_MOST):
        acted = [name for guest in guests if (name := guest.plays_on(table_id))]
        if not acted:
            return done
        done += acted
    raise ValueError(f"the hand does not end: {done}")
