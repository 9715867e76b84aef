"""The odds of a table for people: open to everybody, before any stake."""

from fractions import Fraction
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from tables import odds
from tables.errors import NoOdds, TableNotFound


@require_GET
@never_cache
def table_odds(request: HttpRequest, table_id: int) -> HttpResponse:
    try:
        found = odds.table_odds(table_id)
    except (TableNotFound, NoOdds) as error:
        raise Http404 from error
    return render(request, "tables/odds.html", {"odds": found, "wagers": readable(found)})


def readable(found: dict[str, Any]) -> list[dict[str, Any]]:
    """Each wager with its lines as people read chances: one in so many."""
    return [
        {
            **wager,
            "returns": wager["percent"]["return"],
            "edge": "/".join(map(str, wager["house_edge"])),
            "lines": [{**line, "one_in": one_in(line["chance"])} for line in wager["lines"]],
            "for_one": wager["id"] == "progressive",
        }
        for wager in found["wagers"]
    ]


def one_in(chance: list[int]) -> str:
    """A chance as "1 in 5,525", rounded to a tenth below a hundred."""
    if not chance[0]:
        return "never"
    times = Fraction(chance[1], chance[0])
    return f"1 in {float(times):,.1f}" if times < 100 else f"1 in {round(times):,}"
