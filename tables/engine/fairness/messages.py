"""The words that the house signs: ASCII, fields with one space between; docs/fairness.md 8."""

from __future__ import annotations

from collections.abc import Sequence

NOTHING = "-"
NO_ROOT = "0" * 64


def roots_message(
    table_id: int, cut: int, number: int, kind: str, previous: str, roots: Sequence[str]
) -> bytes:
    """The commitments of a cut's decks, a single one's or those of all in one.

    number: the first one's. kind: "52+0", cards and dice. previous: the root with the number
    before. All hashes in the messages are lower-case hexadecimal.
    """
    word = "root" if len(roots) == 1 else "roots"
    fields = (table_id, cut, number, kind, previous, *roots)
    return " ".join([f"croupier/{word}/1", *map(str, fields)]).encode()


def receipt_message(table_id: int, cut: int, root: str, commitment: str, at_ms: int) -> bytes:
    """That a client's commitment was taken, in milliseconds since 1970.

    root: the cut's last one, which stands for all of them.
    """
    return f"croupier/receipt/1 {table_id} {cut} {root} {commitment} {at_ms}".encode()


def list_message(
    table_id: int, cut: int, hand_id: int, at_ms: int, commitments: Sequence[str]
) -> bytes:
    """The closed list of commitments: nothing is added to it any more."""
    fields = (table_id, cut, hand_id, at_ms, len(commitments), *commitments)
    return " ".join(["croupier/list/1", *map(str, fields)]).encode()


def opened_message(table_id: int, cut: int, commitment: str, at_ms: int) -> bytes:
    """That the seed of a listed commitment was opened in time."""
    return f"croupier/opened/1 {table_id} {cut} {commitment} {at_ms}".encode()


def end_message(
    table_id: int,
    cut: int,
    end: str,
    reason: str,
    root: int | None,
    joined: str | None,
    at_ms: int,
) -> bytes:
    """How a cut ended. root: the number of the dealt one. joined: of all roots and opened seeds."""
    which = NOTHING if root is None else root
    seeds = NOTHING if joined is None else joined
    return f"croupier/end/1 {table_id} {cut} {end} {reason} {which} {seeds} {at_ms}".encode()
