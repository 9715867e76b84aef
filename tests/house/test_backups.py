"""A backup is one moment of a house that goes on; it comes back whole or not at all."""

import errno
import json
import os
import signal
import subprocess
import sys
from argparse import Namespace
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from casino.core.log import log
from casino.core.models import LogSeal
from casino.core.seal import head, seal_new
from casino.core.telling import nobody
from casino.env import read_file
from casino.house import backups, doctor, restoring
from casino.house.errors import BackupRefused, FolderUnusable, RestoreRefused
from casino.house.housefile import KEYS, write_house_file
from casino.house.places import ROOT, installed_binaries
from casino.house.supervisor import House, lock_house
from tables import beliefs, vault
from tables.models import Deck, HandSecret, Table
from tests.conftest import NAME
from tests.plugin import servers
from tests.tables.dealing_cast import dealt, played_out, player, seated, table

pytestmark = pytest.mark.django_db(transaction=True)
EMPTY = "test_restored"
KILLED = """
import os, signal, sys
from casino.house import restoring
restoring.Postgres.start = lambda server: os.kill(os.getpid(), signal.SIGKILL)
restoring.main(sys.argv[1:])
"""
COMPARED = (
    "SELECT id, content_hash FROM core_logentry ORDER BY id",
    "SELECT * FROM wallets_leg ORDER BY id",
    "SELECT id, balance_minor FROM wallets_account ORDER BY id",
    "SELECT id, seq, state, deadline FROM tables_table ORDER BY id",
    "SELECT table_id, seq, events, private FROM tables_event ORDER BY 1, 2",
)


def url(database: str = NAME) -> str:
    return servers.postgres.url("owner", database)


@pytest.fixture
def house() -> None:
    at = table()
    seated(at, player("anna"), player("bert"))
    dealt(at)
    played_out(at)
    dealt(at)
    seal_new()


