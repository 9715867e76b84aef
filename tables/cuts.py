"""What clients may know of a table's cuts while they run, and of how each ended."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import orjson

from casino.core.seal import at_micros
from casino.core.statements import one_row
from tables.frames import instant
from tables.models import Cut, Deck, Hand, SeedCommitment

RUNNING = (Cut.Status.OPEN, Cut.Status.LISTED)
BARRED = timedelta(minutes=10)
"""How long whoever withheld a listed seed gives none, at any table."""

WITHHELD = """
    (SELECT max(w.withheld_at) FROM tables_seedcommitment w
        WHERE w.player_id = %(player)s AND w.withheld_at > clock_timestamp() - %(barred)s::interval)
"""
LOCK = "SELECT cut, ahead FROM tables_cut_lock(%s::bigint, %s::bigint, false)"


class Committed(NamedTuple):
    """A deck as its cut knows it: its secret order stands elsewhere."""

    id: int
    number: int
    root: str
    signature: str


class Given(NamedTuple):
    """A player's commitment, and his seed's ciphertext in hexadecimal once he has opened it."""

    id: int
    player_id: int
    commitment: str
    sealed: str | None
    opened_ms: int | None


class Ahead(NamedTuple):
    """What the table's next cut follows.

    deck_ids: its decks', None for the next deal while such decks wait already.
    """

    waiting_kind: str | None
    waiting_contents: list[int] | None
    last_cut: int
    last_deck: int
    last_root: str | None
    deck_ids: list[int] | None


@dataclass(slots=True)
class Running:
    """A cut while it runs, with its decks by number and its commitments as they came.

    is_over: a clock has found that its window's time is up. at: the time at which it was read.
    is_scripted: its deck lies as a sandbox's player asked.
    ahead: what the next deal's cut follows, if this one may be cut now.
    """

    id: int
    table_id: int
    number: int
    hand_id: int | None
    purpose: str
    kind: str
    contents: list[int] | None
    takes_seeds: bool
    attempt: int
    expected: list[int] | None
    status: str
    due: datetime | None
    is_over: bool
    listed_ms: int | None
    commitments: list[str] | None
    list_signature: str
    decks: list[Committed]
    given: list[Given]
    at: datetime
    is_scripted: bool = False
    ahead: Ahead | None = None

    @property
    def cards(self) -> int:
        return int(self.kind.partition("+")[0])

    @property
    def dice(self) -> int:
        return int(self.kind.partition("+")[2])


def locked(table_id: int, cut_id: int | None) -> Running | None:
    """A running cut, its row locked; cut_id None: the one that waits for the table's next deal.

    To be called inside a transaction.
    """
    cut, ahead = one_row(LOCK, [table_id, cut_id])
    return None if cut is None else running_of(table_id, cut, ahead)


def running_of(table_id: int, cut: str, ahead: str | None) -> Running:
    """A cut as the database tells it, and what the next one follows if that was told."""
    facts = orjson.loads(cut)
    for name in ("due", "at"):
        if facts[name] is not None:
            facts[name] = at_micros(facts[name])
    facts["decks"] = [Committed(*deck) for deck in facts["decks"]]
    facts["given"] = [Given(*one) for one in facts["given"]]
    return Running(table_id=table_id, **facts, ahead=None if ahead is None else ahead_of(ahead))


def ahead_of(told: str) -> Ahead:
    """What the next cut of a table follows, as the database tells it."""
    return Ahead(*orjson.loads(told))


def roots_of(decks: Iterable[Committed | Deck]) -> list[dict[str, Any]]:
    """The signed roots of a cut, by number."""
    return [
        {"number": deck.number, "root": deck.root, "signature": deck.signature}
        for deck in sorted(decks, key=lambda deck: deck.number)
    ]


def published(cut: Running | Cut, decks: Iterable[Committed | Deck]) -> dict[str, Any]:
    """What is published as a cut begins. deadline: when commitments end, if that is known."""
    return {
        "cut": cut.number,
        "purpose": cut.purpose,
        "kind": cut.kind,
        "takes_seeds": cut.takes_seeds,
        "roots": roots_of(decks),
        "deadline": None if cut.due is None else instant(cut.due),
    }


def listed(cut: Running | Cut) -> dict[str, Any]:
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
            **published(cut, cut.decks.all()),
            "status": cut.status,
            "list": None if cut.commitments is None else listed(cut),
            "asks_you": player_id is not None and asks(cut, player_id),
            "yours": _yours(mine.get(cut.pk)),
        }
        for cut in cuts.prefetch_related("decks")
    ]


def barred_until(player_id: int) -> str | None:
    """Until when no seed of this player is taken; None if they are."""
    (withheld_at,) = one_row(f"SELECT {WITHHELD}", {"player": player_id, "barred": BARRED})
    return barred_since(withheld_at)


def barred_since(withheld_at: datetime | None) -> str | None:
    return None if withheld_at is None else instant(withheld_at + BARRED)


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
