"""Two hosts behind one PostgreSQL and one Valkey, each in a network of its own.

First one host alone, with one, two and four web processes: actions a second. Then two hosts, each
with web processes, workers and a clock; the players of every table are spread over both. One host
is cut off in the middle of play for so many seconds: its players go over to the other, and come
back when the line does. At the end the books must be true, every settled hand the same when it is
played again, and a display at the other host must have had every event of its table.
Needs root and `ip` (iproute2), for the networks. Prints one JSON object.
"""

import argparse
import asyncio
import contextlib
import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import orjson
import uvloop
import websockets

from bench.common.houses import (
    player_seated,
    player_ticket,
    table_made,
    watcher_tickets,
)
from bench.common.playing import Load
from casino.house.housefile import new_keys
from casino.house.places import temporary_place
from casino.house.servers import Postgres, Valkey

BRIDGE, NET = "croupier0", "10.203.17"
HERE = f"{NET}.1"
HOSTS = {"a": f"{NET}.2", "b": f"{NET}.3"}
PORT = 8000
TABLES, PLAYERS = 8, 4
OPTIONS = {"limit": "fixed", "big_blind_minor": 100, "small_bet_minor": 100}
TIMING = {"action_s": 30, "pause_s": 0}
READY_S, REST_S = 90.0, 90.0
# The players' own: a line that says nothing so long is dead.
LINE = {"ping_interval": 1, "ping_timeout": 2, "open_timeout": 3, "close_timeout": 1}

T = TypeVar("T")


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)


class Networks:
    """A bridge of this machine, and a network of its own for each host; gone afterwards."""

    @staticmethod
    @contextmanager
    def made() -> Iterator[None]:
        if os.geteuid() or not shutil.which("ip"):
            raise SystemExit("hosts: networks need root and `ip` (Debian: iproute2)")
        try:
            ip("link", "add", BRIDGE, "type", "bridge")
            ip("address", "add", f"{HERE}/24", "dev", BRIDGE)
            ip("link", "set", BRIDGE, "up")
            for host, address in HOSTS.items():
                space, line = f"croupier-{host}", f"croupier-{host}"
                ip("netns", "add", space)
                ip("link", "add", line, "type", "veth", "peer", "name", "eth0", "netns", space)
                ip("link", "set", line, "master", BRIDGE, "up")
                ip("-n", space, "address", "add", f"{address}/24", "dev", "eth0")
                ip("-n", space, "link", "set", "eth0", "up")
                ip("-n", space, "link", "set", "lo", "up")
            yield
        finally:
            for host in HOSTS:
                subprocess.run(["ip", "netns", "del", f"croupier-{host}"], check=False)
            subprocess.run(["ip", "link", "del", BRIDGE], check=False)

    @staticmethod
    def cut(host: str) -> None:
        ip("link", "set", f"croupier-{host}", "down")

    @staticmethod
    def mend(host: str) -> None:
        ip("link", "set", f"croupier-{host}", "up")


class ListeningPostgres(Postgres):
    """Also reached by the hosts' networks, with passwords."""

    password: ClassVar[str] = secrets.token_hex(16)

    def command(self) -> list[str]:
        return [*super().command(), "-c", f"listen_addresses={HERE}", "-c", "max_connections=200"]

    def prepare(self) -> None:
        super().prepare()
        rules = "local all all peer map=croupier\n"
        rules += f"host croupier owner,app {NET}.0/24 scram-sha-256\n"
        self.write("pg_hba.conf", rules)

    def furnish(self) -> None:
        super().furnish()
        for role in ("owner", "app"):
            self.psql("postgres", f"ALTER ROLE {role} PASSWORD '{self.password}'")

    def far_url(self, role: str) -> str:
        return f"postgresql://{role}:{self.password}@{HERE}:5432/croupier"


class ListeningValkey(Valkey):
    password: ClassVar[str] = secrets.token_hex(16)

    def command(self) -> list[str]:
        words = super().command()
        words[words.index("--port") + 1] = "6379"
        return [*words, "--bind", HERE, "--requirepass", self.password]

    def is_ready(self) -> bool:
        if self.process is None or self.process.poll() is not None:
            return False
        client = redis_client(self.far_url())
        with contextlib.suppress(Exception):  # not there yet, or still reading its data
            return bool(client.ping())
        return False

    def far_url(self) -> str:
        return f"redis://:{self.password}@{HERE}:6379/0"


def redis_client(url: str) -> Any:
    import redis

    return redis.Redis.from_url(url, socket_timeout=1)


