"""Messages to programs of others, by the Standard Webhooks scheme.

A program's address must be public and encrypted: it is looked up once, every answer of the look-up
must be a public address, and the connection goes to the very address that was judged.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import ipaddress
import secrets
import socket
from collections.abc import Sequence

import httpx

from casino.core.errors import AddressRefused

PURPOSE = "webhook"
TIMEOUT_S, WHOLE_S = 5.0, 10.0
"""For each step of a connection, and for all of it: an answer may come byte by byte."""
GONE = 410


def secret_new() -> str:
    return "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()


def url_of(url: str) -> httpx.URL:
    """A receiver's address as it is written in a request. Raises AddressRefused."""
    try:
        parsed = httpx.URL(url)
    except (httpx.InvalidURL, UnicodeError) as error:
        raise AddressRefused("no address of the web") from error
    if parsed.scheme != "https" or not parsed.host or parsed.userinfo:
        raise AddressRefused("https:// and a host, without a name and password")
    if parsed.port is not None and not 0 < parsed.port < 2**16:
        raise AddressRefused("no such port")
    return parsed


def addresses_of(url: str) -> list[str]:
    """The addresses a URL leads to. Raises AddressRefused unless all of them are public, and the
    connection encrypted."""
    parsed = url_of(url)
    host, port = parsed.raw_host.decode(), parsed.port or 443
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise AddressRefused("no such host") from error
    addresses = list(dict.fromkeys(str(each[4][0]) for each in found))
    for address in addresses:
        if not is_public(address):
            raise AddressRefused("it leads to a private address")
    return addresses


def is_public(address: str) -> bool:
    """Whether an address is of the open network: not of this house, its neighbours or none."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo or (None, None))[1]
        if inner is not None:
            return is_public(str(inner))
        if ip in NAT64:
            return is_public(str(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)))
    return ip.is_global and not ip.is_multicast


NAT64 = ipaddress.ip_network("64:ff9b::/96")


def signature(secret: str, message_id: str, stamp: int, body: bytes) -> str:
    """`v1,` and the HMAC-SHA256 of "id.timestamp.body" in base 64."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{stamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


def signed(message_id: str, stamp: int, body: bytes, signing: Sequence[str]) -> dict[str, str]:
    """The headers of a message; signing: its secrets, more than one while they change."""
    signatures = [signature(secret, message_id, stamp, body) for secret in signing]
    return {
        "content-type": "application/json",
        "webhook-id": message_id,
        "webhook-timestamp": str(stamp),
        "webhook-signature": " ".join(signatures),
    }


def posted(url: str, headers: dict[str, str], body: bytes) -> int:
    """Post to the very address that was judged; no redirect is followed. Returns the status.

    Raises AddressRefused, httpx.HTTPError, TimeoutError after WHOLE_S seconds in all.
    """
    parsed = url_of(url)
    there = parsed.copy_with(host=addresses_of(url)[0], port=parsed.port or 443)
    told = {**headers, "host": parsed.netloc.decode()}
    return asyncio.run(_posted(there, told, body, parsed.raw_host.decode()))


async def _posted(there: httpx.URL, headers: dict[str, str], body: bytes, host: str) -> int:
    async with (
        asyncio.timeout(WHOLE_S),
        httpx.AsyncClient(timeout=TIMEOUT_S, follow_redirects=False, trust_env=False) as client,
        client.stream(
            "POST", there, headers=headers, content=body, extensions={"sni_hostname": host}
        ) as answer,
    ):  # what it says is not read: its status is all that counts
        return int(answer.status_code)
