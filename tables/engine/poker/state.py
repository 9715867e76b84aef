"""A hand in play: flat lists by place, and the few questions every part asks of them.

Inside the engine a seat is its *place*: 0 is the first seat dealt in left of the button, then
clockwise. So going through places in order is going round from the button's left, whether or not
somebody sits on the button itself. `numbers` holds the table's seat numbers by place; events,
views and results speak of those alone.

The state names positions in the deck; `deck` turns them into cards and is never stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from tables.engine.cards import CARD_TEXT
from tables.engine.errors import BadState
from tables.engine.poker.options import Options
from tables.engine.poker.rare import Asked, Rare, rare_of_json
from tables.engine.poker.vocabulary import PokerGame, Step
from tables.engine.protocol import Event, Json

FORMAT = 3

STORED = (
    "numbers", "button", "last_blind", "stacks", "paid", "put", "dead", "carried", "live",
    "down", "up", "board", "next_card", "step", "street", "streets", "turn", "pending",
    "price", "level", "full_to", "raise_by", "raises", "uncapped", "completing", "faced",
    "double", "first", "aggressor", "last", "shown", "muck", "thrown", "picks", "serving", "owing",
    "drawn", "refill", "asked", "opener", "openers", "needed", "checked", "before", "declared",
    "branch", "offered", "die", "aside", "claimed", "rare", "opening", "awards", "over", "ending",
)  # fmt: skip
"""What a state stores, in this order, after the format version."""


UP_AT = 1 + STORED.index("up")
RARE_AT = 1 + STORED.index("rare")

fields_of = attrgetter(*STORED)
new_event = tuple.__new__
"""Makes an Event of its fields in half the time that calling the class takes."""


class State:
    """The state of a hand. Lists are indexed by place; amounts are minor units.

    paid: chips in the middle in all, contested layer by layer. put: those of this round. dead:
    chips posted into the pot that count towards no bet. carried: chips of earlier deals.
    pending: places still to act, in order. price: what this round costs to stay in. level: the last
    price counted as a full bet. full_to: the next full bet or raise in fixed limit. raise_by: the
    least raise in the other limits. faced: the price (fixed limit: the level) when a place last
    acted, -1 before it has. completing: only a bring-in, or less than a bet, is in. double: a big
    bet is open to all. asked: whether anybody could act in the last round. checked: who has checked
    in it. before: what was paid when it began.
    muck: positions thrown (folded hands stay `down` and `up`). thrown: by whom. picks: what each
    throws in the running draw. serving, owing, drawn: who is still to be served, how many cards the
    first of them, and those he has. refill: the muck in its fresh order.
    opener, openers, needed: who opened, the cards he opened on, the rank opening takes. declared:
    sides. branch: the game's other steps are played. offered: a drawn card that may be refused.
    die: what was rolled before the deal. aside: chips kept out of the hand: over the cap, or
    of one who cannot be heard. claimed: [amount, places] of pots built in a deal that died.
    rare: see `Rare`. worth: of hands shown down, by board, share and place; not stored.
    (Lists that a game does not use stay empty.)
    """

    __slots__ = (*STORED, "deck", "events", "game", "now", "options", "seats", "worth")

    now: Step | Asked
    numbers: list[int]
    button: int
    last_blind: int
    stacks: list[int]
    paid: list[int]
    put: list[int]
    dead: int
    carried: int
    live: list[int]
    down: list[list[int]]
    up: list[list[int]]
    board: list[int]
    next_card: int
    step: int
    street: str
    streets: int
    turn: int
    pending: list[int]
    price: int
    level: int
    full_to: int
    raise_by: int
    raises: int
    uncapped: bool
    completing: bool
    faced: list[int]
    double: bool
    first: int
    aggressor: int
    last: list[Any]
    shown: list[int]
    muck: list[int]
    thrown: list[list[int]]
    picks: list[list[int]]
    serving: list[int]
    owing: int
    drawn: list[int]
    refill: list[int]
    asked: bool
    opener: int
    openers: list[int]
    needed: str
    checked: list[bool]
    before: list[int]
    declared: list[str]
    branch: bool
    offered: int
    die: int
    aside: list[int]
    claimed: list[list[Any]]
    rare: Rare | None
    opening: list[int]
    awards: list[Json]
    over: bool
    ending: Json | None

    def __init__(
        self,
        game: PokerGame,
        options: Options,
        numbers: list[int],
        stacks: list[int],
        button: int,
        deck: Sequence[int],
    ) -> None:
        count = len(numbers)
        self.game = game
        self.options = options
        self.deck = deck
        self.now = game.steps[0]
        self.events: list[Event] = []
        self.seats = range(count)
        self.worth: list[list[list[int]]] = []
        self.numbers = numbers
        self.button = button
        self.last_blind = -1
        self.stacks = stacks
        self.paid = [0] * count
        self.put = [0] * count
        self.dead = 0
        self.carried = 0
        self.live = [1] * count
        self.down = [[] for _ in numbers]
        self.up = [[] for _ in numbers]
        self.board = []
        self.next_card = 0
        self.step = -1
        self.street = ""
        self.streets = 0
        self.turn = 0
        self.pending = []
        self.price = self.level = self.full_to = self.raise_by = self.raises = 0
        self.uncapped = self.completing = self.double = False
        self.faced = [-1] * count
        self.first = 0
        self.aggressor = -1
        self.last = [None] * count
        self.shown = [0] * count
        self.muck = []
        self.thrown = []
        self.picks = []
        self.serving = []
        self.owing = -1
        self.drawn = []
        self.refill = []
        self.asked = False
        self.opener = -1
        self.openers = []
        self.needed = options.openers
        self.checked = []
        self.before = []
        self.declared = []
        self.branch = False
        self.offered = -1
        self.die = 0
        self.aside = []
        self.claimed = []
        self.rare = None
        self.opening = stacks.copy()
        self.awards = []
        self.over = False
        self.ending = None

    def living(self) -> list[int]:
        """Places that have not folded, from the button's left."""
        live = self.live
        return [place for place in self.seats if live[place]]

    def from_place(self, place: int) -> list[int]:
        """Live places clockwise, starting at `place` itself."""
        live = self.live
        return [p for p in (*self.seats[place:], *self.seats[:place]) if live[p]]

    def able(self) -> list[int]:
        """Live places that still have chips to bet."""
        live, stacks = self.live, self.stacks
        return [place for place in self.seats if live[place] and stacks[place]]

    def pot(self) -> int:
        """All chips in the middle, those of the running round included."""
        built = sum([amount for amount, _ in self.claimed]) if self.claimed else 0
        return sum(self.paid) + self.dead + self.carried + built

    def rarely(self) -> Rare:
        """What few hands have, made when it is first needed."""
        if self.rare is None:
            self.rare = Rare()
        return self.rare

    def cards(self, positions: Sequence[int]) -> tuple[int, ...]:
        deck = self.deck
        return tuple([deck[position] for position in positions])

    def texts(self, positions: Sequence[int]) -> list[str]:
        deck = self.deck
        return [CARD_TEXT[deck[position]] for position in positions]

    def held(self, place: int) -> int:
        """All chips before a place, those kept out of the hand included."""
        return self.stacks[place] + (self.aside[place] if self.aside else 0)

    def pay(self, place: int, amount: int) -> int:
        """Move chips of a bet to the middle, all the place has if that is less."""
        stack = self.stacks[place]
        if amount > stack:
            amount = stack
        self.stacks[place] = stack - amount
        self.put[place] += amount
        self.paid[place] += amount
        return amount

    def tell(self, kind: str, public: Json, private: dict[int, Json] | None = None) -> None:
        self.events.append(new_event(Event, (kind, public, private)))

    def dump(self) -> list[Any]:
        """The state as a JSON list: format version, then `STORED`. No cards."""
        stored = [FORMAT, *fields_of(self)]
        if not any(self.up):
            stored[UP_AT] = []
        if self.rare is not None:
            stored[RARE_AT] = self.rare.dump()
        return stored

    def restore(self, stored: Sequence[Any]) -> None:
        """Take over a dumped state. Raises BadState if it is of another format."""
        if len(stored) != len(STORED) + 1 or stored[0] != FORMAT:
            raise BadState(f"not a state of format {FORMAT}")
        # In the order of STORED, in one assignment: a tenth of the time of one setattr each.
        (
            _,
            self.numbers, self.button, self.last_blind, self.stacks, self.paid, self.put,
            self.dead, self.carried, self.live, self.down, self.up, self.board, self.next_card,
            self.step, self.street, self.streets, self.turn, self.pending, self.price,
            self.level, self.full_to, self.raise_by, self.raises, self.uncapped, self.completing,
            self.faced, self.double, self.first, self.aggressor, self.last, self.shown,
            self.muck, self.thrown, self.picks, self.serving, self.owing, self.drawn,
            self.refill, self.asked, self.opener, self.openers, self.needed, self.checked,
            self.before, self.declared, self.branch, self.offered, self.die, self.aside,
            self.claimed, self.rare, self.opening, self.awards, self.over, self.ending,
        ) = stored  # fmt: skip
        self.seats = range(len(self.numbers))
        self.worth = []
        if not self.up:
            self.up = [[] for _ in self.numbers]
        if self.rare is not None:
            self.rare = rare_of_json(stored[RARE_AT])
