"""What the rules of the banked games refuse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tables.engine.errors import RuleViolation


@dataclass(eq=False)
class BetsClosed(RuleViolation):
    """A wager placed, changed or withdrawn after "no more bets"."""

    code: ClassVar[str] = "bets_closed"

    def __str__(self) -> str:
        return "no more bets: wagers can no longer be placed, changed or withdrawn"


@dataclass(eq=False)
class UnknownWager(RuleViolation):
    code: ClassVar[str] = "unknown_wager"
    wager: str
    offered: tuple[str, ...]

    def __str__(self) -> str:
        return f"there is no wager {self.wager!r} here; offered: {', '.join(self.offered)}"


@dataclass(eq=False)
class NothingStaked(RuleViolation):
    code: ClassVar[str] = "nothing_staked"

    def __str__(self) -> str:
        return "a bet needs a stake on at least one wager"


@dataclass(eq=False)
class WagerTooSmall(RuleViolation):
    code: ClassVar[str] = "wager_too_small"
    wager: str
    amount_minor: int
    least_minor: int

    def __str__(self) -> str:
        return f"{self.wager} of {self.amount_minor} is below the least of {self.least_minor}"


@dataclass(eq=False)
class WagerTooLarge(RuleViolation):
    code: ClassVar[str] = "wager_too_large"
    wager: str
    amount_minor: int
    most_minor: int

    def __str__(self) -> str:
        return f"{self.wager} of {self.amount_minor} is above the most of {self.most_minor}"


@dataclass(eq=False)
class WagerOffStep(RuleViolation):
    code: ClassVar[str] = "wager_off_step"
    wager: str
    amount_minor: int
    step_minor: int

    def __str__(self) -> str:
        return f"{self.wager} of {self.amount_minor} is not a multiple of {self.step_minor}"


@dataclass(eq=False)
class WagerNeedsAnother(RuleViolation):
    """A side wager placed without one of the wagers it goes with."""

    code: ClassVar[str] = "wager_needs_another"
    wager: str
    needs: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.wager} goes only with {' or '.join(self.needs)}"


@dataclass(eq=False)
class StackTooShort(RuleViolation):
    """The stakes, with the raise that a wager reserves, exceed the chips in front of the seat."""

    code: ClassVar[str] = "stack_too_short"
    needed_minor: int
    stack_minor: int

    def __str__(self) -> str:
        return f"the bet needs {self.needed_minor}, the seat has {self.stack_minor}"


@dataclass(eq=False)
class PayoutTooLarge(RuleViolation):
    """With this bet the spot, or the round, could win more than the table's announced maximum.

    scope: "spot" or "round". possible: by wager, the most of it beside the others of the bet.
    """

    code: ClassVar[str] = "payout_too_large"
    scope: str
    payout_minor: int
    most_minor: int
    possible: dict[str, int]

    def __str__(self) -> str:
        most = ", ".join(f"{wager} {amount}" for wager, amount in self.possible.items())
        return (
            f"the {self.scope} could win {self.payout_minor}, the maximum is {self.most_minor};"
            f" possible beside the rest of the bet: {most}"
        )


@dataclass(eq=False)
class CannotSettle(RuleViolation):
    """Stakes, cards and decision that cannot belong to one spot."""

    code: ClassVar[str] = "cannot_settle"
    reason: str

    def __str__(self) -> str:
        return self.reason
