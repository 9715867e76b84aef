"""Reading what a table sets: amounts, choices and flags, each refused by its name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tables.engine.errors import BadOptions
from tables.engine.reasons import Reason


def checked(name: str, amount: Any, least: int = 0) -> int:
    if not isinstance(amount, int) or isinstance(amount, bool):
        raise BadOptions(name, Reason("no_whole_number"))
    if amount < least:
        is_amount = name.endswith("_minor")
        raise BadOptions(
            name,
            Reason("amount_too_small", least_minor=least)
            if is_amount
            else Reason("too_small", least=least),
        )
    return amount


def amount(data: Mapping[str, Any], name: str, default: int, least: int = 0) -> int:
    given = data.get(name)
    return default if given is None else checked(name, given, least)


def flag(data: Mapping[str, Any], name: str, default: bool) -> bool:
    given = data.get(name)
    if given is None:
        return default
    if not isinstance(given, bool):
        raise BadOptions(name, Reason("no_flag"))
    return given


def one_of(data: Mapping[str, Any], name: str, choices: tuple[Any, ...]) -> Any:
    """The choice made, the first one where none is."""
    given = data.get(name, choices[0])
    if given not in choices or isinstance(given, bool):
        raise BadOptions(name, Reason("not_one_of", known=choices))
    return given
