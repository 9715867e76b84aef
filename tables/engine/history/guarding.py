"""The laws of every action of a long simulation, watched as cheaply as they can be.

A `laws.Witness` looks at a hand with everybody's eyes, tries every edge and plays it again. A
`Guard` checks after each action that chips are conserved, that no card lies in two places, that
the turn goes round and that events keep what is hidden. Whenever cards were told or the hand has
ended, and otherwise one time in three, it looks at the hand with the eyes of one viewer chosen by
chance, which over thousands of hands is everybody at every moment. What both know of cards is what
events have told.
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
    kept_minor,
    require,
    seats_of,
)
from tables.engine.history.stakes import Chance, Setup
from tables.engine.poker.hand import PokerHand
from tables.engine.protocol import Event, Hand

LOOK_SHARE = 1 / 3
"""How often somebody looks after an action that told nobody a card."""

OUT = ("folded", "out")
SHOWING = ("hand_shown", "openers_shown", "cards_shown")
BYTES = tuple(f'"{text}"'.encode() for text in CARD_TEXT)
"""How each card is named in JSON."""
CARDS = frozenset(BYTES)
LIKE_A_CARD = re.compile(rb'"[2-9TJQKAX][cdhsk12]"')
"""Faster than the exact expression, which would have to list the jokers."""


def cards_in(data: Any) -> frozenset[bytes]:
    """The cards that are named anywhere in JSON data."""
    return CARDS.intersection(LIKE_A_CARD.findall(orjson.dumps(data)))


class Guard:
    """Follows one hand. told: cards all know, as bytes; known: those of each seat besides."""

    def __init__(self, setup: Setup, random: Chance) -> None:
        self.setup = setup
        self.random = random
        self.brought = setup.brought_minor
        self.numbers = [seat.seat for seat in setup.seats]
        self.viewers = (None, *self.numbers)
        self.told: set[bytes] = set()
        self.known: dict[int, set[bytes]] = {seat: set() for seat in self.numbers}
        self.showing: set[int] = set()
        self.turn = 0
        self.before = "", ""

    def saw(self, hand: Hand, events: list[Event], actor: int | None = None) -> None:
        """Look at a hand after something has happened to it. Raises LawBroken."""
        cards_are_single(hand)
        told = self._secrets_are_kept(hand, events)
        waiting, window = hand.waiting, hand.window
        self._turns_are_sane(hand, waiting, window)
        if isinstance(hand, PokerHand):
            ring_chips_are_conserved(self.brought, hand)
            if actor is not None and self.before == (hand.street, window):
                order_goes_round(hand, actor)
            self.before = hand.street, window
            if not told and not hand.over and self.random.random() > LOOK_SHARE:
                return
        self._somebody_looks(hand, waiting)

    def _somebody_looks(self, hand: Hand, waiting: tuple[int, ...]) -> None:
        """A viewer chosen by chance sees the same chips, nobody's secrets, and who is awaited."""
        viewer = self.random.choice(self.viewers)
        look = hand.view(viewer)
        if look["window"] == "reshuffle":
            # Some of a draw is served already, and told with the rest.
            for seat, cards in held_down(hand).items():
                self.known[seat] |= cards
        strange = cards_in(look) - self.told
        if strange and viewer is not None:
            strange -= self.known[viewer]
        require(not strange, "a view shows what its viewer has been told", viewer, strange)
        entries = seats_of(look)
        if look["family"] == "bluff":
            shown = {entry["seat"] for entry in entries if "dice" in entry}
            require(shown <= {viewer}, "a view keeps the others' dice", viewer, shown)
        chips_are_conserved(self.brought, hand, look)
        out = {entry["seat"] for entry in entries if entry.get("status") in OUT}
        require(out.isdisjoint(waiting), "nobody out of the hand is awaited", waiting)

    def _secrets_are_kept(self, hand: Hand, events: list[Event]) -> bool:
        """Returns whether any cards were told."""
        named = [cards_in(event.public) for event in events]
        told = any(named) or any(event.private for event in events)
        if told:
            self._cards_are_told(hand, events, named)
        if self.setup.game.family == "bluff":
            for event in events:
                kept = event.type == "dice_shown" or "dice" not in event.public
                require(kept, "events keep dice", event)
        return told

    def _cards_are_told(
        self, hand: Hand, events: list[Event], named: list[frozenset[bytes]]
    ) -> None:
        """named: the cards that the public part of each event names."""
        for event, told in zip(events, named, strict=True):
            if event.type in SHOWING:  # gives the seat's own cards away, and no others
                seat = event.public["seat"]
                self.told |= self.known[seat] & told
                if event.type == "hand_shown":
                    self.showing.add(seat)
        hidden = {
            seat: cards - self.told
            for seat, cards in held_down(hand).items()
            if seat not in self.showing
        }
        all_hidden = set(chain(*hidden.values()))
        for event, told in zip(events, named, strict=True):
            require(told.isdisjoint(all_hidden), "events keep down cards", event)
            self.told |= told
            if not event.private:
                continue
            for viewer, part in event.private.items():
                require(viewer in self.known, "private parts are for seats of the hand", event)
                known = self.known[viewer]
                new = cards_in(part) - known
                leaked = new & all_hidden - hidden.get(viewer, set())
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


def ring_chips_are_conserved(brought: int, hand: PokerHand) -> None:
    """What is before the seats, in the middle and kept by the house is what was brought."""
    stacks = hand.stacks
    require(min(stacks) >= 0, "no stack is below 0", stacks)
    there = sum(stacks)
    if hand.ending is not None:
        there += kept_minor(hand.ending)
    else:
        there += hand.pot() + sum(hand.aside)
    require(there == brought, "chips are conserved", stacks, there, brought)


def order_goes_round(hand: PokerHand, actor: int) -> None:
    """Within a betting round the turn goes to the next seat that can still bet."""
    if hand.window == "turn":
        able = [
            number
            for number, live, stack in zip(hand.numbers, hand.live, hand.stacks, strict=True)
            if live and stack
        ]
        following = min([seat for seat in able if seat > actor] or able)
        require(hand.waiting == (following,), "turns go clockwise", actor, hand.waiting)


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
