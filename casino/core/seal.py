"""Sealing the log, and finding out whether anybody touched what was sealed.

A seal is an Ed25519-signed Merkle root over a run of entries, chained to the seal before. What a
chain inside one database cannot show is that its end was cut off; for that a head is exported
(`head`) and kept elsewhere, and `verify` is given it back.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from django.conf import settings
from django.db import OperationalError, connection, transaction

from casino.core.errors import LogAltered, LogBusy, SigningKeyUnusable
from casino.core.merkle import MerkleStream
from casino.core.models import LogSeal

# The same pair as in migrations/0001_initial.sql.
LOCK_NAMESPACE, APPENDING, SEALING = 1129467733, 1, 2
LOCK_WAIT_MS = 500
SEAL_ENTRIES_MAX = 50_000
NO_SEAL = bytes(32)
BEFORE_THE_FIRST = -(2**63)  # ids begin at 1
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Entry(NamedTuple):
    id: int
    content: bytes
    content_hash: bytes


@dataclass(frozen=True)
class Finding:
    """One thing that is not as it was sealed."""

    what: str
    seal_id: int | None = None
    entry_id: int | None = None

    def __str__(self) -> str:
        where = [f"seal {self.seal_id}"] if self.seal_id is not None else []
        where += [f"entry {self.entry_id}"] if self.entry_id is not None else []
        return f"{', '.join(where) or 'log'}: {self.what.replace('_', ' ')}"


@dataclass
class Verdict:
    seals: int = 0
    sealed_entries: int = 0
    unsealed_entries: int = 0
    findings: list[Finding] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        return not self.findings


def signing_key() -> Ed25519PrivateKey:
    try:
        raw = base64.b64decode(settings.LOG_SIGNING_KEY, validate=True)
        return Ed25519PrivateKey.from_private_bytes(raw)
    except (binascii.Error, ValueError) as error:
        raise SigningKeyUnusable from error


def trusted_keys() -> set[bytes]:
    """Public keys that may have signed a seal: today's, and those of before a rotation."""
    former = getattr(settings, "LOG_FORMER_PUBLIC_KEYS", ())
    return {
        signing_key().public_key().public_bytes_raw(),
        *(base64.b64decode(key, validate=True) for key in former),
    }


def micros(at: datetime) -> int:
    return (at - EPOCH) // timedelta(microseconds=1)


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


def settled_to() -> int:
    """The last id below which no entry can appear any more.

    Having the lock to itself means that every transaction that ever took an id has ended; the
    id is then read by the *next* statement, whose snapshot is taken after the wait. The lock is
    let go at once, so writers never wait for the hashing.
    """
    try:
        with transaction.atomic(durable=True), connection.cursor() as cursor:
            cursor.execute("SELECT set_config('lock_timeout', %s, true)", [f"{LOCK_WAIT_MS}ms"])
            cursor.execute(
                "SELECT pg_advisory_xact_lock(%s::int, %s::int)", [LOCK_NAMESPACE, APPENDING]
            )
            cursor.execute("SELECT coalesce(max(id), 0) FROM core_logentry")
            (last_id,) = cursor.fetchone()
    except OperationalError as error:
        if getattr(error.__cause__, "sqlstate", None) == "55P03":  # lock_not_available
            raise LogBusy from error
        raise
    return int(last_id)


