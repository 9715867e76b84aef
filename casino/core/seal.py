"""Sealing the log: a signed Merkle root over a run of entries, chained to the seal before.

Other append-only tables (streams: the ledger's transfers) come under the same seals by an entry
that holds the root of their new rows. What a chain inside one database cannot show is that its
end was cut off; for that a head is exported (`head`) and kept elsewhere, and `verifying.verify`
is given it back.
"""

from __future__ import annotations

import base64
import binascii
import json
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from typing import Any, NamedTuple, Protocol

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings
from django.db import OperationalError, connection, transaction
from django.db.models import Max, QuerySet
from psycopg.errors import LockNotAvailable

from casino.core.errors import LogAltered, LogBusy, SigningKeyUnusable
from casino.core.log import log
from casino.core.merkle import MerkleStream
from casino.core.models import LogEntry, LogSeal

# The same pair as in migrations/0001_initial.sql.
LOCK_NAMESPACE, APPENDING, SEALING = 1129467733, 1, 2
LOCK_WAIT_MS, LOCK_TRIES, LOCK_PAUSE_S = 30, 20, 0.1
SEAL_ENTRIES_MAX = 50_000
STREAM_SEALED = "stream.sealed"
NO_SEAL = bytes(32)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Entry(NamedTuple):
    id: int
    content: bytes
    content_hash: bytes


class Stream(Protocol):
    """Rows of another app that are only ever added, by writers that hold the log's shared lock."""

    name: str

    def last_id(self) -> int:
        """The largest id, 0 when there is none."""

    def hashes(self, from_id: int, to_id: int) -> Iterator[tuple[int, bytes]]:
        """Id and hash of each row, by id; the hash worked out anew from the row's contents."""


STREAMS: dict[str, Stream] = {}


def stream_add(stream: Stream) -> None:
    """Bring an app's rows under the seals; called once, when the app is ready."""
    STREAMS[stream.name] = stream


def signing_key() -> Ed25519PrivateKey:
    return key_of(settings.LOG_SIGNING_KEY)


@lru_cache(maxsize=2)
def key_of(text: str) -> Ed25519PrivateKey:
    """The key that a LOG_SIGNING_KEY stands for. Raises SigningKeyUnusable."""
    try:
        return Ed25519PrivateKey.from_private_bytes(base64.b64decode(text, validate=True))
    except (binascii.Error, ValueError) as error:
        raise SigningKeyUnusable from error


def sign(message: bytes) -> str:
    """The house's Ed25519 signature of a message, in base64."""
    return base64.b64encode(signing_key().sign(message)).decode()


def trusted_keys(key: Ed25519PrivateKey | None = None) -> set[bytes]:
    """Public keys that may have signed a seal: today's, and those of before a rotation.

    key: today's where it is not this process's own.
    """
    former = settings.LOG_FORMER_PUBLIC_KEYS
    return {
        (key or signing_key()).public_key().public_bytes_raw(),
        *(base64.b64decode(key, validate=True) for key in former),
    }


def micros(at: datetime) -> int:
    return (at - EPOCH) // timedelta(microseconds=1)


def at_micros(count: int) -> datetime:
    """The instant of so many microseconds since 1970, as `micros` counts them."""
    return EPOCH + timedelta(microseconds=count)


def entries_between(
    from_id: int, to_id: int | None, *, limit: int | None = None
) -> Iterator[Entry]:
    """Entries by id, with the bytes their hash must cover.

    The bytes are put together here from the bare columns, not by the database's own function:
    whoever could alter rows could alter that too.
    """
    with connection.chunked_cursor() as cursor:
        cursor.execute(
            "SELECT id, (extract(epoch FROM at) * 1000000)::bigint, actor_id, kind, subject,"
            " facts::text, content_hash FROM core_logentry"
            " WHERE id >= %s AND (%s::bigint IS NULL OR id <= %s::bigint) ORDER BY id LIMIT %s",
            [from_id, to_id, to_id, limit],
        )
        for entry_id, at_us, actor_id, kind, subject, facts, content_hash in cursor:
            words = [json.dumps(word, ensure_ascii=False) for word in ("log-1", kind, subject)]
            actor = "null" if actor_id is None else str(actor_id)
            content = f"[{words[0]}, {entry_id}, {at_us}, {actor}, {words[1]}, {words[2]}, {facts}]"
            yield Entry(entry_id, content.encode(), bytes(content_hash))


def seal_message(seal: LogSeal) -> bytes:
    """The bytes that a seal's hash and signature cover."""
    return json.dumps(
        [
            "seal-1",
            seal.id,
            seal.from_id,
            seal.to_id,
            seal.entries,
            bytes(seal.root).hex(),
            bytes(seal.previous_hash).hex(),
            bytes(seal.public_key).hex(),
            micros(seal.sealed_at),
        ],
        separators=(",", ":"),
    ).encode()


