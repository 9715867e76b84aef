"""Under which licence each package is, by what it says of itself: `make lock` writes the list.

python -m tests.supply.licences > docs/licences.md
"""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, distribution

from tests.supply.pins import SETS, Pin, locked

HEAD = """# Licences

What each locked package says of its own licence, written by `make lock` from the installed
packages. Packages that only other systems need are not listed. Vendored browser files stand in
[dependencies.md](dependencies.md).
"""
TITLES = {
    "requirements.txt": "What a house runs on",
    "requirements-dev.txt": "What checking needs besides",
}
# Packages whose own metadata names no licence, with where it stands instead.
BY_HAND: dict[str, str] = {}


def licence(name: str) -> str | None:
    """As SPDX where the package says so, else its own words; None where it is not installed."""
    try:
        told = distribution(name).metadata
    except PackageNotFoundError:
        return None
    if expression := told.get("License-Expression"):
        return str(expression)
    classified = sorted(
        line.rpartition(" :: ")[2]
        for line in told.get_all("Classifier") or ()
        if line.startswith("License :: ") and line != "License :: OSI Approved"
    )
    words = (told.get("License") or "").strip().splitlines()
    return ", ".join(classified) or (words[0] if words else BY_HAND.get(name, "not said"))


def rows(pins: dict[str, Pin]) -> list[tuple[str, str, str]]:
    found = ((pin, licence(pin.name)) for pin in pins.values())
    return [(pin.name, pin.version, re.sub(r"\s+", " ", said)) for pin, said in found if said]


def page() -> str:
    parts, seen = [HEAD], set[str]()
    for file in SETS[:2]:
        told = [row for row in rows(locked(file)) if row[0] not in seen]
        seen |= {row[0] for row in told}
        lines = [f"## {TITLES[file]}", "", "| Package | Version | Licence |", "|---|---|---|"]
        lines += [f"| {name} | {version} | {said} |" for name, version, said in told]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


if __name__ == "__main__":
    print(page(), end="")
