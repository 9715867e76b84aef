"""Wrapping old secrets in the newest card key, so that the keys before it can be forgotten."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Model, QuerySet

from tables import beliefs, vault
from tables.models import Event, HandSecret, SeedCommitment
from tables.services.cutting import seed_label

BATCH = 500


class Kept(NamedTuple):
    """Rows that hold a ciphertext: where, and what each is bound to."""

    rows: "QuerySet[Any]"
    field: str
    label: Callable[[Any], str]


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
            lambda row: f"event:{row.table_id}:{row.seq}",
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
    old = [row for row in rows if not bytes(getattr(row, kept.field)).startswith(vault.newest())]
    with transaction.atomic():
        for row in old:
            label = kept.label(row)
            sealed = vault.seal(vault.unseal(getattr(row, kept.field), label), label)
            type(row)._base_manager.filter(pk=row.pk).update(**{kept.field: sealed})
    return len(old)
