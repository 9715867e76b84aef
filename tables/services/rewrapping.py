"""Wrapping old secrets in the newest card key, so that the keys before it can be forgotten."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import orjson
from django.db import transaction
from django.db.models import Model, QuerySet

from tables import beliefs, vault
from tables.events import event_label
from tables.models import Event, HandArchive, HandSecret, SeedCommitment
from tables.services.cutting import seed_label

BATCH = 500


class Kept(NamedTuple):
    """Rows that hold a ciphertext, or a list of them: where, and what each is bound to."""

    rows: "QuerySet[Any]"
    field: str
    label: Callable[[Any], str | list[str]]


def everything() -> tuple[Kept, ...]:
    return (
        Kept(HandSecret.objects.all(), "sealed", lambda row: beliefs.deck_label(row.pk)),
        Kept(
            SeedCommitment.objects.exclude(sealed=None),
            "sealed",
            lambda row: seed_label(row.cut_id, row.player_id),
        ),
        Kept(
            Event.objects.exclude(private=None),
            "private",
            lambda row: event_label(row.table_id, row.seq),
        ),
        Kept(
            HandArchive.objects.all(),  # after the rows that are packed into it
            "private",
            lambda row: [event_label(row.table_id, one[1]) for one in orjson.loads(row.events)],
        ),
    )


def rewrap() -> Iterator[tuple[str, int]]:
    """Wrap every secret in the newest key; what is wrapped in it already stays.

    Yields the name of the rows and how many of them were wrapped anew, a batch at a time; may be
    stopped and begun again at any moment. Raises SecretUnreadable when a key is gone already.
    """
    for kept in everything():
        last: Any = 0
        while rows := list(kept.rows.filter(pk__gt=last).order_by("pk")[:BATCH]):
            yield kept.rows.model._meta.db_table, _wrapped(kept, rows)
            last = rows[-1].pk


def _wrapped(kept: Kept, rows: list[Model]) -> int:
    count = 0
    with transaction.atomic():
        for row in rows:
            sealed = getattr(row, kept.field)
            if (anew := _anew(sealed, kept.label(row))) != sealed:
                type(row)._base_manager.filter(pk=row.pk).update(**{kept.field: anew})
                count += 1
    return count


def _anew(sealed: Any, label: str | list[str]) -> Any:
    if isinstance(label, list):
        return [_anew(one, each) for one, each in zip(sealed, label, strict=True)]
    if sealed is None or bytes(sealed).startswith(vault.newest()):
        return sealed
    return vault.seal(vault.unseal(sealed, label), label)
