"""What the house itself does inside a hand, between one decision and the next.

A round whose betting is closed waits for its deck, a draw that has used up the deck for the mucked
cards in a fresh order, liar's dice for more dice. All three are cut by the players' seeds; where
nobody gives one it is done at once, in the write of the action that asked for it.
"""

from typing import cast

from casino.core.rows import row_of
from tables import beliefs, cuts, rules
from tables.beliefs import Belief
from tables.engine.games import Game
from tables.engine.poker.hand import PokerHand
from tables.engine.protocol import Event, Hand
from tables.models import Cut, Table
from tables.services import checking, cutting, decks, rotating, scripting
from tables.services.cutting import Step

PURPOSES = {
    rules.CLOSED: Cut.Purpose.DEAL,
    rules.RESHUFFLE: Cut.Purpose.RESHUFFLE,
    rules.DICE: Cut.Purpose.DICE,
}


class NeedsLock(Exception):
    """Cards must be committed or cut, which is done only while the table's row is held."""


def played_on(hand: Hand, belief: Belief, *, locked: bool) -> tuple[Hand, list[Event]]:
    """Give a hand what it waits for from the house; the hand to go on with, and what happened.

    It still waits (`rules.FOR_THE_HOUSE`) if players are asked for their seeds first: then
    `continuing.cut_go_on` comes back to it. Raises NeedsLock when the table's row is not held.
    """
    events: list[Event] = []
    while hand.window in PURPOSES:
        if not locked:
            raise NeedsLock
        step = _begun(hand, belief).now()
        events += step.events
        if step.deck is None:
            break
        hand, given = with_deck(hand, belief, step)
        events += given
    return hand, events


def _begun(hand: Hand, belief: Belief) -> Step:
    """Commit what the hand waits for, or take what is committed, and close its list of seeds."""
    assert belief.hand_id is not None
    table = row_of(Table, belief.table_id)
    if hand.window == rules.CLOSED:
        assert belief.definition is not None
        return deal_begun(table, belief.hand_id, rules.definition(belief.definition), hand)
    players = cutting.givers(belief.hand_id)
    if hand.window == rules.DICE:
        cards, dice = [], rules.DICE_AT_ONCE
    else:
        deck, dice = beliefs.deck_of(belief), 0
        cards = sorted(deck[at] for at in cast(PokerHand, hand).mucked)
    return cutting.asked(
        table,
        PURPOSES[hand.window],
        cards,
        dice,
        hand_id=belief.hand_id,
        players=players,
        attempt=cutting.fresh_so_far(belief.hand_id),
    )


def deal_begun(table: Table, hand_id: int, game: Game, play: Hand | None = None) -> Step:
    """Close the list of the seeds that the table's next deal is cut by.

    play: the round whose betting is closed; None where cards come first.
    """
    if (scripted := scripting.deck_of(table, hand_id, game, play)) is not None:
        return scripted
    events = []
    cut = cuts.locked(table.pk, None)
    if cut is None or not decks.is_of(game, cut.kind, cut.contents):
        events.append(decks.deck_commit(table, game))
        cut = cuts.locked(table.pk, None)
    assert cut is not None
    step = cutting.list_closed(table, cut, hand_id)
    return step._replace(events=events + step.events)


def with_deck(hand: Hand, belief: Belief, step: Step) -> tuple[Hand, list[Event]]:
    """Let a hand that waits go on with the deck that was cut for it."""
    assert step.deck is not None
    assert belief.definition is not None
    assert belief.options is not None
    if hand.window == rules.RESHUFFLE:
        drawing, positions = cast(PokerHand, hand), beliefs.deck_of(belief)
        order = [positions.index(card) for card in beliefs.deck_open(step.deck.id)]
        return hand, drawing.reshuffle(order)
    cards = beliefs.deck_of(beliefs.lock(belief.table_id))
    if hand.window == rules.CLOSED:
        checking.deck_checked(rules.definition(belief.definition), cards)
    longer = rules.load(belief.definition, belief.options, rules.dump(hand), cards)
    events = longer.expire()
    if hand.window == rules.CLOSED:
        events += next_roots(row_of(Table, belief.table_id), step)
    return longer, events


def next_roots(table: Table, step: Step) -> list[Event]:
    """The roots of the table's next deal, while this one begins; [] where its game may change."""
    if step.roots is not None:
        return step.roots
    return decks.roots_for(table, rotating.follows(table))
