"""What both games of liar's dice share: antes, turns, rolls, who is out, who takes the pot.

The dice come from `deck`: faces 1 to 6 in the order in which they are rolled, as the engine rolls
nothing itself. Where it runs out the hand waits (window "dice") and rolls at the next `expire()`
after it was loaded with a longer one. The state names positions in it, never faces.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tables.engine.bluff.vocabulary import ANTE, BluffGame, BluffOptions, read_options
from tables.engine.errors import (
    BadSeats,
    BadState,
    HandIsOver,
    MalformedAction,
    NoSuchAction,
    NotInHand,
    NotYourTurn,
)
from tables.engine.protocol import Action, Event, Json, SeatIn
from tables.engine.reasons import Reason

FORMAT = 1
DICE = "dice"
FORFEIT = "forfeit"


class BluffHand(ABC):
    """A hand in play. Seats are table seat numbers, clockwise; `left` is 0 for who is out.

    left: dice, or lives, a seat still has. mover: the seat in turn, or that begins after the roll.
    rolled: how many dice of the deck have been used. paid: what each seat has put in.
    """

    __slots__ = (
        "deck", "game", "left", "mover", "next_first", "options", "over", "paid", "places",
        "rolled", "rules", "seats", "stacks", "turn", "window", "won",
    )  # fmt: skip

    def __init__(
        self,
        game: BluffGame,
        options: Mapping[str, Any],
        seats: Sequence[int],
        stacks: Sequence[int],
        deck: Sequence[int],
    ) -> None:
        self.game = game
        self.options = options
        self.rules: BluffOptions = read_options(game, options)
        self.deck = deck
        self.seats = tuple(seats)
        self.stacks = list(stacks)
        self.left = [self.allowance] * len(self.seats)
        self.paid = [0] * len(self.seats)
        self.won = [0] * len(self.seats)
        self.places: list[list[int]] = [[] for _ in self.seats]
        self.mover = 0
        self.rolled = 0
        self.turn = 0
        self.window = DICE
        self.over = False
        self.next_first = -1

    # What the games differ in

    @property
    @abstractmethod
    def allowance(self) -> int:
        """Dice, or lives, a seat begins with."""

    @abstractmethod
    def _choices(self) -> list[Json]:
        """What the seat in turn may do."""

    def _names(self) -> tuple[str, ...]:
        """The names of `_choices`."""
        return tuple(choice["name"] for choice in self._choices())

    @abstractmethod
    def _default(self) -> Json:
        """What the seat in turn does when its time is up."""

    @abstractmethod
    def _do(self, name: str, action: Action, *, default: bool) -> list[Event]:
        """An action of the seat in turn, its name one of the choices."""

    @abstractmethod
    def _needed(self) -> int:
        """How many dice the next roll needs."""

    @abstractmethod
    def _rolled(self) -> list[Event]:
        """Hand out the dice of the next roll and open the turn that follows."""

    @abstractmethod
    def _clear(self) -> None:
        """Forget the bid or call of the round."""

    @abstractmethod
    def _extra(self) -> list[Any]:
        """State of the game's own, for `dump`."""

    @abstractmethod
    def _restore(self, extra: list[Any]) -> None:
        """Take back what `_extra` gave."""

    @abstractmethod
    def _own_view(self) -> Json:
        """What the game adds to the public view."""

    # What the hand waits for

    @property
    def waiting(self) -> tuple[int, ...]:
        return () if self.over or self.window == DICE else (self.seats[self.mover],)

    def legal(self, seat: int) -> list[Json]:
        """What the seat may do now; any live seat may forfeit at any time as well."""
        return self._choices() if seat in self.waiting else []

    def default_action(self, seat: int) -> Json:
        if seat not in self.waiting:
            raise NotYourTurn(seat, self.waiting)
        return self._default()

    def act(self, seat: int, action: Action) -> list[Event]:
        """Bid, call, challenge ... or forfeit. Raises a RuleViolation, and nothing has changed."""
        if self.over:
            raise HandIsOver
        if seat not in self.seats or not self.left[self.seats.index(seat)]:
            raise NotInHand(seat)
        name = action.get("name")
        if not isinstance(name, str):
            raise MalformedAction("an action has a name")
        if name == FORFEIT:
            only_fields(action, "name")
            return self._forfeit(self.seats.index(seat))
        if seat not in self.waiting:
            raise NotYourTurn(seat, self.waiting)
        names = self._names()
        if name not in names:
            raise NoSuchAction(name, names)
        return self._do(name, action, default=False)

    def expire(self) -> list[Event]:
        """The time is up: the default of the seat in turn, or the roll that waits for its dice."""
        if self.over:
            raise HandIsOver
        if self.window == DICE:
            if self._short():
                raise BadState(f"{self._needed()} dice are to be rolled, {self._spare()} are there")
            return self._rolled()
        action = self._default()
        return self._do(action["name"], action, default=True)

    # Rounds

    def _begin(self, mover: int) -> list[Event]:
        """A new round, begun by a place; its dice are rolled as soon as there are enough."""
        self._clear()
        self.mover = mover
        self.window = DICE
        return [] if self._short() else self._rolled()

    def _spare(self) -> int:
        return len(self.deck) - self.rolled

    def _short(self) -> bool:
        return self._needed() > self._spare()

    def _take(self, count: int) -> list[int]:
        """Positions of the next dice of the deck."""
        taken = list(range(self.rolled, self.rolled + count))
        self.rolled += count
        return taken

    def _open(self, window: str) -> None:
        self.window = window
        self.turn += 1

    def _after(self, place: int) -> int:
        """The next place clockwise that is still in."""
        count = len(self.seats)
        return next(
            other % count
            for other in range(place + 1, place + count + 1)
            if self.left[other % count]
        )

    def _live(self) -> list[int]:
        return [place for place, left in enumerate(self.left) if left]

    def _faces(self, place: int) -> list[int]:
        return [self.deck[at] for at in self.places[place]]

    def _settle_challenge(self, winner: int, loser: int, words: str, truth: bool) -> list[Event]:
        """The loser pays; the next round begins with him, or after him when he is out."""
        event = Event(
            "challenge_settled",
            {
                "truth": truth,
                "winner": self.seats[winner],
                "loser": self.seats[loser],
                "words": words,
            },
        )
        self.next_first = loser
        if self.rules.loss == ANTE:
            return [event, self._pay_ante(loser, winner), self._hand_over()]
        return [event, *self._lose(loser), *self._go_on(loser)]

    @abstractmethod
    def _lose(self, loser: int) -> list[Event]:
        """Take a die or a life, or all of them."""

    def _go_on(self, begins: int) -> list[Event]:
        live = self._live()
        if len(live) == 1:
            return self._award(live[0])
        return self._begin(begins if self.left[begins] else self._after(begins))

    def _seat_out(self, place: int, reason: str) -> Event:
        self.left[place] = 0
        return Event("seat_out", {"seat": self.seats[place], "reason": reason})

    def _forfeit(self, place: int) -> list[Event]:
        """Who leaves is out; the round is begun anew by the seat in turn, or the next one."""
        begins = self.mover
        if self.rules.loss == ANTE:
            owed_to = self._opponent_of(place)
            self.next_first = owed_to
            events = [self._seat_out(place, FORFEIT), self._pay_ante(place, owed_to)]
            return [*events, self._hand_over()]
        return [self._seat_out(place, FORFEIT), *self._go_on(begins)]

    def _opponent_of(self, place: int) -> int:
        """Whom a forfeit pays where each challenge is a hand of its own: the next seat."""
        return self._after(place)

    # Money

    def _post_antes(self) -> list[Event]:
        events = []
        for place, seat in enumerate(self.seats):
            self.paid[place] = self.rules.ante_minor
            events.append(
                Event(
                    "ante_posted",
                    {
                        "seat": seat,
                        "amount_minor": self.rules.ante_minor,
                        "stack_minor": self._stack(place),
                    },
                )
            )
        return events

    def _pay_ante(self, loser: int, winner: int) -> Event:
        amount = self.rules.ante_minor
        self.paid[loser] += amount
        self.won[winner] += amount
        return Event(
            "ante_paid",
            {
                "seat": self.seats[loser],
                "to": self.seats[winner],
                "amount_minor": amount,
                "stack_minor": self._stack(loser),
            },
        )

    def _award(self, winner: int) -> list[Event]:
        self.won[winner] = self._pot_minor() - self._rake_minor()
        if self.next_first < 0:
            self.next_first = winner
        return [
            Event("pot_awarded", {"pot": 0, "name": "main", **self._pot(winner)}),
            self._hand_over(),
        ]

    def _pot(self, winner: int) -> Json:
        return {
            "share": "",
            "amount_minor": self._pot_minor(),
            "rake_minor": self._rake_minor(),
            "eligible": list(self.seats),
            "winners": {str(self.seats[winner]): self.won[winner]},
            "words": "the last one in the game",
        }

    def _pot_minor(self) -> int:
        return 0 if self.rules.loss == ANTE else sum(self.paid)

    def _rake_minor(self) -> int:
        return self.rules.rake_minor(self._pot_minor(), len(self.seats))

    def _stack(self, place: int) -> int:
        return self.stacks[place] - self.paid[place] + self.won[place]

    def _hand_over(self) -> Event:
        self.over = True
        self.window = ""
        return Event(
            "hand_over",
            {
                "nets_minor": self._nets(),
                "stacks_minor": self._by_seat([self._stack(p) for p in range(len(self.seats))]),
                "rake_minor": self._rake_minor(),
            },
        )

    def _nets(self) -> Json:
        return self._by_seat([won - paid for won, paid in zip(self.won, self.paid, strict=True)])

    def _by_seat(self, values: Sequence[int]) -> Json:
        return {str(seat): value for seat, value in zip(self.seats, values, strict=True)}

    @property
    def result(self) -> Json | None:
        """As of ring games, and `next_first`: the seat that begins the next hand."""
        if not self.over:
            return None
        winners = {str(s): won for s, won in zip(self.seats, self.won, strict=True) if won}
        pots = []
        if self._pot_minor():
            pots.append(
                {
                    "amount_minor": self._pot_minor(),
                    "rake_minor": self._rake_minor(),
                    "eligible": list(self.seats),
                    "awards": winners,
                }
            )
        return {
            "nets_minor": self._nets(),
            "stacks_minor": self._by_seat([self._stack(p) for p in range(len(self.seats))]),
            "rake_minor": self._rake_minor(),
            "pots": pots,
            "carry_minor": 0,
            "showdown": True,
            "street": "dice",
            "next_first": self.seats[self.next_first],
        }

    # What may be seen, and what is stored

    def view(self, viewer: int | None) -> Json:
        """The hand as a seat sees it, or the public for None: hidden dice only as their number."""
        return self.views((viewer,))[viewer]

    def views(self, viewers: Iterable[int | None]) -> dict[int | None, Json]:
        public: Json = {
            "family": self.game.family,
            "game": self.game.id,
            "players": [self._player_view(place) for place in range(len(self.seats))],
            "pot_minor": 0 if self.over else self._pot_minor(),
            "waiting": list(self.waiting),
            "window": self.window,
            "over": self.over,
            **self._own_view(),
        }
        return {viewer: self._view_of(public, viewer) for viewer in viewers}

    def _view_of(self, public: Json, viewer: int | None) -> Json:
        """What anybody may see, and the viewer's own dice."""
        if viewer not in self.seats:
            return public
        place = self.seats.index(viewer)
        if not self.places[place]:
            return public
        players = public["players"].copy()
        players[place] = {**players[place], "dice": self._faces(place)}
        return {**public, "players": players}

    def _player_view(self, place: int) -> Json:
        return {
            "seat": self.seats[place],
            "stack_minor": self._stack(place),
            "left": self.left[place],
            "status": "live" if self.left[place] else "out",
            "down": len(self.places[place]),
        }

    def dump(self) -> list[Any]:
        """The state as a compact list, its format first; dice only as positions."""
        return [
            FORMAT,
            self.turn,
            self.window,
            self.mover,
            self.rolled,
            self.next_first,
            list(self.seats),
            self.stacks.copy(),
            self.left.copy(),
            self.paid.copy(),
            self.won.copy(),
            [places.copy() for places in self.places],
            self._extra(),
        ]

    def restore(self, state: Sequence[Any]) -> None:
        (_, self.turn, self.window, self.mover, self.rolled, self.next_first, _, _,
         left, paid, won, places, extra) = state  # fmt: skip
        self.left, self.paid, self.won = list(left), list(paid), list(won)
        self.places = [list(held) for held in places]
        self.over = self.window == ""
        self._restore(extra)


