"""A house's database put by as a folder, and brought back from it.

A backup is one moment of a running house: a dump by `pg_dump` from an exported snapshot, and
`manifest.json`, which tells the moment, the schema, the last row of each history and the dump's
SHA-256. `head.json` is the log's signed head of just before, so that a restored history is held
against it. Keys are not in it: hidden cards stay encrypted, and whoever has the folder alone can
neither read them nor sign in anybody's name.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import file_digest
from pathlib import Path
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from casino.core.disk import sync
from casino.house.errors import BackupRefused, HouseError, RestoreRefused
from casino.house.places import installed_binaries

FORMAT = "croupier-backup-1"
DUMP, MANIFEST, HEAD = "database.dump", "manifest.json", "head.json"
# The last row of each history: what a later one has more of is what a restore loses.
HISTORIES = {
    "log entries": "core_logentry",
    "transfers": "wallets_transfer",
    "hands": "tables_hand",
}


@dataclass(frozen=True)
class Manifest:
    """What a backup says of itself. taken_at: ISO 8601 by the database's clock, in UTC."""

    format: str
    taken_at: str
    server_version: int
    migrations: dict[str, list[str]]
    last_ids: dict[str, int]
    hands_in_play: int
    dump_sha256: str
    dump_bytes: int


def back_up(url: str, folder: Path, head: dict[str, Any] | None) -> Manifest:
    """Write a backup of the database at `url` (as `owner`) into `folder`, which must not exist.

    head: the log's newest signed head, written beside the dump. The house may run meanwhile.
    Raises BackupRefused; then nothing is left of the folder but one named `.part`.
    """
    if folder.exists():
        raise BackupRefused(folder, "it is there already")
    aside = folder.with_name(folder.name + ".part")
    with in_a_line(lambda why: BackupRefused(aside, why)):
        aside.mkdir(mode=0o700)
    with in_a_line(lambda why: BackupRefused(folder, why)):
        with one_moment(url) as (connection, snapshot):
            facts = _facts(connection)
            if not _is_of(connection, head):
                raise BackupRefused(folder, "DATABASE_OWNER_URL lacks DATABASE_URL's last seal")
            _run(
                "pg_dump", url, "--format=custom", f"--snapshot={snapshot}",
                f"--file={aside / DUMP}", refused=lambda why: BackupRefused(folder, why),
            )  # fmt: skip
        dump = aside / DUMP
        manifest = Manifest(
            format=FORMAT, dump_sha256=_sha256(dump), dump_bytes=dump.stat().st_size, **facts
        )
        _write(aside / HEAD, head)
        _write(aside / MANIFEST, asdict(manifest))
        sync(dump)
        sync(aside)
        aside.rename(folder)
        sync(folder.parent)
    return manifest


@contextmanager
def in_a_line(refused: Callable[[str], HouseError]) -> Iterator[None]:
    """What the disk or the database says no to, as a refusal of one line."""
    try:
        yield
    except OSError as error:
        raise refused((error.strerror or str(error)).lower()) from error
    except psycopg.Error as error:
        lines = str(error).strip().splitlines()
        raise refused(f"the database: {lines[0] if lines else type(error).__name__}") from error


def _is_of(connection: psycopg.Connection[Any], head: dict[str, Any] | None) -> bool:
    """Whether the database has the seal that the head speaks of: one was read as `app`, the other
    as `owner`, from two addresses. Without a head nothing was ever written to the log.
    """
    if head is None:
        return True
    known = connection.execute(
        "SELECT FROM core_logseal WHERE seal_hash = %s", [bytes.fromhex(head["hash"])]
    )
    return known.fetchone() is not None


@contextmanager
def one_moment(url: str) -> Iterator[tuple[psycopg.Connection[Any], str]]:
    """A transaction that sees one moment, and the name by which pg_dump sees the same one."""
    with psycopg.connect(url) as connection:
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        row = connection.execute("SELECT pg_export_snapshot()").fetchone()
        assert row is not None
        yield connection, str(row[0])


