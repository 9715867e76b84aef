"""A WebSocket client of the ASGI application, without a network between."""

from typing import Any

from asgiref.testing import ApplicationCommunicator

from casino.asgi import application


class Socket(ApplicationCommunicator):
    def __init__(self, path: str, headers: dict[str, str] | None = None) -> None:
        path, _, query = path.partition("?")
        super().__init__(
            application,
            {
                "type": "websocket",
                "path": path,
                "query_string": query.encode(),
                "headers": [(k.encode(), v.encode()) for k, v in (headers or {}).items()],
                "subprotocols": [],
            },
        )

    async def connect(self) -> bool:
        """Whether the application took the connection."""
        await self.send_input({"type": "websocket.connect"})
        return bool((await self.receive_output(5))["type"] == "websocket.accept")

    async def say(self, text: str) -> None:
        await self.send_input({"type": "websocket.receive", "text": text})

    async def hear(self) -> dict[str, Any]:
        return await self.receive_output(5)

    async def leave(self) -> None:
        await self.send_input({"type": "websocket.disconnect", "code": 1000})
        await self.wait(5)
