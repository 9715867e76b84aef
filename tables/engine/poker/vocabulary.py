"""The words a poker game is made of.

A game is a frozen value: what is forced, the steps of a hand in order, and the shares of the pot.
An ordinary new variant is one more value and no code. Values serialise to JSON and back, so that a
hand ends by the definition it began with.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, ClassVar, TypeAlias

from tables.engine.cards import FULL_DECK, JOKER_DECK, SHORT_DECK, TWO_JOKER_DECK
from tables.engine.errors import BadDefinition
from tables.engine.reasons import Reason

FIXED, POT, HALF_POT, NO_LIMIT, SPREAD = "fixed", "pot", "half_pot", "no_limit", "spread"
EVERY_LIMIT = (NO_LIMIT, FIXED, POT, HALF_POT, SPREAD)

SMALL, BIG, TWICE_BIG = 0, 1, 2
"""Tiers of a fixed-limit bet."""

BLINDS, ANTES, BRING_IN = "blinds", "antes", "bring_in"
BLINDS_OR_ANTES, BLINDS_FROM_BUTTON = "blinds_or_antes", "blinds_from_button"
FORCED = (BLINDS, ANTES, BRING_IN, BLINDS_OR_ANTES, BLINDS_FROM_BUTTON)
"""What is forced before the first decision (a table may add an ante to blinds)."""

CARRY, OTHER_GAME = "carry", "other_game"
"""After a first round that nobody opens: chips stay for a new deal; the game's other steps."""

FROM_LEFT, AFTER_BLINDS, BY_BRING_IN, BY_BOARD = "left", "blinds", "bring_in", "board"
"""Who acts first in a betting round."""

DECKS: dict[str, tuple[int, ...]] = {
    "52": FULL_DECK,
    "36": SHORT_DECK,
    "53": JOKER_DECK,
    "54": TWO_JOKER_DECK,
}

DECK_SETS: dict[str, frozenset[int]] = {name: frozenset(cards) for name, cards in DECKS.items()}


@dataclass(frozen=True, slots=True)
class Deal:
    """Cards to every live seat, one at a time from the button's left, then to the board.

    common_if_short: one card to the board for all when the deck cannot serve every live seat.
    """

    word: ClassVar[str] = "deal"
    street: str
    down: int = 0
    up: int = 0
    board: int = 0
    common_if_short: bool = False


@dataclass(frozen=True, slots=True)
class Bet:
    """A betting round. tier: SMALL or BIG bets in fixed limit; first: who acts first.

    pair_doubles: an open pair at its start lets anyone bet small or big (fixed limit). openers:
    opening needs a pair of the table's opening rank or better. must_open: no checking before
    somebody opens. passed_out: what follows when nobody opens; "" goes on.
    """

    word: ClassVar[str] = "bet"
    tier: int = SMALL
    first: str = FROM_LEFT
    pair_doubles: bool = False
    openers: bool = False
    must_open: bool = False
    passed_out: str = ""


@dataclass(frozen=True, slots=True)
class Draw:
    """Each in turn says how many cards he changes; then all are served in turn.

    more: cards served beyond those thrown away. refusable: who draws exactly one card gets it face
    up and may refuse it for the next one face down.
    """

    word: ClassVar[str] = "draw"
    street: str
    most: int = 5
    more: int = 0
    refusable: bool = False


@dataclass(frozen=True, slots=True)
class Declare:
    """All say at once, hidden from each other, which side they play for: high, low or both."""

    word: ClassVar[str] = "declare"


@dataclass(frozen=True, slots=True)
class Discard:
    """Each in turn throws cards away, unseen by the others and not replaced."""

    word: ClassVar[str] = "discard"
    street: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Pass:
    """All choose cards at once and hand them to the next live neighbour, "left" or "right"."""

    word: ClassVar[str] = "pass"
    street: str
    count: int
    direction: str


@dataclass(frozen=True, slots=True)
class Arrange:
    """All put `count` of their cards into the order in which they will be rolled; the rest go."""

    word: ClassVar[str] = "arrange"
    count: int = 5


