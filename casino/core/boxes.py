"""Small secrets of the house's own, encrypted under keys that follow from SECRET_KEY.

A new SECRET_KEY opens what the keys of SECRET_KEY_FALLBACKS locked.
"""

from __future__ import annotations

import base64

from cryptography.fernet import Fernet, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings


def lock(secret: bytes, purpose: str) -> bytes:
    return _keys(purpose).encrypt(secret)


def unlock(box: bytes | memoryview[int], purpose: str) -> bytes:
    """Raises InvalidToken for what no key of the house has locked."""
    return _keys(purpose).decrypt(bytes(box))


def _keys(purpose: str) -> MultiFernet:
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return MultiFernet([Fernet(_derived(str(key), purpose)) for key in keys])


def _derived(key: str, purpose: str) -> bytes:
    hkdf = HKDF(SHA256(), 32, salt=None, info=f"casino.core.{purpose}".encode())
    return base64.urlsafe_b64encode(hkdf.derive(key.encode()))
