"""The tables' WebSocket: tickets in, frames out, actions acknowledged privately."""

import asyncio
import contextlib
import logging
import re
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID, uuid4
from weakref import WeakSet

import orjson
from channels.consumer import get_handler_name
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.layers import get_channel_layer
from django.conf import settings
from django.utils import timezone

from casino.core import tickets
from casino.core.addresses import address_in
from casino.core.building import build
from tables import proofs, selectors
from tables.errors import MalformedMessage, TableNotFound
from tables.frames import instant
from tables.services import acting, clocks, seeds, watching
from tables.shapes import action_checked, hash_checked, number_checked
from tables.threads import in_thread

logger = logging.getLogger(__name__)

NOT_SIGNED_IN, NOT_ALLOWED, REPLACED, TOO_FAST, RESTARTING = 4401, 4403, 4409, 4429, 4503
MESSAGE_MOST = 8_192
SEQS = range(2**63)
LAGS_MS = range(86_400_001)
# How often the connections of those who sit at a table are noted.
SEEN_S = 2.0
# How long a closed account or a revoked display may go on at most.
STANDING_S = 3.0
# How long a close waits for a client that does not read.
CLOSE_S = 0.5
HAND_SETTLED = '"type":"hand_settled"'
# A cut was void, or dealt, without a listed seed: whose that was has to hear that he is barred.
SEED_WITHHELD = re.compile(r'"type":"cut_void"[^}]*"reason":"withheld"|"seeds":\[[^]]*null')
# A bucket of actions: nobody clicks faster, a runaway program does.
BURST, PER_SECOND = 40, 20.0

Hear = Callable[[], Awaitable[dict[str, Any]]]
Problem = Callable[[Exception], dict[str, Any] | None]
# Set by casino.errors through settings: turns an error into its problem details.
problem_of: Problem = lambda error: None  # noqa: E731


sockets: "WeakSet[TableConsumer]" = WeakSet()


