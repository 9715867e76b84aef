"""What can go wrong beneath a house, done to one that is played in, and put right again.

Each mishap takes so many seconds and returns when its cause is gone; what the house makes of it is
for others to look at. Nothing here touches any process but the house's own.
"""

from __future__ import annotations

import fcntl
import os
import random
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
import redis

from casino.house.servers import Postgres, Server
from casino.house.supervisor import House

LIBRARIES = ("/usr/lib/*/faketime/libfaketime.so.1", "/usr/local/lib/faketime/libfaketime.so.1")
DISK_MB = 700
JUMP_S = 20
FAILING_SHARE = 0.01
FILLER = "filler"
STUTTER_S = (0.05, 0.3)  # how long a slow disk lets every write wait
BETWEEN_S = 0.02
FREEZE, THAW = 0xC0045877, 0xC0045878  # FIFREEZE and FITHAW, see ioctl_fs(2)
CUTS = 5
TASKS_AGAIN = 60

# A commit that fails, as a replica that has gone or a conflict would make it fail: when all the
# work is done. The trigger's own transaction is the one it ends. How many fail is changed without
# a lock on either table, so that this comes over transactions that are in the middle of it.
FAILING = """
    CREATE OR REPLACE FUNCTION chaos_fails() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF random() < {share} THEN
            RAISE EXCEPTION 'chaos: this commit fails' USING ERRCODE = 'serialization_failure';
        END IF;
        RETURN NULL;
    END $$
"""
ASKED = """
    DO $$ BEGIN
        CREATE CONSTRAINT TRIGGER chaos_fails AFTER INSERT ON {table}
            DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION chaos_fails();
    EXCEPTION WHEN duplicate_object THEN NULL;
    END $$
"""
COMMITTED = ("tables_event", "wallets_transfer")
# The key of a hand's payment, taken by a transaction that never ends well: whoever pays that hand
# waits in the middle of it, his locks taken and nothing posted.
HELD = """
    INSERT INTO wallets_transfer (key, kind, phase, reason, leg_count, content_hash, xact_id)
        VALUES (%s, 'settle', 'single', '', 2, '', 0) ON CONFLICT DO NOTHING
"""
WAITED_FOR = """
    SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted
        AND transactionid = pg_current_xact_id_if_assigned()::xid)
"""
CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app'"
KNOWN_TASKS = """
    SELECT 'tables.settle_hand', table_id, id FROM tables_hand
    UNION ALL SELECT 'tables.deal_hand', table_id, number FROM tables_hand
    UNION ALL SELECT 'tables.expire_turn', id, turn_id FROM tables_table
    UNION ALL SELECT 'tables.expire_turn', table_id, seq FROM tables_event WHERE turn IS NOT NULL
    UNION ALL SELECT 'tables.cut_go_on', table_id, id FROM tables_cut
"""


class JumpingPostgres(Postgres):
    """A PostgreSQL whose clock is told how far ahead it is, by a file."""

    library: str = ""

    @property
    def ahead(self) -> Path:
        return self.place.logs / "ahead"

    def command(self) -> list[str]:
        if not self.library:
            return super().command()
        told = {
            "LD_PRELOAD": self.library,
            "FAKETIME_TIMESTAMP_FILE": str(self.ahead),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }
        words = [f"{name}={value}" for name, value in told.items()]
        return ["/usr/bin/env", *words, *super().command()]

    def prepare(self) -> None:
        super().prepare()
        self.jump(0)

    def jump(self, seconds: int) -> None:
        self.ahead.parent.chmod(0o711)
        self.ahead.write_text(f"{seconds:+d}\n", encoding="ascii")
        self.ahead.chmod(0o644)


