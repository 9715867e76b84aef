"""Committed decks: shuffled and committed before the seats of their hand are fixed.

The only code that draws cards' randomness, from the operating system. The order and the salts
stand in one encrypted row; what is published is their Merkle root, signed.
"""

import os
from collections.abc import Sequence

from django.db.models import Max

from casino.core.seal import signing_key
from tables import beliefs, rules, vault
from tables.engine import fairness
from tables.engine.games import Game
from tables.engine.protocol import Event
from tables.models import Deck, Hand, HandSecret, Table

SALT_BYTES = 16
SEED_BYTES = 32


def deck_commit(table: Table, game: Game) -> Event:
    """Shuffle and commit the deck of the table's next hand, unless one is waiting already.

    table: its row locked by the caller. A waiting deck of another kind of game is void.
    Returns the event that publishes the root.
    """
    kind = kind_of(game)
    waiting = table.decks.filter(status=Deck.Status.COMMITTED)
    waiting.exclude(kind=kind).update(status=Deck.Status.VOID)
    return _published(waiting.filter(kind=kind).first() or _committed(table, *rules.deck_of(game)))


def is_ready(table: Table, game: Game) -> bool:
    """Whether a deck of the game's kind is committed already."""
    return table.decks.filter(status=Deck.Status.COMMITTED, kind=kind_of(game)).exists()


def kind_of(game: Game) -> str:
    cards, dice = rules.deck_of(game)
    return f"{len(cards)}+{dice}"


def _committed(table: Table, cards: Sequence[int], dice: int) -> Deck:
    number = (table.decks.aggregate(last=Max("number"))["last"] or 0) + 1
    order = fairness.shuffle(cards, os.urandom(SEED_BYTES))
    order += fairness.house_dice(os.urandom(SEED_BYTES), dice)
    salts = [os.urandom(SALT_BYTES) for _ in order]
    root = fairness.commitment(hand_label(table.pk, number), order, salts).hex()
    deck = Deck.objects.create(
        table=table,
        number=number,
        kind=f"{len(cards)}+{dice}",
        root=root,
        signature=signing_key().sign(f"deck:{table.pk}:{number}:{root}".encode()).hex(),
    )
    label = beliefs.deck_label(deck.pk)
    plain = bytes([len(order), *order]) + b"".join(salts)
    HandSecret.objects.create(deck_id=deck.pk, sealed=vault.seal(plain, label))
    return deck


def dice_add(table_id: int, hand_id: int) -> Event:
    """Commit further dice for a hand in play; the table's row is locked by the caller."""
    table = Table.objects.get(pk=table_id)
    deck = _committed(table, [], rules.DICE_AT_ONCE)
    deck.status = Deck.Status.DEALT
    deck.save(update_fields=["status"])
    hand = Hand.objects.get(pk=hand_id)
    hand.more_decks = [*hand.more_decks, deck.pk]
    hand.save(update_fields=["more_decks"])
    return _published(deck)


def fresh_order(positions: Sequence[int]) -> list[int]:
    """Cards, or mucked cards' positions, in a fresh, secret order."""
    return fairness.shuffle(positions, os.urandom(SEED_BYTES))


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
