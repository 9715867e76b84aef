"""Players' seeds: a commitment before the list is closed, the seed itself after.

Both are handled where they arrive. A client is judged by what is read without a lock; what it gives
is then written under the lock of the cut's row alone, never the table's, which looks again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import orjson

from casino.core.seal import at_micros, signing_key
from casino.core.statements import one_row
from tables import jobs, vault
from tables.cuts import BARRED
from tables.engine import fairness
from tables.errors import (
    CommitmentTaken,
    CutNotFound,
    NotSeated,
    SeedBarred,
    SeedCommitted,
    SeedNotListed,
    SeedsClosed,
    SeedsNotTaken,
)
from tables.frames import instant
from tables.models import Cut
from tables.services.cutting import seed_label

LOOK = "SELECT tables_seed_look(%s::bigint, %s::bigint, %s::bigint, %s::text)"
COMMIT = "SELECT * FROM tables_seed_commit(%s::bigint, %s::bigint, %s::text, %s::bigint, %s::text)"
OPEN = "SELECT * FROM tables_seed_open(%s::bigint, %s::bigint, %s::bytea, %s::bigint, %s::text)"
TAKEN, AGAIN = "taken", "again"


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the house signs for a client: a commitment taken, or a seed opened. at_ms: when.

    root: the last root of the cut, which stands for all of them.
    """

    cut: int
    root: str
    commitment: str
    at_ms: int
    signature: str


class Look(NamedTuple):
    """A cut as a client's message finds it. mine: his commitment; is_taken: somebody has this.

    withheld_us, at_us: microseconds since 1970.
    """

    cut_id: int
    status: str
    is_over: bool
    takes_seeds: bool
    expected: list[int] | None
    is_listed: bool
    root: str
    mine: str | None
    mine_at_ms: int | None
    mine_signature: str | None
    opened_ms: int | None
    opened_signature: str | None
    is_taken: bool
    is_seated: bool
    withheld_us: int | None
    at_us: int

    def asks(self, player_id: int) -> bool:
        return self.takes_seeds and (self.expected is None or player_id in self.expected)


def seed_commit(*, table_id: int, player_id: int, cut: int, commitment: str) -> Receipt:
    """Take a player's commitment for a cut; a repeat gets the first receipt.

    commitment: SHA-256 in lower-case hexadecimal, see docs/fairness.md 5. Raises CutNotFound,
    NotSeated, SeedsNotTaken, SeedsClosed, SeedBarred, SeedCommitted, CommitmentTaken.
    """
    look = _look(table_id, cut, player_id, commitment)
    if look.mine == commitment:
        assert look.mine_at_ms is not None
        assert look.mine_signature is not None
        return Receipt(cut, look.root, commitment, look.mine_at_ms, look.mine_signature)
    if not look.asks(player_id):
        raise SeedsNotTaken(cut)
    if look.status != Cut.Status.OPEN or look.is_over:
        raise SeedsClosed(cut, look.status)
    if look.mine is not None:
        raise SeedCommitted(cut, look.mine)
    if look.is_taken:
        raise CommitmentTaken(cut)
    if not look.is_seated:
        raise NotSeated
    if look.withheld_us is not None:
        until = at_micros(look.withheld_us) + BARRED
        if until > at_micros(look.at_us):
            raise SeedBarred(instant(until))
    at_ms = look.at_us // 1000
    message = fairness.receipt_message(table_id, cut, look.root, commitment, at_ms)
    signature = signing_key().sign(message).hex()
    outcome, is_last = _written(COMMIT, [look.cut_id, player_id, commitment, at_ms, signature])
    if outcome == AGAIN:  # somebody was quicker: judged anew by what stands there now
        return seed_commit(table_id=table_id, player_id=player_id, cut=cut, commitment=commitment)
    if outcome != TAKEN:
        raise SeedsClosed(cut, outcome)
    if is_last:
        jobs.cut_go_on(table_id, look.cut_id)
    return Receipt(cut, look.root, commitment, at_ms, signature)


def seed_open(*, table_id: int, player_id: int, cut: int, seed: bytes) -> Receipt:
    """Open a listed seed while its window runs; a repeat gets the first answer.

    Raises CutNotFound, SeedNotListed, SeedsClosed.
    """
    commitment = fairness.seed_commitment(seed).hex()
    look = _look(table_id, cut, player_id, commitment)
    if not look.is_listed:
        raise SeedsClosed(cut, look.status)
    if look.mine != commitment:
        raise SeedNotListed(cut)
    if look.opened_ms is not None:
        assert look.opened_signature is not None
        return Receipt(cut, look.root, commitment, look.opened_ms, look.opened_signature)
    if look.status != Cut.Status.LISTED or look.is_over:
        raise SeedsClosed(cut, look.status)
    at_ms = look.at_us // 1000
    message = fairness.opened_message(table_id, cut, commitment, at_ms)
    signature = signing_key().sign(message).hex()
    sealed = vault.seal(seed, seed_label(look.cut_id, player_id))
    outcome, is_last = _written(OPEN, [look.cut_id, player_id, sealed, at_ms, signature])
    if outcome == AGAIN:
        return seed_open(table_id=table_id, player_id=player_id, cut=cut, seed=seed)
    if outcome != TAKEN:
        raise SeedsClosed(cut, outcome)
    if is_last:
        jobs.cut_go_on(table_id, look.cut_id)
    return Receipt(cut, look.root, commitment, at_ms, signature)


def _look(table_id: int, number: int, player_id: int, commitment: str) -> Look:
    """Raises CutNotFound."""
    (told,) = one_row(LOOK, [table_id, number, player_id, commitment])
    if told is None:
        raise CutNotFound(number)
    return Look(*orjson.loads(told))


def _written(statement: str, values: Sequence[int | str | bytes]) -> tuple[str, bool]:
    outcome, is_last = one_row(statement, values)
    return outcome, is_last
