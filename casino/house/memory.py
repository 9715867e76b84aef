"""What a player knows of its table, put together from the frames of its socket alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from casino.house.strategy import Spot

Facts = Mapping[str, Any]

CHOICES = ("name_game", "agree")
"""Windows between two hands: who sits there is asked, whether or not he was dealt in before."""


@dataclass
class Memory:
    """A table as its player `seat` sees it. Amounts in minor units.

    bets: what each seat has put in on this street; bet_price is the highest of them.
    spots: the cards at each spot that this player was dealt in at; several only against the house.
    is_dealt_in: whether the hand in play was dealt to this player, not to a former one there.
    turn: the public part of the running turn. limits: of a banked table's wagers, by name.
    left: the player's seat was given up, by the house or on its own wish.
    """

    seat: int | None = None
    seq: int | None = None
    chip_minor: int = 1
    family: str = ""
    game: str = ""
    stack_minor: int = 0
    is_dealt_in: bool = False
    dealt: set[int] = field(default_factory=set)
    folded: set[int] = field(default_factory=set)
    bets: dict[int, int] = field(default_factory=dict)
    pot_minor: int = 0
    cards: tuple[str, ...] = ()
    spots: dict[int, tuple[str, ...]] = field(default_factory=dict)
    board: tuple[str, ...] = ()
    turn: Facts | None = None
    limits: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    hands_settled: int = 0
    left: bool = False
    status: str = "playing"

    # What comes in

    def read_snapshot(self, state: Facts) -> None:
        self.seq = state["seq"]
        self.chip_minor = state["table"]["chip_minor"]
        self.family = state["table"]["family"]
        you = state.get("you") or {}
        self.seat = you.get("seat")
        self.left = self.seat is None
        self._new_hand()
        self.limits = state["table"]["stakes"].get("limits", {})
        for seat in state["seats"]:
            if seat["seat"] == self.seat:
                self.stack_minor, self.status = seat["stack_minor"], seat["status"]
        hand = state.get("hand")
        if state.get("choice") is not None:
            self.turn = state["choice"]["turn"]
        if hand is not None:
            self.game = hand["game"]["id"]
            self.turn = hand["turn"]
            self._read_view(hand["view"], you.get("dealt_as"))

    def _read_view(self, view: Facts, dealt_as: int | None) -> None:
        for player in view.get("players", view.get("spots", ())):
            seat = player["seat"]
            self.dealt.add(seat)
            self.bets[seat] = player.get("bet_minor", 0)
            if player.get("status") == "folded":
                self.folded.add(seat)
            if dealt_as is not None and player.get("player_seat", seat) == dealt_as:
                self.spots[seat] = tuple(player.get("cards", ()))
            if seat == dealt_as:
                self.is_dealt_in = True
                self.cards = tuple(player.get("cards", ()))
                self.stack_minor = player["stack_minor"]
        self.board = tuple(view.get("board", ()))
        self.pot_minor = view.get("pot_minor", 0)

    def read_events(self, frame: Facts) -> None:
        self.seq = frame["seq"]
        for event in frame["events"]:
            reader = READERS.get(event["type"])
            if reader is not None:  # what is not known yet may be something new: never an error
                reader(self, event.get("public") or {}, event.get("private") or {})

    def _new_hand(self) -> None:
        self.dealt, self.folded, self.bets, self.is_dealt_in = set(), set(), {}, False
        self.cards, self.board, self.pot_minor, self.turn = (), (), 0, None
        self.spots = {}

    def hand_opened(self, public: Facts, private: Facts) -> None:
        self._new_hand()
        self.game = public["game"]["id"]
        self.limits = public["stakes"].get("limits", {})
        for seat in public["seats"]:
            self.dealt.add(seat["seat"])
            if seat.get("player_seat", seat["seat"]) == self.seat:
                self.spots[seat["seat"]] = ()
            if seat["seat"] == self.seat:
                self.is_dealt_in = True
                self.stack_minor = seat["stack_minor"]

    def chips_moved(self, public: Facts, private: Facts) -> None:
        """Antes, blinds, calls, bets, raises: what a seat adds and where it stands then."""
        seat, amount = public["seat"], public["amount_minor"]
        self.pot_minor += amount
        total = public.get("bet_minor", public.get("to_minor"))
        if total is not None:
            self.bets[seat] = total
        self.stack_told(public, private)

    def uncalled_returned(self, public: Facts, private: Facts) -> None:
        self.pot_minor -= public["amount_minor"]
        self.stack_told(public, private)

    def stack_told(self, public: Facts, private: Facts) -> None:
        is_mine = public.get("seat") == self.seat or public.get("seat") in self.spots
        if is_mine and public.get("stack_minor") is not None:
            self.stack_minor = public["stack_minor"]

    def cards_dealt(self, public: Facts, private: Facts) -> None:
        self.cards = (*self.cards, *private.get("cards", ()))
        for seat, part in private.get("seats", {str(self.seat): private}).items():
            self.spots[int(seat)] = tuple(part.get("cards", ()))

    def street_opened(self, public: Facts, private: Facts) -> None:
        if public.get("board_no", 1) > 1:
            return  # his rules of thumb look at the first board alone
        self.board = tuple(public.get("board", self.board))
        self.bets = {}

    def seat_folded(self, public: Facts, private: Facts) -> None:
        self.folded.add(public["seat"])

    def turn_opened(self, public: Facts, private: Facts) -> None:
        self.turn = public

    def hand_over(self, public: Facts, private: Facts) -> None:
        self.turn = None
        stack = public["stacks_minor"].get(str(self.seat))
        if stack is not None:
            self.stack_minor = stack

    def hand_settled(self, public: Facts, private: Facts) -> None:
        self.turn = None
        self.hands_settled += self.is_dealt_in

    def game_dropped(self, public: Facts, private: Facts) -> None:
        self.turn = None

    def hand_voided(self, public: Facts, private: Facts) -> None:
        self._new_hand()

    def seat_changed(self, public: Facts, private: Facts) -> None:
        if public["seat"] == self.seat:
            self.status = public["status"]
            self.stack_told(public, private)

    def seat_left(self, public: Facts, private: Facts) -> None:
        if public["seat"] == self.seat:
            self.left = True

    # What can be done

    def turn_for_me(self) -> int | None:
        """The id of the running turn, if it asks this player to act or bet."""
        if self.turn is None or not (self.is_dealt_in or self.is_choosing()):
            return None
        asked: Sequence[int] = self.turn["seats"]
        is_mine = self.turn["window"] == "betting" or not {self.seat, *self.spots}.isdisjoint(asked)
        return int(self.turn["turn_id"]) if is_mine else None

    def is_choosing(self) -> bool:
        """Whether the table is choosing its next game."""
        return self.turn is not None and self.turn["window"] in CHOICES

    def spot(self) -> Spot:
        """The decision of a ring game that the turn asks for."""
        turn = self.turn or {}
        return Spot(
            cards=self.cards,
            board=self.board,
            pot_minor=self.pot_minor,
            call_minor=turn.get("call_minor") or 0,
            least_to_minor=turn.get("least_to_minor"),
            most_to_minor=turn.get("most_to_minor"),
            is_open=not any(self.bets.values()),
            others=max(1, len(self.dealt - self.folded) - 1),
            chip_minor=self.chip_minor,
        )


Reader = Callable[[Memory, Facts, Facts], None]
READERS: dict[str, Reader] = {
    "hand_opened": Memory.hand_opened,
    "ante_posted": Memory.chips_moved,
    "blind_posted": Memory.chips_moved,
    "called": Memory.chips_moved,
    "bet": Memory.chips_moved,
    "raised": Memory.chips_moved,
    "uncalled_returned": Memory.uncalled_returned,
    "bet_placed": Memory.stack_told,
    "bet_cleared": Memory.stack_told,
    "spot_settled": Memory.stack_told,
    "cards_dealt": Memory.cards_dealt,
    "board_dealt": Memory.street_opened,
    "street_opened": Memory.street_opened,
    "folded": Memory.seat_folded,
    "turn_opened": Memory.turn_opened,
    "hand_over": Memory.hand_over,
    "hand_settled": Memory.hand_settled,
    "hand_voided": Memory.hand_voided,
    "game_dropped": Memory.game_dropped,
    "seat_taken": Memory.stack_told,
    "seat_changed": Memory.seat_changed,
    "seat_left": Memory.seat_left,
}