@dataclass(frozen=True, slots=True)
class Roll:
    """Everybody's next arranged card is turned up, all at once."""

    word: ClassVar[str] = "roll"
    street: str


@dataclass(frozen=True, slots=True)
class CallSpit:
    """Anybody may call for the next card to be turned up for all; the first call wins."""

    word: ClassVar[str] = "spit"
    last: bool = False


Step: TypeAlias = Deal | Bet | Draw | Discard | Declare | Pass | Arrange | Roll | CallSpit
STEP_OF_WORD: dict[str, type[Step]] = {
    step.word: step for step in (Deal, Bet, Draw, Discard, Declare, Pass, Arrange, Roll, CallSpit)
}


@dataclass(frozen=True, slots=True)
class Share:
    """A part of every pot and the hands that contest it.

    side: "high" or "low", the name under which hands are shown and the share is paid.
    ranking: a ranking's id. hole, board: how many hole and board cards must play, a set of counts
    each; () lets any cards play. part: its weight; the odd chip goes to the first share. at_least:
    the least class that wins a contested pot. Where no hand qualifies, its part goes to the other
    shares; where none does for any share, the pot is carried to the next deal.
    """

    ranking: str
    side: str = "high"
    hole: tuple[int, ...] = ()
    board: tuple[int, ...] = ()
    part: int = 1
    at_least: str = ""


@dataclass(frozen=True, slots=True)
class PokerGame:
    """A ring game. Raises BadDefinition if it cannot be dealt.

    low_boards: in a game with up cards, the lowest board acts first and the highest brings in.
    checked_seven: a 7-low or better that checks after the last draw wins nothing put in after it.
    boards: how many, each with an equal part of every pot. special: in what way a hand is dealt
    otherwise than its game usually is, in one word.
    rising_openers: each deal passed out asks for a higher pair to open the next. other: what the
    same cards are played as when a first round is passed out. die: by face of a die rolled before
    the deal, how many cards are dealt down and for which shares ("4 high", "5 8ob" ...). kill: a
    card that ends the deal when it comes face up. wild: ranks that are wild ("2", "K9").
    """

    family: ClassVar[str] = "poker"

    id: str
    name: str
    steps: tuple[Step, ...]
    shares: tuple[Share, ...]
    least_seats: int = 2
    most_seats: int = 10
    deck: str = "52"
    forced: str = BLINDS
    low_boards: bool = False
    checked_seven: bool = False
    rising_openers: bool = False
    other: PokerGame | None = None
    die: tuple[str, ...] = ()
    kill: str = ""
    wild: str = ""
    boards: int = 1
    special: str = ""
    limits: tuple[str, ...] = EVERY_LIMIT
    burns: bool = True
    source: str = ""

    def __post_init__(self) -> None:
        if self.deck not in DECKS:
            raise BadDefinition(self.id, Reason("no_deck", deck=self.deck))
        if not self.limits or not set(self.limits) <= set(EVERY_LIMIT):
            raise BadDefinition(self.id, Reason("limits_among", known=EVERY_LIMIT))
        if not self.shares:
            raise BadDefinition(self.id, Reason("no_share"))
        if len({share.side for share in self.shares}) != len(self.shares):
            raise BadDefinition(self.id, Reason("sides"))
        if self.boards not in (1, 2):
            raise BadDefinition(self.id, Reason("boards"))
        if self.boards > 1 and (
            self.shares[0].side != "high" or any(s.at_least for s in self.shares)
        ):
            raise BadDefinition(self.id, Reason("two_boards"))
        if not 2 <= self.least_seats <= self.most_seats:
            raise BadDefinition(self.id, Reason("seats_from_two"))
        if self.cards_needed(self.most_seats) > len(DECKS[self.deck]):
            raise BadDefinition(self.id, Reason("deck_too_short", seats=self.most_seats))

    @property
    def seats(self) -> range:
        return range(self.least_seats, self.most_seats + 1)

    @property
    def default_limit(self) -> str:
        return self.limits[0]

    def cards_needed(self, seats: int) -> int:
        """Cards a hand of so many seats takes when nobody folds or draws, burns included."""
        deals = [step for step in self.steps if isinstance(step, Deal)]
        dealt = sum(
            self.boards * deal.board
            + (1 if deal.common_if_short else seats * (deal.down + deal.up))
            for deal in deals
        )
        burns = sum(not deal.common_if_short for deal in deals) - 1
        return dealt + (burns if self.burns else 0)

    def to_json(self) -> dict[str, Any]:
        """All that makes the game, as JSON; defaults are left out."""
        data = _plain(self)
        data["family"] = self.family
        data["steps"] = [{"step": step.word, **_plain(step)} for step in self.steps]
        data["shares"] = [_plain(share) for share in self.shares]
        if self.other is not None:
            data["other"] = self.other.to_json()
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PokerGame:
        """The game of `to_json`. Raises BadDefinition."""
        name = str(data.get("id", "?"))
        given = {key: value for key, value in data.items() if key != "family"}
        try:
            return cls(**_read(cls, given, "a game"))
        except Unreadable as fault:
            raise BadDefinition(name, Reason("unreadable", fault=str(fault))) from fault