def draw_lots(places: Sequence[int], deck: Sequence[int]) -> tuple[int, int, list[dict[int, int]]]:
    """Who begins: each rolls a die, the highest of ties roll again.

    Returns the place, how many dice were used, and the rolls by place. Raises BadState when the
    deck has too few dice.
    """
    used = 0
    rolls: list[dict[int, int]] = []
    contenders = list(places)
    while len(contenders) > 1:
        if used + len(contenders) > len(deck):
            raise BadState("there are too few dice to draw lots for the first turn")
        faces = deck[used : used + len(contenders)]
        used += len(contenders)
        rolls.append(dict(zip(contenders, faces, strict=True)))
        best = max(faces)
        contenders = [place for place, face in zip(contenders, faces, strict=True) if face == best]
    return contenders[0], used, rolls


def opened(hand: BluffHand, first: int | None) -> list[Event]:
    """Antes, the lot for the first turn unless a seat has it already, and the first roll."""
    events = [] if hand.rules.loss == ANTE else hand._post_antes()
    if first is not None:
        return events + hand._begin(hand.seats.index(first))
    place, hand.rolled, rolls = draw_lots(range(len(hand.seats)), hand.deck)
    drawn = [{str(hand.seats[p]): face for p, face in roll.items()} for roll in rolls]
    events.append(Event("lot_drawn", {"rolls": drawn, "first": hand.seats[place]}))
    return events + hand._begin(place)


def checked_seats(game: BluffGame, seats: Sequence[SeatIn], ante_minor: int) -> None:
    """Raises BadSeats."""
    if len(seats) not in game.seats:
        raise BadSeats(
            Reason("for_players", game=game.name, least=game.seats[0], most=game.seats[-1])
        )
    if len({seat.seat for seat in seats}) != len(seats):
        raise BadSeats(Reason("dealt_twice"))
    if any(seat.stack_minor < ante_minor for seat in seats):
        raise BadSeats(Reason("ante_needed", ante_minor=ante_minor))


def only_fields(action: Mapping[str, Any], *names: str) -> None:
    for name in action:
        if name not in names:
            raise MalformedAction(f"unknown field {name!r}")
