"""A base backup and the archived write-ahead log: a house as it was at any moment since."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from casino.house import restoring
from casino.house.places import ROOT, Place, installed_binaries, run_as, temporary_place
from casino.house.servers import Postgres

pytestmark = [pytest.mark.slow, pytest.mark.house]

PLAYED = """
import json, sys
from unittest.mock import patch
from django.db import connection
from tables import jobs
from tables.models import Hand, Table
from tests.tables.dealing_cast import dealt, played_out, player, seated, table
with patch.object(jobs, "send", lambda *task: True):
    at = Table.objects.first()
    if at is None:
        at = table()
        seated(at, player("anna"), player("bert"))
    for _ in range(3):
        dealt(at)
        played_out(at)
with connection.cursor() as cursor:
    cursor.execute("SELECT clock_timestamp()::text, pg_current_wal_lsn()::text")
    print(json.dumps([Hand.objects.latest("pk").pk, *cursor.fetchone()]))
"""
ARCHIVED = """
    SELECT last_archived_wal >= pg_walfile_name(pg_current_wal_lsn() - 1) FROM pg_stat_archiver
"""
RECOVER = 'mv "$0" "$1" && touch "$1/recovery.signal"'


def documented(setting: str) -> str:
    """What docs/operations.md says a setting is, to the letter."""
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    (value,) = re.findall(rf"^{setting} = '(.+)'", page, re.MULTILINE)
    return str(value)


class Archiving(Postgres):
    """As docs/operations.md says to set a real server."""

    recovering: tuple[str, ...] = ()

    @property
    def archive(self) -> Path:
        return self.place.servers / "archive"

    def folders(self) -> tuple[Path, ...]:
        return (*super().folders(), self.archive)

    def command(self) -> list[str]:
        kept = documented("archive_command").replace("/archive", str(self.archive))
        settings = ("wal_level=replica", "max_wal_senders=2", "archive_mode=on",
                    f"archive_command={kept}", *self.recovering)  # fmt: skip
        return [*super().command(), *(word for one in settings for word in ("-c", one))]

    def furnish(self) -> None:
        end = time.monotonic() + 30  # it answers before it is through with the archive
        while self.psql("postgres", "\\t\nSELECT pg_is_in_recovery();").strip() == "t":
            assert time.monotonic() < end, "the recovery does not end"
            time.sleep(0.1)
        super().furnish()

    def write(self, name: str, text: str) -> None:
        if name == "pg_hba.conf":
            text += "local replication all peer map=croupier\n"
        super().write(name, text)


@pytest.fixture
def place() -> Iterator[Place]:
    made = temporary_place()
    yield made
    shutil.rmtree(made.servers, ignore_errors=True)
    shutil.rmtree(made.house, ignore_errors=True)


def environment(server: Postgres) -> dict[str, str]:
    return {
        **os.environ, "DATABASE_URL": server.url("app"), "DATABASE_OWNER_URL": server.url("owner"),
        "CROUPIER_ENV": "test", "CROUPIER_DATA": str(server.place.house), "PYTHONPATH": str(ROOT),
    }  # fmt: skip


def manage(server: Postgres, *words: str, **more: str) -> str:
    done = subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=ROOT, env=environment(server) | more, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def played(server: Postgres) -> list[str]:
    out = manage(server, "shell", "--no-imports", "-c", PLAYED)
    return list(json.loads(out.splitlines()[-1]))


def archived_again(server: Archiving, admin: psycopg.Connection) -> None:
    """A server that was killed right after it archived a segment hands it over once more, and one
    killed while it archived has left half of it; neither stops the archive."""
    half = 'cd "$0" && for one in *.done; do mv "$one" "${one%done}ready"; done; echo x > "$1"'
    status = server.folder / "pg_wal" / "archive_status"
    (segment,) = admin.execute("SELECT pg_walfile_name(pg_switch_wal())").fetchone()
    server.run("/bin/sh", "-c", half, str(status), f"{server.archive / segment}.part")
    end = time.monotonic() + 30
    count = "SELECT failed_count, (SELECT count(*) FROM pg_ls_archive_statusdir() WHERE name LIKE"
    count += " '%ready') FROM pg_stat_archiver"
    while (found := admin.execute(count).fetchone()) != (0, 0):
        assert found[0] == 0, f"the archive fails: {server.last_words()}"
        assert time.monotonic() < end, "the log was not archived again"
        admin.execute("SELECT pg_switch_wal()")
        time.sleep(0.3)


def test_a_house_comes_back_as_it_was_at_a_moment_that_nobody_saved(place: Place) -> None:
    server = Archiving(place, durable=True)
    server.start()
    manage(server, "migrate", "--no-input", CROUPIER_ROLE="owner")
    played(server)
    base = place.servers / "base"
    taken = run_as(
        place.account, str(installed_binaries().postgres("pg_basebackup")), "-D", str(base),
        "-h", str(place.sockets), "-U", "postgres", "-X", "none", "--checkpoint=fast",
    )  # fmt: skip
    assert taken.returncode == 0, taken.stderr
    last, moment, _ = played(server)
    later, *_ = played(server)
    assert later > last
    with psycopg.connect(server.superuser_url(), autocommit=True) as admin:
        admin.execute("SELECT pg_switch_wal()")  # a running house fills its segments by itself
        end = time.monotonic() + 20
        while admin.execute(ARCHIVED).fetchone() != (True,):
            assert time.monotonic() < end, "the log was not archived"
            time.sleep(0.1)
        archived_again(server, admin)
    server.stop()

    began = time.monotonic()
    shutil.rmtree(server.folder)  # the disk is lost: base and archive lie elsewhere
    server.run(
        "/bin/sh", "-c", 'mv "$0" "$1" && touch "$1/recovery.signal"', str(base), str(server.folder)
    )
    server.recovering = (
        f"restore_command={documented('restore_command')}".replace("/archive", str(server.archive)),
        f"recovery_target_time={moment}",
        "recovery_target_action=promote",
    )  # fmt: skip
    server.start()
    try:
        where = restoring.Target(server.url("owner"), server.url("app"), environment(server))
        with psycopg.connect(server.url("app")) as app:
            assert app.execute("SELECT max(id) FROM tables_hand").fetchone() == (last,)
        assert restoring.command(where, "verify_ledger")["ok"]
        print(f"recovered and proven in {time.monotonic() - began:.1f} s")
        again, *_ = played(server)  # and the house goes on
        assert again > last
    finally:
        server.stop()
