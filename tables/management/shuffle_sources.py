"""Where the decks under test come from: the house's own ways, and shuffles known to be bad."""

from __future__ import annotations

from collections.abc import Callable
from functools import cmp_to_key
from hashlib import blake2b
from random import Random

import numpy as np
from numpy.typing import NDArray

from tables import entropy
from tables.engine import fairness

SIZE = 52
SEED_BYTES, SALT_BYTES = 32, 16
DECKS_COMMITTED = 4
RAW_BYTES = 64
"""What is exported of each deck's stream: more than half of all shuffles read no further."""

Deal = Callable[[Random], list[int]]


def house(_: Random) -> list[int]:
    """The house alone: its secret shuffle, no cut; seeds as live decks get theirs."""
    return fairness.shuffle(range(SIZE), entropy.seed())


def honest_decks(_: Random) -> list[int]:
    """Honest decks under commitments, and players who send the same seeds every hand."""
    orders = [fairness.shuffle(range(SIZE), entropy.seed()) for _ in range(DECKS_COMMITTED)]
    roots = [_root(order) for order in orders]
    return _dealt(orders, roots, [bytes(SEED_BYTES)] * 3)


def honest_seed(_: Random) -> list[int]:
    """A house that commits to the same unshuffled deck for ever, and one honest player's seed."""
    orders = [list(range(SIZE))] * DECKS_COMMITTED
    seeds = [bytes(SEED_BYTES), entropy.seed()]
    return _dealt(orders, [bytes([number]) * 32 for number in range(DECKS_COMMITTED)], seeds)


def swap_any(source: Random) -> list[int]:
    """Every place swapped with any place: 52^52 paths do not divide among 52! orders."""
    deck = list(range(SIZE))
    for place in range(SIZE):
        other = source.randrange(SIZE)
        deck[place], deck[other] = deck[other], deck[place]
    return deck


def sort_by_random(source: Random) -> list[int]:
    """A sort that is told at random which of two cards comes first."""
    return sorted(range(SIZE), key=cmp_to_key(lambda *_: source.getrandbits(1) * 2 - 1))


def sort_by_byte(source: Random) -> list[int]:
    """A sort by random keys so short that many are equal, and equal ones keep their order."""
    keys = source.randbytes(SIZE)
    return sorted(range(SIZE), key=keys.__getitem__)


def byte_mod_52(source: Random) -> list[int]:
    """A card for each byte, modulo 52, unless it has come: 256 does not divide by 52."""
    deck: list[int] = []
    while len(deck) < SIZE:
        card = source.getrandbits(8) % SIZE
        if card not in deck:
            deck.append(card)
    return deck


def byte_modulo(source: Random) -> list[int]:
    """The right swaps by a byte modulo the number of places: small numbers come too often."""
    deck = list(range(SIZE))
    drawn = source.randbytes(SIZE)
    for last in range(SIZE - 1, 0, -1):
        other = drawn[last] % (last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    return deck


def seed_of_32_bits(source: Random) -> list[int]:
    """The right shuffle by a good generator that has only 2^32 beginnings."""
    deck = list(range(SIZE))
    Random(source.getrandbits(32)).shuffle(deck)  # noqa: S311
    return deck


SOURCES: dict[str, Deal] = {
    "house": house, "honest-decks": honest_decks, "honest-seed": honest_seed,
}  # fmt: skip
KNOWN_BAD: dict[str, Deal] = {
    "swap-any": swap_any,
    "sort-by-random": sort_by_random,
    "sort-by-byte": sort_by_byte,
    "byte-mod-52": byte_mod_52,
    "byte-modulo": byte_modulo,
    "seed-of-32-bits": seed_of_32_bits,
}


def dealt(name: str, count: int, seed: bytes) -> tuple[bytes, bytes]:
    """So many decks of a source, 52 bytes each, and 16 bytes of a hash of each.

    seed: of the known-bad shuffles alone; the house's own ways draw from the operating system.
    """
    deal = {**SOURCES, **KNOWN_BAD}[name]
    source = Random(seed)  # noqa: S311
    decks = [bytes(deal(source)) for _ in range(count)]
    return b"".join(decks), b"".join(map(digest, decks))


def digest(deck: bytes) -> bytes:
    return blake2b(deck, digest_size=16).digest()


def arrays(decks: bytes, digests: bytes) -> tuple[NDArray[np.uint8], NDArray[np.void]]:
    return (
        np.frombuffer(decks, dtype=np.uint8).reshape(-1, SIZE),
        np.frombuffer(digests, dtype=np.dtype("V16")),
    )


def raw(count: int) -> bytes:
    """The bytes that so many shuffles begin with, each of a seed of its own, before any scaling."""
    out = bytearray()
    for _ in range(count):
        source = fairness.stream(b"croupier/shuffle/1", entropy.seed())
        out.extend(next(source) for _ in range(RAW_BYTES))
    return bytes(out)


def _root(order: list[int]) -> bytes:
    return fairness.commitment("0/0", order, entropy.salts(len(order), SALT_BYTES))


def _dealt(orders: list[list[int]], roots: list[bytes], seeds: list[bytes]) -> list[int]:
    chosen = orders[fairness.chosen_deck(roots, seeds)]
    return fairness.dealt_order(chosen, fairness.cut(roots, seeds, SIZE))
