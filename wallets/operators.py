"""Speaking with an operator's wallet: debit, credit, rollback and balance, signed, over HTTP.

An answer counts only if it says so itself: `ok` or `refused` in a JSON object. Whatever else comes
back, or nothing at all, leaves open what has happened there. Source: docs/operator_wallet.md.
"""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass
from typing import Any, Protocol
from uuid import UUID, uuid4

import httpx
from django.conf import settings

from casino.core.outgoing import signed
from wallets.models import MOST_MINOR

OK, REFUSED, UNSURE = "ok", "refused", "unsure"
TIMEOUT_S = 4
"""For all of a call: an answer may come byte by byte."""
ANSWER_MOST = 10_000
REASON_MOST = 60


@dataclass(frozen=True, slots=True)
class Asked:
    """One transaction: the same id however often it is asked. player: as the operator names him."""

    transaction: UUID
    player: str
    currency: str
    amount_minor: int

    def to_json(self) -> dict[str, Any]:
        return {
            "transaction": str(self.transaction),
            "player": self.player,
            "currency": self.currency,
            "amount_minor": self.amount_minor,
        }


@dataclass(frozen=True, slots=True)
class Answer:
    """status: OK, REFUSED or UNSURE. balance_minor: what he has there, if that was told."""

    status: str
    reason: str = ""
    balance_minor: int | None = None


class Port(Protocol):
    """What stands in for our own wallet."""

    def debit(self, asked: Asked) -> Answer: ...

    def credit(self, asked: Asked) -> Answer: ...

    def rollback(self, asked: Asked) -> Answer: ...

    def balance(self, player: str, currency: str) -> Answer: ...


class HttpPort:
    """A wallet at an address, which is followed nowhere else. transport: for tests."""

    def __init__(
        self, url: str, secret: str, transport: httpx.AsyncBaseTransport | None = None
    ) -> None:
        self.url = url.rstrip("/")
        self.secret = secret
        self.transport = transport

    def debit(self, asked: Asked) -> Answer:
        return self._ask("debit", asked.to_json())

    def credit(self, asked: Asked) -> Answer:
        return self._ask("credit", asked.to_json())

    def rollback(self, asked: Asked) -> Answer:
        return self._ask("rollback", asked.to_json())

    def balance(self, player: str, currency: str) -> Answer:
        return self._ask("balance", {"player": player, "currency": currency})

    def _ask(self, verb: str, facts: dict[str, Any]) -> Answer:
        body = json.dumps(facts).encode()
        headers = signed(str(uuid4()), int(time.time()), body, [self.secret])
        try:
            return answer_of(asyncio.run(self._told(f"{self.url}/{verb}", headers, body)))
        except (httpx.HTTPError, TimeoutError, OSError) as error:
            return Answer(UNSURE, type(error).__name__)

    async def _told(self, url: str, headers: dict[str, str], body: bytes) -> bytes:
        """What is answered, cut off behind what any answer has: it is not asked for compressed."""
        told = bytearray()
        headers = {**headers, "accept-encoding": "identity"}
        async with (
            asyncio.timeout(TIMEOUT_S),
            httpx.AsyncClient(
                timeout=TIMEOUT_S, follow_redirects=False, trust_env=False, transport=self.transport
            ) as client,
            client.stream("POST", url, headers=headers, content=body) as answer,
        ):
            async for part in answer.aiter_raw():
                told += part
                if len(told) > ANSWER_MOST:
                    break
        return bytes(told)


def answer_of(content: bytes) -> Answer:
    """An answer as it came; UNSURE unless it is one."""
    try:
        told = json.loads(content) if len(content) <= ANSWER_MOST else None
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict) or told.get("status") not in (OK, REFUSED):
        return Answer(UNSURE, "no answer of a wallet")
    balance, reason = told.get("balance_minor"), str(told.get("reason", ""))[:REASON_MOST]
    return Answer(
        told["status"],
        "".join(letter if letter.isprintable() else "?" for letter in reason),
        balance if type(balance) is int and abs(balance) <= MOST_MINOR else None,
    )


def configured() -> Port | None:
    """The operator's wallet of this house; None where it keeps players' money itself."""
    if not settings.OPERATOR_WALLET_URL:
        return None
    return HttpPort(settings.OPERATOR_WALLET_URL, settings.OPERATOR_WALLET_SECRET)