def seal_next() -> LogSeal | None:
    """Seal up to SEAL_ENTRIES_MAX entries that have no seal yet; None if there are none.

    Raises LogBusy if a writer does not finish in time, LogAltered if an entry about to be sealed
    is not what was written.
    """
    key = signing_key()
    settled = settled_to()
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_advisory_xact_lock(%s::int, %s::int)", [LOCK_NAMESPACE, SEALING]
            )
        last = LogSeal.objects.order_by("-id").first()
        from_id = last.to_id + 1 if last else 1
        tree, to_id = MerkleStream(), settled
        for entry in entries_between(from_id, settled, limit=SEAL_ENTRIES_MAX):
            if sha256(entry.content).digest() != entry.content_hash:
                raise LogAltered(entry.id)
            tree.add(entry.content_hash)
            last_read = entry.id
        if tree.count == 0:
            return None
        if tree.count == SEAL_ENTRIES_MAX:
            to_id = last_read
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
    columns = [seal_column.attname for seal_column in LogSeal._meta.concrete_fields]
    values = [getattr(seal, column) for column in columns]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT log_seal_append(seal_id => %s::bigint, from_id => %s::bigint,"
            " to_id => %s::bigint, entries => %s::bigint, root => %s::bytea,"
            " previous_hash => %s::bytea, seal_hash => %s::bytea, public_key => %s::bytea,"
            " signature => %s::bytea, sealed_at => %s::timestamptz)",
            values,
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


def signature_holds(public_key: bytes, signature: bytes, message: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def verify(heads: Iterable[Mapping[str, Any]] = ()) -> Verdict:
    """Go through the whole log and its seals; every difference is a finding.

    heads: exported by `head` earlier and kept elsewhere. Each must still stand in the chain;
    one that does not shows a cut or rewritten end that the chain alone cannot show.
    """
    verdict = Verdict()
    keys = trusted_keys()
    expected_id, expected_from, expected_previous = 1, 1, NO_SEAL
    for seal in LogSeal.objects.order_by("id").iterator(chunk_size=500):
        found = seal_findings(seal, keys)
        if (seal.id, seal.from_id, bytes(seal.previous_hash)) != (
            expected_id,
            expected_from,
            expected_previous,
        ):
            found.append(Finding("does_not_follow_the_seal_before", seal.id))
        found += content_findings(seal)
        verdict.findings += found
        verdict.seals += 1
        verdict.sealed_entries += seal.entries
        expected_id, expected_from = seal.id + 1, seal.to_id + 1
        expected_previous = bytes(seal.seal_hash)
    for entry in entries_between(BEFORE_THE_FIRST, 0):
        verdict.findings.append(Finding("inserted_before_the_first", entry_id=entry.id))
    for entry in entries_between(expected_from, None):
        verdict.unsealed_entries += 1
        if sha256(entry.content).digest() != entry.content_hash:
            verdict.findings.append(Finding("altered", entry_id=entry.id))
    verdict.findings += [found for one in heads for found in head_findings(one, keys)]
    return verdict


def seal_findings(seal: LogSeal, keys: set[bytes]) -> list[Finding]:
    """What is wrong with a seal's own row."""
    found = []
    message = seal_message(seal)
    if sha256(message).digest() != bytes(seal.seal_hash):
        found.append(Finding("altered", seal.id))
    if bytes(seal.public_key) not in keys:
        found.append(Finding("signed_by_an_unknown_key", seal.id))
    if not signature_holds(bytes(seal.public_key), bytes(seal.signature), message):
        found.append(Finding("signature_does_not_hold", seal.id))
    return found


def content_findings(seal: LogSeal) -> list[Finding]:
    """What is wrong with the entries under a seal."""
    found = []
    tree = MerkleStream()
    for entry in entries_between(seal.from_id, seal.to_id):
        content_hash = sha256(entry.content).digest()
        if content_hash != entry.content_hash:
            found.append(Finding("altered", seal.id, entry.id))
        tree.add(content_hash)
    if tree.count < seal.entries:
        found.append(Finding(f"{seal.entries - tree.count}_entries_are_missing", seal.id))
    elif tree.count > seal.entries:
        found.append(Finding(f"{tree.count - seal.entries}_entries_were_inserted", seal.id))
    elif tree.root() != bytes(seal.root):
        found.append(Finding("entries_differ_from_what_was_sealed", seal.id))
    return found


def head_findings(exported: Mapping[str, Any], keys: set[bytes]) -> list[Finding]:
    message = str(exported["signed"]).encode()
    seal_id = int(json.loads(message)[1])
    public_key = base64.b64decode(exported["public_key"])
    signature = base64.b64decode(exported["signature"])
    if public_key not in keys or not signature_holds(public_key, signature, message):
        return [Finding("exported_head_is_not_ours", seal_id)]
    seal = LogSeal.objects.filter(pk=seal_id).first()
    if seal is None:
        return [Finding("exported_head_is_gone", seal_id)]
    if bytes(seal.seal_hash) != sha256(message).digest():
        return [Finding("exported_head_differs", seal_id)]
    return []
