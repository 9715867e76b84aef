"""The channel layer of the tables: local sockets directly, Valkey only between processes.

A push is a hint: it may come twice, late, out of order or never. Each room (one table in one web
process) therefore hands frames on strictly by `seq`; what is missing is read from the event rows.
A socket that does not keep up loses its queue and is closed, and comes back with its last seq.

Sync code anywhere calls `publish()`. Web processes also run `Hub.start()` in their event loop.
"""

import asyncio
import contextlib
import logging
import os
import socket
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple
from uuid import uuid4

import orjson
import redis
import redis.asyncio
from django.conf import settings

from casino.core import broker
from casino.core.meters import PUSH_LAG, PUSHES, SOCKETS, TOO_SLOW

logger = logging.getLogger(__name__)

QUEUE_SIZE = 256
OUTBOX_SIZE = 4_096
GAP_PATIENCE_S = 0.03
RECONNECT_S = (0.1, 0.2, 0.5, 1.0, 2.0)
PREFIX = "croupier:table:"


class Push(NamedTuple):
    """One event row on its way to the sockets of its table."""

    seq: int
    text: str
    private_seats: Sequence[int]


class Room:
    """One table's sockets in this process, and how far they have been told."""

    __slots__ = ("gap_timer", "last", "queues", "waiting")

    def __init__(self) -> None:
        self.queues: dict[str, asyncio.Queue[dict[str, Any]]] = {}
        self.last: int | None = None
        self.waiting: dict[int, Push] = {}
        self.gap_timer: asyncio.TimerHandle | None = None


Rows = Callable[[int, int], Awaitable[list[Push]]]
Heads = Callable[[Sequence[int]], Awaitable[tuple[str, dict[int, int]]]]


