"""The embedded servers: roles, durability, sockets alone, and starting after every kind of end."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from casino.house import servers as servers_module
from casino.house.errors import ServerFailed
from casino.house.places import Place, place_for
from casino.house.servers import Postgres, Valkey, is_free, is_living_program, temporary_servers


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    """One cluster for the module, as making it is what takes time."""
    with temporary_servers() as servers:
        servers.postgres.stop()
        servers.valkey.stop()
        yield servers.postgres.place


@pytest.fixture
def postgres(place: Place) -> Iterator[Postgres]:
    server = Postgres(place, durable=False)
    yield server
    server.stop()


@pytest.fixture
def valkey(place: Place) -> Iterator[Valkey]:
    server = Valkey(place)
    yield server
    server.stop()


def ask(server: Postgres, role: str, query: str) -> object:
    with psycopg.connect(server.url(role)) as connection:
        row = connection.execute(query).fetchone()  # type: ignore[call-overload]
        return row and row[0]


def say(server: Valkey, words: bytes) -> bytes:
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(server.socket))
        client.sendall(words + b"\r\n")
        return client.recv(4096)


def test_three_roles_sign_in_without_a_password(postgres: Postgres) -> None:
    postgres.start()
    for role in ("owner", "app", "postgres"):
        assert ask(postgres, role, "SELECT current_user::text") == role


def test_app_cannot_change_the_schema(postgres: Postgres) -> None:
    postgres.start()
    for statement in ("CREATE TABLE t (i int)", "CREATE TEMP TABLE t (i int)", "CREATE SCHEMA s"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            ask(postgres, "app", statement)
    assert ask(postgres, "owner", "SELECT rolsuper FROM pg_roles WHERE rolname = 'owner'") is False


def test_the_cluster_is_utc_and_c_utf8_whatever_the_process_says(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "America/Chicago")
    monkeypatch.setenv("LC_ALL", "pl_PL.UTF-8")
    server = Postgres(place, durable=False)
    server.start()
    try:
        assert ask(server, "app", "SHOW timezone") == "UTC"
        assert ask(server, "app", "SHOW server_encoding") == "UTF8"
        query = "SELECT datlocale FROM pg_database WHERE datname = current_database()"
        assert ask(server, "app", query) == "C.UTF-8"
    finally:
        server.stop()


def test_real_data_is_on_disk_before_an_answer(place: Place) -> None:
    command = Postgres(place).command()
    assert {"fsync=on", "synchronous_commit=on", "full_page_writes=on"} <= set(command)


def test_no_server_listens_on_the_network(postgres: Postgres, valkey: Valkey) -> None:
    assert "listen_addresses=" in postgres.command()
    assert valkey.command()[1:3] == ["--port", "0"]


def test_nobody_else_reaches_the_sockets(postgres: Postgres, valkey: Valkey) -> None:
    postgres.start()
    valkey.start()
    assert postgres.place.sockets.stat().st_mode & 0o777 == 0o700
    for name in (".s.PGSQL.5432", "vk.sock"):
        assert postgres.place.sockets.joinpath(name).stat().st_mode & 0o077 == 0


def test_a_refused_statement_leaves_no_parameter_in_the_log(postgres: Postgres) -> None:
    postgres.start()
    with (
        psycopg.connect(postgres.url("app"), cursor_factory=psycopg.RawCursor) as connection,
        pytest.raises(psycopg.errors.InvalidTextRepresentation),
    ):
        connection.execute("SELECT $1::text, $2::int", ["the hidden card", "no number"])
    postgres.stop()
    log = postgres.log.read_text()
    assert "invalid input syntax" in log
    assert "the hidden card" not in log


def test_data_outlives_a_stop(postgres: Postgres, valkey: Valkey) -> None:
    postgres.start()
    valkey.start()
    with psycopg.connect(postgres.url("owner")) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS n")
    say(valkey, b"SET kept 42")
    postgres.stop()
    valkey.stop()
    postgres.start()
    valkey.start()
    assert ask(postgres, "owner", "SELECT n FROM kept") == 42
    assert b"42" in say(valkey, b"GET kept")


def test_it_starts_at_once_after_being_killed(postgres: Postgres, valkey: Valkey) -> None:
    """The killed processes are still there, not yet waited for, when the new ones start."""
    postgres.start()
    valkey.start()
    assert postgres.process
    assert valkey.process
    dead = postgres.process, valkey.process
    for process in dead:
        process.send_signal(signal.SIGKILL)
    postgres.start()
    valkey.start()
    assert ask(postgres, "app", "SELECT 1") == 1
    assert say(valkey, b"PING") == b"+PONG\r\n"
    for process in dead:
        process.wait()


HELD_UP_S = 4.5


def test_a_recovery_may_take_longer_than_a_start(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL is held up in the middle of it."""
    postgres.start()
    assert postgres.process
    postgres.process.kill()
    postgres.process.wait()
    monkeypatch.setattr(servers_module, "START_S", 3.0)
    began = time.monotonic()
    real = Postgres.status

    def held_up(server: Postgres) -> str:
        status = real(server)
        return "starting" if status and time.monotonic() < began + HELD_UP_S else status

    monkeypatch.setattr(Postgres, "status", held_up)
    postgres.start()
    assert time.monotonic() >= began + HELD_UP_S
    assert ask(postgres, "app", "SELECT 1") == 1


