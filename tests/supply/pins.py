"""What is pinned by hand, and what `make lock` makes of it in locked/: every file by its hash."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOCKED = ROOT / "locked"
SETS = ("requirements.txt", "requirements-dev.txt", "requirements-bench.txt")
PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^\s;]+)")


def plain(name: str) -> str:
    """A package's name as every index and every installer compares it."""
    return re.sub("[-_.]+", "-", name).lower()


@dataclass(frozen=True)
class Pin:
    name: str
    version: str
    hashes: tuple[str, ...]
    marker: str


def direct(file: str) -> dict[str, str]:
    """Plain name to version of what one requirements file itself names."""
    found = (PIN.match(line) for line in (ROOT / file).read_text(encoding="utf-8").splitlines())
    return {plain(pin[1]): pin[2] for pin in found if pin}


def locked(file: str) -> dict[str, Pin]:
    return {pin.name: pin for pin in _read((LOCKED / file).read_text(encoding="utf-8"))}


def _read(text: str) -> Iterator[Pin]:
    for line in text.replace("\\\n", " ").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        pin = PIN.match(line)
        if pin is None:
            raise ValueError(f"not a pin: {line[:80]}")
        marker = re.search(r";\s*(.*?)\s*(?:--hash|$)", line)
        hashes = tuple(re.findall(r"--hash=sha256:([0-9a-f]{64})", line))
        yield Pin(plain(pin[1]), pin[2], hashes, marker[1] if marker else "")
