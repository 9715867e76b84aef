"""Valkey may be away, or take what is asked and never answer: nobody waits for it again and again.

Whatever goes to it can do without it. Who has waited in vain says so, and for a while this process
asks nothing of it; one that refuses at once costs no time and is asked each time.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

AWAY = (OperationalError, RedisError, OSError)
IN_VAIN_S = settings.VALKEY_ANSWERS_S / 2
RESTS_S = 5.0

_until = 0.0


def is_resting() -> bool:
    """Whether this process has just waited for it in vain."""
    return time.monotonic() < _until


@contextmanager
def asked() -> Iterator[None]:
    """Around whatever is asked of it. Errors are the caller's, as they come."""
    global _until
    began = time.monotonic()
    try:
        yield
    except AWAY:
        if time.monotonic() - began >= IN_VAIN_S:
            _until = time.monotonic() + RESTS_S
        raise
