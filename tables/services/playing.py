"""What the house itself does inside a hand, between one decision and the next.

A draw that has used up the deck waits for the mucked cards in a fresh order; liar's dice wait for
more dice. Both are the house's to give, at once, in the write of the action that asked for them.
"""

from typing import cast

from tables import beliefs, rules
from tables.beliefs import Belief
from tables.engine.poker.hand import PokerHand
from tables.engine.protocol import Event, Hand
from tables.services import decks


class NeedsLock(Exception):
    """More dice must be committed, which is done only while the table's row is held."""


def played_on(hand: Hand, belief: Belief, *, locked: bool) -> tuple[Hand, list[Event]]:
    """Give a hand what it waits for from the house; the hand to go on with, and what happened.

    Raises NeedsLock for dice when the table's row is not held.
    """
    events: list[Event] = []
    while hand.window == rules.RESHUFFLE:
        drawing = cast(PokerHand, hand)  # no other family draws
        events += drawing.reshuffle(decks.fresh_order(drawing.mucked))
    while hand.window == rules.DICE:
        if not locked:
            raise NeedsLock
        hand, rolled = with_more_dice(hand, belief)
        events += rolled
    return hand, events


def with_more_dice(hand: Hand, belief: Belief) -> tuple[Hand, list[Event]]:
    """Commit further dice for a hand in play and let it roll on."""
    assert belief.hand_id is not None
    assert belief.definition is not None
    assert belief.options is not None
    published = decks.dice_add(belief.table_id, belief.hand_id)
    dice = beliefs.deck_of(beliefs.lock(belief.table_id))
    longer = rules.load(belief.definition, belief.options, rules.dump(hand), dice)
    return longer, [published, *longer.expire()]
