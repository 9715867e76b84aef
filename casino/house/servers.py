"""PostgreSQL and Valkey from their wheels: on sockets alone, in a folder of the house.

The same classes serve the supervisor and the tests. Each server ends when the process that
started it ends (PostgreSQL by a fast shutdown), and its lock file is held by every process of
it, so a new one waits until the last of an old one has gone.
"""

import fcntl
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar
from urllib.parse import quote

from casino.house.errors import ServerFailed, StartCancelled
from casino.house.places import (
    Place,
    leashed,
    run_as,
    server_environment,
    temporary_place,
    user_name,
)

DATABASE = "croupier"
START_S = 60.0  # not counting a recovery, which takes as long as there is log to replay
RETRY_S = 0.3
POLL_S = 0.02
FAILURE_WORDS = ("FATAL:", "PANIC:", "Fatal", "error:", "rror ")


class Server:
    """A server of the house. Owner: whoever called start() or launch(), until it ends."""

    name: ClassVar[str]
    stop_signal: ClassVar[signal.Signals]
    kill_signal: ClassVar[signal.Signals] = signal.SIGKILL

    def __init__(self, place: Place, *, durable: bool = True) -> None:
        self.place = place
        self.durable = durable
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def folder(self) -> Path:
        return self.place.servers / self.name

    @property
    def log(self) -> Path:
        return self.place.logs / f"{self.name}.log"

    @property
    def lock(self) -> Path:
        return self.place.house / f"{self.name}.lock"

    def command(self) -> list[str]:
        raise NotImplementedError

    def is_ready(self) -> bool:
        raise NotImplementedError

    def prepare(self) -> None:
        """Make the folders (as the servers' account: root does not write where others may)."""
        self.run("/bin/sh", "-c", 'umask 077; mkdir -p "$@"', "sh", *map(str, self.folders()))

    def folders(self) -> tuple[Path, ...]:
        return (self.place.sockets,)

    def launch(self) -> subprocess.Popen[bytes]:
        """Start the process, without waiting until it is ready."""
        # Who is orphaned ends in order; but nothing may hold up one that is thrown away.
        orphaned = self.stop_signal if self.durable else self.kill_signal
        command = leashed(self.place.account, orphaned, self.lock, *self.command())
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                env=server_environment(),
                start_new_session=True,  # a Ctrl-C in the terminal is the supervisor's to handle
            )
        return self.process

    def start(self, cancelled: Callable[[], bool] = lambda: False) -> None:
        """Prepare, launch and wait until it answers; try again while an old server goes away."""
        self.prepare()
        end = time.monotonic() + START_S
        process = self.launch()
        while not self.is_ready():
            if cancelled():
                self.stop()
                raise StartCancelled
            if time.monotonic() > end and not self.is_recovering():
                self.stop()
                raise ServerFailed(self.name, self.last_words(), self.log)
            if process.poll() is not None:
                if not self.is_passing():
                    raise ServerFailed(self.name, self.last_words(), self.log)
                time.sleep(RETRY_S)
                process = self.launch()
            time.sleep(POLL_S)

    def is_recovering(self) -> bool:
        """Whether it is at what a crash has left: begun anew, it would begin that anew."""
        return False

    def is_passing(self) -> bool:
        """Whether the reason it did not start goes away by waiting."""
        return False

    def stop(self, within_s: float = 5.0) -> None:
        if self.process is None:
            return
        if self.process.poll() is None:
            self.process.send_signal(self.stop_signal)
            try:
                self.process.wait(within_s)
            except subprocess.TimeoutExpired:
                self.process.send_signal(self.kill_signal)
                self.process.wait()
        self.process = None

    def run(self, *command: str, text: str = "") -> str:
        done = run_as(self.place.account, *command, text=text)
        if done.returncode != 0:
            with self.log.open("a") as log:
                log.write(done.stdout + done.stderr)
            raise ServerFailed(self.name, last_line(done.stderr or done.stdout), self.log)
        return done.stdout

    def last_words(self) -> str:
        """The line of the log's end that says why, for a one-line message."""
        try:
            with self.log.open("rb") as log:
                log.seek(max(0, self.log.stat().st_size - 8192))
                lines = log.read().decode(errors="replace").splitlines()
        except OSError:
            lines = []
        telling = [line for line in lines if any(word in line for word in FAILURE_WORDS)]
        return last_line("\n".join(telling or lines))


