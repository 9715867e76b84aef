"""Amounts as people write them. Inside the house an amount is a whole number of minor units."""

from __future__ import annotations

import re
from decimal import Decimal

MINUS = "−"
AMOUNT = re.compile(r"-?[0-9]{1,18}(\.[0-9]{0,6})?", re.ASCII)


def units(minor: int, exponent: int) -> str:
    """ "1,234.50" for 123450 minor units of a currency with two decimal places."""
    whole, part = divmod(abs(minor), 10**exponent)
    text = f"{whole:,}" + (f".{part:0{exponent}}" if exponent else "")
    return MINUS + text if minor < 0 else text


def units_plain(minor: int, exponent: int) -> str:
    """ "-1234.50": for a form's field or a file, which take no grouping."""
    return str(Decimal(minor).scaleb(-exponent))


def minor_of(text: str, exponent: int) -> int:
    """Minor units of an amount as somebody typed it: "1,234.5", "1 234,50", "−5".

    A comma is a decimal point where it stands alone before at most `exponent` digits.
    Raises ValueError for what is no amount, or has more decimals than the currency.
    """
    typed = text.strip().replace(MINUS, "-").replace("\u00a0", "").replace(" ", "")
    whole, comma, part = typed.rpartition(",")
    if comma and "." not in typed and "," not in whole and 0 < len(part) <= min(exponent, 2):
        typed = f"{whole}.{part}"
    typed = typed.replace(",", "")
    if not AMOUNT.fullmatch(typed):
        raise ValueError(f"{text!r} is no amount")
    minor = Decimal(typed).scaleb(exponent)
    if minor != minor.to_integral_value():
        raise ValueError(f"{text!r} has more than {exponent} decimal places")
    return int(minor)