@dataclass
class Mishaps:
    """all: by name, what takes how many seconds. silent: those that silence the whole house, so
    that no decision may be lost to them. untried: what this machine does not permit, and why.
    down_at: since when the part that was last taken down is down; until then it may have acted."""

    house: House
    chance: random.Random
    silent: frozenset[str] = frozenset(
        f"{part} {how}"
        for part, how in (
            ("web", "killed"), ("web", "frozen"), ("clock", "killed"), ("clock", "frozen"),
            ("postgres", "killed"), ("postgres", "stopped"), ("postgres", "frozen"),
            ("disk", "still"),
        )
    )  # fmt: skip
    untried: dict[str, str] = field(default_factory=dict)
    disk: Disk | None = None
    down_at: datetime | None = None

    def all(self) -> dict[str, Callable[[float], None]]:
        found: dict[str, Callable[[float], None]] = {}
        for part in ("web", "worker", "clock", "postgres", "valkey"):
            found[f"{part} killed"] = lambda s, part=part: self.held(part, s, "kill")  # type: ignore[misc]
            found[f"{part} frozen"] = lambda s, part=part: self.frozen(part, s)  # type: ignore[misc]
        found["postgres stopped"] = lambda s: self.held("postgres", s, "stop")
        found |= {
            "valkey flushed": self.flushed,
            "connections cut": self.cut,
            "tasks again": self.again,
            "commits fail": self.failing,
            "disk full": self.full,
            "disk slow": self.slow,
            "disk still": self.still,
            "clock jumps": self.jumped,
        }
        return {name: done for name, done in found.items() if name not in self.untried}

    def held(self, part: str, seconds: float, how: str) -> None:
        self.house.hold(part, seconds, how)
        self.down_at = datetime.now(UTC)
        time.sleep(seconds)

    def frozen(self, part: str, seconds: float) -> None:
        """SIGSTOP to all of it, children included."""
        with self.standing_still(part):
            self.down_at = datetime.now(UTC)
            time.sleep(seconds)

    @contextmanager
    def standing_still(self, part: str) -> Iterator[None]:
        still = [one for pid in self.house.pids(part) for one in family_of(pid)]
        signal_all(still, signal.SIGSTOP)
        try:
            yield
        finally:
            signal_all(still, signal.SIGCONT)

    def flushed(self, seconds: float) -> None:
        with redis.Redis.from_url(self.environment["REDIS_URL"]) as valkey:
            valkey.flushall()
        time.sleep(1)

    def cut(self, seconds: float) -> None:
        """Every connection between the house and its servers, again and again."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with self.admin() as admin:
                admin.execute(CUT)
            with redis.Redis.from_url(self.environment["REDIS_URL"]) as valkey:
                for kind in ("normal", "pubsub"):
                    valkey.execute_command("CLIENT", "KILL", "TYPE", kind)
            time.sleep(seconds / CUTS)

    def again(self, seconds: float) -> None:
        """Tasks that were carried out before, or are not due, once more and in any order."""
        from tables import jobs

        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with self.admin() as admin:
                known = admin.execute(KNOWN_TASKS).fetchall()
            for name, table_id, number in self.chance.sample(known, min(TASKS_AGAIN, len(known))):
                jobs.send(name, table_id, number)
            time.sleep(0.5)

    def failing(self, seconds: float) -> None:
        with self.admin() as admin, commits_failing(admin, FAILING_SHARE):
            time.sleep(seconds)

    def commits_may_fail(self) -> None:
        """What `failing` needs; until then nothing fails. Twice does no harm."""
        with self.admin() as admin:
            admin.execute(FAILING.format(share=0))
            for table in COMMITTED:
                admin.execute(ASKED.format(table=table))

    @contextmanager
    def payments_held(self) -> Iterator[Payments]:
        connection = psycopg.connect(self.superuser_url)
        try:
            yield Payments(connection)
        finally:
            connection.close()  # never with a commit

    def full(self, seconds: float) -> None:
        """The disk that the data lies on has no byte left."""
        filler = self.house.data / FILLER
        try:
            fill(filler)
            time.sleep(seconds)
        finally:
            filler.unlink(missing_ok=True)

    def slow(self, seconds: float) -> None:
        """Whatever is written waits, again and again."""
        assert self.disk is not None
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with self.disk.frozen():
                time.sleep(self.chance.uniform(*STUTTER_S))
            time.sleep(BETWEEN_S)

    def still(self, seconds: float) -> None:
        """Nothing is written for so long; nobody is told that it was not."""
        assert self.disk is not None
        with self.disk.frozen():
            self.down_at = datetime.now(UTC)
            time.sleep(seconds)

    def jumped(self, seconds: float) -> None:
        postgres = self.server("postgres")
        assert isinstance(postgres, JumpingPostgres)
        postgres.jump(JUMP_S)
        time.sleep(seconds)
        postgres.jump(0)

    # What they need

    @property
    def environment(self) -> dict[str, str]:
        return self.house.servers_environment()

    @property
    def superuser_url(self) -> str:
        postgres = self.server("postgres")
        assert isinstance(postgres, Postgres)
        return postgres.superuser_url("croupier")

    @contextmanager
    def admin(self) -> Iterator[psycopg.Connection[Any]]:
        with psycopg.connect(self.superuser_url, autocommit=True) as admin:
            admin.execute("SET lock_timeout = '5s'")
            yield admin

    def server(self, name: str) -> Server:
        (server,) = (child.server for child in self.house.children if child.name == name)
        assert server is not None
        return server


@contextmanager
def commits_failing(admin: psycopg.Connection[Any], share: float) -> Iterator[None]:
    """admin: a superuser's connection in autocommit. share: of the commits, from 0 to 1."""
    try:
        admin.execute(FAILING.format(share=share))
        yield
    finally:
        admin.execute(FAILING.format(share=0))


