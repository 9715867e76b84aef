"""House players: accounts of the house that play over the public API like anyone else.

One process, one task a player. A player signs in, takes a seat, plays over a WebSocket till it has
had enough, rests and looks for another table. Nothing the house does ends it: it starts again.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from casino.house import strategy
from casino.house.door import BackOff, Door, Refused
from casino.house.memory import Memory
from casino.house.seeds import Seeds
from casino.house.strategy import Temper
from tables.engine.history.choices import any_action
from tables.rules import COURTESIES

logger = logging.getLogger(__name__)

Facts = Mapping[str, Any]
Span = tuple[float, float]

SIGN_INS_AT_ONCE = 2  # a password costs the house a third of a second of a processor
SILENCE_S = 6.0  # heartbeats come every second: this long without a frame, the line is dead
BROKE_S = 60.0
TRIES = 3  # of one decision, when the house refuses what we thought we might do
COUNT_EVERY_S = 0.5
POSTS_CHANCE = 0.6  # the others wait for the big blind
SPOTS_CHANCE = 0.3
SHORT_BUY_IN_CHANCE = 0.6
BUSY_STATUS = 503
BUSY_S: Span = (0.05, 0.3)
CURRENCY = "EUR"  # what the purses of house players hold
LOBBY_MOST = 100
COUNTED = ("frames", "acts", "kept_silent", "dropped", "moved")


@dataclass(frozen=True)
class Pace:
    """How fast a player lives. Spans in seconds or hands; chances per decision or per hand.

    arrive_s: from one player's arrival to the next one's. drop_chance: of losing the line when it
    is his turn, for drop_s. move_chance: of going to another seat or table after a hand. seed_s:
    from the closed list of a cut's seeds to the opening of his own, which may be too late.
    """

    arrive_s: float
    think_s: Span
    bet_s: Span
    rest_s: Span
    session_hands: tuple[int, int]
    sit_out_s: Span
    sit_out_chance: float
    time_out_chance: float
    drop_chance: float = 0.0
    drop_s: Span = (0.0, 0.0)
    move_chance: float = 0.0
    seed_s: Span = (0.0, 0.0)


RESTLESS = Pace(
    0.1, (0.2, 1.2), (0.3, 1.5), (0.5, 4.0), (8, 30), (1.0, 5.0), 0.02, 0.01,
    drop_chance=0.02, drop_s=(0.2, 9.0), move_chance=0.05,
)  # fmt: skip
PACES = {
    "calm": Pace(2.5, (0.8, 4.5), (1.0, 9.0), (5.0, 40.0), (25, 90), (10.0, 40.0), 0.004, 0.004),
    "quick": Pace(0.0, (0.01, 0.08), (0.02, 0.3), (0.2, 1.0), (15, 40), (0.5, 2.0), 0.01, 0.02),
    "restless": RESTLESS,
    # Such that every step of a hand lasts, and something can happen in it.
    "lingering": replace(RESTLESS, seed_s=(0.1, 0.4)),
}


class Crowd:
    """All house players of this process, and who of them sits where."""

    def __init__(self, url: str, pace: Pace, random: Random, report: Path | None = None) -> None:
        self.url = url
        self.pace = pace
        self.random = random
        self.report = report
        self.here: dict[int, set[str]] = {}
        self.found: dict[str, Facts] | None = None
        self.choosing = asyncio.Lock()
        self.frames = self.acts = self.kept_silent = self.dropped = self.moved = 0

    async def run(self, usernames: Sequence[str], password: str) -> None:
        """Play until cancelled."""
        self.recall()
        limits = httpx.Limits(max_connections=16, max_keepalive_connections=16)
        sign_ins = asyncio.Semaphore(SIGN_INS_AT_ONCE)
        async with httpx.AsyncClient(base_url=self.url, limits=limits) as client:
            players = [
                HousePlayer(Door(client, name, password, sign_ins), self) for name in usernames
            ]
            async with asyncio.TaskGroup() as group:
                group.create_task(self.count())
                for number, player in enumerate(players):
                    group.create_task(player.live(number * self.pace.arrive_s))

    def recall(self) -> None:
        """Go on counting from where a killed process of players stopped."""
        if self.report is not None and self.report.exists():
            counted = json.loads(self.report.read_text(encoding="utf-8"))
            for name in COUNTED:
                setattr(self, name, counted[name])

    async def count(self) -> None:
        while True:
            self.write_counts()
            await asyncio.sleep(COUNT_EVERY_S)

    def write_counts(self) -> None:
        if self.report is None:
            return
        counts = {name: getattr(self, name) for name in COUNTED}
        aside = self.report.with_suffix(".new")
        aside.write_text(json.dumps(counts), encoding="utf-8")
        aside.replace(self.report)

    async def place(self, door: Door) -> tuple[Facts, bool]:
        """The table this player goes to, and whether it sits there already."""
        if not door.token:
            await door.sign_in()
        async with self.choosing:
            if self.found is None:
                self.found = await self.find_seats(door)
            table = self.found.pop(door.name, None)
            sits = table is not None
            if table is None:
                table = await self.choose(door)
            self.arrive(table, door)
            return table, sits

    async def find_seats(self, door: Door) -> dict[str, Facts]:
        """Who sits where, by display name: an earlier process of players may have left us there."""
        found: dict[str, Facts] = {}
        for table in await lobby(door):
            snapshot = await door.get(f"/tables/{table['id']}")
            found |= {seat["player"]: table for seat in snapshot["seats"]}
        return found

    async def choose(self, door: Door) -> Facts:
        """Where players are too few to deal, else the fullest table that is not full enough yet.

        Raises Refused when there is none with a free seat.
        """
        tables = [table for table in await lobby(door) if self.may_join(table)]
        if not tables:
            raise Refused("no_free_table", 409, {"detail": "no table lacks a house player"})
        self.random.shuffle(tables)
        return min(tables, key=self.need)

    def may_join(self, table: Facts) -> bool:
        """Whether it is a game we know, with a seat to spare for a person besides ours."""
        spare = 1 if table["max_seats"] > 2 else 0
        has_room = table["seats_taken"] + spare < table["max_seats"]
        return bool(has_room and table["status"] == "open")

    def need(self, table: Facts) -> tuple[bool, bool, float]:
        here = len(self.here.get(table["id"], ()))
        wanted = table["max_seats"] if table["max_seats"] <= 2 else 0.5 * table["max_seats"]
        is_stuck = 0 < here < table["min_players"]
        is_full_enough = here >= wanted
        return (not is_stuck, is_full_enough, here / wanted * (1 if is_full_enough else -1))

    def arrive(self, table: Facts, door: Door) -> None:
        self.here.setdefault(table["id"], set()).add(door.username)

    def leave(self, table: Facts, door: Door) -> None:
        self.here.get(table["id"], set()).discard(door.username)


async def lobby(door: Door) -> list[Facts]:
    page = await door.get("/tables", currency=CURRENCY, limit=LOBBY_MOST)
    tables: list[Facts] = page["tables"]
    return tables


class HousePlayer:
    def __init__(self, door: Door, crowd: Crowd) -> None:
        self.door = door
        self.crowd = crowd
        self.random = crowd.random
        lean = self.random.uniform
        self.temper = Temper(loose=lean(-0.06, 0.06), bold=lean(-0.06, 0.06))

    async def live(self, after_s: float = 0.0) -> None:
        await asyncio.sleep(after_s)
        while True:
            rest_s = self.random.uniform(*self.crowd.pace.rest_s)
            try:
                await self.session()
            except Refused as refusal:
                logger.info("%s: %s", self.door.username, refusal)
                if refusal.code in ("insufficient_funds", "sign_in_refused", "player_excluded"):
                    rest_s = BROKE_S
            except Exception:
                # Whatever it was, the next session begins from nothing; the log tells the rest.
                logger.exception("%s starts again", self.door.username)
            await asyncio.sleep(rest_s)

    async def session(self) -> None:
        """From choosing a table to having left it."""
        table, sits = await self.crowd.place(self.door)
        try:
            if not sits:
                await self.sit(table)
            while True:
                visit = Visit(self, table)
                await visit.play()
                if visit.moved_to is None:
                    break
                self.crowd.leave(table, self.door)
                table = visit.moved_to
        finally:
            self.crowd.leave(table, self.door)

    async def sit(self, table: Facts) -> None:
        """Take a seat with few or many chips. Raises Refused."""
        body: dict[str, Any] = {
            "seat": self.random.randint(1, table["max_seats"]),
            "buy_in_minor": self.buy_in_minor(table),
            "posts": self.random.random() < POSTS_CHANCE,
            "spots": self.spots(table),
        }
        path = f"/tables/{table['id']}/seats"
        try:
            await self.door.post(path, body)
        except Refused as refusal:
            if refusal.code == "already_seated":
                return
            if refusal.code in ("seat_taken", "no_such_seat", "table_full"):
                del body["seat"]
                body["spots"] = 1
            elif refusal.code == "insufficient_funds":
                body["buy_in_minor"] = table["buy_in"]["least_minor"]
            else:
                raise
            await self.door.post(path, body)

    def spots(self, table: Facts) -> int:
        """How many spots to play, where a player may have several and the table is not full."""
        most: int = table["stakes"].get("spots_per_player", 1)
        has_room = table["seats_taken"] + 2 < table["max_seats"]
        return 2 if most > 1 and has_room and self.random.random() < SPOTS_CHANCE else 1

    def buy_in_minor(self, table: Facts) -> int:
        least: int = table["buy_in"]["least_minor"]
        most: int = table["buy_in"]["most_minor"]
        if self.random.random() < SHORT_BUY_IN_CHANCE:
            most = min(most, 2 * least)  # short stacks beside deep ones make side pots
        wanted = self.random.randint(least, most)
        chip: int = table["chip_minor"]
        return max(least, wanted - wanted % chip)


class Visit:
    """One player at one table, over as many connections as it takes."""

    def __init__(self, player: HousePlayer, table: Facts) -> None:
        self.player = player
        self.door, self.crowd, self.random = player.door, player.crowd, player.random
        self.pace = player.crowd.pace
        self.table = table
        self.path = f"/tables/{table['id']}"
        self.memory = Memory()
        self.seeds = Seeds()
        self.hands_wanted = self.random.randint(*self.pace.session_hands)
        self.hands_seen = 0
        self.is_leaving = False
        self.back_at = 0.0
        self.away_s = 0.0
        self.moved_to: Facts | None = None
        self.gap_beats = 0
        self.considered: int | None = None
        self.sent: dict[str, Any] | None = None
        self.tries = 0
        self.tasks: dict[str, asyncio.Task[None]] = {}
        self.readers: dict[str, Callable[[ClientConnection, Facts], Awaitable[None]]] = {
            "hello": self.hello,
            "snapshot": self.snapshot,
            "events": self.events,
            "heartbeat": self.heartbeat,
            "refused": self.refused,
            "seed_refused": self.seed_refused,
        }

    async def play(self) -> None:
        try:
            await self.keep_connected()
        finally:
            await self.drop(*self.tasks)

    async def keep_connected(self) -> None:
        back_off = BackOff(self.random)
        while not self.memory.left:
            began = time.monotonic()
            try:
                await self.connect()
            except (OSError, WebSocketException, TimeoutError) as error:
                logger.debug("%s: connection ended: %r", self.door.username, error)
            finally:
                await self.drop("think")  # an errand goes on: it needs no connection
            if time.monotonic() - began > 10 * SILENCE_S:
                back_off.failures = 0
            if not self.memory.left:
                await back_off.wait(self.away_s)
                self.away_s = 0.0

    async def connect(self) -> None:
        ticket = (await self.door.post(f"{self.path}/tickets"))["ticket"]
        address = self.crowd.url.replace("http", "ws", 1)
        url = f"{address}/ws/v1{self.path}?ticket={ticket}"
        async with connect(url, compression=None, open_timeout=SILENCE_S, close_timeout=1) as line:
            self.considered = None
            await self.subscribe(line)
            while not self.memory.left and not self.away_s:
                async with asyncio.timeout(SILENCE_S):
                    text = await line.recv()
                frame = json.loads(text)
                reader = self.readers.get(frame.get("type"))
                if reader is not None:
                    await reader(line, frame)

    async def subscribe(self, line: ClientConnection) -> None:
        message: dict[str, Any] = {"type": "subscribe"}
        if self.memory.seq is not None:
            message["from_seq"] = self.memory.seq
        await say(line, message)

    # What the house says

    async def hello(self, line: ClientConnection, frame: Facts) -> None:
        if frame["you"]["seat"] is None:
            self.memory.left = True

    async def snapshot(self, line: ClientConnection, frame: Facts) -> None:
        self.memory.read_snapshot(frame["state"])
        await self.give(line, self.seeds.read_snapshot(frame["state"]))
        self.consider(line)

    async def events(self, line: ClientConnection, frame: Facts) -> None:
        self.crowd.frames += 1
        known = self.memory.seq
        if known is None or frame["seq"] <= known:
            return
        if frame["prev"] > known:
            await self.subscribe(line)
            return
        self.memory.read_events(frame)
        await self.give(line, self.seeds.read_events(frame, self.memory.seat))
        if self.memory.hands_settled > self.hands_seen:
            self.hands_seen = self.memory.hands_settled
            self.between_hands()
        self.consider(line)

    async def give(self, line: ClientConnection, messages: Iterable[Facts]) -> None:
        """Commit to a seed at once; open it after a while, where that is the player's pace."""
        for message in messages:
            if message["type"] == "open_seed" and any(self.pace.seed_s):
                self.start("seed", self.said_after(self.pace.seed_s, line, message))
            else:
                await say(line, message)

    async def seed_refused(self, line: ClientConnection, frame: Facts) -> None:
        """A house that is busy, or cannot reach its books, hears the same once more."""
        said = self.seeds.said.get(frame["cut"])
        if said is not None and frame["problem"].get("status") == BUSY_STATUS:
            self.start("seed", self.said_after(BUSY_S, line, said))

    async def said_after(self, seconds: Span, line: ClientConnection, message: Facts) -> None:
        await asyncio.sleep(self.random.uniform(*seconds))
        await say(line, message)

    async def heartbeat(self, line: ClientConnection, frame: Facts) -> None:
        """A gap that lasts two beats is asked for; time to see to chips and to sitting out."""
        behind = self.memory.seq is not None and frame["seq"] > self.memory.seq
        self.gap_beats = self.gap_beats + 1 if behind else 0
        if self.gap_beats >= 2:
            self.gap_beats = 0
            await self.subscribe(line)
        self.see_to_chips()

    async def refused(self, line: ClientConnection, frame: Facts) -> None:
        """The house knows better what is legal: choose from its list, a few times at most."""
        sent, problem = self.sent, frame["problem"]
        if sent is None or frame.get("action_id") != sent["action_id"] or self.tries >= TRIES:
            return
        self.tries += 1
        if problem.get("status") == BUSY_STATUS:
            await self.said_after(BUSY_S, line, sent)
            return
        legal = problem.get("legal_actions")
        if not legal or self.memory.turn_for_me() != problem.get("turn_id"):
            return
        action = self.fallback(legal)
        if action is not None:
            await self.act(line, problem["turn_id"], action)

    # Deciding

    def consider(self, line: ClientConnection) -> None:
        """Begin to think, once per turn that asks for this player."""
        turn_id = self.memory.turn_for_me()
        if turn_id is None or turn_id == self.considered:
            return
        self.considered = turn_id
        if self.random.random() < self.pace.drop_chance:
            self.away_s = self.random.uniform(*self.pace.drop_s)
            self.crowd.dropped += 1
            return
        sent = self.sent
        if sent is not None and sent["turn_id"] == turn_id:
            # The answer may have been lost with the connection: the same action_id plays once.
            self.start("think", say(line, sent))
        elif self.random.random() < self.pace.time_out_chance:
            self.crowd.kept_silent += 1
        else:
            self.start("think", self.think(line, turn_id))

    async def think(self, line: ClientConnection, turn_id: int) -> None:
        is_betting = (self.memory.turn or {}).get("window") == "betting"
        await asyncio.sleep(
            self.random.uniform(*(self.pace.bet_s if is_betting else self.pace.think_s))
        )
        if self.memory.turn_for_me() != turn_id:
            return
        window = (self.memory.turn or {}).get("window")
        has_rules = self.memory.game in strategy.GAMES and window not in COURTESIES
        if has_rules and not self.memory.is_choosing():
            actions = self.decisions()
        else:
            action = await self.any_decision(turn_id)
            actions = [] if action is None else [action]
        for action in actions:
            self.tries = 0
            await self.act(line, turn_id, action)

    def decisions(self) -> list[dict[str, Any]]:
        """What to do now: one action, or one for each spot that asks for it."""
        window = (self.memory.turn or {}).get("window")
        if window == "betting":
            return self.bets()
        if window == "decision":
            asked = (self.memory.turn or {})["seats"]
            return [
                {**strategy.banked_choice(cards), "seat": seat}
                for seat, cards in self.memory.spots.items()
                if seat in asked
            ]
        return [strategy.ring_action(self.memory.spot(), self.player.temper, self.random)]

    def bets(self) -> list[dict[str, Any]]:
        left_minor = self.memory.stack_minor
        bets = []
        for seat in self.memory.spots:
            bet = strategy.banked_bet(self.memory.limits, left_minor, self.random)
            if bet is not None:
                left_minor -= sum(bet["wagers"].values()) + bet["wagers"]["ante"]
                bets.append({**bet, "seat": seat})
        return bets

    async def any_decision(self, turn_id: int) -> dict[str, Any] | None:
        """Of a game without rules of thumb: something that the house says is legal."""
        seen = await self.door.get(self.path)
        legal = (seen["you"] or {}).get("legal_actions")
        turn = (seen["hand"] or seen["choice"] or {}).get("turn") or {}
        if not legal or turn.get("turn_id") != turn_id:
            return None
        if self.memory.is_choosing():
            return strategy.answer(legal, self.random)
        return dict(any_action(legal, self.random, self.memory.chip_minor))

    def fallback(self, legal: Sequence[Facts]) -> dict[str, Any] | None:
        """The calmest of the legal actions."""
        if self.memory.is_choosing():
            return strategy.answer(legal, self.random)
        names = [choice["name"] for choice in legal]
        for name in ("check", "fold", "play"):
            if name in names:
                one = legal[names.index(name)]
                return {"name": name} | ({"seat": one["seat"]} if "seat" in one else {})
        return dict(any_action([dict(one) for one in legal], self.random, self.memory.chip_minor))

    async def act(self, line: ClientConnection, turn_id: int, action: Facts) -> None:
        self.crowd.acts += 1
        self.sent = {
            "type": "act",
            "action_id": str(uuid4()),
            "turn_id": turn_id,
            "action": action,
        }
        await say(line, self.sent)

    # Between hands

    def between_hands(self) -> None:
        if self.hands_seen >= self.hands_wanted:
            self.start("errand", self.leave())
        elif self.random.random() < self.pace.move_chance:
            self.start("errand", self.move())
        elif self.random.random() < self.pace.sit_out_chance:
            self.start("errand", self.sit_out())
        else:
            self.see_to_chips()

    def see_to_chips(self) -> None:
        memory = self.memory
        if self.is_leaving or memory.seat is None or time.monotonic() < self.back_at:
            return
        is_short = memory.stack_minor < self.table["buy_in"]["least_minor"] // 2
        if is_short and memory.turn is None:
            self.start("errand", self.top_up())
        elif memory.status == "sitting_out" and memory.stack_minor:
            self.start("errand", self.errand("return"))

    async def leave(self) -> None:
        self.is_leaving = True
        if await self.errand("leave") in ("not_seated", "table_not_found"):
            self.memory.left = True

    async def move(self) -> None:
        """To another seat, or with all chips to another table."""
        if self.random.random() < 0.5:
            await self.errand(
                "seat-change", {"seat": self.random.randint(1, self.table["max_seats"])}
            )
            return
        to = self.random.choice(await lobby(self.door))
        if to["id"] == self.table["id"] or not self.crowd.may_join(to):
            return
        if not await self.errand("transfer", {"to_table": to["id"], "posts": True}):
            self.moved_to = to
            self.memory.left = True
            self.crowd.arrive(to, self.door)
            self.crowd.moved += 1

    async def sit_out(self) -> None:
        self.back_at = time.monotonic() + self.random.uniform(*self.pace.sit_out_s)
        await self.errand("sit-out")

    async def top_up(self) -> None:
        room = self.table["buy_in"]["most_minor"] - self.memory.stack_minor
        least = self.table["buy_in"]["least_minor"]
        wanted = self.random.randint(least, max(least, room // 2))
        amount = min(wanted, room)
        amount -= amount % self.table["chip_minor"]
        self.back_at = time.monotonic() + 1.0
        if await self.errand("top-ups", {"amount_minor": amount}) == "insufficient_funds":
            await self.leave()

    async def errand(self, what: str, body: Facts | None = None) -> str:
        """A request about the seat; the code of a refusal, empty when it was done."""
        try:
            await self.door.post(f"{self.path}/{what}", body)
        except Refused as refusal:
            logger.info("%s: %s: %s", self.door.username, what, refusal)
            return refusal.code
        return ""

    # Tasks beside the reading of frames: one thought, one errand at a time

    def start(self, kind: str, work: Any) -> None:
        running = self.tasks.get(kind)
        if running is not None and not running.done():
            if kind == "errand":
                work.close()
                return
            running.cancel()
        task = asyncio.create_task(guarded(self.door.username, work))
        self.tasks[kind] = task

    async def drop(self, *kinds: str) -> None:
        tasks = [self.tasks.pop(kind) for kind in kinds if kind in self.tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def guarded(who: str, work: Awaitable[None]) -> None:
    """A thought or errand that fails is told to the log; the reading of frames goes on."""
    try:
        await work
    except ConnectionClosed as error:
        logger.debug("%s: %r", who, error)
    except Exception:
        logger.exception("%s", who)


async def say(line: ClientConnection, message: Facts) -> None:
    await line.send(json.dumps(message))
