"""The laws of every action of a long simulation, watched as cheaply as they can be.

A `laws.Witness` looks at a hand with everybody's eyes, tries every edge and plays it again. A
`Guard` checks after each action that chips are conserved, that no card lies in two places, that
the turn goes round, that events keep what is hidden, and that a view shows no card that its viewer
has not been told: after every action the view of one, all seats and the public by turns, so that
over many hands everybody has looked at every moment. What both know of cards is what events have
told.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import Any

import orjson

from tables.engine.banked.rounds import BankedRound
from tables.engine.cards import CARD_TEXT
from tables.engine.history.laws import (
    NOBODY_ASKED,
    chips_are_conserved,
    require,
    seats_of,
)
from tables.engine.history.stakes import Setup
from tables.engine.poker.hand import PokerHand
from tables.engine.protocol import Event, Hand, Json

OUT = ("folded", "out")
SHOWING = ("hand_shown", "openers_shown", "cards_shown")
BYTES = tuple(f'"{text}"'.encode() for text in CARD_TEXT)
"""How each card is named in JSON."""
CARDS = frozenset(BYTES)
LIKE_A_CARD = re.compile(rb'"[2-9TJQKAX][cdhsk12]"')
"""Faster than the exact expression, which would have to list the jokers."""
DICE_KEY = b'"dice":'


def cards_in(data: Any) -> frozenset[bytes]:
    """The cards that are named anywhere in JSON data."""
    return CARDS.intersection(LIKE_A_CARD.findall(orjson.dumps(data)))


class Guard:
    """Follows one hand. told: cards all know, as bytes; known: those of each seat besides.

    start: whose turn to look it is first, so that at each moment of many hands all have looked.
    """

    def __init__(self, setup: Setup, start: int = 0) -> None:
        self.setup = setup
        self.brought = setup.brought_minor
        self.numbers = [seat.seat for seat in setup.seats]
        self.viewers = (None, *self.numbers)
        self.told: set[bytes] = set()
        self.known: dict[int, set[bytes]] = {seat: set() for seat in self.numbers}
        self.looks = start
        self.showing: set[int] = set()
        self.turn = 0
        self.before = "", ""

    def saw(self, hand: Hand, events: list[Event], actor: int | None = None) -> None:
        """Look at a hand after something has happened to it. Raises LawBroken."""
        cards_are_single(hand)
        self._secrets_are_kept(hand, events)
        waiting, window = hand.waiting, hand.window
        self._turns_are_sane(hand, waiting, window)
        if window == "reshuffle":
            # Some of a draw is served already, and told with the rest.
            for seat, cards in held_down(hand).items():
                self.known[seat] |= cards
        if isinstance(hand, PokerHand):
            if actor is not None and self.before == (hand.street, window):
                order_goes_round(hand, actor, waiting)
            self.before = hand.street, window
        self.looks += 1
        viewer = self.viewers[self.looks % len(self.viewers)]
        self._looks(viewer, hand.view(viewer), hand, waiting)

    def _looks(self, viewer: int | None, look: Json, hand: Hand, waiting: tuple[int, ...]) -> None:
        """A viewer sees the same chips, nobody's secrets, and who is awaited."""
        text = orjson.dumps(look)
        strange = CARDS.intersection(LIKE_A_CARD.findall(text)) - self.told
        if strange and viewer is not None:
            strange -= self.known[viewer]
        require(not strange, "a view shows what its viewer has been told", viewer, strange)
        entries = seats_of(look)
        if self.setup.game.family == "bluff":
            shown = [entry["seat"] for entry in entries if "dice" in entry]
            kept = text.count(DICE_KEY) == len(shown) and shown in ([], [viewer])
            require(kept, "a view keeps the others' dice", viewer, text)
        chips_are_conserved(self.brought, hand, look)
        out = [entry["seat"] for entry in entries if entry.get("status") in OUT]
        require(not out or set(out).isdisjoint(waiting), "nobody out is awaited", waiting)

    def _secrets_are_kept(self, hand: Hand, events: list[Event]) -> None:
        private = [event for event in events if event.private]
        if private or LIKE_A_CARD.search(orjson.dumps([event.public for event in events])):
            self._cards_are_told(hand, events)
        if self.setup.game.family == "bluff":
            for event in events:
                kept = event.type == "dice_shown" or "dice" not in event.public
                require(kept, "events keep dice", event)

    def _cards_are_told(self, hand: Hand, events: list[Event]) -> None:
        """No event tells what a seat holds face down but to that seat, or by its own showing."""
        named = [cards_in(event.public) for event in events]
        for event, told in zip(events, named, strict=True):
            if event.type in SHOWING:  # gives the seat's own cards away, and no others
                seat = event.public["seat"]
                self.told |= self.known[seat] & told
                if event.type == "hand_shown":
                    self.showing.add(seat)
        down = held_down(hand)
        hidden = set(chain(*[cards for seat, cards in down.items() if seat not in self.showing]))
        hidden -= self.told
        for event, told in zip(events, named, strict=True):
            require(told.isdisjoint(hidden), "events keep down cards", event)
            self.told |= told
            if not event.private:
                continue
            for viewer, part in event.private.items():
                require(viewer in self.known, "private parts are for seats of the hand", event)
                known = self.known[viewer]
                new = cards_in(part) - known
                if new:
                    leaked = new & hidden - down.get(viewer, set())
                    require(not leaked, "private parts are their owner's", event, viewer)
                    known |= new

    def _turns_are_sane(self, hand: Hand, waiting: tuple[int, ...], window: str) -> None:
        require(
            hand.over == (window == "") == (hand.result is not None), "only the end ends", window
        )
        asked = not hand.over and window not in NOBODY_ASKED
        require(bool(waiting) == asked, "somebody is awaited until the end", window, waiting)
        require(hand.turn >= self.turn, "turns are counted upwards", self.turn, hand.turn)
        self.turn = hand.turn


def order_goes_round(hand: PokerHand, actor: int, waiting: tuple[int, ...]) -> None:
    """Within a betting round the turn goes to the next seat that can still bet."""
    if hand.window == "turn":
        able = [
            number
            for number, live, stack in zip(hand.numbers, hand.live, hand.stacks, strict=True)
            if live and stack
        ]
        following = min([seat for seat in able if seat > actor] or able)
        require(waiting == (following,), "turns go clockwise", actor, waiting)


def held_down(hand: Hand) -> dict[int, set[bytes]]:
    """The cards each seat holds face down, or has not been shown to show; none in games of dice."""
    if isinstance(hand, PokerHand):
        return {
            number: {BYTES[hand.deck[position]] for position in down}
            for number, down in zip(hand.numbers, hand.down, strict=True)
        }
    if isinstance(hand, BankedRound):
        return {seat: {BYTES[card] for card in hand.cards_of(seat)} for seat in hand.dealt}
    return {}


def cards_are_single(hand: Hand) -> None:
    """Everything in hands and on the table, whoever may see it. Raises LawBroken."""
    places: list[int] = []
    if isinstance(hand, PokerHand):
        places += chain(hand.board, *hand.down, *hand.up)
        if hand.rare is not None:
            for board in hand.rare.boards:
                places += board[hand.rare.kept :]
    elif isinstance(hand, BankedRound):
        places += chain(hand.dealer, *hand.dealt.values())
    require(len(set(places)) == len(places), "no card is in two places", places)