class Hub:
    """What one web process knows of its rooms. All methods run in its event loop."""

    def __init__(self) -> None:
        self.name = f"{os.getpid()}-{uuid4().hex[:8]}"
        self.loop: asyncio.AbstractEventLoop | None = None
        self.rooms: dict[int, Room] = {}
        self.rows: Rows | None = None
        self.pubsub: redis.asyncio.client.PubSub | None = None
        self.client: redis.asyncio.Redis | None = None
        self.outbox: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue(OUTBOX_SIZE)
        self.tasks: set[asyncio.Task[Any]] = set()

    def start(self, *, rows: Rows) -> None:
        """rows: reads a table's pushes after a seq, oldest first."""
        self.loop = asyncio.get_running_loop()
        self.rows = rows
        self.outbox = asyncio.Queue(OUTBOX_SIZE)  # bound to this loop
        # A table may be silent for longer than the library waits for an answer by default.
        self.client = redis.asyncio.Redis.from_url(
            settings.REDIS_URL, socket_timeout=None, **lines_kept()
        )
        self.spawn(self.listen())
        self.spawn(self.publish_outbox())

    async def stop(self) -> None:
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        if self.client is not None:
            await self.client.aclose()
        self.loop = None

    def spawn(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    # Members

    async def join(self, table_id: int, channel: str, queue: asyncio.Queue[dict[str, Any]]) -> None:
        room = self.rooms.get(table_id)
        if room is None:
            room = self.rooms[table_id] = Room()
            if self.pubsub is not None:
                with contextlib.suppress(redis.RedisError, OSError):  # the listener reconnects
                    await self.pubsub.subscribe(PREFIX + str(table_id))
        room.queues[channel] = queue
        SOCKETS.inc()

    async def leave(self, table_id: int, channel: str) -> None:
        room = self.rooms.get(table_id)
        if room is None:
            return
        if room.queues.pop(channel, None) is not None:
            SOCKETS.dec()
        if not room.queues:
            if room.gap_timer is not None:
                room.gap_timer.cancel()
            del self.rooms[table_id]
            if self.pubsub is not None:
                with contextlib.suppress(redis.RedisError, OSError):
                    await self.pubsub.unsubscribe(PREFIX + str(table_id))

    # Delivery

    def deliver(self, table_id: int, push: Push) -> None:
        """Hand a frame on in its order; hold it while an earlier one is missing."""
        room = self.rooms.get(table_id)
        if room is None:
            return
        if room.last is None or push.seq == room.last + 1:
            self._send(room, push)
            while (following := room.waiting.pop(room.last + 1, None)) is not None:  # type: ignore[operator]
                self._send(room, following)
        elif push.seq > room.last:
            room.waiting[push.seq] = push
            if room.gap_timer is None:
                room.gap_timer = asyncio.get_running_loop().call_later(
                    GAP_PATIENCE_S, self._fill_gap, table_id
                )

    def _send(self, room: Room, push: Push) -> None:
        room.last = push.seq
        PUSHES.inc(len(room.queues))
        message = {
            "type": "table.events",
            "seq": push.seq,
            "text": push.text,
            "private_seats": push.private_seats,
        }
        self.broadcast(room, message)

    def broadcast(self, room: Room, message: dict[str, Any]) -> None:
        for queue in room.queues.values():
            try:
                queue.put_nowait(message)
            except asyncio.QueueFull:
                while not queue.empty():
                    queue.get_nowait()
                queue.put_nowait({"type": "too.slow"})
                TOO_SLOW.inc()

    def _fill_gap(self, table_id: int) -> None:
        room = self.rooms.get(table_id)
        if room is None:
            return
        room.gap_timer = None
        if room.waiting:
            self.spawn(self.catch_up(table_id))

    async def catch_up(self, table_id: int) -> None:
        """Read what the room has not been told yet from the event rows."""
        room = self.rooms.get(table_id)
        if room is None or room.last is None or self.rows is None:
            return
        for push in await self.rows(table_id, room.last):
            if push.seq == room.last + 1:
                self._send(room, push)
        room.waiting = {seq: push for seq, push in room.waiting.items() if seq > room.last}

    async def heads(self, seqs: dict[int, int], server_time: str) -> None:
        """Once a second: tell every room the newest seq, and fill what pushes have lost."""
        for table_id, seq in seqs.items():
            room = self.rooms.get(table_id)
            if room is None:
                continue
            if room.last is None:
                room.last = seq
            if seq > room.last:
                await self.catch_up(table_id)
            text = f'{{"type":"heartbeat","seq":{seq},"server_time":"{server_time}"}}'
            self.broadcast(room, {"type": "table.heartbeat", "seq": seq, "text": text})

    def tell(self, table_id: int, message: dict[str, Any]) -> None:
        """A word to the consumers of a table in every process (not a frame)."""
        room = self.rooms.get(table_id)
        if room is not None:
            self.broadcast(room, message)
        self.forward(table_id, letter({"message": message}))

    def forward(self, table_id: int, payload: bytes) -> None:
        with contextlib.suppress(asyncio.QueueFull):  # as good as lost on the way
            self.outbox.put_nowait((PREFIX + str(table_id), payload))

    async def publish_outbox(self) -> None:
        """One line publishes for all; what gathers meanwhile goes together.

        A pipeline's care for each batch costs three times the sending.
        """
        assert self.client is not None
        line = self.client.connection_pool.make_connection()  # type: ignore[no-untyped-call]
        try:
            while True:
                batch = [("PUBLISH", *await self.outbox.get())]
                while not self.outbox.empty():
                    batch.append(("PUBLISH", *self.outbox.get_nowait()))
                try:
                    try:
                        await self._published(line, batch)
                    except (redis.ConnectionError, OSError):  # the broker was started anew
                        await self._published(line, batch)
                except (redis.RedisError, OSError) as error:
                    # The other processes see the missing seq at their next heartbeat.
                    logger.debug("%s pushes to other processes lost: %s", len(batch), error)
        finally:
            await line.disconnect(nowait=True)

    async def _published(
        self, line: redis.asyncio.Connection, batch: Sequence[tuple[str, str, bytes]]
    ) -> None:
        """On a line that reconnects by itself; one that fails is closed, whatever it still says."""
        try:
            await line.send_packed_command(line.pack_commands(batch))
            for _ in batch:
                await line.read_response()
        except (redis.RedisError, OSError):
            await line.disconnect(nowait=True)
            raise

    # Between processes

    async def listen(self) -> None:
        failures = 0
        while True:
            try:
                assert self.client is not None
                async with self.client.pubsub() as pubsub:
                    await pubsub.subscribe(
                        PREFIX + "all", *(PREFIX + str(table_id) for table_id in self.rooms)
                    )
                    self.pubsub = pubsub
                    for table_id in list(self.rooms):
                        await self.catch_up(table_id)
                    if failures:
                        logger.info("pushes between processes resumed")
                    failures = 0
                    while True:
                        kind, *told = await pubsub.parse_response(block=True)
                        if kind == b"message":
                            self._received(*told)
                        else:
                            await pubsub.handle_message([kind, *told])
            except Exception as error:
                # Whatever it is (rows that cannot be read while PostgreSQL is away too, a letter
                # that this version cannot read), it may not make this process deaf for good.
                if not failures:
                    known = isinstance(error, (redis.RedisError, OSError))
                    logger.warning(
                        "pushes between processes interrupted: %r", error, exc_info=not known
                    )
                self.pubsub = None
                await asyncio.sleep(RECONNECT_S[min(failures, len(RECONNECT_S) - 1)])
                failures += 1

    def _received(self, channel: bytes, data: bytes) -> None:
        sender, _, body = data.partition(b"\n")
        if sender == self.name.encode():
            return
        told = orjson.loads(body)
        table_id = int(channel.decode().removeprefix(PREFIX))
        if "message" in told:
            room = self.rooms.get(table_id)
            if room is not None:
                self.broadcast(room, told["message"])
        else:
            for listener in foreign_listeners:
                listener(table_id, told["seq"])
            self.deliver(table_id, Push(told["seq"], told["text"], told["private_seats"]))


def lines_kept() -> dict[str, Any]:
    """How a line to Valkey that waits for as long as it takes learns that its other end is gone.

    One that the network has lost says nothing; without this it would be listened to for good.
    """
    if not settings.REDIS_URL.startswith(("redis://", "rediss://")):
        return {}  # a socket of the machine always says so
    kept = {
        socket.TCP_KEEPIDLE: 5,
        socket.TCP_KEEPINTVL: 2,
        socket.TCP_KEEPCNT: 3,
        socket.TCP_USER_TIMEOUT: 8_000,
    }
    return {"socket_keepalive": True, "socket_keepalive_options": kept}


hub = Hub()
# Called with (table_id, seq) when another process has written to a table.
foreign_listeners: list[Callable[[int, int], None]] = []
_line: "tuple[int, redis.Connection] | None" = None  # of the process that has this id
_line_lock = threading.Lock()


def letter(body: dict[str, Any]) -> bytes:
    """What goes to the other processes: the sender's name stands apart, so that its own letters,
    which come back to it too, cost it nothing."""
    return hub.name.encode() + b"\n" + orjson.dumps(body)


def publish(table_id: int, seq: int, text: str, private_seats: Sequence[int]) -> None:
    """Push a frame to every socket of the table, in this process and the others.

    Callable from any thread of any process, after commit. Never raises for a broker that is away.
    """
    push = Push(seq, text, private_seats)
    began = time.perf_counter()
    payload = letter({"seq": seq, "text": text, "private_seats": list(private_seats)})
    loop = hub.loop
    if loop is not None:
        loop.call_soon_threadsafe(_publish_in_loop, table_id, push, payload, began)
    else:
        _publish_from_worker(table_id, payload)


def tell(table_id: int, message: dict[str, Any]) -> None:
    """A word to the consumers of a table in every process, from any thread; never raises."""
    loop = hub.loop
    if loop is not None:
        loop.call_soon_threadsafe(hub.tell, table_id, message)
    else:
        _publish_from_worker(table_id, letter({"message": message}))


def _publish_in_loop(table_id: int, push: Push, payload: bytes, began: float) -> None:
    hub.deliver(table_id, push)
    PUSH_LAG.observe(time.perf_counter() - began)
    hub.forward(table_id, payload)


def _publish_from_worker(table_id: int, payload: bytes) -> None:
    if broker.is_resting():
        return
    try:
        with _line_lock, broker.asked():
            try:
                _sent(table_id, payload)
            except (redis.ConnectionError, OSError):  # the broker was started anew meanwhile
                _sent(table_id, payload)
    except (redis.RedisError, OSError) as error:
        logger.warning("push of table %s lost, screens catch up: %s", table_id, error)


def _sent(table_id: int, payload: bytes) -> None:
    """Publish on this process's own line: a pool's care for each message costs twice the sending.

    A line that fails is never used again.
    """
    global _line
    kept, _line = _line, None
    if kept is None or kept[0] != os.getpid():
        pool = redis.ConnectionPool.from_url(
            settings.REDIS_URL, socket_timeout=settings.VALKEY_ANSWERS_S
        )
        kept = os.getpid(), pool.get_connection()
    kept[1].send_command("PUBLISH", PREFIX + str(table_id), payload)  # type: ignore[no-untyped-call]
    kept[1].read_response()
    _line = kept


class HubLayer:
    """The part of Channels' layer interface that consumers use; groups are `table.<id>`."""

    extensions: list[str] = ["groups"]

    def __init__(self, **options: Any) -> None:
        self.queues: dict[str, asyncio.Queue[dict[str, Any]]] = {}

    async def new_channel(self, prefix: str = "socket") -> str:
        channel = f"{prefix}.{uuid4().hex}"
        self.queues[channel] = asyncio.Queue(QUEUE_SIZE)
        return channel

    async def receive(self, channel: str) -> dict[str, Any]:
        return await self.queues[channel].get()

    async def send(self, channel: str, message: dict[str, Any]) -> None:
        self.queues[channel].put_nowait(message)

    async def group_add(self, group: str, channel: str) -> None:
        await hub.join(int(group.removeprefix("table.")), channel, self.queues[channel])

    async def group_discard(self, group: str, channel: str) -> None:
        await hub.leave(int(group.removeprefix("table.")), channel)
        self.queues.pop(channel, None)

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        hub.tell(int(group.removeprefix("table.")), message)
