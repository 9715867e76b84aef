"""Hands that are over, written to files that anybody can keep and another house can read again.

A folder holds `manifest.json`, its signature and files of hands, gzipped lines of JSON: one line a
hand with its row, events, cuts, decks, seeds and secrets, the last ones and hidden parts encrypted
as they lie (docs/operations.md, "What is kept"). What they moved stands in the ledger's own books.
"""

from __future__ import annotations

import gzip
import json
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from hashlib import file_digest
from pathlib import Path
from typing import Any, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.db import IntegrityError, connection, transaction
from psycopg import sql

from casino.core.seal import head, sign, trusted_keys
from casino.core.statements import all_rows, one_row
from casino.house.errors import ArchiveRefused
from tables.models import Hand
from tables.replaying import replay
from wallets.models import PLAY_MONEY

FORMAT = "croupier-archive-1"
MANIFEST, SIGNATURE = "manifest.json", "manifest.sig"
# In the transaction that brings rows in: whatever ends it, new rows get numbers behind them.
IDS_TAKEN = "SELECT tables_ids_taken()"
AT_ONCE = 100
FILE_HANDS = 10_000

RECORDS = """
SELECT h.id, jsonb_build_object(
    'hand', to_jsonb(h),
    'events', (SELECT coalesce(jsonb_agg(to_jsonb(e) ORDER BY e.seq), '[]')
        FROM tables_events_of(ARRAY[h.id]) AS e),
    'cuts', (SELECT coalesce(jsonb_agg(to_jsonb(c) ORDER BY c.number), '[]')
        FROM tables_cut c WHERE c.hand_id = h.id),
    'seeds', (SELECT coalesce(jsonb_agg(to_jsonb(s) ORDER BY s.id), '[]')
        FROM tables_seedcommitment s JOIN tables_cut c ON c.id = s.cut_id WHERE c.hand_id = h.id),
    'decks', (SELECT coalesce(jsonb_agg(to_jsonb(d) ORDER BY d.number), '[]')
        FROM tables_deck d WHERE d.id = ANY(decks.ids)),
    'secrets', (SELECT coalesce(jsonb_agg(to_jsonb(s) ORDER BY s.deck_id), '[]')
        FROM tables_handsecret s WHERE s.deck_id = ANY(decks.ids))
)::text
FROM tables_hand h CROSS JOIN LATERAL (
    SELECT ARRAY(
        SELECT d.id FROM tables_deck d JOIN tables_cut c ON c.id = d.cut_id WHERE c.hand_id = h.id
        UNION SELECT h.deck_id
        UNION SELECT jsonb_array_elements_text(h.more_decks)::bigint
    ) AS ids
) AS decks
WHERE h.id = ANY(%s::bigint[]) ORDER BY h.id
"""
OVER = """
SELECT h.id, h.table_id, h.paytable_id,
    ARRAY(SELECT (seat.facts ->> 'player')::bigint
        FROM jsonb_each(h.seats) AS seat (number, facts))
    || ARRAY(SELECT s.player_id FROM tables_seedcommitment s JOIN tables_cut c ON c.id = s.cut_id
        WHERE c.hand_id = h.id)
FROM tables_hand h JOIN tables_table t ON t.id = h.table_id
WHERE h.id > %s AND h.id <= %s AND h.status IN ('settled', 'voided') AND t.currency <> %s
ORDER BY h.id LIMIT %s
"""
LAST = """
SELECT coalesce(least(
    (SELECT max(id) FROM tables_hand),
    (SELECT min(h.id) - 1 FROM tables_hand h JOIN tables_table t ON t.id = h.table_id
        WHERE h.status NOT IN ('settled', 'voided') AND t.currency <> %s),
    %s::bigint), 0)
"""
# A table as whoever reads its hands must know it: closed, without what only its own house has.
TABLES = """
SELECT t.id, (to_jsonb(t) || '{"status": "closed", "accounts": {}, "state": null, "turn": null,
    "hand_id": null, "deadline": null, "finished": false, "next_deal_at": null, "held_ms": null,
    "claimed": "", "claimed_at": null, "opened_by_id": null, "feeds_id": null, "jackpot_id": null,
    "time_fee_due": null, "invitation": ""}')::text
FROM tables_table t WHERE t.id = ANY(%s::bigint[]) ORDER BY t.id
"""
# A version of the paytables as what a house ships: who agreed to it is not known elsewhere.
PAYTABLES = """
SELECT p.id, (to_jsonb(p) || '{"author_id": null, "approved_by_id": null, "approval_id": null}')
    ::text
FROM tables_paytable p WHERE p.id = ANY(%s::bigint[]) ORDER BY p.id
"""
PEOPLE = """
SELECT u.id, jsonb_build_object(
    'id', u.id, 'display_name', u.display_name, 'date_joined', u.date_joined)::text
FROM core_user u WHERE u.id = ANY(%s::bigint[]) ORDER BY u.id
"""
STRANGERS = """
INSERT INTO core_user (id, username, display_name, password, first_name, last_name, email, role,
        is_active, is_staff, is_superuser, is_house, pits, date_joined, changed_at)
    SELECT r.id, 'archived-' || r.id, r.display_name, '!', '', '', '', 'player', false, false,
            false, false, '{}', r.date_joined, now()
        FROM jsonb_to_recordset(%s::jsonb)
            AS r (id bigint, display_name text, date_joined timestamptz)
"""
# A table that was brought back with earlier hands has had those of this archive too.
CAUGHT_UP = """
UPDATE tables_table t SET hand_number = r.hand_number
    FROM jsonb_to_recordset(%s::jsonb) AS r (id bigint, hand_number bigint)
    WHERE t.id = r.id AND t.status = 'closed' AND t.hand_number < r.hand_number
"""
# In the order in which they refer to each other: the table, and where a line holds its rows.
PARTS = (
    ("tables_cut", "cuts"), ("tables_deck", "decks"), ("tables_handsecret", "secrets"),
    ("tables_seedcommitment", "seeds"), ("tables_hand", "hand"), ("tables_event", "events"),
)  # fmt: skip