class TableConsumer(AsyncWebsocketConsumer):
    """One viewer of one table: a player (who may act), a display, or a watcher."""

    async def connect(self) -> None:
        self.cursor: int | None = None
        self.tokens, self.filled_at = float(BURST), time.monotonic()
        self.connection = uuid4().hex
        self.is_closed = False
        self.player_id: int | None = None
        self.lag_ms = 0
        # Whether cards are to be opened as they are shown; of which hand, how many were so far, and
        # the seq up to which nothing more is to be opened.
        self.wants_openings, self.opened, self.opened_at = False, (0, 0), -1
        query = parse_qs(self.scope["query_string"].decode("ascii", "replace"))
        facts = await in_thread(tickets.ticket_redeem, query.get("ticket", [""])[0])
        await self.accept("game.v1" if "game.v1" in self.scope["subprotocols"] else None)
        if facts is None:
            await self.close(NOT_SIGNED_IN)
            return
        if facts.table_id != self.table_id:
            await self.close(NOT_ALLOWED)
            return
        self.facts = facts
        self.player_id = facts.user_id if facts.role == "player" else None
        try:
            snapshot = await in_thread(selectors.table_snapshot, self.table_id, self.player_id)
        except TableNotFound:
            await self.close(NOT_ALLOWED)
            return
        you = snapshot["you"] or {}
        await self.channel_layer.group_add(self.group, self.channel_name)
        if self.player_id is not None and you.get("seat") is not None:
            await self.channel_layer.group_send(
                self.group,
                {"type": "table.takeover", "player": self.player_id, "by": self.connection},
            )
        sockets.add(self)
        await self.say(
            type="hello",
            server_time=snapshot["server_time"],
            heartbeat_ms=settings.HEARTBEAT_MS,
            you={"seat": you.get("seat"), "role": facts.role},
            last_seq=snapshot["seq"],
            build=build(),
        )
        if self.player_id is not None and you.get("seat") is not None:
            await in_thread(clocks.seen, [(self.table_id, self.player_id)])
            agent = dict(self.scope["headers"]).get(b"user-agent", b"").decode("latin-1")
            await in_thread(
                watching.origin_noted, self.table_id, self.player_id, address_in(self.scope), agent
            )

    async def disconnect(self, code: int) -> None:
        raise StopConsumer

    async def __call__(self, scope: dict[str, Any], receive: Hear, send: Any) -> None:
        """As in Channels, but with two tasks for the whole connection instead of one for every
        message: what the client and what the table says is still done one after the other."""
        self.scope, self.base_send = scope, send
        self.channel_layer = get_channel_layer()
        self.channel_name = await self.channel_layer.new_channel()
        self.table_id = int(scope["url_route"]["kwargs"]["table_id"])
        self.group = f"table.{self.table_id}"
        turn = asyncio.Lock()

        async def heed(hear: Hear) -> None:
            while True:
                message = await hear()
                async with turn:
                    await self.dispatch(message)

        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(heed(partial(self.channel_layer.receive, self.channel_name)))
                await heed(receive)
        except BaseExceptionGroup as ended:
            # As itself: what a server's own send raises of a client that has gone, it knows.
            for fault in ended.exceptions:
                if not isinstance(fault, StopConsumer):
                    raise fault from None
        finally:
            sockets.discard(self)
            await self.channel_layer.group_discard(self.group, self.channel_name)

    async def dispatch(self, message: dict[str, Any]) -> None:
        """As in Channels, but for its trip to a thread to look at database connections before
        every message: the connections of sockets are kept in `tables.threads`."""
        await getattr(self, get_handler_name(message))(message)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.is_closed:
            return  # it was on its way while the close was
        if text_data is None or len(text_data) > MESSAGE_MOST or not self.take_token():
            await self.close(TOO_FAST)
            return
        try:
            message = orjson.loads(text_data)
            if not isinstance(message, dict):
                raise MalformedMessage("a message is a JSON object")
            handler = HANDLERS.get(str(message.get("type")))
            if handler is None:
                raise MalformedMessage(f"known types: {', '.join(HANDLERS)}")
            await handler(self, message)
        except orjson.JSONDecodeError:
            await self.refuse(None, MalformedMessage("the message is not JSON"))
        except MalformedMessage as error:
            await self.refuse(None, error)

    def take_token(self) -> bool:
        now = time.monotonic()
        self.tokens = min(BURST, self.tokens + (now - self.filled_at) * PER_SECOND)
        self.filled_at = now
        self.tokens -= 1
        return self.tokens >= 0

    # What a client says

    async def subscribe(self, message: dict[str, Any]) -> None:
        """Replay what the client missed, or send it the whole table; then what was opened."""
        wants = message.get("openings", self.wants_openings)
        if type(wants) is not bool:
            raise MalformedMessage("openings is true or false")
        if "openings" in message:
            self.opened, self.opened_at = (0, 0), -1
        self.wants_openings = wants
        await self.catch_up(message)
        await self.say_openings()

    async def catch_up(self, message: dict[str, Any]) -> None:
        from_seq = message.get("from_seq")
        if from_seq is not None and (type(from_seq) is not int or from_seq not in SEQS):
            raise MalformedMessage("from_seq is a whole number that a seq can be")
        if from_seq is not None:
            frames = await in_thread(
                selectors.frames_since, self.table_id, from_seq, self.player_id
            )
            if frames is not None:
                self.cursor = from_seq
                for text in frames:
                    await self.forward(self.cursor + 1, text)
                return
            await self.say(type="resync_required", expected=from_seq + 1, current=None)
        await self.send_snapshot()

    async def act(self, message: dict[str, Any]) -> None:
        action, turn_id = message.get("action"), message.get("turn_id")
        try:
            action_id = UUID(str(message.get("action_id")))
        except ValueError:
            raise MalformedMessage("action_id is a UUID of the client's making") from None
        if not isinstance(turn_id, int) or isinstance(turn_id, bool):
            raise MalformedMessage("an act has action_id, turn_id and action")
        if self.player_id is None:
            await self.close(NOT_ALLOWED)
            return
        try:
            action = action_checked(action)
            acted = await in_thread(
                acting.act,
                table_id=self.table_id,
                player_id=self.player_id,
                action_id=action_id,
                turn_id=turn_id,
                action=action,
            )
        except Exception as error:
            if not await self.refuse(action_id, error):
                raise
            return
        await self.say(type="ack", action_id=str(action_id), seq=acted.seq, replayed=acted.replayed)

    async def commit_seed(self, message: dict[str, Any]) -> None:
        """Take a commitment for a coming cut; the answer is the house's signed receipt."""
        commitment = hash_checked("commitment", message.get("commitment"))
        await self.answer_seed(message, "seed_committed", seeds.seed_commit, commitment=commitment)

    async def open_seed(self, message: dict[str, Any]) -> None:
        """Take the seed of a listed commitment."""
        seed = bytes.fromhex(hash_checked("seed", message.get("seed")))
        await self.answer_seed(message, "seed_opened", seeds.seed_open, seed=seed)

    async def answer_seed(
        self,
        message: dict[str, Any],
        type: str,
        service: Callable[..., seeds.Receipt],
        **given: Any,
    ) -> None:
        cut = number_checked("cut", message.get("cut"))
        if self.player_id is None:
            await self.close(NOT_ALLOWED)
            return
        try:
            receipt = await in_thread(
                service, table_id=self.table_id, player_id=self.player_id, cut=cut, **given
            )
        except Exception as error:
            problem = problem_of(error)
            if problem is None:
                raise
            await self.say(type="seed_refused", cut=cut, problem=problem)
            return
        await self.say(
            type=type,
            cut=cut,
            root=receipt.root,
            commitment=receipt.commitment,
            at=receipt.at_ms,
            signature=receipt.signature,
        )

    async def ping(self, message: dict[str, Any]) -> None:
        """A display says with it how old its picture was at the most since it last did."""
        lag_ms = message.get("lag_ms")
        if lag_ms is not None:
            if type(lag_ms) is not int or lag_ms not in LAGS_MS:
                raise MalformedMessage("lag_ms is a whole number of milliseconds, of a day at most")
            if self.facts.device_id is not None:
                self.lag_ms = max(self.lag_ms, lag_ms)
        await self.say(type="pong", server_time=instant(timezone.now()))

    # What the table says

    async def table_events(self, message: dict[str, Any]) -> None:
        if self.cursor is None or message["seq"] <= self.cursor:
            return
        if message["seq"] > self.cursor + 1:
            await self.subscribe({"from_seq": self.cursor})
            return
        text = message["text"]
        if self.player_id is not None and message["private_seats"]:
            text = await in_thread(
                selectors.with_own_part, self.table_id, message["seq"], text, self.player_id
            )
        await self.forward(message["seq"], text)
        if self.opened_at == self.cursor - 1 and not proofs.SHOWS.search(text):
            self.opened_at = self.cursor
        await self.say_openings()
        if self.player_id is not None and (HAND_SETTLED in text or SEED_WITHHELD.search(text)):
            await self.say_standing(self.player_id)

    async def say_openings(self) -> None:
        """Each card and die of the hand with its proof, once this viewer has been shown it."""
        if not self.wants_openings or self.cursor in (None, self.opened_at):
            return
        seq = self.cursor
        found = await in_thread(proofs.opened_by, self.table_id, seq, self.player_id)
        self.opened_at = seq
        if found is None:
            return
        hand_id, told = self.opened
        fresh = found.openings[told if hand_id == found.hand_id else 0 :]
        self.opened = (found.hand_id, len(found.openings))
        if fresh:
            await self.say(type="openings", hand_id=found.hand_id, seq=seq, openings=fresh)

    async def say_standing(self, player_id: int) -> None:
        """What the player has, how long he plays, what it has cost him and what bars him."""
        found = await in_thread(selectors.standing, self.table_id, player_id)
        await self.say(type="standing", **found)

    async def table_heartbeat(self, message: dict[str, Any]) -> None:
        if self.cursor is not None and message["seq"] > self.cursor:
            await self.subscribe({"from_seq": self.cursor})
        await self.send(text_data=message["text"])

    async def table_takeover(self, message: dict[str, Any]) -> None:
        if message["player"] == self.player_id and message["by"] != self.connection:
            await self.close(REPLACED)

    async def table_device(self, message: dict[str, Any]) -> None:
        """This screen was shown out, moved or set up anew: its page finds out what it is now."""
        if message["device"] == self.facts.device_id:
            await self.say(type="reload", why=message["why"])
            await self.close(NOT_ALLOWED)

    async def too_slow(self, message: dict[str, Any]) -> None:
        await self.close(TOO_FAST)

    async def forward(self, seq: int, text: str) -> None:
        self.cursor = seq
        await self.send(text_data=text)

    async def send_snapshot(self) -> None:
        state = await in_thread(selectors.table_snapshot, self.table_id, self.player_id)
        self.cursor = state["seq"]
        await self.say(type="snapshot", seq=state["seq"], state=state)

    async def refuse(self, action_id: UUID | None, error: Exception) -> bool:
        """Tell the client why, and what is legal now. False: not an error a client is told."""
        problem = problem_of(error)
        if problem is None:
            return False
        if action_id is not None and self.player_id is not None:
            with contextlib.suppress(TableNotFound):
                problem |= await in_thread(selectors.legal_actions, self.table_id, self.player_id)
        await self.say(
            type="refused",
            action_id=None if action_id is None else str(action_id),
            problem=problem,
        )
        return True

    async def close(self, code: int | bool | None = None, reason: str | None = None) -> None:
        """Once: a server takes a second close for a fault."""
        if not self.is_closed:
            self.is_closed = True
            await super().close(code, reason)

    async def send(
        self, text_data: str | None = None, bytes_data: bytes | None = None, close: bool = False
    ) -> None:
        """Nothing is said after a close, whatever was still being answered."""
        if not self.is_closed:
            await super().send(text_data, bytes_data, close)

    async def say(self, **message: Any) -> None:
        await self.send(text_data=orjson.dumps(message, default=str).decode())