class Host:
    """`python -m casino.house` in a network of its own, on servers that stand elsewhere."""

    def __init__(self, name: str, folder: Path, settings: Mapping[str, str]) -> None:
        self.name, self.url = name, f"http://{HOSTS[name]}:{PORT}"
        self.data = folder / name
        self.settings = settings
        self.process: subprocess.Popen[bytes] | None = None

    @contextmanager
    def opened(self, processes: int) -> Iterator[None]:
        environment = {
            **os.environ, **self.settings, "CROUPIER_DATA": str(self.data), "PORT": str(PORT),
            "HOST": HOSTS[self.name], "WEB_PROCESSES": str(processes), "HOUSE_PLAYERS": "off",
            "ALLOWED_HOSTS": "*",
        }  # fmt: skip
        log = self.data.with_suffix(".log")
        with log.open("ab") as output:
            self.process = subprocess.Popen(
                ["ip", "netns", "exec", f"croupier-{self.name}", sys.executable, "-m",
                 "casino.house"],
                env=environment, stdout=output, stderr=output,
            )  # fmt: skip
        try:
            end = time.monotonic() + READY_S
            while not self.is_ready():
                if self.process.poll() is not None or time.monotonic() > end:
                    raise SystemExit(f"hosts: {self.name} did not open:\n{log.read_text()[-2000:]}")
                time.sleep(0.2)
            yield
        finally:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait()

    def is_ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/ready", timeout=1) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    @property
    def sockets(self) -> str:
        return self.url.replace("http", "ws", 1) + "/ws/v1/tables/"


class Travellers(Load):
    """Players and displays that have a host of their own and go to the other when it is silent."""

    def __init__(self) -> None:
        super().__init__()
        self.lines_lost = 0
        self.seen: dict[tuple[str, int], list[int]] = {}
        self.gaps: list[str] = []

    async def stay(self, hosts: list[Host], name: str, table_id: int) -> None:
        """Play for ever, at the first of the hosts that answers."""
        while True:
            for host in hosts:
                ticket = await asyncio.to_thread(player_ticket, name, table_id)
                try:
                    await self.play(host.sockets, table_id, ticket, **LINE)
                except (OSError, websockets.WebSocketException):
                    self.lines_lost += 1
            await asyncio.sleep(0.2)

    async def look(self, host: Host, table_id: int) -> None:
        """A display that stays at its host, notes every `seq` it is told, and asks again for what
        it has missed when its line has broken."""
        seen = self.seen.setdefault((host.name, table_id), [])
        while True:
            tickets = await asyncio.to_thread(watcher_tickets, "bench-watcher", [table_id])
            address = f"{host.sockets}{table_id}?ticket={tickets[table_id][0]}"
            try:
                async with websockets.connect(address, **LINE) as socket:
                    await socket.send('{"type":"subscribe"}')
                    async for text in socket:
                        self.note_seq(f"{host.name} {table_id}", seen, orjson.loads(text))
            except (OSError, websockets.WebSocketException):
                self.lines_lost += 1
                await asyncio.sleep(0.2)

    def note_seq(self, whose: str, seen: list[int], message: Mapping[str, Any]) -> None:
        if message["type"] == "snapshot":
            seen.append(message["state"]["seq"])
        elif message["type"] == "events":
            if seen and message["seq"] != seen[-1] + 1:
                self.gaps.append(f"{whose}: {message['seq']} after {seen[-1]}")
            seen.append(message["seq"])


def furnished() -> list[tuple[int, list[str]]]:
    made = []
    for number in range(TABLES):
        table_id = table_made(
            f"bench {number}", "holdem", PLAYERS,
            options=OPTIONS, timing=TIMING, min_players=2,
        )  # fmt: skip
        names = [f"bench-{number}-{place}" for place in range(PLAYERS)]
        for name in names:
            player_seated(name, table_id)
        made.append((table_id, names))
    return made


@contextmanager
def crowd(tables: Iterable[tuple[int, list[str]]], hosts: list[Host]) -> Iterator[Any]:
    """Players of every table spread over the hosts, a display of each table at each host."""
    load = Travellers()
    tasks = []
    for table_id, names in tables:
        for place, name in enumerate(names):
            first = place % len(hosts)
            order = hosts[first:] + hosts[:first]
            tasks.append(asyncio.create_task(load.stay(order, name, table_id)))
        tasks += [asyncio.create_task(load.look(host, table_id)) for host in hosts]
    try:
        yield load
    finally:
        for task in tasks:
            task.cancel()


async def counted(load: Travellers, seconds: float) -> float:
    """Actions a second that came back to those who did them."""
    load.own_ms, load.measuring = [], True
    await asyncio.sleep(seconds)
    load.measuring = False
    return round(len(load.own_ms) / seconds, 1)


async def alone(tables: list[tuple[int, list[str]]], host: Host, seconds: float) -> float:
    with crowd(tables, [host]) as load:
        await asyncio.sleep(4)
        return await counted(load, seconds)


