"""Lists by pages that stay in place while rows are added: the next one begins below an id."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar

from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest

ROWS = 50

Row = TypeVar("Row", bound=Model)


class Pages(NamedTuple):
    """The query strings of the pages before and after; empty where there is none."""

    first: str
    next: str


def paged(request: HttpRequest, rows: QuerySet[Row], most: int = ROWS) -> tuple[list[Row], Pages]:
    """One page of rows in their own order, by how many came before."""
    asked = request.GET.get("from", "")
    start = min(int(asked), 100_000) if asked.isdigit() else 0
    found = list(rows[start : start + most + 1])
    after = start + most if len(found) > most else None
    return found[:most], Pages(
        query(request, None) if start else "", "" if after is None else query(request, after)
    )


def keyset(
    request: HttpRequest, rows: QuerySet[Row], most: int = ROWS, by: str = ""
) -> tuple[list[Row], Pages]:
    """One page of rows, newest first by id; however many came before costs nothing.

    by: a time that goes before the id, with an index on both.
    """
    asked = request.GET.get("before", "")
    if asked.isdigit() and len(asked) < 19:
        before = Q(pk__lt=int(asked))
        if by:
            same = rows.model._default_manager.filter(pk=int(asked)).values_list(by, flat=True)
            if (at := same.first()) is not None:
                before = Q(**{f"{by}__lte": at}) & (before | Q(**{f"{by}__lt": at}))
        rows = rows.filter(before)
    found = list(rows.order_by(*([f"-{by}"] if by else []), "-pk")[: most + 1])
    last = found[most - 1].pk if len(found) > most else None
    return found[:most], Pages(
        query(request, None, "before") if asked else "",
        "" if last is None else query(request, last, "before"),
    )


def query(request: HttpRequest, value: Any, name: str = "from") -> str:
    asked = request.GET.copy()
    asked.pop(name, None)
    if value is not None:
        asked[name] = str(value)
    return "?" + asked.urlencode()
