"""A bundle put together from the page's vectors, with the signatures that are published there."""

from __future__ import annotations

from typing import Any

from tables.engine import fairness
from tests.engine.fairness.test_vectors import V, unhex


def bundle_of_vectors() -> dict[str, Any]:
    """One cut of two decks of five cards; of the second only the root is known."""
    signed, cut = V["signed"], V["cut"]
    at = {word: signed[word]["text"].split() for word in ("receipt", "list", "opened", "end")}
    listed_ms, opened_ms = int(at["list"][4]), int(at["opened"][-1])
    slots = fairness.cut(unhex(cut["roots"]), unhex(cut["seeds"]), len(V["deck"]["cards"]))
    shown = [V["opening"], *V["openings_after_it"]]
    return {
        "format": "croupier-proof-2",
        "table": signed["table"],
        "hand": signed["hand"],
        "hand_number": 1,
        "family": "poker",
        "status": "settled",
        "viewer": 1,
        "public_key": signed["public_key"],
        "reveal_ms": 1000,
        "cuts": [
            {
                "number": signed["cut"],
                "purpose": "deal",
                "mode": "players",
                "kind": signed["kind"],
                "contents": sorted(V["deck"]["cards"]),
                "roots": [
                    {
                        "number": signed["number"] + nth,
                        "root": root,
                        "previous": previous,
                        "signature": signed["roots"]["signature"],
                    }
                    for nth, (root, previous) in enumerate(
                        zip(cut["roots"], [signed["previous"], *cut["roots"]], strict=False)
                    )
                ],
                "list": {
                    "commitments": cut["commitments"],
                    "at": listed_ms,
                    "signature": signed["list"]["signature"],
                },
                "seeds": cut["seeds"],
                "opened_at": [opened_ms, opened_ms + 1],
                "end": {
                    "end": "dealt",
                    "reason": "-",
                    "root": signed["number"] + cut["chosen_deck"],
                    "joined": cut["joined"],
                    "at": int(at["end"][-1]),
                    "signature": signed["end"]["signature"],
                },
                "full": [],
            }
        ],
        "openings": [
            {
                **one,
                "cut": signed["cut"],
                "root": signed["number"],
                "position": slots.index(one["slot"]),
                "seq": nth,
                "to": "all",
            }
            for nth, one in enumerate(shown, start=1)
        ],
        "receipts": [
            {
                "cut": signed["cut"],
                "root": cut["roots"][-1],
                "commitment": cut["commitments"][0],
                "at": int(at["receipt"][-1]),
                "signature": signed["receipt"]["signature"],
                "opened_at": opened_ms,
                "opened_signature": signed["opened"]["signature"],
            }
        ],
    }
