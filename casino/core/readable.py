"""What is kept as JSON, as a table that a person reads: amounts in units, names as words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as say

from casino.core.money import units

DEEP_MOST = 6
# Amounts by wager or seat, whose names do not say so.
STAKES = ("wagers", "bets", "winners", "awards")


def readable(value: Any, exponent: int | None = None, name: str = "", deep: int = 0) -> SafeString:
    """Rows of name and value, tables within tables; a fraction [n, d] in percent.

    exponent: decimal places of the amounts, which are what a name that ends with `_minor` holds;
    None leaves them as whole minor units.
    """
    if value is None or value == "":
        return format_html("{}", "–")
    if isinstance(value, bool):
        return format_html("{}", say("yes") if value else say("no"))
    if isinstance(value, int) and name.endswith("_minor") and exponent is not None:
        return format_html("{}", units(value, exponent))
    if isinstance(value, (int, float)):
        return format_html("{}", f"{value:,}")
    if isinstance(value, Mapping) and deep < DEEP_MOST:
        return _rows(value, exponent, name, deep)
    if isinstance(value, list) and deep < DEEP_MOST:
        return _list(value, exponent, name, deep)
    return format_html("{}", in_words(str(value)) if len(str(value)) < 40 else value)


def in_words(name: str) -> str:
    """A name of the code as people say it, in the reader's language: "pair_plus", "hand.void"."""
    return say(name.replace("_", " ").replace(".", ": ")) if name else ""


def _rows(value: Mapping[str, Any], exponent: int | None, name: str, deep: int) -> SafeString:
    if not value:
        return format_html("{}", say("none"))
    stakes = name in STAKES and all(isinstance(stake, int) for stake in value.values())
    money = "_minor" if stakes or name.endswith("_minor") else ""
    rows = (
        (
            in_words(str(key).removesuffix("_minor")),
            readable(
                inner, exponent, key if str(key).endswith("_minor") else f"{key}{money}", deep + 1
            ),
        )
        for key, inner in value.items()
    )
    body = format_html_join("", "<tr><th>{}</th><td>{}</td></tr>", rows)
    return format_html('<table class="facts readable"><tbody>{}</tbody></table>', body)


def _list(value: list[Any], exponent: int | None, name: str, deep: int) -> SafeString:
    if not value:
        return format_html("{}", say("none"))
    if any(isinstance(each, (dict, list)) for each in value):
        parts = ((readable(each, exponent, name, deep + 1),) for each in value)
        return format_html_join("", "<div>{}</div>", parts)
    return format_html_join(", ", "{}", ((readable(each, exponent, name, deep),) for each in value))
