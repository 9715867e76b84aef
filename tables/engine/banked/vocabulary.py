"""The words a game against the house is written in.

A game is a `BankedGame`: its wagers, the steps of a round and the dealer's hand. A round offers
the wagers the table has limits for, deals, asks each spot for one decision, and settles.
Source: docs/rules/banked.md 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, ClassVar

from tables.engine.cards import FULL_DECK
from tables.engine.errors import BadDefinition
from tables.engine.reasons import Reason

WIN, PUSH = "win", "push"
FORFEIT, LIVE = "forfeit", "live"


@dataclass(frozen=True, slots=True)
class Ante:
    """Staked before the deal on having a better hand than the dealer: even money.

    unqualified: what it does when the dealer does not qualify, WIN or PUSH.
    """

    id: str
    name: str
    unqualified: str


@dataclass(frozen=True, slots=True)
class Raise:
    """Staked by a decision, as a multiple of the wager `of`; otherwise as an Ante."""

    id: str
    name: str
    of: str
    unqualified: str


@dataclass(frozen=True, slots=True)
class Bonus:
    """No stake of its own: pays by its table on the stake of `of` whenever the spot played."""

    id: str
    name: str
    of: str
    hand: str


@dataclass(frozen=True, slots=True)
class Side:
    """Staked before the deal and paid by its table, whatever the dealer holds.

    hand: how its cards are classed, a key of `hands.HANDS`.
    needs: placed only beside one of these wagers; () when it may stand alone.
    on_fold: FORFEIT or LIVE, unless the table's policy says otherwise.
    """

    id: str
    name: str
    hand: str
    on_fold: str
    needs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Progressive(Side):
    """A side wager of one fixed stake, paid "for one" in part from a meter that it feeds.

    The table's `progressive` says what each hand wins.
    """


Wager = Ante | Raise | Bonus | Side


@dataclass(frozen=True, slots=True)
class Bets:
    """The betting window."""


@dataclass(frozen=True, slots=True)
class Deal:
    """Cards face down, packet by packet from the dealer's left, the dealer last."""

    player: int
    dealer: int


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer to a decision: fold, or stake `times` the raised wager's base."""

    name: str
    raises: str = ""
    times: int = 0

    @property
    def folds(self) -> bool:
        return not self.raises


@dataclass(frozen=True, slots=True)
class Decide:
    """Every spot with a stake on `of` answers, all at the same time.

    The first choice that folds is what silence means.
    """

    of: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Settle:
    """Wagers are settled in this order within a spot."""

    order: tuple[str, ...]


Step = Bets | Deal | Decide | Settle


@dataclass(frozen=True, slots=True)
class BankedGame:
    """A game against the house.

    ranking: which hand beats which, a key of `hands.RANKINGS`.
    qualifiers: the least hands a table may ask of the dealer, the usual one first.
    """

    family: ClassVar[str] = "banked"

    id: str
    name: str
    seats: range
    wagers: tuple[Wager, ...]
    steps: tuple[Step, ...]
    ranking: str
    qualifiers: tuple[str, ...]
    source: str
    deck: tuple[int, ...] = FULL_DECK

    wager: Mapping[str, Wager] = field(init=False, repr=False, compare=False)
    placed: tuple[Ante | Side, ...] = field(init=False, repr=False, compare=False)
    deal: Deal = field(init=False, repr=False, compare=False)
    decision: Decide = field(init=False, repr=False, compare=False)
    settling: Settle = field(init=False, repr=False, compare=False)
    choices: Mapping[str, Choice] = field(init=False, repr=False, compare=False)
    fold: Choice = field(init=False, repr=False, compare=False)
    dearest_raise: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if tuple(map(type, self.steps)) != (Bets, Deal, Decide, Settle):
            raise BadDefinition(self.id, Reason("round_order"))
        self._work_out()
        if len(self.wager) != len(self.wagers):
            raise BadDefinition(self.id, Reason("wagers_share"))
        if sorted(self.settling.order) != sorted(self.wager):
            raise BadDefinition(self.id, Reason("settling_once"))
        named = {self.decision.of, *(c.raises for c in self.decision.choices if c.raises)}
        named.update(w.of for w in self.wagers if isinstance(w, Raise | Bonus))
        if not named <= set(self.wager):
            raise BadDefinition(self.id, Reason("wager_unknown"))
        if self.deal.player * len(self.seats) + self.deal.dealer > len(self.deck):
            raise BadDefinition(self.id, Reason("deck_short_of_seats"))

    def _work_out(self) -> None:
        """What follows from the definition, kept beside it: a round asks for it all the time."""
        _, deal, decision, settling = self.steps
        assert isinstance(deal, Deal)
        assert isinstance(decision, Decide)
        assert isinstance(settling, Settle)
        folds = [choice for choice in decision.choices if choice.folds]
        if not folds:
            raise BadDefinition(self.id, Reason("no_fold"))
        found = {
            "wager": {wager.id: wager for wager in self.wagers},
            "placed": tuple(w for w in self.wagers if isinstance(w, Ante | Side)),
            "deal": deal,
            "decision": decision,
            "settling": settling,
            "choices": {choice.name: choice for choice in decision.choices},
            "fold": folds[0],
            "dearest_raise": max(choice.times for choice in decision.choices),
        }
        for name, value in found.items():
            object.__setattr__(self, name, value)

    def to_json(self) -> dict[str, Any]:
        """The game as plain JSON; `from_json` reads it back."""
        given = [part.name for part in fields(self) if part.init]
        return {"family": self.family, **{name: _plain(getattr(self, name)) for name in given}}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> BankedGame:
        """The game that `to_json` wrote. Raises BadDefinition."""
        try:
            values = {name: _word(value) for name, value in stored.items() if name != "family"}
            return cls(**values)
        except (KeyError, TypeError) as error:
            raise BadDefinition(
                str(stored.get("id", "")), Reason("unreadable", fault=str(error))
            ) from None


WORDS = {
    cls.__name__: cls
    for cls in (Ante, Raise, Bonus, Side, Progressive, Bets, Deal, Choice, Decide, Settle)
}


def _plain(value: Any) -> Any:
    if isinstance(value, range):
        return {"word": "range", "start": value.start, "stop": value.stop}
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    if is_dataclass(value):
        parts = {part.name: _plain(getattr(value, part.name)) for part in fields(value)}
        return {"word": type(value).__name__, **parts}
    return value


def _word(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_word(part) for part in value)
    if not isinstance(value, dict):
        return value
    parts = {name: _word(part) for name, part in value.items() if name != "word"}
    if value["word"] == "range":
        return range(parts["start"], parts["stop"])
    return WORDS[value["word"]](**parts)
