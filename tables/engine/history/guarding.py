"""The laws of every action of a long simulation, watched as cheaply as they can be.

A `laws.Witness` looks at a hand with everybody's eyes, tries every edge and plays it again. A
`Guard` looks at it once after each action, with the eyes of one viewer chosen by chance, which over
thousands of hands is everybody at every moment. What both know of cards is what events have told.
"""

from __future__ import annotations

from typing import Any

import orjson

from tables.engine.banked.rounds import BankedRound
from tables.engine.cards import CARD_TEXT
from tables.engine.history.laws import (
    CARD,
    NOBODY_ASKED,
    chips_are_conserved,
    order_goes_round,
    require,
    seats_of,
)
from tables.engine.history.stakes import Chance, Setup
from tables.engine.poker.hand import PokerHand
from tables.engine.protocol import Event, Hand, Json

SHOWING = ("hand_shown", "openers_shown")
BYTES = tuple(text.encode() for text in CARD_TEXT)


def cards_in(data: Any) -> set[bytes]:
    """The cards that are named anywhere in JSON data."""
    return set(CARD.findall(orjson.dumps(data)))


class Guard:
    """Follows one hand. told: cards all know, as bytes; known: those of each seat besides."""

    def __init__(self, setup: Setup, random: Chance) -> None:
        self.setup = setup
        self.random = random
        self.numbers = [seat.seat for seat in setup.seats]
        self.viewers = (None, *self.numbers)
        self.told: set[bytes] = set()
        self.known: dict[int, set[bytes]] = {seat: set() for seat in self.numbers}
        self.showing: set[int] = set()
        self.turn = 0
        self.before: Json | None = None

    def saw(self, hand: Hand, events: list[Event], actor: int | None = None) -> None:
        """Look at a hand after something has happened to it. Raises LawBroken."""
        self._secrets_are_kept(hand, events)
        viewer = self.random.choice(self.viewers)
        look = hand.view(viewer)
        if hand.window == "reshuffle":  # some of a draw is served already, and told with the rest
            for seat, cards in held_down(hand).items():
                self.known[seat] |= cards
        allowed = self.told if viewer is None else self.told | self.known[viewer]
        strange = cards_in(look) - allowed
        require(not strange, "a view shows what its viewer has been told", viewer, strange)
        if look["family"] == "bluff":
            shown = {entry["seat"] for entry in seats_of(look) if "dice" in entry}
            require(shown <= {viewer}, "a view keeps the others' dice", viewer, shown)
        cards_are_single(hand)
        chips_are_conserved(self.setup, hand, look)
        self._turns_are_sane(hand, look)
        if actor is not None and self.before is not None:
            order_goes_round(self.before, look, self.numbers, actor)
        self.before = look

    def _secrets_are_kept(self, hand: Hand, events: list[Event]) -> None:
        new = cards_in([event.public for event in events]) - self.told
        if new or any(event.private for event in events):
            self._cards_are_told(hand, events)
        if self.setup.game.family == "bluff":
            for event in events:
                kept = event.type == "dice_shown" or "dice" not in event.public
                require(kept, "events keep dice", event)

    def _cards_are_told(self, hand: Hand, events: list[Event]) -> None:
        for event in events:
            if event.type in SHOWING:  # gives the seat's own cards away, and no others
                seat = event.public["seat"]
                self.told |= self.known[seat] & cards_in(event.public)
                if event.type == "hand_shown":
                    self.showing.add(seat)
        hidden = {
            seat: cards - self.told
            for seat, cards in held_down(hand).items()
            if seat not in self.showing
        }
        for event in events:
            told = cards_in(event.public)
            for seat, cards in hidden.items():
                require(not told & cards, "events keep down cards", event, seat)
            self.told |= told
            for viewer, part in (event.private or {}).items():
                require(viewer in self.known, "private parts are for seats of the hand", event)
                told = cards_in(part)
                for seat, cards in hidden.items():
                    leaked = told & cards - self.known[viewer] if seat != viewer else set()
                    require(not leaked, "private parts are their owner's", event, seat)
                self.known[viewer] |= told

    def _turns_are_sane(self, hand: Hand, look: Json) -> None:
        waiting, window = hand.waiting, hand.window
        require(
            hand.over == (window == "") == (hand.result is not None), "only the end ends", window
        )
        asked = not hand.over and window not in NOBODY_ASKED
        require(bool(waiting) == asked, "somebody is awaited until the end", window, waiting)
        require(hand.turn >= self.turn, "turns are counted upwards", self.turn, hand.turn)
        self.turn = hand.turn
        for entry in seats_of(look):
            if entry["seat"] in waiting:
                able = entry.get("status") not in ("folded", "out")
                require(able, "nobody out of the hand is awaited", waiting)


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
        places += hand.board
        if hand.rare is not None:
            for board in hand.rare.boards:
                places += board[hand.rare.kept :]
        for cards in (*hand.down, *hand.up):
            places += cards
    elif isinstance(hand, BankedRound):
        places += hand.dealer
        for dealt in hand.dealt.values():
            places += dealt
    require(len(set(places)) == len(places), "no card is in two places", places)
