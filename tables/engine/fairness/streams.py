"""Unbiased numbers and orders from a seed, byte for byte the same everywhere.

The stream of a seed is SHA-256(label || 0x00 || seed || counter), counter = 0, 1, 2, ... as eight
big-endian bytes, its 32-byte blocks one after the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import count
from typing import TypeVar

T = TypeVar("T")

SHUFFLE_LABEL = b"croupier/shuffle/1"
DICE_LABEL = b"croupier/dice/1"
SEED_BYTES_LEAST = 32


def stream(label: bytes, seed: bytes) -> Iterator[int]:
    """The bytes of a seed's stream, endless. Raises ValueError for a seed below 32 bytes."""
    if len(seed) < SEED_BYTES_LEAST:
        raise ValueError(f"a seed has at least {SEED_BYTES_LEAST} bytes")
    for block in count():
        yield from sha256(label + b"\0" + seed + block.to_bytes(8, "big")).digest()


def uniform(most: int, source: Iterator[int]) -> int:
    """A number from 0 to most - 1, each equally likely; 1 <= most <= 65,536.

    One byte is read if most <= 256, else two (big-endian); a value that would favour the small
    numbers is thrown away and the next is read.
    """
    if not 1 <= most <= 65_536:
        raise ValueError("most is 1 to 65,536")
    size = 1 if most <= 256 else 2
    fair = 256**size - 256**size % most
    while True:
        value = 0
        for _ in range(size):
            value = value << 8 | next(source)
        if value < fair:
            return value % most


def shuffle(items: Sequence[T], seed: bytes) -> list[T]:
    """The items in the order that a secret seed gives them."""
    return shuffled(items, stream(SHUFFLE_LABEL, seed))


def shuffled(items: Sequence[T], source: Iterator[int]) -> list[T]:
    """Fisher-Yates: from the last place down, swap with a place at or below it."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        if last < 256:  # as `uniform`, without a call for every card of a deck
            most = last + 1
            fair = 256 - 256 % most
            value = next(source)
            while value >= fair:
                value = next(source)
            other = value % most
        else:
            other = uniform(last + 1, source)
        order[last], order[other] = order[other], order[last]
    return order


def house_dice(seed: bytes, count: int) -> list[int]:
    """The house's part of each of `count` dice, 0 to 5, from a secret seed."""
    source = stream(DICE_LABEL, seed)
    return [uniform(6, source) for _ in range(count)]