@dataclass
class Payments:
    """Payments of hands that are held in the middle, for less than the house waits for a lock.

    connection: a superuser's, never committed.
    """

    connection: psycopg.Connection[Any]
    hands: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.connection.execute("SET session_replication_role = replica")  # no trigger sees it

    def hold(self, hands: set[int]) -> None:
        from wallets.services import settle_key

        for hand_id in sorted(hands - self.hands):
            self.connection.execute(HELD, [settle_key(hand_id)])
        self.hands |= hands

    def are_waited_for(self) -> bool:
        row = self.connection.execute(WAITED_FOR).fetchone()
        assert row is not None
        return bool(row[0])

    def let_go_after(self, seconds: float) -> None:
        threading.Timer(seconds, self.connection.close).start()


@dataclass
class Disk:
    """A file system of its own for a house's data, so that it can be full, slow and stand still.

    why_not: if it could not be made. why_not_slow: if it is one that lies in memory alone, which
    cannot be frozen.
    """

    folder: Path
    why_not: str = ""
    why_not_slow: str = ""

    @property
    def image(self) -> Path:
        return self.folder.with_suffix(".disk")

    def __enter__(self) -> Disk:
        self.why_not_slow = self.formatted() or mounted("-o", "loop", self.image, self.folder)
        if self.why_not_slow:
            options = f"size={DISK_MB}m"
            self.why_not = mounted("-t", "tmpfs", "-o", options, "croupier-chaos", self.folder)
        self.folder.chmod(0o711)  # what is mounted has rights of its own
        return self

    @property
    def cannot(self) -> dict[str, str]:
        """Mishaps that are not possible with it, and why."""
        found = {"disk full": self.why_not}
        found |= dict.fromkeys(("disk slow", "disk still"), self.why_not_slow)
        return {name: why_not for name, why_not in found.items() if why_not}

    def formatted(self) -> str:
        """Why there is no image of a disk; empty if there is."""
        with self.image.open("wb") as file:
            file.truncate(DISK_MB << 20)
        return refused("mkfs.ext4", "-q", "-m", "0", "-O", "^has_journal", str(self.image))

    @contextmanager
    def frozen(self) -> Iterator[None]:
        folder = os.open(self.folder, os.O_RDONLY)
        try:
            fcntl.ioctl(folder, FREEZE, 0)
            try:
                yield
            finally:
                fcntl.ioctl(folder, THAW, 0)
        finally:
            os.close(folder)

    def __exit__(self, *error: object) -> None:
        if not self.why_not:
            subprocess.run(["umount", "--lazy", str(self.folder)], check=True)
        self.image.unlink(missing_ok=True)


def mounted(*words: str | Path) -> str:
    why_not = refused("mount", *map(str, words))
    return why_not and f"a small disk cannot be mounted: {why_not}"


def refused(*command: str) -> str:
    """What a command says if it fails; empty if it did what it should."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        return f"{command[0]}: {error.strerror}"
    return done.stderr.strip() if done.returncode else ""


def fill(path: Path) -> None:
    piece = bytes(1 << 20)
    with path.open("wb", buffering=0) as file:
        while piece:
            try:
                file.write(piece)
            except OSError:
                piece = piece[: len(piece) // 2]


def family_of(pid: int) -> list[int]:
    """A process and all it has started; PostgreSQL's lead sessions of their own."""
    children: list[str] = []
    with suppress(OSError):  # a thread may end meanwhile
        for thread in Path(f"/proc/{pid}/task").glob("*/children"):
            children += thread.read_text(encoding="ascii").split()
    return [pid, *(one for child in children for one in family_of(int(child)))]


def signal_all(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def clock_library() -> str:
    """Where libfaketime is; empty if it is not installed."""
    found = [path for glob in LIBRARIES for path in sorted(Path("/").glob(glob.lstrip("/")))]
    return str(found[0]) if found else ""
