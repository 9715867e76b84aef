"""What few hands have beside their state: blinds over the big one, further boards, last windows.

A hand that has none of it stores null for it all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

STRADDLE, KILL = "straddle", "kill"


@dataclass(frozen=True, slots=True)
class Asked:
    """A window that no step of the game opens; word: its name."""

    word: str


@dataclass(slots=True)
class Rare:
    """Lists by place hold place numbers or positions in the deck, never cards.

    over, over_place, over_minor: a blind above the big one, "straddle" or "kill", whose it is and
    the price it makes. boards: those behind the first. asking: the word of a window that no step of
    the game opens, "" if none is open. said: what each place has answered in it. runs: how often
    the rest of the board is dealt, 0 before that is settled. runs_at, kept: the step and the length
    of the board when it was. seen: single cards a place has shown. rabbit: by board, cards that
    would have come.
    """

    over: str = ""
    over_place: int = -1
    over_minor: int = 0
    boards: list[list[int]] = field(default_factory=list)
    asking: str = ""
    said: list[Any] = field(default_factory=list)
    runs: int = 0
    runs_at: int = -1
    kept: int = 0
    seen: list[list[int]] = field(default_factory=list)
    rabbit: list[list[int]] = field(default_factory=list)

    def dump(self) -> list[Any]:
        return [getattr(self, name) for name in FIELDS]


FIELDS = tuple(Rare.__slots__)


def rare_of_json(stored: Sequence[Any] | None) -> Rare | None:
    """The inverse of `Rare.dump`; null stands for a hand that has none of it."""
    return None if stored is None else Rare(*stored)
