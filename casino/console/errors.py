"""What the console refuses, one class per rule."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import ClassVar

from casino.core.errors import CoreError


@dataclass(eq=False)
class DayNotOver(CoreError):
    code: ClassVar[str] = "day_not_over"
    day: date

    def __str__(self) -> str:
        return f"gaming day {self.day} is not over"


@dataclass(eq=False)
class DayNotGreen(CoreError):
    code: ClassVar[str] = "day_not_green"
    failing: tuple[str, ...]

    def __str__(self) -> str:
        return f"not everything is in order: {', '.join(self.failing)}"


@dataclass(eq=False)
class DayClosed(CoreError):
    code: ClassVar[str] = "day_closed"
    day: date

    def __str__(self) -> str:
        return f"gaming day {self.day} was closed before"


@dataclass(eq=False)
class CompositionUntried(CoreError):
    code: ClassVar[str] = "composition_untried"
    name: str

    def __str__(self) -> str:
        return f"{self.name} must be simulated without a fault before a table is opened for it"
