"""Committed decks: shuffled and committed before the seats of their hand are fixed.

The only code that draws cards' randomness, from the operating system. The order and the salts
stand in one encrypted row; what is published is their Merkle root, signed.
"""

import os

from django.db.models import Max

from casino.core.seal import signing_key
from tables import beliefs, vault
from tables.engine import fairness
from tables.engine.protocol import Event
from tables.models import Deck, HandSecret, Table

SALT_BYTES = 16
SEED_BYTES = 32


def deck_commit(table: Table, cards: list[int]) -> Event:
    """Shuffle and commit the table's next deck, unless one is waiting already.

    table: its row locked by the caller. cards: what the game is dealt from.
    Returns the event that publishes the root.
    """
    number = (table.decks.aggregate(last=Max("number"))["last"] or 0) + 1
    waiting = table.decks.filter(status=Deck.Status.COMMITTED).order_by("number").first()
    if waiting is not None:
        return _published(waiting)
    order = fairness.shuffle(cards, os.urandom(SEED_BYTES))
    salts = [os.urandom(SALT_BYTES) for _ in order]
    root = fairness.commitment(hand_label(table.pk, number), order, salts).hex()
    deck = Deck.objects.create(
        table=table,
        number=number,
        root=root,
        signature=signing_key().sign(f"deck:{table.pk}:{number}:{root}".encode()).hex(),
    )
    label = beliefs.deck_label(deck.pk)
    plain = bytes([len(order), *order]) + b"".join(salts)
    HandSecret.objects.create(deck_id=deck.pk, sealed=vault.seal(plain, label))
    return _published(deck)


def deck_bind(table: Table) -> Deck:
    """Take the committed deck for the hand that is being opened. Raises Deck.DoesNotExist."""
    deck = table.decks.select_for_update().get(status=Deck.Status.COMMITTED)
    deck.status = Deck.Status.DEALT
    deck.save(update_fields=["status"])
    return deck


def hand_label(table_id: int, number: int) -> str:
    return f"{table_id}/{number}"


def _published(deck: Deck) -> Event:
    return Event(
        "root_published",
        {"number": deck.number, "root": deck.root, "signature": deck.signature},
        None,
    )
