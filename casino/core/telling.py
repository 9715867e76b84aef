"""Progress of commands that take minutes: what is being done, and how long it has been."""

from __future__ import annotations

import time
from collections.abc import Callable

Told = Callable[[str], object]


def nobody(what: str) -> None:
    """For callers that tell nobody."""


def teller(write: Told) -> Told:
    """A way to say what comes next; each line has the seconds since the teller was made."""
    began = time.monotonic()
    return lambda what: write(f"{time.monotonic() - began:8.1f} s  {what.replace('_', ' ')}")