def read(folder: Path) -> Manifest:
    """The manifest of a backup whose dump is as it was written. Raises RestoreRefused."""
    try:
        found = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except OSError as error:
        raise RestoreRefused(f"{folder} is no backup: {MANIFEST} cannot be read") from error
    except ValueError as error:
        raise RestoreRefused(f"{folder / MANIFEST} is not JSON") from error
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise RestoreRefused(f"{folder} holds no backup of the format {FORMAT}")
    try:
        manifest = Manifest(**found)
    except TypeError as error:
        raise RestoreRefused(f"{folder / MANIFEST} lacks what a manifest has") from error
    dump = folder / DUMP
    with in_a_line(lambda why: RestoreRefused(f"{dump} cannot be read: {why}")):
        if not dump.is_file() or _sha256(dump) != manifest.dump_sha256:
            raise RestoreRefused(f"{dump} is not the dump that was written: its SHA-256 differs")
    return manifest


def bring_back(url: str, folder: Path, known: dict[str, set[str]]) -> Manifest:
    """Load a backup into the empty database at `url` (as `owner`), whole or not at all.

    known: the migrations of this version of the house by app. Raises RestoreRefused.
    """
    manifest = fitting(folder, known)
    require_empty(url)
    _run(
        "pg_restore", url, "--exit-on-error", "--single-transaction", "--no-owner",
        str(folder / DUMP), refused=lambda why: RestoreRefused(f"the dump does not load: {why}"),
    )  # fmt: skip
    return manifest


def require_empty(url: str) -> None:
    """Raises RestoreRefused unless the database answers and holds nothing yet."""
    with in_a_line(RestoreRefused), psycopg.connect(url) as connection:
        row = connection.execute(
            "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
        ).fetchone()
        if row != (0,):
            raise RestoreRefused("the database is not empty; a backup is restored into a new one")


def fitting(folder: Path, known: dict[str, set[str]]) -> Manifest:
    """The manifest of a backup that this version of the house can load. Raises RestoreRefused."""
    manifest = read(folder)
    newer = [
        f"{app}.{name}"
        for app, names in manifest.migrations.items()
        for name in names
        if name not in known.get(app, set())
    ]
    if newer:
        raise RestoreRefused(f"another version of the house made it: {newer[-1]} is unknown here")
    return manifest


def _facts(connection: psycopg.Connection[Any]) -> dict[str, Any]:
    moment = connection.execute(
        "SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')"
    )
    (taken_at,) = moment.fetchone() or ("",)
    migrations: dict[str, list[str]] = {}
    for app, name in connection.execute("SELECT app, name FROM django_migrations ORDER BY id"):
        migrations.setdefault(app, []).append(name)
    last_ids = {}
    for what, table in HISTORIES.items():
        row = connection.execute(f"SELECT coalesce(max(id), 0) FROM {table}").fetchone()  # noqa: S608
        last_ids[what] = int((row or (0,))[0])
    row = connection.execute(
        "SELECT count(*) FROM tables_hand WHERE status IN ('open', 'finished')"
    ).fetchone()
    return {
        "taken_at": taken_at,
        "server_version": connection.info.server_version,
        "migrations": migrations,
        "last_ids": last_ids,
        "hands_in_play": int((row or (0,))[0]),
    }


def _run(program: str, url: str, *options: str, refused: Any) -> None:
    """One of PostgreSQL's programs on the database; its password never stands in a command."""
    parts = conninfo_to_dict(url)
    password = parts.pop("password", None)
    # All of it, not the host alone: how the line is encrypted stands there, too.
    where = f"--dbname={make_conninfo('', **parts)}"
    command = [str(installed_binaries().postgres(program)), where, "--no-password", *options]
    environment = {**os.environ, **({"PGPASSWORD": str(password)} if password else {})}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        raise refused(lines[0] if lines else f"{program} ended with {done.returncode}")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _write(path: Path, content: object) -> None:
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    sync(path)
