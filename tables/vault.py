"""Hidden cards at rest: encryption of decks and of events' private parts.

AES-256-GCM under the newest of settings.CARD_KEYS; the key's id stands in front of the
ciphertext, so older rows stay readable while keys rotate. What a ciphertext belongs to is bound
into it: one row's secret does not open in another row.
"""

import base64
import binascii
import os
from functools import lru_cache

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

NONCE_BYTES = 12


@lru_cache(maxsize=1)
def keys() -> dict[bytes, AESGCM]:
    """Ciphers by key id, the newest first. Raises ImproperlyConfigured for an unusable key."""
    found: dict[bytes, AESGCM] = {}
    for item in settings.CARD_KEYS:
        name, _, text = item.partition(":")
        try:
            key = base64.b64decode(text)
        except binascii.Error as error:
            raise ImproperlyConfigured(f"card key {name!r} is not base64") from error
        if len(key) != 32 or not name:
            raise ImproperlyConfigured("card keys are id:base64 of 32 bytes, comma separated")
        found[name.encode()] = AESGCM(key)
    if not found:
        raise ImproperlyConfigured("CARD_KEYS names no key")
    return found


def seal(plain: bytes, belongs_to: str) -> bytes:
    name, cipher = next(iter(keys().items()))
    nonce = os.urandom(NONCE_BYTES)
    return name + b"\0" + nonce + cipher.encrypt(nonce, plain, belongs_to.encode())


def unseal(sealed: bytes | memoryview, belongs_to: str) -> bytes:
    """Raises SecretUnreadable if the key is gone or the row is not the one it was made for."""
    name, _, rest = bytes(sealed).partition(b"\0")
    cipher = keys().get(name)
    if cipher is None:
        raise SecretUnreadable(belongs_to)
    try:
        return cipher.decrypt(rest[:NONCE_BYTES], rest[NONCE_BYTES:], belongs_to.encode())
    except InvalidTag as error:
        raise SecretUnreadable(belongs_to) from error


def newest() -> bytes:
    """What stands in front of everything that is wrapped in today's key."""
    return next(iter(keys())) + b"\0"


class SecretUnreadable(Exception):
    """A secret that no key of this house opens. Says which, never what."""