def test_a_new_server_waits_for_the_last_process_of_the_old(valkey: Valkey, place: Place) -> None:
    valkey.start()
    assert not is_free(valkey.lock)
    second = Valkey(place)
    waiting = second.launch()
    time.sleep(0.3)
    assert waiting.poll() is None
    assert valkey.process
    assert say(valkey, b"INFO server").find(b"process_id:%d" % valkey.process.pid) > 0
    valkey.stop()
    end = time.monotonic() + 10
    while not second.is_ready() and time.monotonic() < end:
        time.sleep(0.02)
    assert second.is_ready()
    second.stop()
    assert is_free(second.lock)


OWNER = """
import os, signal
import psycopg
from casino.house.servers import temporary_servers
with temporary_servers() as servers:
    connection = psycopg.connect(servers.postgres.url("app"))
    os.kill(connection.info.backend_pid, signal.SIGSTOP)
    print(servers.postgres.place.house, servers.postgres.place.servers, flush=True)
    signal.pause()
"""


def test_nothing_holds_up_the_end_of_servers_whose_owner_is_killed() -> None:
    """Not even one of PostgreSQL's processes that is stopped."""
    with subprocess.Popen([sys.executable, "-c", OWNER], stdout=subprocess.PIPE) as owner:
        assert owner.stdout
        house, servers = map(Path, owner.stdout.readline().decode().split())
        owner.kill()
    locks = house / "postgres.lock", house / "valkey.lock"
    end = time.monotonic() + 20
    while not all(map(is_free, locks)) and time.monotonic() < end:
        time.sleep(0.1)
    assert all(map(is_free, locks))
    for left in (servers, house):
        shutil.rmtree(left)


def test_a_lock_file_of_another_program_does_not_stop_the_start(postgres: Postgres) -> None:
    """After a restart of the machine the old process id may be anybody's."""
    postgres.prepare()
    pid_file = postgres.folder / "postmaster.pid"
    postgres.run("/bin/sh", "-c", 'echo "$0" > "$1"', str(os.getpid()), str(pid_file))
    postgres.start()
    assert ask(postgres, "app", "SELECT 1") == 1


def test_a_broken_cluster_is_said_in_one_line(folder: Path, place: Place) -> None:
    broken = place_for(folder)
    server = Postgres(broken, durable=False)
    server.prepare()
    shutil.rmtree(server.folder / "global")
    with pytest.raises(ServerFailed) as caught:
        server.start()
    assert "pg_control" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_zombie_is_no_living_program() -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    time.sleep(0.1)
    assert not is_living_program(pid, "python")
    os.waitpid(pid, 0)
    assert is_living_program(os.getpid(), "python")