@pytest.fixture
def empty() -> Iterator[str]:
    with psycopg.connect(servers.postgres.superuser_url("postgres"), autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {EMPTY} OWNER owner")
        yield url(EMPTY)
        admin.execute(f"DROP DATABASE {EMPTY} WITH (FORCE)")


@pytest.fixture
def umask() -> Iterator[None]:
    """The process's own again: a command that makes files for its user alone changes it."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def rows(database: str) -> list[object]:
    with psycopg.connect(database) as reader:
        return [reader.execute(query).fetchall() for query in COMPARED]


def unpacked(dump: Path) -> str:
    """What a dump holds, as the SQL that would bring it back."""
    restore = str(installed_binaries().postgres("pg_restore"))
    command = [restore, "--file=-", str(dump)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def known() -> dict[str, set[str]]:
    return restoring.migrations_here()


def test_what_comes_back_is_what_was_there_and_says_where_it_ends(
    house: None, empty: str, tmp_path: Path
) -> None:
    folder = tmp_path / "monday"
    written = backups.back_up(url(), folder, head())
    before = rows(url())
    seated(table(name="later"), player("carl"))  # the house went on
    manifest = backups.bring_back(empty, folder, known())
    assert rows(empty) == before
    assert manifest == written
    assert manifest.hands_in_play == 1
    with psycopg.connect(empty) as reader:
        assert reader.execute("SELECT max(id) FROM tables_hand").fetchone() == (
            manifest.last_ids["hands"],
        )
    with psycopg.connect(servers.postgres.url("app", EMPTY)) as app, pytest.raises(psycopg.Error):
        app.execute("UPDATE wallets_account SET balance_minor = 1")  # its laws came along


def test_the_moment_of_a_backup_is_told_in_utc_whatever_the_servers_zone(
    house: None,
) -> None:
    began = datetime.now(UTC)
    with psycopg.connect(url(), options="-c TimeZone=Pacific/Auckland") as elsewhere:
        taken_at = backups._facts(elsewhere)["taken_at"]
    assert abs(datetime.fromisoformat(taken_at) - began) < timedelta(minutes=1)


def test_a_backup_holds_no_key_and_opens_no_card(house: None, tmp_path: Path) -> None:
    from django.conf import settings

    folder = tmp_path / "monday"
    backups.back_up(url(), folder, head())
    held = unpacked(folder / backups.DUMP) + "".join(
        (folder / name).read_text() for name in (backups.MANIFEST, backups.HEAD)
    )
    sealed = HandSecret.objects.count()
    assert held.count(HandSecret.objects.latest("pk").sealed.hex()) == 1
    for secret in (*settings.CARD_KEYS, settings.LOG_SIGNING_KEY, settings.SECRET_KEY):
        assert secret.rpartition(":")[2] not in held
    closed = Deck.objects.exclude(status=Deck.Status.OPENED)
    assert 1 < closed.count() <= sealed
    for deck in closed:
        secret = beliefs.secret_of(deck.pk)
        assert not [salt for salt in secret.salts[9:] if salt.hex() in held]  # 9 may be open
        assert ", ".join(map(str, secret.order)) not in held
        assert ",".join(map(str, secret.order)) not in held
    assert folder.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("connect_timeout=2&options=-cdefault_transaction_read_only%3Don", "read-only transaction"),
        ("sslmode=sideways", "sslmode"),
    ],
)
def test_what_an_address_says_of_the_line_reaches_the_programs_of_postgresql(
    house: None, empty: str, tmp_path: Path, options: str, said: str
) -> None:
    folder = tmp_path / "monday"
    backups.back_up(url(), folder, head())
    with pytest.raises(RestoreRefused, match=said):
        backups.bring_back(f"{empty}&{options}", folder, known())
    with pytest.raises(BackupRefused, match=r"database: .*sslmode"):
        backups.back_up(f"{url()}&sslmode=sideways", tmp_path / "tuesday", head())


def test_a_backup_of_another_database_than_was_sealed_is_refused(
    house: None, empty: str, tmp_path: Path
) -> None:
    folder = tmp_path / "monday"
    backups.back_up(url(), folder, head())
    backups.bring_back(empty, folder, known())  # a house of the same kind, an hour ago
    log("test.went_on", "house", None, {})
    seal_new()
    with pytest.raises(BackupRefused, match="lacks DATABASE_URL's last seal"):
        backups.back_up(empty, tmp_path / "tuesday", head())
    assert not (tmp_path / "tuesday").exists()


@pytest.mark.parametrize(
    ("name", "address", "said"),
    [
        ("DATABASE_OWNER_URL", "postgresql://owner@/nowhere?host=/nowhere", "the database: "),
        ("DATABASE_OWNER_URL", "nonsense", "the database: "),
        ("DATABASE_OWNER_URL", "", "not set"),
    ],
)
def test_a_backup_that_cannot_be_read_ends_with_one_line(
    house: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, address: str, said: str
) -> None:
    monkeypatch.setenv(name, address)
    monkeypatch.setenv("CROUPIER_DATA", str(tmp_path))
    with pytest.raises(CommandError, match=said) as refused:
        call_command("backup", str(tmp_path / "monday"), stderr=StringIO())
    assert len(str(refused.value).splitlines()) == 1


def test_a_disk_that_is_full_refuses_a_backup(
    house: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, content: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(backups, "_write", full)
    with pytest.raises(BackupRefused, match="no space left"):
        backups.back_up(url(), tmp_path / "monday", head())
    assert not (tmp_path / "monday").exists()


def test_nothing_is_overwritten(house: None, tmp_path: Path) -> None:
    folder = tmp_path / "monday"
    folder.mkdir()
    with pytest.raises(BackupRefused, match="there already"):
        backups.back_up(url(), folder, head())
    assert not list(folder.iterdir())


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (lambda folder: (folder / backups.DUMP).open("ab").write(b"x"), "SHA-256"),
        (lambda folder: (folder / backups.MANIFEST).write_text("{"), "not JSON"),
        (lambda folder: (folder / backups.MANIFEST).write_text("{}"), "no backup of the format"),
        (lambda folder: (folder / backups.MANIFEST).unlink(), "cannot be read"),
    ],
)
def test_a_damaged_backup_is_not_restored(
    house: None, empty: str, tmp_path: Path, harm: object, said: str
) -> None:
    folder = tmp_path / "monday"
    backups.back_up(url(), folder, head())
    assert callable(harm)
    harm(folder)
    with pytest.raises(RestoreRefused, match=said):
        backups.bring_back(empty, folder, known())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["{monday}", "--data", "{new}"], "the keys of the old house are needed"),
        (["{monday}", "--data", "{new}", "--keys", "{tmp}"], "cannot be read as a house.env"),
        (["{monday}", "--data", "{new}", "--keys", "{tmp}/nowhere"], "nowhere is not there"),
        (["{monday}", "--data", "{new}", "--keys", "{dump}"], "cannot be read as a house.env"),
        (["{monday}", "--data", "{dump}", "--keys", "{keys}"], "cannot be used"),
        (["{tmp}/nowhere", "--data", "{new}", "--keys", "{keys}"], "is no backup"),
        (["{monday}", "--later-head", "{dump}"], "is no exported head"),
        (["{monday}", "--later-head", "{forged}"], "that no key of this house has signed"),
        (
            ["{monday}", "--data", "{new}", "--keys", "{keys}", "--later-head", "{head}"],
            "that no key of this house has signed",
        ),
    ],
)
def test_a_restore_that_is_refused_leaves_nothing_so_that_it_can_be_tried_again(
    house: None,
    umask: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    said: str,
) -> None:
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)
    write_house_file(tmp_path, "demo", {})
    monday, new = tmp_path / "monday", tmp_path / "new"
    backups.back_up(url(), monday, head())
    signed = head()
    assert signed is not None
    forged = tmp_path / "forged.json"
    seal_id, last = LogSeal.objects.values_list("id", "to_id").latest("id")
    told = json.loads(signed["signed"])
    assert (told[1], told[restoring.TO_ID]) == (seal_id, last)
    told[restoring.TO_ID] += 1_000
    forged.write_text(json.dumps({**signed, "signed": json.dumps(told, separators=(",", ":"))}))
    places = {
        "monday": monday, "new": new, "tmp": tmp_path, "dump": monday / backups.DUMP,
        "keys": tmp_path / "house.env", "forged": forged, "head": monday / backups.HEAD,
    }  # fmt: skip
    assert restoring.main([word.format(**places) for word in words]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line
    assert not new.exists()


def test_a_house_is_restored_with_its_keys_and_proven(
    house: None, umask: None, folder: Path, settings: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    monday, new, keys = folder / "monday", folder / "new", folder / "old.env"
    backups.back_up(url(), monday, head())
    kept = {
        "SECRET_KEY": settings.SECRET_KEY, "CARD_KEYS": ",".join(settings.CARD_KEYS),
        "LOG_SIGNING_KEY": settings.LOG_SIGNING_KEY,
    }  # fmt: skip
    keys.write_text("".join(f"{name}={value}\n" for name, value in kept.items()))
    log("test.went_on", "house", None, {})
    seal_new()
    later = folder / "later.json"
    later.write_text(json.dumps(head()))
    words = [str(monday), "--data", str(new), "--keys", str(keys), "--later-head", str(later)]
    assert restoring.main(words) == 0, capsys.readouterr()
    report = json.loads(capsys.readouterr().out)
    assert report["ok"]
    assert report["hands_in_play"] == 1
    assert report["log_entries_lost"] == 1
    assert read_file(new / "house.env").items() >= kept.items()
    assert (new / "house.env").stat().st_mode & 0o777 == 0o600
    assert restoring.main(words) == 1  # it is there now, and stays
    assert "a backup is restored into an empty one" in capsys.readouterr().err


def test_a_restore_that_was_killed_says_what_to_remove_and_no_house_opens_on_it(
    house: None, umask: None, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monday, new = folder / "monday", folder / "new"
    write_house_file(folder, "demo", {})
    backups.back_up(url(), monday, head())
    words = [str(monday), "--data", str(new), "--keys", str(folder / "house.env")]
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, *words], cwd=ROOT, capture_output=True, check=False
    )
    assert killed.returncode == -signal.SIGKILL, killed
    with lock_house(new):  # as long as one goes on there it may end well
        assert restoring.main(words) == 1
    assert "already open" in capsys.readouterr().err
    said = "a restore into it was broken off; remove it"
    assert restoring.main(words) == 1
    assert said in capsys.readouterr().err
    with pytest.raises(FolderUnusable, match=said):
        House(new, port=0).start()


def test_what_a_restore_proves_is_not_some_other_house(
    house: None, empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monday = tmp_path / "monday"
    backups.back_up(url(), monday, head())
    monkeypatch.setenv("DATABASE_OWNER_URL", empty)
    monkeypatch.setenv("DATABASE_URL", servers.postgres.url("app", NAME))
    options = Namespace(folder=monday, data=None, keys=None, later_head=None)
    with pytest.raises(RestoreRefused, match="not empty"):
        restoring.restored(options, nobody)
    backups.require_empty(empty)


def test_a_backup_of_another_version_or_into_a_used_database_is_refused(
    house: None, tmp_path: Path
) -> None:
    folder = tmp_path / "monday"
    backups.back_up(url(), folder, head())
    with pytest.raises(RestoreRefused, match="is unknown here"):
        backups.bring_back(url(), folder, known() | {"wallets": set()})
    before = rows(url())
    with pytest.raises(RestoreRefused, match="not empty"):
        backups.bring_back(url(), folder, known())
    assert rows(url()) == before


def test_the_doctor_finds_a_silent_house_and_cards_that_no_key_opens(
    house: None, settings: object, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("doctor", "--at-rest", "--json")
    assert json.loads(capsys.readouterr().out)["ok"]
    with connection.cursor() as cursor:
        cursor.execute("UPDATE tables_pulse SET at = at - interval '1 minute'")
        cursor.execute("UPDATE tables_handsecret SET sealed = 'gone' || sealed")
    with pytest.raises(CommandError):
        call_command("doctor", "--json")
    answer = json.loads(capsys.readouterr().out)
    faults = {finding["words"] for finding in answer["findings"] if finding["grade"] == "fault"}
    assert {"no web process is alive", "no clock process is alive"} <= faults
    unread = "the cards of 1 hands in play open with no key: bring the key into CARD_KEYS;"
    assert f"{unread} where it is lost, void those hands" in faults


def faults_found(*, at_rest: bool = True) -> dict[str, str]:
    found = doctor.examine(at_rest=at_rest)
    return {each.question: each.words for each in found if each.grade == doctor.FAULT}


def test_the_doctor_tries_the_keys_though_no_hand_is_in_play(settings: Any) -> None:
    at = table()
    seated(at, player("anna"), player("bert"))
    dealt(at)
    played_out(at)
    assert not faults_found()
    lost = settings.CARD_KEYS
    try:
        settings.CARD_KEYS = [f"{lost[0].partition(':')[0]}:{'C' * 43}="]
        vault.keys.cache_clear()
        assert "without it they have no proof" in faults_found()["keys"]
        Table.objects.update(status=Table.Status.CLOSED)  # as hands of another house's archive
        assert not faults_found()
    finally:
        settings.CARD_KEYS = lost
        vault.keys.cache_clear()


def test_the_doctor_finds_a_database_that_takes_no_writes() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET default_transaction_read_only = on")
    try:
        assert "takes no writes" in faults_found()["database"]
    finally:
        connection.close()


def test_the_doctor_asks_everything_though_a_question_fails(
    house: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def _broken() -> Iterator[doctor.Finding]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT * FROM nowhere")
        yield doctor.Finding("broken", doctor.WELL, "")

    monkeypatch.setattr(doctor, "AT_REST", (doctor._database, _broken, *doctor.AT_REST[1:]))
    asked = {finding.question for finding in doctor.examine(at_rest=True)}
    assert {"database", "broken", "schema", "keys", "books"} <= asked


def test_an_address_of_valkey_that_is_none_is_a_fault_of_its_own(
    settings: Any,
) -> None:
    settings.REDIS_URL = "nonsense"
    assert "valkey" in faults_found(at_rest=False)
