"""What this process believes about the tables it serves: a guess that tables_act() decides.

A belief is whatever was last read or written here; another process's frame makes it stale. An
opened deck stays in memory while its hand runs, never longer.
"""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import orjson

from casino.core.models import User
from casino.core.rows import columns, row_from
from casino.core.statements import all_rows, one_row
from tables import hub, rules, vault
from tables.engine.protocol import Hand
from tables.errors import TableNotFound
from tables.models import HandSecret, Seat, Table

NAMES = (
    "seq", "state", "turn_id", "finished", "status", "hand_id", "hand_number", "definition",
    "options", "seats", "decks", "is_past", "in_play_account", "timing", "away",
)  # fmt: skip
DECK = (
    "SELECT s.sealed, d.kind, d.dealing FROM tables_handsecret s JOIN tables_deck d"
    " ON d.id = s.deck_id WHERE s.deck_id = %s"
)
JSON_NAMES = ("definition", "options", "seats", "decks", "timing")


@dataclass(frozen=True, slots=True)
class Belief:
    """A table's run-time columns and the hand in play, as of `seq`."""

    table_id: int
    seq: int
    state: str | None
    turn_id: int
    finished: bool
    status: str
    hand_id: int | None
    hand_number: int
    definition: Mapping[str, Any] | None
    options: Mapping[str, Any] | None
    seats: Mapping[str, Mapping[str, Any]] | None
    decks: Sequence[int]
    is_past: bool
    in_play_account: int | None
    timing: Mapping[str, Any]
    away: Sequence[int]

    def seats_of(self, player_id: int) -> list[int]:
        """The seats in which this player was dealt in to the hand in play, his own first.

        Several only where he has several spots.
        """
        return dealt_to(self.seats or {}, player_id)

    def seat_of(self, player_id: int) -> int | None:
        """The player's own seat, if he was dealt in to the hand in play."""
        return next(iter(self.seats_of(player_id)), None)

    @property
    def absent(self) -> list[int]:
        """The seats of the hand in play whose player is away."""
        seats = self.seats or {}
        return [
            int(n) for n, facts in seats.items() if facts.get("player_seat", int(n)) in self.away
        ]

    def hand(self) -> Hand:
        """The hand in play as an object of its own; changing it changes no belief."""
        assert self.definition is not None
        assert self.options is not None
        assert self.state is not None
        return rules.load(self.definition, self.options, self.state, deck_of(self))


def dealt_to(seats: Mapping[str, Mapping[str, Any]], player_id: int) -> list[int]:
    """Of a hand's seats those of one player, in order."""
    return sorted(int(number) for number, facts in seats.items() if facts["player"] == player_id)


_beliefs: dict[int, Belief] = {}
_decks: dict[int, tuple[Sequence[int], list[int]]] = {}
_lock = threading.Lock()


def believed(table_id: int) -> Belief | None:
    return _beliefs.get(table_id)


def believe(belief: Belief) -> None:
    with _lock:
        known = _beliefs.get(belief.table_id)
        if known is None or known.seq <= belief.seq:
            _beliefs[belief.table_id] = belief
        if belief.hand_id is None or belief.finished:
            _decks.pop(belief.table_id, None)


def forget(table_id: int) -> None:
    with _lock:
        _beliefs.pop(table_id, None)
        _decks.pop(table_id, None)


def heard(table_id: int, seq: int) -> None:
    """Another process has written: what is believed below its seq is no longer worth a try."""
    with _lock:
        known = _beliefs.get(table_id)
        if known is not None and known.seq < seq:
            del _beliefs[table_id]


hub.foreign_listeners.append(heard)


def read(table_id: int) -> Belief:
    """Read the table without a lock. Raises TableNotFound."""
    return _fetch("tables_read", table_id)


def lock(table_id: int) -> Belief:
    """Lock the table's row, then read it with its hand; to be called inside a transaction.

    Raises TableNotFound; OperationalError when the row stays locked for longer than 2 s.
    """
    return _fetch("tables_lock", table_id)


def _fetch(function: str, table_id: int) -> Belief:
    row = one_row(f"SELECT {', '.join(NAMES)} FROM {function}(%s)", [table_id])  # noqa: S608
    if row is None:
        raise TableNotFound(table_id)
    facts = dict(zip(NAMES, row, strict=True))
    for name in JSON_NAMES:
        if facts[name] is not None:
            facts[name] = orjson.loads(facts[name])
    return Belief(table_id=table_id, **facts)


@lru_cache(maxsize=1)
def _seats_query() -> str:
    return (
        f"SELECT {columns(Seat)}, {columns(User)} FROM tables_seat"  # noqa: S608
        " JOIN core_user ON core_user.id = tables_seat.player_id"
        " WHERE tables_seat.table_id = %s ORDER BY tables_seat.number"
    )


def seats_of(table: Table) -> list[Seat]:
    """A table's taken seats with their players, by number."""
    of_seat = len(Seat._meta.concrete_fields)
    seats = []
    for row in all_rows(_seats_query(), [table.pk]):
        seat = row_from(Seat, row[:of_seat])
        seat._state.fields_cache |= {"player": row_from(User, row[of_seat:]), "table": table}
        seats.append(seat)
    return seats


def deck_of(belief: Belief) -> list[int]:
    """The cards or dice of the hand in play, those added while it runs included."""
    held = _decks.get(belief.table_id)
    if held is not None and held[0] == belief.decks:
        return held[1]
    deck = [card for deck_id in belief.decks for card in deck_open(deck_id)]
    with _lock:
        _decks[belief.table_id] = (belief.decks, deck)
    return deck


def deck_open(deck_id: int, dealing: Sequence[int] | None = None) -> list[int]:
    """The cards in the order in which they are dealt, for the process that runs the hand.

    dealing: how it is cut, where its row does not say so yet.
    """
    sealed, kind, stored = one_row(DECK, [deck_id])
    order = _opened(sealed, deck_id).order
    if dealing is None and stored is not None:
        dealing = orjson.loads(stored)
    return order if dealing is None else dealt_order(order, kind, dealing)


def dealt_order(order: Sequence[int], kind: str, dealing: Sequence[int]) -> list[int]:
    """A committed order as it is dealt: cards from their slots, then dice with what was added."""
    cards = int(kind.partition("+")[0])
    dice = zip(order[cards:], dealing[cards:], strict=True)
    return [order[slot] for slot in dealing[:cards]] + [(mine + added) % 6 for mine, added in dice]


class Secret(NamedTuple):
    """A deck's committed order, dice behind the cards, and the salt of each slot."""

    order: list[int]
    salts: list[bytes]


def secret_of(deck_id: int) -> Secret:
    """For the process that runs the hand and for proofs of what was shown; nobody else."""
    return _opened(HandSecret.objects.get(deck_id=deck_id).sealed, deck_id)


def _opened(sealed: bytes | memoryview, deck_id: int) -> Secret:
    plain = vault.unseal(sealed, deck_label(deck_id))
    count = plain[0]
    size = (len(plain) - 1 - count) // count
    salts = [plain[at : at + size] for at in range(1 + count, len(plain), size)]
    return Secret(list(plain[1 : 1 + count]), salts)


def deck_label(deck_id: int) -> str:
    return f"deck:{deck_id}"
