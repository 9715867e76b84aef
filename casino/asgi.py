"""The ASGI application: HTTP, WebSockets and the process's own liveness."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
os.environ.setdefault("CROUPIER_PART", "web")

from django.core.asgi import get_asgi_application

http = get_asgi_application()

from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.conf import settings
from django.core.checks import run_checks
from django.urls import re_path

from casino import errors
from casino.core.garbage import seldom_sought
from tables import consumers, selectors
from tables.clock import pulse
from tables.hub import hub
from tables.routing import websocket_urlpatterns
from tables.threads import in_thread

consumers.problem_of = errors.problem

NO_SUCH_PATH = 4404

Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Scope = dict[str, Any]


async def pages(scope: Scope, receive: Receive, send: Send) -> None:
    """Django; but a health check, which knows no host name and no TLS, is answered here."""
    if scope["path"] != "/ready":
        await http(scope, receive, send)  # type: ignore[arg-type]
        return
    headers = [(b"content-type", b"text/plain"), (b"content-length", b"6")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"ready\n"})


async def own_origin_or_none(scope: Scope, receive: Receive, send: Send) -> None:
    """A browser says where its page comes from and must come from here; a program says nothing."""
    origins = [value for name, value in scope["headers"] if name == b"origin"]
    if not origins:
        await sockets(scope, receive, send)
    elif all(map(is_address, origins)):
        await from_own_pages(scope, receive, send)
    else:
        await send({"type": "websocket.close"})


def is_address(origin: bytes) -> bool:
    """Whether the validator can take the text apart; on anything else it fails."""
    try:
        urlsplit(origin.decode("latin1"))
    except ValueError:
        return False
    return True


async def unknown_path(scope: Scope, receive: Receive, send: Send) -> None:
    """A close code reaches only a client whose connection was taken first."""
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.close", "code": NO_SUCH_PATH})


nowhere = re_path("", unknown_path)  # type: ignore[arg-type]
sockets = URLRouter([*websocket_urlpatterns, nowhere])
from_own_pages = AllowedHostsOriginValidator(sockets)


def unfit() -> str:
    """Why this house must not serve, in a line; empty when it may."""
    if not settings.PRODUCTION:
        return ""
    return "; ".join(
        str(fault) for fault in run_checks(databases=["default"]) if fault.is_serious()
    )


async def lifespan(scope: Scope, receive: Receive, send: Send) -> None:
    """Start and stop what a web process does besides answering."""
    liveness: asyncio.Task[None] | None = None
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            if fault := await in_thread(unfit):
                await send({"type": "lifespan.startup.failed", "message": fault})
                return
            hub.start(rows=lambda table_id, seq: in_thread(selectors.pushes_since, table_id, seq))
            liveness = asyncio.create_task(consumers.Liveness(lambda: pulse("web")).run())
            seldom_sought()
            await send({"type": "lifespan.startup.complete"})
        else:
            if liveness is not None:
                liveness.cancel()
            await hub.stop()
            await send({"type": "lifespan.shutdown.complete"})
            return


application = ProtocolTypeRouter(
    {"http": pages, "websocket": own_origin_or_none, "lifespan": lifespan}
)