class Unreadable(Exception):
    """A definition that is not written in these words; says where."""


def _plain(value: Any) -> dict[str, Any]:
    """Fields that differ from their defaults, tuples as lists."""
    found: dict[str, Any] = {}
    for field in fields(value):
        held = getattr(value, field.name)
        if field.default is MISSING or held != field.default:
            found[field.name] = list(held) if isinstance(held, tuple) else held
    return found


def _read(kind: type[Any], data: Any, what: str) -> dict[str, Any]:
    """The fields of a word from its JSON. Raises Unreadable."""
    if not isinstance(data, Mapping):
        raise Unreadable(f"{what} is an object with fields")
    known = {field.name: field for field in fields(kind)}
    for name in data:
        if name not in known:
            raise Unreadable(f"{what} has no field {str(name)[:40]!r}; it has {', '.join(known)}")
    for name, field in known.items():
        if field.default is MISSING and name not in data:
            raise Unreadable(f"{what} needs the field {name!r}")
    return {name: _value(str(known[name].type), data[name], f"{what}: {name}") for name in data}


def _value(kind: str, given: Any, what: str) -> Any:
    """One field, as its annotation wants it."""
    if kind == "tuple[Step, ...]":
        return tuple(_step(step, f"step {nth}") for nth, step in enumerate(_list(given, what), 1))
    if kind == "tuple[Share, ...]":
        shares = enumerate(_list(given, what), 1)
        return tuple(Share(**_read(Share, share, f"share {nth}")) for nth, share in shares)
    if kind.startswith("tuple"):
        plain, words = PLAIN[kind.removeprefix("tuple[").removesuffix(", ...]")]
        items = _list(given, what)
        if not all(type(item) is plain for item in items):
            raise Unreadable(f"{what} is a list, each of it {words}")
        return tuple(items)
    if kind in PLAIN:
        if what.endswith(": wild") and isinstance(given, (list, tuple)):
            given = "".join(map(str, given))  # ranks may be listed one by one
        plain, words = PLAIN[kind]
        if type(given) is not plain:
            raise Unreadable(f"{what} is {words}")
        return given
    if given is None:
        return None
    if isinstance(given, Mapping):
        given = {name: held for name, held in given.items() if name != "family"}
    return PokerGame(**_read(PokerGame, given, what))


def _list(given: Any, what: str) -> list[Any] | tuple[Any, ...]:
    if not isinstance(given, (list, tuple)):
        raise Unreadable(f"{what} is a list")
    return given


def _step(given: Any, what: str) -> Step:
    word = given.get("step") if isinstance(given, Mapping) else None
    kind = STEP_OF_WORD.get(word) if isinstance(word, str) else None
    if kind is None:
        raise Unreadable(f"{what} is an object whose step is one of {', '.join(STEP_OF_WORD)}")
    step: Step = kind(**_read(kind, {k: v for k, v in given.items() if k != "step"}, what))
    return step


PLAIN: dict[str, tuple[type[Any], str]] = {
    "str": (str, "text"),
    "int": (int, "a whole number"),
    "bool": (bool, "true or false"),
}
