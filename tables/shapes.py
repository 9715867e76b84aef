"""The outer shape of what a client sends as an action, whichever door it comes by.

The engine says what an action means; what reaches it here is small, plain and exact: whole
numbers that the books can hold, short words, flat lists and objects. Only what changes a game is a
definition of its own, a little deeper.
"""

import re
from typing import Any

from tables.engine.errors import MalformedAction
from tables.errors import MalformedMessage

HASH = re.compile(r"[0-9a-f]{64}")

FIELDS_MOST = 20
WORDS_MOST = 64
LIST_MOST = 60
INT64 = range(-(2**63), 2**63)
DEEP = "changes"
DEPTH_MOST = 4


def action_checked(action: Any) -> dict[str, Any]:
    """The action itself, once its shape is one the engine may be asked about.

    Raises MalformedAction, naming the field at fault.
    """
    if not isinstance(action, dict):
        raise MalformedAction("an action is an object")
    if not isinstance(action.get("name"), str):
        raise MalformedAction("an action has a name, a string")
    _check_fields("the action", action)
    for field, value in action.items():
        if field == DEEP:
            _check_deep(field, value, DEPTH_MOST)
        else:
            _check_value(field, value)
    return action


def _check_deep(field: str, value: Any, depth: int) -> None:
    """An object of plain values, lists and objects, no deeper than a definition of a game."""
    if isinstance(value, dict) and depth:
        _check_fields(field, value)
        for name, inner in value.items():
            _check_deep(f"{field}.{name}", inner, depth - 1)
    elif isinstance(value, list) and depth:
        if len(value) > LIST_MOST:
            raise MalformedAction(f"{field} has more than {LIST_MOST} entries")
        for index, inner in enumerate(value):
            _check_deep(f"{field}.{index}", inner, depth - 1)
    elif not isinstance(value, bool) and value is not None:
        _check_plain(field, value)


def _check_value(field: str, value: Any) -> None:
    if isinstance(value, dict):
        _check_fields(field, value)
        for name, inner in value.items():
            _check_plain(f"{field}.{name}", inner)
    elif isinstance(value, list):
        if len(value) > LIST_MOST:
            raise MalformedAction(f"{field} has more than {LIST_MOST} entries")
        for index, inner in enumerate(value):
            _check_plain(f"{field}.{index}", inner)
    elif isinstance(value, bool) and not field.endswith("_minor"):
        return
    elif value is not None:
        _check_plain(field, value)


def _check_plain(field: str, value: Any) -> None:
    if isinstance(value, str):
        if len(value) > WORDS_MOST:
            raise MalformedAction(f"{field} is longer than {WORDS_MOST} characters")
    elif type(value) is not int:
        raise MalformedAction(f"{field} must be a whole number or a word")
    elif value not in INT64:
        raise MalformedAction(f"{field} is too large a number")


def _check_fields(what: str, fields: dict[str, Any]) -> None:
    if len(fields) > FIELDS_MOST:
        raise MalformedAction(f"{what} has more than {FIELDS_MOST} fields")
    if any(len(name) > WORDS_MOST for name in fields):
        raise MalformedAction(f"{what} has a field with too long a name")


def hash_checked(field: str, value: Any) -> str:
    """32 bytes in lower-case hexadecimal. Raises MalformedMessage, naming the field at fault."""
    if not isinstance(value, str) or HASH.fullmatch(value) is None:
        raise MalformedMessage(f"{field} is 32 bytes in lower-case hexadecimal")
    return value


def number_checked(field: str, value: Any) -> int:
    """A number of a cut. Raises MalformedMessage, naming the field at fault."""
    if type(value) is not int or not 0 < value < 2**63:
        raise MalformedMessage(f"{field} is a whole number above 0")
    return value