def last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "it said nothing"


class Postgres(Server):
    name = "postgres"
    stop_signal = signal.SIGINT  # fast shutdown: end the sessions, write a checkpoint
    kill_signal = signal.SIGQUIT  # immediate shutdown: recovered from the log at the next start

    def command(self) -> list[str]:
        settings = {**SETTINGS, **(DURABLE if self.durable else THROW_AWAY)}
        settings["unix_socket_directories"] = f'"{self.place.sockets}"'
        options = [word for key, value in settings.items() for word in ("-c", f"{key}={value}")]
        return [str(self.place.binaries.postgres("postgres")), "-D", str(self.folder), *options]

    def prepare(self) -> None:
        super().prepare()
        if not self.exists():
            self.initialise()
        self.write("pg_hba.conf", "local all all peer map=croupier\n")
        self.write("pg_ident.conf", "".join(f"{line}\n" for line in self.identities()))

    def launch(self) -> subprocess.Popen[bytes]:
        self.forget_dead_postmaster()
        return super().launch()

    def exists(self) -> bool:
        return self.folder.joinpath("PG_VERSION").exists()

    def initialise(self) -> None:
        """Make the cluster aside and move it into place: a killed start leaves no half of one."""
        aside = self.place.servers / "postgres.new"
        program = str(self.place.binaries.postgres("initdb"))
        options = ["--username=postgres", "--auth=peer", "--encoding=UTF8"]
        options += ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
        options += [] if self.durable else ["--no-sync"]
        self.run("/bin/sh", "-c", 'rm -rf "$0"', str(aside))
        self.run(program, "-D", str(aside), *options)
        self.run("/bin/sh", "-c", 'mv "$0" "$1"', str(aside), str(self.folder))

    def write(self, name: str, text: str) -> None:
        path = str(self.folder / name)
        self.run("/bin/sh", "-c", 'cat > "$0.new" && mv "$0.new" "$0"', path, text=text)

    def identities(self) -> Iterator[str]:
        """Who of the operating system may be which role; no passwords, nobody else."""
        for user in sorted({user_name(os.geteuid()), self.place.account.name}):
            for role in ("owner", "app", "postgres"):
                yield f'croupier "{user}" {role}'

    def forget_dead_postmaster(self) -> None:
        """Remove lock files whose process is a zombie or, after a reboot, something else.

        PostgreSQL itself clears those whose process is gone. This is safe only while our own
        lock is free: then no process of the old cluster is left.
        """
        for path in (self.folder / "postmaster.pid", self.place.sockets / ".s.PGSQL.5432.lock"):
            pid = first_lines(path)[:1]
            dead = pid and pid[0].isdigit() and not is_living_program(int(pid[0]), "postgres")
            if dead and is_free(self.lock):
                self.run("/bin/sh", "-c", 'rm -f "$0"', str(path))

    def is_ready(self) -> bool:
        return self.status() == "ready"

    def is_recovering(self) -> bool:
        is_alive = self.process is not None and self.process.poll() is None
        return is_alive and self.status() == "starting"

    def status(self) -> str:
        """What our process says of itself, in its lock file; nothing before it has one."""
        lines = first_lines(self.folder / "postmaster.pid")
        ours = self.process is not None and lines[:1] == [str(self.process.pid)]
        return lines[7].strip() if ours and len(lines) >= 8 else ""

    def is_passing(self) -> bool:
        words = self.last_words()
        return any(
            sign in words
            for sign in ("lock file", "pre-existing shared memory", "is another postmaster")
        )

    def start(self, cancelled: Callable[[], bool] = lambda: False) -> None:
        super().start(cancelled)
        self.furnish()

    def furnish(self) -> None:
        """Make the two roles and the database; what they may do with tables, migrations say."""
        self.psql("postgres", FURNISH_CLUSTER)
        self.psql(DATABASE, FURNISH_DATABASE)

    def psql(self, database: str, script: str) -> str:
        command = [str(self.place.binaries.postgres("psql")), "-X", "-q", "-v", "ON_ERROR_STOP=1"]
        done = subprocess.run(
            [*command, self.superuser_url(database)],
            input=script,
            capture_output=True,
            text=True,
            env=server_environment(),
            check=False,
        )
        if done.returncode != 0:
            raise ServerFailed(self.name, last_line(done.stderr), self.log)
        return done.stdout

    def url(self, role: str, database: str = DATABASE) -> str:
        return f"postgresql://{role}@/{database}?host={quote(str(self.place.sockets), safe='/')}"

    def superuser_url(self, database: str = "postgres") -> str:
        return self.url("postgres", database)


SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "100",
    "shared_buffers": "128MB",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "jit": "off",  # short statements only
    "log_line_prefix": "%m [%p] %u@%d ",
    "log_min_messages": "warning",
    "log_checkpoints": "off",
    "log_statement": "none",
    # Neither parameters nor rows of a refused statement reach the log.
    "log_parameter_max_length_on_error": "0",
    "log_parameter_max_length": "0",
    "log_error_verbosity": "terse",
}
DURABLE = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}
THROW_AWAY = {
    "fsync": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_wal_size": "256MB",
}

FURNISH_CLUSTER = """
SELECT 'CREATE ROLE owner LOGIN CREATEDB'
 WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'owner') \\gexec
SELECT 'CREATE ROLE app LOGIN'
 WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'app') \\gexec
SELECT 'CREATE DATABASE croupier OWNER owner'
 WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'croupier') \\gexec
REVOKE ALL ON DATABASE croupier FROM PUBLIC;
GRANT CONNECT ON DATABASE croupier TO app;
"""
FURNISH_DATABASE = """
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO app;
"""


class Valkey(Server):
    name = "valkey"
    stop_signal = signal.SIGTERM

    @property
    def socket(self) -> Path:
        return self.place.sockets / "vk.sock"

    def folders(self) -> tuple[Path, ...]:
        return (self.place.sockets, self.folder)

    def command(self) -> list[str]:
        kept = ["--appendonly", "yes", "--appendfsync", "everysec"] if self.durable else []
        command = [str(self.place.binaries.valkey), "--port", "0"]
        command += ["--unixsocket", str(self.socket), "--unixsocketperm", "700"]
        command += ["--dir", str(self.folder), "--maxmemory-policy", "noeviction"]
        return [*command, "--save", "", "--daemonize", "no", *kept]

    def is_ready(self) -> bool:
        """It answers PONG, which it does not while it still loads its data."""
        if self.process is None or self.process.poll() is not None:
            return False
        with socket.socket(socket.AF_UNIX) as client, suppress(OSError):
            client.settimeout(0.5)
            client.connect(str(self.socket))
            client.sendall(b"PING\r\n")
            return client.recv(64).startswith(b"+PONG")
        return False

    def url(self) -> str:
        return f"unix://{quote(str(self.socket), safe='/')}"


def first_lines(path: Path) -> list[str]:
    """The lines of a lock file of PostgreSQL; the first is a process id."""
    try:
        return path.read_text().splitlines()
    except OSError:
        return []


def is_free(lock: Path) -> bool:
    """Whether no process holds the lock file."""
    with lock.open("ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def is_living_program(pid: int, program: str) -> bool:
    """Whether process `pid` runs `program` and is no zombie; True when we cannot know."""
    try:
        return os.readlink(f"/proc/{pid}/exe").rpartition("/")[2].startswith(program)
    except FileNotFoundError:
        return False  # gone, or a zombie, which has no program any more
    except OSError:
        return True


@dataclass(frozen=True)
class Servers:
    postgres: Postgres
    valkey: Valkey

    def environment(self) -> dict[str, str]:
        """What a process of the house needs to find them."""
        return {
            "DATABASE_URL": self.postgres.url("app"),
            "DATABASE_OWNER_URL": self.postgres.url("owner"),
            "REDIS_URL": self.valkey.url(),
        }


@contextmanager
def quick_servers(place: Place, stopped_within_s: float = 5.0) -> Iterator[Servers]:
    """Both servers, quick rather than durable; what they hold stays."""
    servers = Servers(Postgres(place, durable=False), Valkey(place, durable=False))
    try:
        servers.postgres.start()
        servers.valkey.start()
        yield servers
    finally:
        servers.valkey.stop()
        servers.postgres.stop(stopped_within_s)


@contextmanager
def temporary_servers() -> Iterator[Servers]:
    """Both servers on a throw-away folder; gone afterwards."""
    place = temporary_place()
    try:
        with quick_servers(place) as servers:
            yield servers
    finally:
        shutil.rmtree(place.house, ignore_errors=True)
        shutil.rmtree(place.servers, ignore_errors=True)
