"""Finding out whether anybody touched what was sealed: edits, deletions, insertions, reorder, and
with a head kept elsewhere a cut or rewritten end."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from casino.core.merkle import MerkleStream
from casino.core.models import LogEntry, LogSeal
from casino.core.seal import (
    NO_SEAL,
    STREAM_SEALED,
    STREAMS,
    entries_between,
    seal_message,
    stream_tree,
    trusted_keys,
)
from casino.core.telling import Told, nobody

BEFORE_THE_FIRST = -(2**63)  # ids begin at 1
TOLD_EVERY = 500


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


def signature_holds(public_key: bytes, signature: bytes, message: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def verify(heads: Iterable[Mapping[str, Any]] = (), told: Told = nobody) -> Verdict:
    """Go through the whole log and its seals; every difference is a finding.

    heads: exported by `head` earlier and kept elsewhere. Each must still stand in the chain;
    one that does not shows a cut or rewritten end that the chain alone cannot show.
    told: hears now and then how far it is.
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
        if verdict.seals % TOLD_EVERY == 0:
            told(f"{verdict.seals} seals, {verdict.sealed_entries} entries")
    for entry in entries_between(BEFORE_THE_FIRST, 0):
        verdict.findings.append(Finding("inserted_before_the_first", entry_id=entry.id))
    for entry in entries_between(expected_from, None):
        verdict.unsealed_entries += 1
        if sha256(entry.content).digest() != entry.content_hash:
            verdict.findings.append(Finding("altered", entry_id=entry.id))
    verdict.findings += stream_findings()
    verdict.findings += [found for one in heads for found in head_findings(one, keys)]
    return verdict


def stream_findings() -> list[Finding]:
    """Every stream's rows against the roots that the log holds of them."""
    found = []
    expected_from: dict[str, int] = {}
    for entry in LogEntry.objects.filter(kind=STREAM_SEALED).order_by("id"):
        name = entry.subject.removeprefix("stream:")
        sealed = entry.facts
        stream = STREAMS.get(name)
        if stream is None:
            found.append(Finding(f"stream_{name}_cannot_be_read", entry_id=entry.pk))
            continue
        if sealed["from"] != expected_from.get(name, 1):
            found.append(Finding(f"root_of_{name}_does_not_follow", entry_id=entry.pk))
        expected_from[name] = sealed["to"] + 1
        tree = stream_tree(stream, sealed["from"], sealed["to"])
        if (tree.count, tree.root().hex()) != (sealed["entries"], sealed["root"]):
            rows = f"rows_{sealed['from']}_to_{sealed['to']}"
            found.append(Finding(f"{name}_{rows}_differ_from_what_was_sealed", entry_id=entry.pk))
    return found


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


def is_ours(exported: Mapping[str, Any], keys: set[bytes]) -> bool:
    """Whether an exported head is signed by one of these keys."""
    public_key = base64.b64decode(exported["public_key"])
    signature = base64.b64decode(exported["signature"])
    message = str(exported["signed"]).encode()
    return public_key in keys and signature_holds(public_key, signature, message)


def head_findings(exported: Mapping[str, Any], keys: set[bytes]) -> list[Finding]:
    message = str(exported["signed"]).encode()
    seal_id = int(json.loads(message)[1])
    if not is_ours(exported, keys):
        return [Finding("exported_head_is_not_ours", seal_id)]
    seal = LogSeal.objects.filter(pk=seal_id).first()
    if seal is None:
        return [Finding("exported_head_is_gone", seal_id)]
    if bytes(seal.seal_hash) != sha256(message).digest():
        return [Finding("exported_head_differs", seal_id)]
    return []