async def together(
    tables: list[tuple[int, list[str]]], hosts: list[Host], seconds: float, cut_s: float
) -> dict[str, Any]:
    with crowd(tables, hosts) as load:
        await asyncio.sleep(4)
        found: dict[str, Any] = {"both": await counted(load, seconds)}
        await asyncio.to_thread(Networks.cut, "b")
        began = time.monotonic()
        found["right_after_the_cut"] = await counted(load, 2.0)
        while not load.own_ms:
            found["right_after_the_cut"] = await counted(load, 1.0)
        found["first_action_after_s"] = round(time.monotonic() - began, 1)
        found["cut_off"] = await counted(load, max(1.0, cut_s - (time.monotonic() - began)))
        await asyncio.to_thread(Networks.mend, "b")
        await asyncio.sleep(8)
        found["mended"] = await counted(load, seconds)
        found["lines_lost"], found["refused"] = load.lines_lost, load.refused
        await asyncio.to_thread(come_to_rest, [table_id for table_id, _ in tables])
        await asyncio.sleep(2)
        found["gaps_at_the_host_that_stayed"] = [gap for gap in load.gaps if gap.startswith("a")]
        found["behind_at_the_end"] = await asyncio.to_thread(behind, load.seen)
        return found


def behind(seen: Mapping[tuple[str, int], list[int]]) -> list[str]:
    """Displays whose last `seq` is not their table's."""
    from tables.models import Table

    last = dict(Table.objects.values_list("pk", "seq"))
    return [
        f"{host} {table_id}: {seqs[-1] if seqs else None} of {last[table_id]}"
        for (host, table_id), seqs in seen.items()
        if not seqs or seqs[-1] != last[table_id]
    ]


def come_to_rest(tables: list[int]) -> None:
    """Deal no further hand and let those in play end."""
    from casino.house import accounting
    from tables.services.floor import table_pause

    for table_id in tables:
        table_pause(table_id=table_id)
    end = time.monotonic() + REST_S
    while accounting.open_hands() and time.monotonic() < end:
        time.sleep(0.2)


def audited() -> dict[str, Any]:
    from casino.house import accounting, auditing
    from casino.house.accounting import rows, scalar
    from casino.house.soak import UNENDED, VERDICTS
    from wallets.proving import ledger_check

    replayed, differing = auditing.not_replayed()
    return {
        "hands_settled": accounting.settled(),
        "hands_open": accounting.open_hands(),
        "hands_without_end": scalar(UNENDED),
        "hands_replayed": replayed,
        "hands_replayed_otherwise": differing,
        "players_unaccounted": auditing.unaccounted(),
        "interruptions": dict(rows(VERDICTS)),
        "ledger_ok": ledger_check().ok,
    }


def measured(seconds: float, cut_s: float, say: Callable[[str], None]) -> dict[str, Any]:
    place = temporary_place()
    postgres, valkey = ListeningPostgres(place), ListeningValkey(place)
    folder = Path(tempfile.mkdtemp(prefix="croupier-hosts-"))
    try:
        postgres.start()
        valkey.start()
        settings = {
            "DATABASE_URL": postgres.far_url("app"),
            "DATABASE_OWNER_URL": postgres.far_url("owner"),
            "REDIS_URL": valkey.far_url(), "CROUPIER_ENV": "demo", **new_keys(),
        }  # fmt: skip
        os.environ.update(settings, DJANGO_SETTINGS_MODULE="casino.settings")
        os.environ["CROUPIER_DATA"] = str(folder / "here")
        host, other = (Host(name, folder, settings) for name in HOSTS)
        tables: list[tuple[int, list[str]]] = []
        by_processes: dict[str, float] = {}
        for processes in (1, 2, 4):
            with host.opened(processes):
                import django

                django.setup()
                tables = tables or furnished()
                by_processes[str(processes)] = uvloop.run(alone(tables, host, seconds))
                say(f"{processes} web processes: {by_processes[str(processes)]} actions a second")
        with host.opened(2), other.opened(2):
            found = uvloop.run(together(tables, [host, other], seconds, cut_s))
            say(json.dumps(found))
            found["audit"] = audited()
        return {
            "bench": "hosts",
            "actions_per_s_by_web_processes": by_processes,
            "two_hosts": found,
            "cut_s": cut_s,
            "cores": os.cpu_count(),
        }
    finally:
        valkey.stop()
        postgres.stop()
        for left in (folder, place.house, place.servers):
            shutil.rmtree(left, ignore_errors=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--cut", type=float, default=15, help="seconds without one host (15)")
    options = parser.parse_args()
    with Networks.made():
        found = measured(options.seconds, options.cut, lambda line: print(line, file=sys.stderr))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
