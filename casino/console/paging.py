"""Lists by pages that stay in place while rows are added: the next one begins below an id."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar

from django.db.models import BigIntegerField, BooleanField, F, Func, Model, QuerySet, Value
from django.db.models.lookups import LessThan
from django.http import HttpRequest

ROWS = 50

Row = TypeVar("Row", bound=Model)


class Pages(NamedTuple):
    """The query strings of the pages before and after; empty where there is none."""

    first: str
    next: str


def paged(request: HttpRequest, rows: QuerySet[Row], most: int = ROWS) -> tuple[list[Row], Pages]:
    """One page of rows in their own order, by how many came before."""
    start = min(number_typed(request.GET.get("from", "")) or 0, 100_000)
    found = list(rows[start : start + most + 1])
    after = start + most if len(found) > most else None
    return found[:most], Pages(
        query(request, None) if start else "", "" if after is None else query(request, after)
    )


def keyset(
    request: HttpRequest, rows: QuerySet[Row], most: int = ROWS, by: Sequence[Any] = ()
) -> tuple[list[Row], Pages]:
    """One page of rows, newest first by id; however many came before costs nothing.

    by: columns or expressions that go before the id, never null, the largest first; with an index
    on them and the id.
    """
    asked = before(request)
    if asked is not None:
        same = rows.model._default_manager.filter(pk=asked)
        at = same.values_list(*by, "pk").first() or (asked,)
        rows = rows.filter(LessThan(_together(*(*by, "pk")[-len(at) :]), _together(*map(_is, at))))
    found = list(rows.order_by(*(each.desc() for each in map(_named, by)), "-pk")[: most + 1])
    last = found[most - 1].pk if len(found) > most else None
    return found[:most], Pages(
        query(request, None, "before") if "before" in request.GET else "",
        "" if last is None else query(request, last, "before"),
    )


def before(request: HttpRequest) -> int | None:
    """The id below which the page begins; None for the first."""
    return number_typed(request.GET.get("before", ""))


def number_typed(text: str) -> int | None:
    """The number in an address or a field; None where there is none that an id could be."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None


def _together(*parts: Any) -> Func:
    """Compared one after the other, as an index on them is in order."""
    return Func(*parts, function="ROW", output_field=BooleanField())


def _named(part: Any) -> Any:
    return F(part) if isinstance(part, str) else part


def _is(value: Any) -> Value:
    return Value(value, output_field=BigIntegerField() if isinstance(value, int) else None)


def query(request: HttpRequest, value: Any, name: str = "from") -> str:
    asked = request.GET.copy()
    asked.pop(name, None)
    if value is not None:
        asked[name] = str(value)
    return "?" + asked.urlencode()