HANDLERS: dict[str, Callable[[TableConsumer, dict[str, Any]], Awaitable[None]]] = {
    "subscribe": TableConsumer.subscribe,
    "act": TableConsumer.act,
    "commit_seed": TableConsumer.commit_seed,
    "open_seed": TableConsumer.open_seed,
    "ping": TableConsumer.ping,
}


async def close_fallen() -> None:
    """Close the sockets of accounts and displays that were closed while they were connected."""
    held = list(sockets)
    standing = await in_thread(tickets.tickets_standing, {sock.facts for sock in held})
    lags_ms = {sock.facts: sock.lag_ms for sock in held if sock.lag_ms}
    for sock in held:
        sock.lag_ms = 0
    await in_thread(tickets.displays_seen, standing, lags_ms)
    fallen = [sock for sock in held if sock.facts not in standing]
    await asyncio.gather(*(closed_soon(sock) for sock in fallen))
    for sock in fallen:
        sockets.discard(sock)


async def closed_soon(sock: TableConsumer) -> None:
    """Who does not read, or has gone, holds nobody up: he is told nothing more in any case."""
    with contextlib.suppress(OSError):
        await asyncio.wait_for(sock.close(NOT_SIGNED_IN), CLOSE_S)


async def note_seen() -> None:
    """Say in the database which players a socket of this process holds."""
    held = {(sock.table_id, sock.player_id) for sock in list(sockets) if sock.player_id is not None}
    if held:
        await in_thread(clocks.seen, sorted(held))


class Liveness:
    """What a web process does besides serving: its pulse, its rooms' heartbeats, its door."""

    def __init__(self, pulse: Callable[[], Any]) -> None:
        self.pulse = pulse

    async def run(self) -> None:
        from tables.hub import hub

        pulsed = beaten = looked = noted = 0.0
        while True:
            now = time.monotonic()
            try:
                if now - pulsed >= settings.PULSE_MS / 1000:
                    await in_thread(self.pulse)
                    pulsed = now
                if hub.rooms and now - beaten >= settings.HEARTBEAT_MS / 1000:
                    server_time, seqs = await in_thread(selectors.seqs_of, list(hub.rooms))
                    await hub.heads(seqs, server_time)
                    beaten = now
                if sockets and now - noted >= SEEN_S:
                    await note_seen()
                    noted = now
                if sockets and now - looked >= STANDING_S:
                    await close_fallen()
                    looked = now
            except Exception as error:
                # Without the database there is no pulse and no heartbeat, which is the truth.
                logger.warning("no pulse: %s", error)
            await asyncio.sleep(settings.PULSE_MS / 1000 / 2)
