"""The written forms of a hand: which it can take, and each of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tables.engine.history.ohh import ohh, why_no_ohh
from tables.engine.history.phh import phh, why_no_phh
from tables.engine.history.record import Record
from tables.engine.history.text import text


@dataclass(frozen=True, slots=True)
class Form:
    """media: its media type. why_not: why a hand has not this form, "" if it has."""

    media: str
    suffix: str
    write: Callable[[Record], str]
    why_not: Callable[[Record], str]


FORMS: Mapping[str, Form] = {
    "phh": Form("application/toml", "phh", phh, why_no_phh),
    "ohh": Form("application/x-ohh+json", "ohh", ohh, why_no_ohh),
    "text": Form("text/plain", "txt", text, lambda record: ""),
}


def forms_of(record: Record) -> list[str]:
    """The names of all forms that this hand can take."""
    return [name for name, form in FORMS.items() if not form.why_not(record)]
