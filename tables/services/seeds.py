"""Players' seeds: a commitment before the list is closed, the seed itself after.

Both are handled where they arrive and lock the cut's row alone, never the table's.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max

from casino.core.seal import micros, signing_key
from tables import jobs, vault
from tables.engine import fairness
from tables.errors import (
    CommitmentTaken,
    CutNotFound,
    NotSeated,
    SeedBarred,
    SeedCommitted,
    SeedNotListed,
    SeedsClosed,
    SeedsNotTaken,
)
from tables.frames import instant
from tables.models import Cut, Seat, SeedCommitment
from tables.selectors import database_now
from tables.services.cutting import seed_label

BARRED = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the house signs for a client: a commitment taken, or a seed opened. at_ms: when.

    root: the last root of the cut, which stands for all of them.
    """

    cut: int
    root: str
    commitment: str
    at_ms: int
    signature: str


def seed_commit(*, table_id: int, player_id: int, cut: int, commitment: str) -> Receipt:
    """Take a player's commitment for a cut; a repeat gets the first receipt.

    commitment: SHA-256 in lower-case hexadecimal, see docs/fairness.md 5. Raises CutNotFound,
    NotSeated, SeedsNotTaken, SeedsClosed, SeedBarred, SeedCommitted, CommitmentTaken.
    """
    with transaction.atomic():
        row, now = _locked(table_id, cut)
        root = last_root(row)
        given = {one.commitment: one for one in row.commitments_given.all()}
        mine = next((one for one in given.values() if one.player_id == player_id), None)
        if mine is not None and mine.commitment == commitment:
            return Receipt(cut, root, commitment, mine.at_ms, mine.signature)
        if not row.takes_seeds or (row.expected is not None and player_id not in row.expected):
            raise SeedsNotTaken(cut)
        if row.status != Cut.Status.OPEN or _is_over(row, now):
            raise SeedsClosed(cut, row.status)
        if mine is not None:
            raise SeedCommitted(cut, mine.commitment)
        if commitment in given:
            raise CommitmentTaken(cut)
        if not Seat.objects.filter(table_id=table_id, player_id=player_id).exists():
            raise NotSeated
        _check_bar(player_id, now)
        at_ms = micros(now) // 1000
        message = fairness.receipt_message(table_id, cut, root, commitment, at_ms)
        signature = signing_key().sign(message).hex()
        SeedCommitment.objects.create(
            cut=row, player_id=player_id, commitment=commitment, at_ms=at_ms, signature=signature
        )
        if row.expected is not None and len(given) + 1 == len(row.expected):
            jobs.cut_go_on(table_id, row.pk)
    return Receipt(cut, root, commitment, at_ms, signature)


def seed_open(*, table_id: int, player_id: int, cut: int, seed: bytes) -> Receipt:
    """Open a listed seed while its window runs; a repeat gets the first answer.

    Raises CutNotFound, SeedNotListed, SeedsClosed.
    """
    commitment = fairness.seed_commitment(seed).hex()
    with transaction.atomic():
        row, now = _locked(table_id, cut)
        root = last_root(row)
        given = list(row.commitments_given.all())
        mine = next((one for one in given if one.player_id == player_id), None)
        if row.commitments is None:
            raise SeedsClosed(cut, row.status)
        if mine is None or mine.commitment != commitment:
            raise SeedNotListed(cut)
        if mine.opened_ms is not None:
            return Receipt(cut, root, commitment, mine.opened_ms, mine.opened_signature)
        if row.status != Cut.Status.LISTED or _is_over(row, now):
            raise SeedsClosed(cut, row.status)
        mine.opened_ms = micros(now) // 1000
        message = fairness.opened_message(table_id, cut, commitment, mine.opened_ms)
        mine.opened_signature = signing_key().sign(message).hex()
        mine.sealed = vault.seal(seed, seed_label(row.pk, player_id))
        mine.save(update_fields=["opened_ms", "opened_signature", "sealed"])
        if all(one.opened_ms is not None for one in given):
            jobs.cut_go_on(table_id, row.pk)
    return Receipt(cut, root, commitment, mine.opened_ms, mine.opened_signature)


def _locked(table_id: int, number: int) -> tuple[Cut, datetime]:
    """The cut, its row locked, and the database's time after the wait. Raises CutNotFound."""
    found = Cut.objects.filter(table_id=table_id, number=number)
    row = found.prefetch_related("decks", "commitments_given").select_for_update().first()
    if row is None:
        raise CutNotFound(number)
    return row, database_now()


def last_root(cut: Cut) -> str:
    """The root a receipt names."""
    return max(cut.decks.all(), key=lambda deck: deck.number).root


def _is_over(cut: Cut, now: datetime) -> bool:
    return cut.due is not None and now > cut.due


def _check_bar(player_id: int, now: datetime) -> None:
    withheld = SeedCommitment.objects.filter(player_id=player_id, withheld_at__gt=now - BARRED)
    last = withheld.aggregate(last=Max("withheld_at"))["last"]
    if last is not None:
        raise SeedBarred(instant(last + BARRED))
