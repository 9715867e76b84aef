"""A player's seeds: one for every cut that takes them, opened when its commitment is listed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tables.engine.fairness import seed_commitment

Facts = Mapping[str, Any]
KEPT_MOST = 8


@dataclass
class Seeds:
    """What one player has committed to at one table, by the number of the cut.

    Messages to say come of what the house tells; nothing is opened that is not on a closed list.
    """

    seeds: dict[int, bytes] = field(default_factory=dict)
    given: int = 0
    said: dict[int, dict[str, Any]] = field(default_factory=dict)

    def read_snapshot(self, state: Facts) -> Iterator[dict[str, Any]]:
        for cut in state.get("cuts", ()):
            if cut["list"] is not None:
                yield from self.listed(cut["list"])
            elif cut["asks_you"] and cut["yours"] is None:
                yield self.committed(cut["cut"])

    def read_events(self, frame: Facts, seat: int | None) -> Iterator[dict[str, Any]]:
        for event in frame["events"]:
            public = event["public"]
            if event["type"] == "roots_published" and public["takes_seeds"] and seat is not None:
                is_asked = public["purpose"] == "deal" and public["deadline"] is None
                if is_asked or self.given:
                    yield self.committed(public["cut"])
            elif event["type"] == "seeds_listed":
                yield from self.listed(public)
            elif event["type"] == "hand_settled":
                self.given = 0

    def committed(self, cut: int) -> dict[str, Any]:
        seed = self.seeds.setdefault(cut, os.urandom(32))
        while len(self.seeds) > KEPT_MOST:
            self.said.pop(oldest := min(self.seeds), None)
            del self.seeds[oldest]
        hashed = seed_commitment(seed).hex()
        self.said[cut] = {"type": "commit_seed", "cut": cut, "commitment": hashed}
        return self.said[cut]

    def listed(self, closed: Facts) -> Iterator[dict[str, Any]]:
        seed = self.seeds.get(closed["cut"])
        if seed is not None and seed_commitment(seed).hex() in closed["commitments"]:
            self.given += 1
            self.said[closed["cut"]] = {
                "type": "open_seed",
                "cut": closed["cut"],
                "seed": seed.hex(),
            }
            yield self.said[closed["cut"]]