class Known(NamedTuple):
    """What hands refer to. part: of the manifest; lasting: what tells one row from any other,
    which it keeps though its house goes on between one archive and the next."""

    table: str
    statement: str
    part: str
    lasting: tuple[str, ...]


KNOWN = (
    Known("core_user", PEOPLE, "people", ("date_joined",)),
    Known("tables_paytable", PAYTABLES, "paytables", ("game", "name", "version", "content")),
    Known("tables_table", TABLES, "tables", ("opened_at", "currency")),
)


class Clash(Exception):
    """Something of this house has the number of something else in an archive. Says which."""


class Exported(NamedTuple):
    """last: the id as far as which all hands are written; a next archive goes on from there."""

    last: int
    hands: int
    files: int
    bytes: int


class Imported(NamedTuple):
    """added, known: hands that were new, and that were there already. replayed: of both."""

    added: int
    known: int
    replayed: int


def export(folder: Path, *, after: int = 0, to: int | None = None) -> Exported:
    """Write the hands with ids above `after`, up to and with `to`, into a new folder.

    It ends before the first hand that is not over, so that one which goes on from there misses
    none. Packed or not makes no difference to lines; what is dealt for play money is left out.
    Raises ArchiveRefused.
    """
    try:
        folder.mkdir(mode=0o700, parents=True)
        return _exported(folder, after, to)
    except OSError as error:
        raise ArchiveRefused(folder, (error.strerror or str(error)).lower()) from error


