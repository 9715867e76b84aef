"""Players who give seeds, and what the stand-alone verifier says of their hands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import orjson
from django.db import connection

from casino.core.models import User
from tables import beliefs, clock, proofs
from tables.models import Cut, Table
from tables.services import continuing, decks, rotating, seating, seeds
from tests.proof.verifier import verifier
from tests.tables.dealing_cast import dealt, move


@dataclass
class Giver:
    """A client with a seed for every cut, of its own making."""

    user: User
    given: dict[int, bytes] = field(default_factory=dict)

    def seed(self, cut: int) -> bytes:
        return self.given.setdefault(cut, sha256(f"{self.user.pk}/{cut}".encode()).digest())

    def commitment(self, cut: int) -> str:
        return sha256(b"croupier/seed/1\0" + self.seed(cut)).hexdigest()

    def commits(self, at: Table, cut: int | None = None) -> seeds.Receipt:
        number = waiting(at).number if cut is None else cut
        return seeds.seed_commit(
            table_id=at.pk, player_id=self.user.pk, cut=number, commitment=self.commitment(number)
        )

    def opens(self, at: Table, cut: int | None = None) -> seeds.Receipt:
        number = listed(at).number if cut is None else cut
        return seeds.seed_open(
            table_id=at.pk, player_id=self.user.pk, cut=number, seed=self.seed(number)
        )


def first_roots(at: Table) -> None:
    """What opening a table does for its first deal."""
    with seating.table_locked(at.pk) as locked:
        locked.events += decks.roots_for(locked.table, rotating.coming(locked.table))


def dealt_with_seeds(at: Table, givers: Iterable[Giver]) -> None:
    """The next hand, as far as its last seed: whoever waits for it may go on."""
    given = [*givers]
    for giver in given:
        giver.commits(at)
    dealt(at)
    for giver in given:
        giver.opens(at)


def waiting(at: Table) -> Cut:
    return at.cuts.filter(status="open").latest("number")


def listed(at: Table) -> Cut:
    return at.cuts.get(status="listed")


def went_on(at: Table) -> bool:
    """What the worker does when the last seed is in."""
    cut = at.cuts.exclude(hand_id=None).filter(status__in=("open", "listed")).get()
    return continuing.cut_go_on(table_id=at.pk, cut_id=cut.pk)


def window_over(at: Table, late_ms: int = 100) -> bool:
    """The running window's time passes, and the clock finds it so.

    late_ms: how long after its end.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE tables_cut SET due = clock_timestamp() - %s * interval '1 ms'"
            " WHERE table_id = %s AND due IS NOT NULL",
            [late_ms, at.pk],
        )
        cursor.execute("UPDATE tables_pulse SET at = clock_timestamp()")
        cursor.execute(clock.CUTS_DUE, [clock.LEASE_MS])
        due = cursor.fetchall()
    return any(continuing.cut_go_on(table_id=row[0], cut_id=row[2]) for row in due)


def all_drawn(at: Table) -> bool:
    """Everybody draws all he can; whether the hand waits for a reshuffle and is not over."""
    while not (belief := beliefs.read(at.pk)).finished:
        play = belief.hand()
        if play.window == "reshuffle":
            return True
        names = [choice["name"] for choice in play.legal(play.waiting[0])]
        if "draw" in names:
            move(at, name="draw", cards=[0, 1, 2, 3, 4])
        else:
            move(at, name="check" if "check" in names else "call")
    return False


def bundle(hand_id: int, viewer: User | None = None) -> dict[str, Any]:
    """The proof as a client gets it, through JSON."""
    return dict(orjson.loads(orjson.dumps(proofs.bundle(hand_id, viewer and viewer.pk))))


def problems(*bundles: dict[str, Any]) -> list[Any]:
    """What the stand-alone verifier finds wrong with each, and with all of them together."""
    reports = [verifier.verify(one, proofs.public_key()) for one in bundles]
    if len(bundles) > 1:
        reports.append(verifier.verify_together(bundles))
    return [problem for report in reports for problem in report.problems]
