"""Where a request came from.

The web server has read it by then: it believes the `X-Forwarded-For` of the proxies that
FORWARDED_ALLOW_IPS names, and of nobody else. What a client claims beyond that is never looked at.
"""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any

from django.http import HttpRequest

UNKNOWN_ADDRESS = "0.0.0.0"  # noqa: S104 - a value to count under, nothing is bound to it


def address_of(request: HttpRequest) -> str:
    """The client's address."""
    return _read(str(request.META.get("REMOTE_ADDR", "")))


def address_in(scope: Mapping[str, Any]) -> str:
    """The same of a WebSocket's scope."""
    client = scope.get("client") or ("",)
    return _read(str(client[0]))


def _read(address: str) -> str:
    try:
        return str(ip_address(address))
    except ValueError:  # a Unix socket's peer, or a proxy's own notation
        return UNKNOWN_ADDRESS
