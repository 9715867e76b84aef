"""Which tables somebody of the staff sees and runs: those of his pits, or all."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import Http404

from casino.core.models import User
from tables.models import Table


def tables_of(user: object) -> QuerySet[Table]:
    """The tables of a person's pits; every table for who is limited to none."""
    tables = Table.objects.all()
    if isinstance(user, User) and user.pits:
        return tables.filter(pit__in=user.pits)
    return tables


def pits_of(user: object) -> tuple[str, ...]:
    """The pits a person is limited to; none for who works in all."""
    return tuple(user.pits) if isinstance(user, User) else ()


def is_of(user: object, table: Table) -> bool:
    own = pits_of(user)
    return not own or table.pit in own


def table_or_404(user: object, table_id: int) -> Table:
    """A table of another pit is not there for him. Raises Http404."""
    found = tables_of(user).filter(pk=table_id).first()
    if found is None:
        raise Http404
    return found


def pits_known(user: object) -> tuple[str, ...]:
    named = tables_of(user).exclude(pit="").order_by("pit").values_list("pit", flat=True)
    return tuple(dict.fromkeys(named))
