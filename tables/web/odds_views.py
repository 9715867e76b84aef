"""The odds of a table for people: open to everybody, before any stake."""

from fractions import Fraction
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from casino.core.money import units
from tables import odds
from tables.engine.banked.hands import class_words
from tables.errors import NoOdds, TableNotFound

QUALIFIES = {
    "none": "The dealer always qualifies.",
    "pair": "The dealer qualifies with a pair or better.",
}
HANDS_IN_ALL = 22_100


@require_GET
@never_cache
def table_odds(request: HttpRequest, table_id: int) -> HttpResponse:
    try:
        found = odds.table_odds(table_id)
    except (TableNotFound, NoOdds) as error:
        raise Http404 from error
    shown = {"odds": found, "house_rules": house_rules(found), "wagers": readable(found)}
    return render(request, "tables/odds.html", shown)


def house_rules(found: dict[str, Any]) -> list[str]:
    """What holds for all wagers, a sentence each."""
    qualifier, exponent = found["qualifier"], found["exponent"]
    rules = [
        QUALIFIES.get(qualifier, f"The dealer qualifies with {qualifier} high or better."),
        "An exact tie pays 1 to 1."
        if found["policy"].get("tie") == "win"
        else "An exact tie is a push.",
    ]
    if most := found["most_spot_minor"]:
        rules.append(f"A spot wins at most {units(most, exponent)} in a round.")
    if most := found["most_round_minor"]:
        rules.append(f"All spots together win at most {units(most, exponent)} in a round.")
    if (spots := found["spots_per_player"]) > 1:
        rules.append(f"A player may have {spots} spots beside each other.")
    return rules


def readable(found: dict[str, Any]) -> list[dict[str, Any]]:
    """Each wager as people read it: amounts in the major unit, chances as one in so many."""
    return [_wager(wager, found) for wager in found["wagers"]]


def _wager(wager: dict[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    exponent = found["exponent"]
    meter = wager.get("meter")
    return {
        **wager,
        "returns": wager["percent"]["return"],
        "edge": fraction(wager["house_edge"]),
        "limits": {name: units(minor, exponent) for name, minor in wager["limits"].items()},
        "lines": [
            {
                **line,
                "one_in": one_in(line["chance"]),
                "exactly": fraction(line["chance"]),
                "pays": _pays(line, wager, meter),
            }
            for line in wager["lines"]
        ],
        "strategy": _strategy(wager.get("strategy")),
        "on_fold": wager.get("on_fold"),
        "stands_alone": without_ante(wager),
        "meter": None if meter is None else units(found["meter_minor"], exponent),
        "envy": _envy(meter),
    }


def _pays(line: dict[str, Any], wager: dict[str, Any], meter: dict[str, Any] | None) -> str:
    if meter is None:
        return f"{line['pays']:,} to 1"
    share = meter["shares"].get(line["line"])
    if share is not None:
        return "the whole meter" if share == 10_000 else f"{share / 100:g} % of the meter"
    return f"{line['pays']:,} for 1"


def _strategy(strategy: dict[str, Any] | None) -> str:
    if strategy is None:
        return ""
    if strategy["hands_played"] == HANDS_IN_ALL:
        return "Best play: stay in with every hand."
    words = f"Best play: stay in with {strategy['threshold']} or better"
    for one in strategy["exceptions"]:
        words += f", and with {one['hand']} in {one['played']} of its {one['of']} forms"
    return f"{words}; fold anything lower."


def without_ante(wager: dict[str, Any]) -> str:
    """The house edge of a wager that a fold forfeits, for who has no ante to fold."""
    figures = wager.get("without_ante")
    return "" if figures is None else odds.percent(figures["house_edge"])


def _envy(meter: dict[str, Any] | None) -> str:
    if not meter or not meter.get("envy"):
        return ""
    paid = ", ".join(f"{units} for {class_words(cls)}" for cls, units in meter["envy"].items())
    return f"For another spot's hand, in units of the stake: {paid}."


def fraction(part: list[int]) -> str:
    return f"{part[0]:,}/{part[1]:,}"


def one_in(chance: list[int]) -> str:
    """A chance as "1 in 5,525", rounded to a tenth below a hundred."""
    if not chance[0]:
        return "never"
    times = Fraction(chance[1], chance[0])
    return f"1 in {float(times):,.1f}" if times < 100 else f"1 in {round(times):,}"
