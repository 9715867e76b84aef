"""What the rules of liar's dice refuse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tables.engine.errors import RuleViolation


@dataclass(eq=False)
class BidTooLow(RuleViolation):
    """A bid that raises neither the quantity nor, with as many dice, the face."""

    code: ClassVar[str] = "bid_too_low"
    bid: str
    standing: str

    def __str__(self) -> str:
        return f"{self.bid} does not raise the bid of {self.standing}"


@dataclass(eq=False)
class BidTooHigh(RuleViolation):
    """A bid of more dice than are in play."""

    code: ClassVar[str] = "bid_too_high"
    quantity: int
    dice: int

    def __str__(self) -> str:
        return f"a bid of {self.quantity} with {self.dice} dice in play"


@dataclass(eq=False)
class CallTooLow(RuleViolation):
    code: ClassVar[str] = "call_too_low"
    call: str
    standing: str

    def __str__(self) -> str:
        return f"{self.call} is not higher than {self.standing}"


@dataclass(eq=False)
class NoSuchCall(RuleViolation):
    """A class of hand that does not exist, or faces it cannot have."""

    code: ClassVar[str] = "no_such_call"
    call: str

    def __str__(self) -> str:
        return f"there is no hand {self.call}"
