"""Bids over everybody's dice.

All roll anew each round, under their cups. A bid names a quantity and a face over all dice in
play; ones are wild, except for a bid on ones. The seat in turn raises the bid or challenges it; a
challenge shows all dice. Source: docs/rules/bluff.md 2.
"""

from __future__ import annotations

from typing import Any

from tables.engine.bluff.errors import BidTooHigh, BidTooLow
from tables.engine.bluff.hand import BluffHand, only_fields
from tables.engine.bluff.vocabulary import OUT
from tables.engine.errors import MalformedAction
from tables.engine.protocol import Action, Event, Json
from tables.engine.rankings.dice import bid_raises, bid_words, count_face

BID, CHALLENGE = "bid", "challenge"
TURN = "turn"
HIGHEST_FACE = 6


class CommonHand(BluffHand):
    """bid: (quantity, face) that stands, None before the first. bidder: whose it is."""

    __slots__ = ("bid", "bidder")

    bid: tuple[int, int] | None
    bidder: int

    @property
    def allowance(self) -> int:
        return self.game.dice

    def _needed(self) -> int:
        return sum(self.left)

    def _rolled(self) -> list[Event]:
        for place, count in enumerate(self.left):
            self.places[place] = self._take(count)
        self._open(TURN)
        live = self._live()
        public = {"counts": {str(self.seats[place]): self.left[place] for place in live}}
        private = {self.seats[place]: {"dice": self._faces(place)} for place in live}
        return [Event("dice_rolled", public, private)]

    def _clear(self) -> None:
        self.bid = None
        self.bidder = -1
        self.places = [[] for _ in self.seats]

    def _in_play(self) -> int:
        return sum(map(len, self.places))

    def _lowest_bid(self) -> tuple[int, int] | None:
        """The lowest legal bid, None when nothing beats the bid that stands."""
        if self.bid is None:
            return 1, 1
        quantity, face = self.bid
        if face < HIGHEST_FACE:
            return quantity, face + 1
        return (quantity + 1, 1) if quantity < self._in_play() else None

    def _choices(self) -> list[Json]:
        choices: list[Json] = []
        if (lowest := self._lowest_bid()) is not None:
            choices.append(
                {"name": BID, "least": _bid_json(lowest), "most_quantity": self._in_play()}
            )
        if self.bid is not None:
            choices.append({"name": CHALLENGE})
        return choices

    def _default(self) -> Json:
        if self.bid is not None:
            return {"name": CHALLENGE}
        quantity, face = self._lowest_bid() or (1, 1)
        return {"name": BID, "quantity": quantity, "face": face}

    def _do(self, name: str, action: Action, *, default: bool) -> list[Event]:
        if name == BID:
            return self._bid(action, default=default)
        only_fields(action, "name")
        return self._challenge(default=default)

    def _bid(self, action: Action, *, default: bool) -> list[Event]:
        only_fields(action, "name", "quantity", "face")
        quantity, face = action.get("quantity"), action.get("face")
        if type(quantity) is not int or type(face) is not int:
            raise MalformedAction("a bid has a quantity and a face")
        if quantity < 1 or not 1 <= face <= HIGHEST_FACE:
            raise MalformedAction("a quantity of at least 1, a face of 1 to 6")
        if quantity > self._in_play():
            raise BidTooHigh(quantity, self._in_play())
        bid = (quantity, face)
        if self.bid is not None and not bid_raises(self.bid, bid):
            raise BidTooLow(bid_words(bid), bid_words(self.bid))
        self.bid, self.bidder = bid, self.mover
        public = {"seat": self.seats[self.mover], **_bid_json(bid)}
        self.mover = self._after(self.mover)
        self._open(TURN)
        return [Event("bid_made", _marked(public, default))]

    def _challenge(self, *, default: bool) -> list[Event]:
        assert self.bid is not None
        quantity, face = self.bid
        challenger, bidder = self.mover, self.bidder
        count = sum(count_face(self._faces(place), face) for place in self._live())
        truth = count >= quantity
        shown = {str(self.seats[place]): self._faces(place) for place in self._live()}
        events = [
            Event(
                "challenged",
                _marked({"seat": self.seats[challenger], "bidder": self.seats[bidder]}, default),
            ),
            Event("dice_shown", {"dice": shown, "bid": _bid_json(self.bid), "count": count}),
        ]
        winner, loser = (bidder, challenger) if truth else (challenger, bidder)
        outcome = "the bid stands" if truth else "the bid falls"
        words = f"{bid_words(self.bid)} bid, {count} there: {outcome}"
        return events + self._settle_challenge(winner, loser, words, truth)

    def _lose(self, loser: int) -> list[Event]:
        if self.rules.loss == OUT or self.left[loser] == 1:
            return [self._seat_out(loser, "dice")]
        self.left[loser] -= 1
        return [Event("die_lost", {"seat": self.seats[loser], "left": self.left[loser]})]

    def _opponent_of(self, place: int) -> int:
        return self.bidder if self.bidder not in (-1, place) else self._after(place)

    def _extra(self) -> list[Any]:
        return [list(self.bid) if self.bid else [], self.bidder]

    def _restore(self, extra: list[Any]) -> None:
        bid, self.bidder = extra
        self.bid = (bid[0], bid[1]) if bid else None

    def _own_view(self) -> Json:
        bid = None if self.bid is None else _bid_json(self.bid)
        bidder = None if self.bidder < 0 else self.seats[self.bidder]
        return {"bid": bid, "bidder": bidder, "dice_in_play": self._in_play()}


def _bid_json(bid: tuple[int, int]) -> Json:
    return {"quantity": bid[0], "face": bid[1], "words": bid_words(bid)}


def _marked(public: Json, default: bool) -> Json:
    return {**public, "default": True} if default else public
