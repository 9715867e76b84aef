"""How the console writes amounts, chances and times."""

from __future__ import annotations

import re
from datetime import datetime
from fractions import Fraction
from typing import Any
from uuid import uuid4

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as say
from django.utils.translation import gettext_lazy as _

from casino.console import working
from casino.console.models import Job
from casino.console.pit import Day
from casino.core.money import units, units_plain
from casino.core.readable import in_words
from casino.core.readable import readable as as_table
from tables.models import Hand
from wallets.selectors import exponents

register = template.Library()
STATES = {
    "draft": _("draft"), "open": _("open"), "paused": _("paused"), "stopped": _("stopped"),
    "draining": _("draining"), "closed": _("closed"),
}  # fmt: skip
AMOUNT = re.compile(r"[−-]?[\d,]+(\.\d+)?( %)?")
SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}


@register.simple_tag(takes_context=True)
def money(context: dict[str, Any], minor: int | None, currency: str) -> str:
    """An amount in the currency's own units: "1,234.50"; "–" for none."""
    if minor is None:
        return "–"
    return units(int(minor), _exponents(context)[currency])


@register.simple_tag(takes_context=True)
def money_plain(context: dict[str, Any], minor: int, currency: str) -> str:
    return units_plain(int(minor), _exponents(context)[currency])


def _exponents(context: dict[str, Any]) -> dict[str, int]:
    """Read once a page."""
    known = context.get("exponents")
    if known is None:
        known = exponents()
        context.dicts[0]["exponents"] = known  # type: ignore[attr-defined]
    found: dict[str, int] = known
    return found


@register.simple_tag
def once() -> str:
    """The key of a form that stands on a page by itself."""
    return format_html('<input type="hidden" name="once" value="{}">', uuid4())


@register.filter
def percent(part: Any, places: int = 4) -> str:
    """A fraction, as [numerator, denominator] or a number, in percent."""
    figure = Fraction(*part) if isinstance(part, (list, tuple)) else Fraction(part)
    scaled = round(figure * 100 * 10**places)
    return units(scaled, places)


@register.filter
def since(at: datetime | None) -> str:
    """How long ago, in the largest unit that says enough: "14 s", "3 min", "5 h", "2 d"."""
    if at is None:
        return say("never")
    seconds = max(0, int((timezone.now() - at).total_seconds()))
    for size, word in ((86_400, say("d")), (3_600, "h"), (60, "min")):
        if seconds >= 2 * size or (seconds >= size and size >= 3_600):
            return f"{seconds // size} {word}"
    return f"{seconds} s"


@register.filter
def why_failed(job: Job) -> str:
    return working.why_failed(job)


@register.filter
def state(word: str) -> str:
    """The state of a table as it stands in a sentence."""
    return str(STATES.get(word.lower(), word.lower()))


@register.filter
def words(name: str) -> str:
    """A name of the code as people say it: "pair_plus" is "pair plus"."""
    return in_words(str(name)) if name else ""


@register.filter
def cell(value: Any) -> str:
    """A figure of a table of numbers, however it came."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return say("yes") if value else say("no")
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    return whole(value) if isinstance(value, int) else str(value)


@register.filter
def is_figure(value: Any) -> bool:
    """Whether a cell is a number, an amount as it is written, or none."""
    return value is None or isinstance(value, (int, float)) or bool(AMOUNT.fullmatch(str(value)))


@register.filter
def told(label: Any) -> str:
    """A word that another part of the house has for a state or a role, in the reader's language."""
    return say(str(label)) if label not in (None, "") else ""


@register.filter
def get(mapping: Any, key: Any) -> Any:
    return mapping.get(key) if mapping else None


@register.filter
def hours(seconds: int) -> str:
    """Seconds of play as "5 h 30 min"."""
    return f"{int(seconds) // 3600} h {int(seconds) % 3600 // 60} min"


@register.simple_tag(takes_context=True)
def money_text(context: dict[str, Any], minor: str, currency: str) -> str:
    """An amount that was kept as the text of its minor units; "none" for no limit."""
    if not minor:
        return say("none")
    return units(int(minor), _exponents(context)[currency])


@register.filter
def facts(entry: dict[str, Any]) -> str:
    """A log entry's facts in one line, without the braces."""
    return ", ".join(f"{words(name)}: {_plain(value)}" for name, value in entry.items())


def _plain(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(_plain(each) for each in value)
    if isinstance(value, dict):
        return f"({facts(value)})"
    return "–" if value in (None, "") else str(value)


@register.filter
def suit(card: str) -> str:
    """The class of a card's suit; none for a die."""
    return card[-1] if len(card) == 2 and card[-1] in SUITS else ""


@register.filter
def face(card: str) -> str:
    """A card as it is drawn: "10♠"."""
    if not suit(card):
        return card
    return card[0].replace("T", "10") + SUITS[card[-1]]


@register.filter
def moved(hand: Hand) -> int:
    """How many chips changed hands, in minor units."""
    nets = (hand.result or {}).get("nets_minor", {}).values()
    return int(max(sum(net for net in nets if net > 0), -sum(net for net in nets if net < 0)))


@register.filter
def readable(value: Any, currency: str = "") -> str:
    return as_table(value, exponents().get(currency))


@register.filter
def without(mapping: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in mapping.items() if key != name}


@register.filter
def whole(figure: int) -> str:
    """A number of things, its thousands grouped: "22,100"."""
    return f"{figure:,}"


@register.filter
def luck(day: Day) -> int:
    """Where the win lies on an axis of 240 units: the band is its middle half, theory at 120."""
    away = (day.won_minor - day.expected_minor) / (day.band_minor or 1)
    return round(120 + max(-1.9, min(1.9, away)) * 60)


@register.filter
def fixed(figure: float, places: int) -> str:
    """A figure with so many decimals, its minus as amounts have it."""
    return units(round(figure * 10**places), places)
