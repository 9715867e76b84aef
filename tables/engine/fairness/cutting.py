"""The players' cut: what their seeds make of the decks the house has committed to.

A client's commitment is SHA-256("croupier/seed/1" || 0x00 || seed), its seed 32 bytes. The opened
seeds, in the order of their commitments in the closed list, are joined with the roots the house
published before:

    joined = SHA-256("croupier/joined/1" || 0x00 || K || root 0 .. root K-1 || n || seed 0 .. n-1)

K one byte, n two big-endian bytes, roots and seeds 32 bytes each. Three streams come of it, each
under a label of its own: the deck that is dealt (uniform in K), the cut (Fisher-Yates over the
slots), and the players' part of every die. Without an opened seed the house alone has chosen: deck
0, no cut, 0 added to every die.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

from tables.engine.fairness.streams import shuffled, stream, uniform

T = TypeVar("T")

SEED_LABEL = b"croupier/seed/1"
JOINED_LABEL = b"croupier/joined/1"
DECK_LABEL = b"croupier/deck/1"
CUT_LABEL = b"croupier/cut/1"
DIE_LABEL = b"croupier/die/1"
HASH_BYTES = 32
FACES = 6


def seed_commitment(seed: bytes) -> bytes:
    """What a client sends before it opens its seed. Raises ValueError unless it has 32 bytes."""
    _all_of_32((seed,))
    return sha256(SEED_LABEL + b"\0" + seed).digest()


def joined(roots: Sequence[bytes], seeds: Sequence[bytes]) -> bytes:
    """The seed that all published roots and all opened seeds make together."""
    _all_of_32(roots)
    _all_of_32(seeds)
    counted = bytes([len(roots)]) + b"".join(roots) + len(seeds).to_bytes(2, "big")
    return sha256(JOINED_LABEL + b"\0" + counted + b"".join(seeds)).digest()


def chosen_deck(roots: Sequence[bytes], seeds: Sequence[bytes]) -> int:
    """Which of the committed decks is dealt; the others are opened in full."""
    if not seeds:
        return 0
    return uniform(len(roots), stream(DECK_LABEL, joined(roots, seeds)))


def cut(roots: Sequence[bytes], seeds: Sequence[bytes], size: int) -> list[int]:
    """The slot from which each position is dealt, over all `size` cards of the deck."""
    slots = range(size)
    if not seeds:
        return list(slots)
    return shuffled(slots, stream(CUT_LABEL, joined(roots, seeds)))


def dealt_order(committed: Sequence[T], slots: Sequence[int]) -> list[T]:
    """The committed cards in the order in which they are dealt."""
    return [committed[slot] for slot in slots]


def dice_added(roots: Sequence[bytes], seeds: Sequence[bytes], count: int) -> list[int]:
    """The players' part of each of `count` dice, 0 to 5."""
    if not seeds:
        return [0] * count
    source = stream(DIE_LABEL, joined(roots, seeds))
    return [uniform(FACES, source) for _ in range(count)]


def die(committed: int, added: int) -> int:
    """The face of a die: the house's committed part and the players' part, each 0 to 5."""
    return 1 + (committed + added) % FACES


def _all_of_32(parts: Sequence[bytes]) -> None:
    if any(len(part) != HASH_BYTES for part in parts):
        raise ValueError(f"roots and seeds have {HASH_BYTES} bytes")