def _exported(folder: Path, after: int, to: int | None) -> Exported:
    (last,) = one_row(LAST, [PLAY_MONEY, to])
    seen: dict[str, set[int]] = {"tables": set(), "paytables": set(), "people": set()}
    files: list[dict[str, Any]] = []
    while hands := _written(folder / f"hands-{len(files) + 1:06}.jsonl.gz", after, last, seen):
        path = folder / f"hands-{len(files) + 1:06}.jsonl.gz"
        files.append({
            "name": path.name, "sha256": digest(path), "bytes": path.stat().st_size,
            "hands": len(hands), "first": hands[0], "last": hands[-1],
        })  # fmt: skip
        after = hands[-1]
    manifest = {
        "format": FORMAT,
        "files": files,
        **{known.part: _rows_known(known, seen[known.part]) for known in KNOWN},
        "head": head(),
    }
    text = json.dumps(manifest, ensure_ascii=False, sort_keys=True, indent=1).encode()
    (folder / MANIFEST).write_bytes(text)
    (folder / SIGNATURE).write_text(sign(text))
    return Exported(
        last, sum(each["hands"] for each in files), len(files), sum(each["bytes"] for each in files)
    )


def _written(path: Path, after: int, last: int, seen: Mapping[str, set[int]]) -> list[int]:
    """A file of the hands after that id; their ids. No file if there are none."""
    ids: list[int] = []
    if not (rows := all_rows(OVER, [after, last, PLAY_MONEY, AT_ONCE])):
        return ids
    # Neither time nor name in it: the same hands are the same bytes.
    with path.open("wb") as raw, gzip.GzipFile("", "wb", 6, raw, mtime=0) as file:
        while rows and len(ids) < FILE_HANDS:
            for _, table_id, paytable_id, players in rows:
                seen["tables"].add(table_id)
                seen["people"].update(players)
                seen["paytables"].update(() if paytable_id is None else (paytable_id,))
            for hand_id, line in all_rows(RECORDS, [[row[0] for row in rows]]):
                file.write(line.encode() + b"\n")
                ids.append(hand_id)
            rows = all_rows(OVER, [ids[-1], last, PLAY_MONEY, AT_ONCE])
    return ids


def _rows_known(known: Known, ids: set[int]) -> list[str]:
    return [text for _, text in all_rows(known.statement, [sorted(ids)])]


