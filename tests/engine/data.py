"""Worked cases of tests/data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent.parent / "data"


def cases(name: str) -> list[dict[str, Any]]:
    """The cases of one file, e.g. "ranking/high"."""
    stored = json.loads((DATA / f"{name}.json").read_text())
    return list(stored["cases"])
