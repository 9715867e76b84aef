"""Randomness for cards: the operating system's and no other, watched while it is drawn.

The kernel keeps the generator, so processes that fork share no state here. Every draw passes the
two continuous tests of NIST SP 800-90B 4.4, at a chance of 2^-40 to be stopped by mistake: no byte
comes six times in a row, and no byte is found twenty times in 512. A draw that repeats the
one before is a source that stands still. What fails is never used.
"""

import logging
import os

from tables.errors import EntropyFailed

logger = logging.getLogger(__name__)

EQUAL_IN_A_ROW = bytes(5)
WINDOW, IN_WINDOW_MOST = 512, 19
SEED_BYTES = 32

_source = os.urandom
_last = b""


def draw(count: int) -> bytes:
    """Fresh bytes. Raises EntropyFailed, and then nothing was drawn that could be used.

    count: at least 32 where a draw is to be compared with the one before.
    """
    global _last
    try:
        drawn = _source(count)
    except (OSError, NotImplementedError) as error:
        raise EntropyFailed("the operating system gives none") from error
    if len(drawn) != count:
        raise EntropyFailed("it came short")
    if EQUAL_IN_A_ROW in _changes(drawn):
        raise EntropyFailed("a byte came again and again")
    for at in range(0, count - WINDOW + 1, WINDOW):
        if drawn.count(drawn[at : at + 1], at, at + WINDOW) > IN_WINDOW_MOST:
            raise EntropyFailed("a byte came too often")
    if count >= SEED_BYTES:
        if drawn == _last:
            raise EntropyFailed("the same came twice")
        _last = drawn
    return drawn


def _changes(drawn: bytes) -> bytes:
    """Every byte XORed with the next: zero where one is repeated."""
    both = int.from_bytes(drawn[:-1], "big") ^ int.from_bytes(drawn[1:], "big")
    return both.to_bytes(len(drawn), "big")[1:]


def seed() -> bytes:
    """The secret seed of one order. Raises EntropyFailed."""
    return draw(SEED_BYTES)


def salts(count: int, size: int) -> list[bytes]:
    """So many salts of `size` bytes each. Raises EntropyFailed."""
    drawn = draw(count * size)
    return [drawn[at : at + size] for at in range(0, count * size, size)]
