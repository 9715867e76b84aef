"""Every deck and every first street is looked at before anybody sees a card.

Source: docs/rules/interruptions.md 8.5.
"""

from collections.abc import Sequence
from datetime import timedelta

from django.db import transaction
from django.db.models.functions import Now

from tables import beliefs, rules
from tables.engine.games import Game
from tables.engine.poker import misdeals
from tables.engine.poker.hand import PokerHand
from tables.engine.protocol import Hand
from tables.errors import Misdealt
from tables.models import Interruption, Table
from tables.services import decks, rotating
from tables.services.writing import event, write

AGAIN_S = 1.0


def deck_checked(game: Game, deck: Sequence[int]) -> Sequence[int]:
    """The deck, if it holds the game's cards, each once. Raises Misdealt."""
    cards, dice = rules.deck_of(game)
    if cards and sorted(deck[: len(deck) - dice]) != sorted(cards):
        raise Misdealt(misdeals.FOULED_DECK)
    return deck


def deal_checked(hand: Hand) -> None:
    """Be sure that a hand's first cards are where the rules put them. Raises Misdealt."""
    if isinstance(hand, PokerHand):
        living = [hand.numbers[place] for place in hand.living()]
        dealt = misdeals.first_street(hand)
        for fault in misdeals.faults_in_deal(hand.game, living, hand.button, dealt):
            raise Misdealt(fault)


def deck_replaced(*, table_id: int, fault: str) -> None:
    """The cut of a deal that was wrong is void, and the next one is committed in its place."""
    with transaction.atomic():
        belief = beliefs.lock(table_id)
        table = Table.objects.get(pk=table_id)
        verdict = Interruption.Verdict.FRESH_DECK
        told = [event("misdeal_ruled", hand_id=None, fault=fault, verdict=verdict)]
        told += decks.waiting_void(table, fault)
        told += decks.roots_for(table, rotating.coming(table))
        write(table_id=table_id, base_seq=belief.seq, events=told)
        Interruption.objects.create(table=table, code=fault, verdict=verdict)
        Table.objects.filter(pk=table_id).update(next_deal_at=Now() + timedelta(seconds=AGAIN_S))
    beliefs.forget(table_id)
