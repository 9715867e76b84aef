"""Committing decks: shuffled in secret, their roots published and signed before any seed is taken.

The orders and salts stand in encrypted rows; what is published is their Merkle roots, numbered
without gaps per table. The decks of one deal are one cut; docs/fairness.md 1 and 3.
"""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models.functions import Now

from casino.core.log import log
from casino.core.models import LogEntry
from casino.core.seal import micros, signing_key
from tables import beliefs, cuts, entropy, rules, vault
from tables.engine import fairness
from tables.engine.games import Game
from tables.engine.protocol import Event
from tables.errors import EntropyFailed
from tables.models import Cut, Deck, HandSecret, Table
from tables.selectors import database_now

logger = logging.getLogger(__name__)

SALT_BYTES = 16
ALARM, ALARM_AGAIN = "entropy.failed", timedelta(minutes=10)


def deck_commit(table: Table, game: Game) -> Event:
    """Publish the decks of the table's next deal, unless such are waiting already.

    table: its row locked by the caller. Waiting decks of another kind of game are void. Returns
    the event that publishes the roots, for those who have not heard it. Raises EntropyFailed.
    """
    cards, dice = rules.deck_of(game)
    waiting = waiting_cut(table)
    if waiting is not None:
        if waiting.contents == cards and waiting.kind == kind(cards, dice):
            return published(waiting)
        cut_void(waiting, "game_changed", now_ms())
    return published(cut_publish(table, Cut.Purpose.DEAL, cards, dice))


def roots_for(table: Table, game: Game | None) -> list[Event]:
    """Publish what the next deal still lacks: [] if its decks wait, or its game is not known.

    Without randomness nothing is published: the hand that is being closed ends, the next one is
    refused.
    """
    if game is None or is_ready(table, game):
        return []
    try:
        with transaction.atomic():
            return [deck_commit(table, game)]
    except EntropyFailed as error:
        alarm(table.pk, error)
        return []


def alarm(table_id: int, error: EntropyFailed) -> None:
    """Tell the sealed log and the operators that nothing can be dealt; not every few seconds."""
    logger.error("table %s is not dealt: %s", table_id, error)
    subject = f"table:{table_id}"
    told = LogEntry.objects.filter(kind=ALARM, subject=subject, at__gt=Now() - ALARM_AGAIN)
    if not told.exists():
        log(ALARM, subject, None, {"reason": error.reason})


def waiting_void(table: Table, reason: str) -> list[Event]:
    """End the cut that waits for a deal which will not come; [] if none waits."""
    waiting = waiting_cut(table)
    return [] if waiting is None else [cut_void(waiting, reason, now_ms())]


def waiting_cut(table: Table) -> Cut | None:
    """The cut that the table's next deal will be made of, its row locked."""
    waiting = table.cuts.select_for_update()
    return waiting.filter(hand_id=None, status=Cut.Status.OPEN).first()


def is_ready(table: Table, game: Game) -> bool:
    """Whether decks of the game's kind are committed already."""
    cards, dice = rules.deck_of(game)
    waiting = table.cuts.filter(hand_id=None, status=Cut.Status.OPEN, kind=kind(cards, dice))
    return any(cut.contents == cards for cut in waiting)


def kind(cards: Sequence[int], dice: int) -> str:
    return f"{len(cards)}+{dice}"


def cut_publish(
    table: Table,
    purpose: Cut.Purpose,
    cards: Sequence[int],
    dice: int,
    *,
    hand_id: int | None = None,
    expected: Sequence[int] | None = None,
    attempt: int = 0,
    due: datetime | None = None,
) -> Cut:
    """Shuffle and commit the decks of one cut; the table's row is locked by the caller.

    expected: the players asked for seeds while a hand runs, None where anybody seated may give
    one. Raises EntropyFailed.
    """
    is_muck = purpose == Cut.Purpose.RESHUFFLE
    # A muck is never opened in full, and dice need no second deck: every face is equally likely.
    count = 1 if is_muck or not cards or table.certified else table.decks_per_hand
    last = table.cuts.order_by("-number").values_list("number", flat=True).first() or 0
    cut = Cut.objects.create(
        table=table,
        number=last + 1,
        hand_id=hand_id,
        purpose=purpose,
        kind=kind(cards, dice),
        contents=None if is_muck else list(cards),
        takes_seeds=not table.certified,
        expected=None if expected is None else list(expected),
        attempt=attempt,
        due=due,
    )
    roots = [deck.root for deck in _committed(table, cut, cards, dice, count)]
    log("cut.published", f"table:{table.pk}", None, {"cut": cut.number, "roots": roots})
    return cut


def _committed(table: Table, cut: Cut, cards: Sequence[int], dice: int, count: int) -> list[Deck]:
    last = table.decks.order_by("-number").values_list("number", "root").first()
    number, previous = last or (0, fairness.NO_ROOT)
    key = signing_key()
    rows, plains = [], []
    for _ in range(count):
        number += 1
        order = fairness.shuffle(cards, entropy.seed())
        order += fairness.house_dice(entropy.seed(), dice)
        salts = entropy.salts(len(order), SALT_BYTES)
        root = fairness.commitment(hand_label(table.pk, number), order, salts).hex()
        message = fairness.root_message(table.pk, cut.number, number, cut.kind, previous, root)
        rows.append(
            Deck(
                table=table,
                cut=cut,
                number=number,
                kind=cut.kind,
                root=root,
                previous=previous,
                signature=key.sign(message).hex(),
            )
        )
        plains.append(bytes([len(order), *order]) + b"".join(salts))
        previous = root
    Deck.objects.bulk_create(rows)
    HandSecret.objects.bulk_create(
        HandSecret(deck_id=row.pk, sealed=vault.seal(plain, beliefs.deck_label(row.pk)))
        for row, plain in zip(rows, plains, strict=True)
    )
    return rows


def fresh_order(cards: Sequence[int]) -> list[int]:
    """Cards in a fresh order that nobody was committed to, as those drawn for the button."""
    return fairness.shuffle(cards, entropy.seed())


def cut_void(cut: Cut, reason: str, now_ms: int) -> Event:
    """End a cut whose decks are dealt to nobody; they are opened in full by their proofs."""
    cut.status = Cut.Status.VOID
    cut.reason = reason
    cut_ended(cut, None, None, now_ms)
    cut.decks.update(status=Deck.Status.VOID)
    withheld = cut.seeds.count(None)
    public = {
        "cut": cut.number,
        "reason": reason,
        "withheld": withheld,
        "signature": cut.end_signature,
    }
    return Event("cut_void", public, None)


def cut_ended(cut: Cut, root: int | None, joined: str | None, now_ms: int) -> None:
    """Sign and log how a cut ended, and store it."""
    cut.root_number = root
    cut.joined = joined or ""
    cut.ended_ms = now_ms
    cut.due = None
    message = fairness.end_message(
        cut.table_id, cut.number, cut.status, cut.reason or fairness.NOTHING, root, joined, now_ms
    )
    cut.end_signature = signing_key().sign(message).hex()
    cut.save()
    facts = {
        "cut": cut.number,
        "end": cut.status,
        "reason": cut.reason,
        "seeds": cut.seeds,
        "root": root,
        "joined": joined,
        "signature": cut.end_signature,
    }
    log("cut.ended", f"table:{cut.table_id}", None, facts)


def now_ms() -> int:
    """The database's time in milliseconds since 1970."""
    return micros(database_now()) // 1000


def hand_label(table_id: int, number: int) -> str:
    return f"{table_id}/{number}"


def published(cut: Cut) -> Event:
    return Event("roots_published", cuts.published(cut), None)
