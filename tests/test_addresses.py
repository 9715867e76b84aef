"""Who stands before a proxy is told by that proxy alone, over HTTP and over sockets."""

from typing import Any

import pytest
import uvicorn

from casino.core.addresses import UNKNOWN_ADDRESS, address_in
from casino.house.parts import UVICORN

PROXY, CLIENT, LIAR = "10.9.0.4", "198.51.100.7", "203.0.113.9"


async def address_behind(peer: str, forwarded: str, kind: str = "http") -> str:
    """Where the house takes a request to come from, once its web server has read it."""
    found: list[str] = []

    async def house(scope: Any, receive: Any, send: Any) -> None:
        found.append(address_in(scope))

    config = uvicorn.Config(house, lifespan="off", log_config=None)
    config.load()
    headers = [(b"x-forwarded-for", forwarded.encode())] if forwarded else []
    scope = {"type": kind, "scheme": kind, "client": (peer, 40_000), "headers": headers}
    await config.loaded_app(scope, None, None)  # type: ignore[arg-type]
    return found[0]


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize(
    ("proxies", "peer", "forwarded", "address"),
    [
        (None, "127.0.0.1", CLIENT, CLIENT),
        (None, PROXY, CLIENT, PROXY),
        ("10.9.0.0/24", PROXY, CLIENT, CLIENT),
        ("10.9.0.0/24", PROXY, f"{LIAR}, {CLIENT}", CLIENT),
        ("10.9.0.0/24", PROXY, f"{CLIENT}, 10.9.0.8", CLIENT),
        ("10.9.0.0/24", CLIENT, LIAR, CLIENT),
        (PROXY, PROXY, "", PROXY),
        (PROXY, PROXY, "unknown", UNKNOWN_ADDRESS),
    ],
)
async def test_a_proxy_that_is_named_is_believed_and_nobody_else(
    monkeypatch: pytest.MonkeyPatch,
    kind: str, proxies: str | None, peer: str, forwarded: str, address: str,
) -> None:  # fmt: skip
    monkeypatch.delenv("FORWARDED_ALLOW_IPS", raising=False)
    if proxies is not None:
        monkeypatch.setenv("FORWARDED_ALLOW_IPS", proxies)
    assert await address_behind(peer, forwarded, kind) == address


def test_no_part_of_a_house_turns_that_off() -> None:
    assert not {"--no-proxy-headers", "--forwarded-allow-ips"} & set(UVICORN)
