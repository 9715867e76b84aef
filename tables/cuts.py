"""What clients may know of a table's cuts while they run, and of how each ended."""

from typing import Any

from tables.frames import instant
from tables.models import Cut, Hand, SeedCommitment

RUNNING = (Cut.Status.OPEN, Cut.Status.LISTED)


def roots_of(cut: Cut) -> list[dict[str, Any]]:
    """The signed roots of a cut, by number."""
    return [
        {"number": deck.number, "root": deck.root, "signature": deck.signature}
        for deck in sorted(cut.decks.all(), key=lambda deck: deck.number)
    ]


def published(cut: Cut) -> dict[str, Any]:
    """What is published as a cut begins. deadline: when commitments end, if that is known."""
    return {
        "cut": cut.number,
        "purpose": cut.purpose,
        "kind": cut.kind,
        "takes_seeds": cut.takes_seeds,
        "roots": roots_of(cut),
        "deadline": None if cut.due is None else instant(cut.due),
    }


def listed(cut: Cut) -> dict[str, Any]:
    """The closed list, as the house has signed it, and how long seeds are awaited."""
    return {
        "cut": cut.number,
        "hand_id": cut.hand_id,
        "commitments": cut.commitments,
        "at": cut.listed_ms,
        "signature": cut.list_signature,
        "deadline": None if cut.due is None else instant(cut.due),
    }


def running(table_id: int, player_id: int | None) -> list[dict[str, Any]]:
    """The cuts that still take or await seeds, with what this player has given to each."""
    cuts = Cut.objects.filter(table_id=table_id, status__in=RUNNING).order_by("number")
    mine: dict[int, SeedCommitment] = {}
    if player_id is not None:
        given = SeedCommitment.objects.filter(cut__in=cuts, player_id=player_id)
        mine = {one.cut_id: one for one in given}
    return [
        {
            **published(cut),
            "status": cut.status,
            "list": None if cut.commitments is None else listed(cut),
            "asks_you": player_id is not None and asks(cut, player_id),
            "yours": _yours(mine.get(cut.pk)),
        }
        for cut in cuts.prefetch_related("decks")
    ]


def asks(cut: Cut, player_id: int) -> bool:
    """Whether a seed of this player is taken, as far as the cut itself says."""
    return cut.takes_seeds and (cut.expected is None or player_id in cut.expected)


def _yours(given: SeedCommitment | None) -> dict[str, Any] | None:
    if given is None:
        return None
    return {"commitment": given.commitment, "is_opened": given.opened_ms is not None}


def of_hand(hand: Hand) -> dict[str, Any] | None:
    """How the deck of a hand was cut, in short; None before it was."""
    cut = (
        Cut.objects.filter(hand_id=hand.pk, purpose=Cut.Purpose.DEAL, status=Cut.Status.DEALT)
        .order_by("-number")
        .first()
    )
    if cut is None:
        return None
    return {
        "cut": cut.number,
        "mode": cut.mode,
        "decks": cut.decks.count(),
        "seeds": len([seed for seed in cut.seeds if seed is not None]),
    }