def digest(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def bring_back(folder: Path, *, replays: int, keys: Sequence[str] = ()) -> Imported:
    """Read an archive into this house, once every file is found to be as it was written.

    keys: public keys (base64) of other houses whose archives are believed. replays: how many of
    its hands are played again afterwards, evenly from first to last. May be stopped and begun
    again: hands that are there already are left if they are the same.
    Raises ArchiveRefused, ReplayDiffers, SecretUnreadable.
    """
    manifest = _believed(folder, keys)
    try:
        with transaction.atomic():
            for each in KNOWN:
                _brought(each, manifest[each.part])
            one_row(IDS_TAKEN, [])
        added = known = 0
        for file in manifest["files"]:
            for lines in _batches(folder / file["name"]):
                with transaction.atomic():
                    new = _hands_brought(lines)
                    one_row(IDS_TAKEN, [])
                added, known = added + new, known + len(lines) - new
    except Clash as error:
        raise ArchiveRefused(folder, f"{error} is another one here") from error
    except IntegrityError as error:
        raise ArchiveRefused(folder, str(error).partition("\n")[0]) from error
    return Imported(added, known, _replayed(manifest["files"], replays))


def _believed(folder: Path, keys: Sequence[str]) -> dict[str, Any]:
    """The manifest, once it and every file are what a trusted house wrote."""
    try:
        trusted = trusted_keys() | {b64decode(key, validate=True) for key in keys}
        text = (folder / MANIFEST).read_bytes()
        signature = b64decode((folder / SIGNATURE).read_text(), validate=True)
        manifest: dict[str, Any] = json.loads(text)
        is_ours = manifest["format"] == FORMAT
        for file in manifest["files"]:
            if Path(file["name"]).name != file["name"]:
                raise ArchiveRefused(folder, f"{file['name']} is in another folder")
            if digest(folder / file["name"]) != file["sha256"]:
                raise ArchiveRefused(folder, f"{file['name']} is not as it was written")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ArchiveRefused(folder, f"cannot be read: {error}") from error
    if not is_ours or not any(_signed(key, signature, text) for key in trusted):
        raise ArchiveRefused(folder, "no house that is trusted here has signed it")
    return manifest


def _signed(key: bytes, signature: bytes, text: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, text)
    except (InvalidSignature, ValueError):  # the latter: nobody's key is so long
        return False
    return True


def _batches(path: Path) -> Iterator[list[str]]:
    lines: list[str] = []
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        for line in file:
            lines.append(line.rstrip("\n"))
            if len(lines) == AT_ONCE:
                yield lines
                lines = []
    if lines:
        yield lines


def _brought(known: Known, texts: Sequence[str]) -> None:
    """Insert what is not there yet; what is there must be the same one."""
    rows = {json.loads(text)["id"]: text for text in texts}
    there = dict(all_rows(known.statement, [list(rows)]))
    for row_id, text in there.items():
        ours, theirs = json.loads(text), json.loads(rows[row_id])
        if any(ours[name] != theirs[name] for name in known.lasting):
            raise Clash(f"{known.table} {row_id}")
    if known.table == "tables_table" and there:
        _run(CAUGHT_UP, [rows[row_id] for row_id in there])
    new = [text for row_id, text in rows.items() if row_id not in there]
    if not new:
        return
    if known.table == "core_user":
        _run(STRANGERS, new)
    else:
        _run(_inserted(known.table, json.loads(new[0]), "$"), new)


def _hands_brought(lines: Sequence[str]) -> int:
    """Insert the hands of these lines that are not there yet; how many."""
    by_id = {json.loads(line)["hand"]["id"]: line for line in lines}
    there = dict(all_rows(RECORDS, [list(by_id)]))
    for hand_id, line in there.items():
        if line != by_id[hand_id]:
            raise Clash(f"hand {hand_id}")
    new = [line for hand_id, line in by_id.items() if hand_id not in there]
    for table, part in PARTS if new else ():
        rows = [row for line in new for row in _rows(json.loads(line)[part])]
        if rows:
            _run(_inserted(table, rows[0], f"$.{part}[*]"), new)
    return len(new)


def _rows(part: Any) -> list[dict[str, Any]]:
    return [part] if isinstance(part, dict) else list(part)


def _inserted(table: str, example: Mapping[str, Any], path: str) -> sql.Composed:
    """Lines of JSON into a table, by the columns they name: an archive of an earlier version
    leaves a later one's columns to their defaults. path: where a line holds its row or rows.
    """
    return sql.SQL(
        "INSERT INTO {table} ({columns}) SELECT {columns} FROM jsonb_array_elements(%s::jsonb)"
        " AS line CROSS JOIN LATERAL jsonb_path_query(line, {path}) AS one"
        " CROSS JOIN LATERAL jsonb_populate_record(NULL::{table}, one)"
    ).format(
        table=sql.Identifier(table),
        columns=sql.SQL(", ").join(map(sql.Identifier, example)),
        path=sql.Literal(path),
    )


def _run(statement: Any, lines: Sequence[str]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, [f"[{','.join(lines)}]"])


def _replayed(files: Sequence[Mapping[str, Any]], most: int) -> int:
    """Play some of the settled hands again, evenly from the first to the last; how many."""
    chosen: dict[int, Hand] = {}
    if files:
        first, last = files[0]["first"], files[-1]["last"]
        settled = Hand.objects.filter(pk__lte=last, status=Hand.Status.SETTLED).order_by("pk")
        for nth in range(most):
            hand = settled.filter(pk__gte=first + (last + 1 - first) * nth // most).first()
            if hand is not None:
                chosen[hand.pk] = hand
    for hand in chosen.values():
        replay(hand)
    return len(chosen)
