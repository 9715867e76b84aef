"""What the rules refuse: one class per broken rule, with a stable code and the facts.

Fields are given by position, so an error survives pickling.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tables.engine.reasons import Reason


class RuleViolation(Exception):
    """Something the rules of the game do not allow. Nothing has changed."""

    code: ClassVar[str] = "rule_violation"


@dataclass(eq=False)
class UnknownCard(RuleViolation):
    code: ClassVar[str] = "unknown_card"
    text: str

    def __str__(self) -> str:
        return f"{self.text!r} is not a card"


@dataclass(eq=False)
class CardNotInDeck(RuleViolation):
    code: ClassVar[str] = "card_not_in_deck"
    card: str
    game: str

    def __str__(self) -> str:
        return f"{self.card} is not in the deck of {self.game}, or is in it twice"


@dataclass(eq=False)
class UnknownGame(RuleViolation):
    code: ClassVar[str] = "unknown_game"
    game: str

    def __str__(self) -> str:
        return f"there is no game {self.game!r}"


@dataclass(eq=False)
class BadDefinition(RuleViolation):
    """A game definition that cannot be dealt."""

    code: ClassVar[str] = "bad_definition"
    game: str
    reason: Reason

    def __str__(self) -> str:
        return f"{self.game}: {self.reason}"


@dataclass(eq=False)
class BadOptions(RuleViolation):
    """A table option out of its range, or one the game does not know."""

    code: ClassVar[str] = "bad_options"
    option: str
    reason: Reason

    def __str__(self) -> str:
        return f"option {self.option}: {self.reason}"


@dataclass(eq=False)
class BadSeats(RuleViolation):
    """Seats that cannot be dealt in."""

    code: ClassVar[str] = "bad_seats"
    reason: Reason

    def __str__(self) -> str:
        return self.reason


@dataclass(eq=False)
class BadState(RuleViolation):
    """A stored state of another format or another game."""

    code: ClassVar[str] = "bad_state"
    reason: str

    def __str__(self) -> str:
        return self.reason


@dataclass(eq=False)
class HandIsOver(RuleViolation):
    code: ClassVar[str] = "hand_is_over"

    def __str__(self) -> str:
        return "the hand is over"


@dataclass(eq=False)
class NotInHand(RuleViolation):
    code: ClassVar[str] = "not_in_hand"
    seat: int

    def __str__(self) -> str:
        return f"seat {self.seat} is not in this hand"


@dataclass(eq=False)
class NotYourTurn(RuleViolation):
    code: ClassVar[str] = "not_your_turn"
    seat: int
    waiting: tuple[int, ...]

    def __str__(self) -> str:
        who = ", ".join(str(seat) for seat in self.waiting) or "nobody"
        return f"it is not the turn of seat {self.seat}: the hand waits for {who}"


@dataclass(eq=False)
class MalformedAction(RuleViolation):
    """An action of the wrong shape: a missing or unknown field, or a wrong type."""

    code: ClassVar[str] = "malformed_action"
    reason: str

    def __str__(self) -> str:
        return self.reason


@dataclass(eq=False)
class NoSuchAction(RuleViolation):
    code: ClassVar[str] = "no_such_action"
    name: str
    legal: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.name!r} is not possible now; possible: {', '.join(self.legal)}"


@dataclass(eq=False)
class CannotCheck(RuleViolation):
    code: ClassVar[str] = "cannot_check"
    call_minor: int

    def __str__(self) -> str:
        return f"there is a bet to answer: call {self.call_minor} or fold"


@dataclass(eq=False)
class NothingToCall(RuleViolation):
    code: ClassVar[str] = "nothing_to_call"

    def __str__(self) -> str:
        return "there is no bet to call: checking is free"


@dataclass(eq=False)
class CannotFold(RuleViolation):
    code: ClassVar[str] = "cannot_fold"

    def __str__(self) -> str:
        return "there is no bet to answer: checking is free"


@dataclass(eq=False)
class CannotRaise(RuleViolation):
    """A bet or raise when none is open to this seat."""

    code: ClassVar[str] = "cannot_raise"
    reason: str

    def __str__(self) -> str:
        return self.reason


@dataclass(eq=False)
class BetTooSmall(RuleViolation):
    code: ClassVar[str] = "bet_too_small"
    to_minor: int
    least_to_minor: int

    def __str__(self) -> str:
        return f"{self.to_minor} is below the least of {self.least_to_minor}"


@dataclass(eq=False)
class BetTooLarge(RuleViolation):
    code: ClassVar[str] = "bet_too_large"
    to_minor: int
    most_to_minor: int

    def __str__(self) -> str:
        return f"{self.to_minor} is above the most of {self.most_to_minor}"


@dataclass(eq=False)
class NotWholeChips(RuleViolation):
    code: ClassVar[str] = "not_whole_chips"
    amount_minor: int
    chip_minor: int

    def __str__(self) -> str:
        return f"{self.amount_minor} is not a whole number of chips of {self.chip_minor}"


@dataclass(eq=False)
class BadCardChoice(RuleViolation):
    """Cards named for a draw, discard or pass that may not be named so."""

    code: ClassVar[str] = "bad_card_choice"
    reason: str

    def __str__(self) -> str:
        return self.reason


@dataclass(eq=False)
class NeedsOpeners(RuleViolation):
    """An opening bet without the cards the game asks for."""

    code: ClassVar[str] = "needs_openers"
    openers: str

    def __str__(self) -> str:
        return f"opening needs {self.openers} or better"


@dataclass(eq=False)
class BadScript(RuleViolation):
    """A scripted deck that says what no script can say."""

    code: ClassVar[str] = "bad_script"
    field: str
    reason: str

    def __str__(self) -> str:
        return f"{self.field}: {self.reason}"


@dataclass(eq=False)
class ScriptNotPossible(RuleViolation):
    """No deal of this game to these seats is what a script asks for."""

    code: ClassVar[str] = "script_not_possible"
    reason: str

    def __str__(self) -> str:
        return self.reason


@dataclass(eq=False)
class BadHistory(RuleViolation):
    """A written hand that cannot be read."""

    code: ClassVar[str] = "bad_history"
    field: str
    reason: str

    def __str__(self) -> str:
        return f"{self.field}: {self.reason}".removeprefix(": ")