def settled(last_id: Callable[[], int]) -> int:
    """`last_id()` once no smaller id can appear any more. Raises LogBusy.

    While we queue for the lock, new writers queue behind us: so we wait a moment only, step
    aside for those who are not done, and come again.
    """
    for _ in range(LOCK_TRIES):
        try:
            return alone_with_the_log(last_id)
        except OperationalError as error:
            if not isinstance(error.__cause__, LockNotAvailable):
                raise
            time.sleep(LOCK_PAUSE_S)
    raise LogBusy


def alone_with_the_log(last_id: Callable[[], int]) -> int:
    """Having the lock to ourselves means that every transaction that ever took an id has ended.

    The id is then read by the *next* statement, whose snapshot is taken after the wait. The lock
    is let go at once, so writers never wait for the hashing.
    """
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute("SELECT set_config('lock_timeout', %s, true)", [f"{LOCK_WAIT_MS}ms"])
        cursor.execute(
            "SELECT pg_advisory_xact_lock(%s::int, %s::int)", [LOCK_NAMESPACE, APPENDING]
        )
        return last_id()


def log_last_id() -> int:
    return LogEntry.objects.aggregate(last=Max("id"))["last"] or 0


def seal_new() -> list[LogSeal]:
    """Seal every entry and every stream's row that had no seal when we began.

    Raises LogBusy if a writer does not finish in time, LogAltered if an entry about to be sealed
    is not what was written.
    """
    for stream in STREAMS.values():
        stream_seal(stream, settled(stream.last_id))
    to_id = settled(log_last_id)
    seals = []
    while (seal := seal_next(to_id)) is not None:
        seals.append(seal)
    return seals


@transaction.atomic
def stream_seal(stream: Stream, to_id: int) -> None:
    """Log the root of the stream's rows since its last one; the log's own seal then covers it."""
    sealing_lock()
    last = stream_entries(stream.name).order_by("-id").first()
    from_id = last.facts["to"] + 1 if last else 1
    tree = stream_tree(stream, from_id, to_id)
    if tree.count:
        facts = {"from": from_id, "to": to_id, "entries": tree.count, "root": tree.root().hex()}
        log(STREAM_SEALED, f"stream:{stream.name}", None, facts)


def stream_entries(name: str) -> QuerySet[LogEntry]:
    return LogEntry.objects.filter(kind=STREAM_SEALED, subject=f"stream:{name}")


def stream_tree(stream: Stream, from_id: int, to_id: int) -> MerkleStream:
    tree = MerkleStream()
    for row_id, row_hash in stream.hashes(from_id, to_id):
        tree.add(f"{stream.name}:{row_id}:".encode() + row_hash)
    return tree


def sealing_lock() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s::int, %s::int)", [LOCK_NAMESPACE, SEALING])


@transaction.atomic
def seal_next(settled_id: int) -> LogSeal | None:
    """Seal up to SEAL_ENTRIES_MAX entries that have no seal yet; None if there are none."""
    sealing_lock()
    last = LogSeal.objects.order_by("-id").first()
    from_id = last.to_id + 1 if last else 1
    tree, to_id = MerkleStream(), settled_id
    for entry in entries_between(from_id, settled_id, limit=SEAL_ENTRIES_MAX):
        if sha256(entry.content).digest() != entry.content_hash:
            raise LogAltered(entry.id)
        tree.add(entry.content_hash)
        if tree.count == SEAL_ENTRIES_MAX:
            to_id = entry.id
    if tree.count == 0:
        return None
    key = signing_key()
    seal = LogSeal(
        id=last.id + 1 if last else 1,
        from_id=from_id,
        to_id=to_id,
        entries=tree.count,
        root=tree.root(),
        previous_hash=bytes(last.seal_hash) if last else NO_SEAL,
        public_key=key.public_key().public_bytes_raw(),
        sealed_at=datetime.now(UTC),
    )
    message = seal_message(seal)
    seal.seal_hash = sha256(message).digest()
    seal.signature = key.sign(message)
    seal_write(seal)
    return seal


def seal_write(seal: LogSeal) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT log_seal_append(%s::bigint, %s::bigint, %s::bigint, %s::bigint, %s::bytea,"
            " %s::bytea, %s::bytea, %s::bytea, %s::bytea, %s::timestamptz)",
            [
                seal.id,
                seal.from_id,
                seal.to_id,
                seal.entries,
                bytes(seal.root),
                bytes(seal.previous_hash),
                bytes(seal.seal_hash),
                bytes(seal.public_key),
                bytes(seal.signature),
                seal.sealed_at,
            ],
        )


def head(seal: LogSeal | None = None) -> dict[str, Any] | None:
    """The last seal (or the one given) as JSON that can be checked without this database."""
    seal = seal or LogSeal.objects.order_by("-id").first()
    if seal is None:
        return None
    return {
        "format": "log-head-1",
        "signed": seal_message(seal).decode(),
        "hash": bytes(seal.seal_hash).hex(),
        "public_key": base64.b64encode(bytes(seal.public_key)).decode(),
        "signature": base64.b64encode(bytes(seal.signature)).decode(),
    }
