"""Where a request came from."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any

from django.http import HttpRequest
from rest_framework.settings import api_settings

UNKNOWN_ADDRESS = "0.0.0.0"  # noqa: S104 - a value to count under, nothing is bound to it


def address_of(request: HttpRequest) -> str:
    """The client's address.

    `X-Forwarded-For` is believed only as far as our own proxies wrote it (DRF's NUM_PROXIES):
    the rest of it is whatever the client likes to claim.
    """
    return _read(
        str(request.META.get("REMOTE_ADDR", "")), request.META.get("HTTP_X_FORWARDED_FOR", "")
    )


def address_in(scope: Mapping[str, Any]) -> str:
    """The same of a WebSocket's scope."""
    headers = dict(scope.get("headers", ()))
    client = scope.get("client") or ("",)
    return _read(str(client[0]), headers.get(b"x-forwarded-for", b"").decode("latin-1"))


def _read(address: str, forwarded: str) -> str:
    proxies = api_settings.NUM_PROXIES or 0
    hops = [hop.strip() for hop in forwarded.split(",")]
    if proxies > 0 and hops != [""]:
        address = hops[-min(proxies, len(hops))]
    try:
        return str(ip_address(address))
    except ValueError:  # a Unix socket's peer, or a proxy's own notation
        return UNKNOWN_ADDRESS
