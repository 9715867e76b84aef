"""Seals: no late commit is left out, and every kind of tampering is found."""

import errno
import json
import os
import threading
from collections.abc import Callable, Iterator
from hashlib import sha256
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from pytest_django import Settings

from casino.core import seal
from casino.core.errors import LogAltered, LogBusy
from casino.core.log import log
from casino.core.merkle import MerkleStream
from casino.core.models import LogEntry, LogSeal
from casino.core.verifying import verify
from tests.conftest import superuser

pytestmark = pytest.mark.django_db(transaction=True)

Tamper = Callable[[str], None]


@pytest.fixture
def tamper() -> Tamper:
    """A superuser with the triggers off: what only a seal can find out."""

    def run(statement: str) -> None:
        with superuser() as admin:
            admin.execute("SET session_replication_role = replica")
            admin.execute(statement)

    return run


def write(entries: int) -> list[int]:
    return [log("test.done", f"thing:{number}", None, {"n": number}) for number in range(entries)]


def found() -> list[str]:
    return [finding.what for finding in verify().findings]


def test_seals_cover_everything_once_and_verify() -> None:
    write(5)
    first = seal.seal_new()
    write(3)
    second = seal.seal_new()
    write(1)
    assert [one.entries for one in first + second] == [5, 3]
    assert seal.log_last_id() == second[-1].to_id + 1
    verdict = verify()
    assert (verdict.sound, verdict.seals, verdict.sealed_entries) == (True, 2, 8)
    assert verdict.unsealed_entries == 1


def test_nothing_new_makes_no_seal() -> None:
    write(1)
    assert len(seal.seal_new()) == 1
    assert seal.seal_new() == []


def test_a_long_log_is_sealed_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seal, "SEAL_ENTRIES_MAX", 4)
    write(10)
    assert [one.entries for one in seal.seal_new()] == [4, 4, 2]
    assert verify().sound


def test_an_edited_entry_is_found(tamper: Tamper) -> None:
    ids = write(3)
    seal.seal_new()
    tamper(f"UPDATE core_logentry SET facts = '{{\"n\": 99}}' WHERE id = {ids[1]}")
    altered = [one.entry_id for one in verify().findings if one.what == "altered"]
    assert altered == [ids[1]]


def test_an_edit_with_its_hash_made_good_is_found(tamper: Tamper) -> None:
    ids = write(3)
    seal.seal_new()
    tamper(
        "UPDATE core_logentry SET kind = 'other', content_hash = sha256(convert_to("
        f"log_content(id, at, actor_id, 'other', subject, facts), 'UTF8')) WHERE id = {ids[1]}"
    )
    assert found() == ["entries_differ_from_what_was_sealed"]


def test_a_deleted_entry_is_found(tamper: Tamper) -> None:
    ids = write(3)
    seal.seal_new()
    tamper(f"DELETE FROM core_logentry WHERE id = {ids[1]}")
    assert found() == ["1_entries_are_missing"]


def test_an_inserted_entry_is_found(tamper: Tamper) -> None:
    write(3)
    seal.seal_new()
    tamper(
        "INSERT INTO core_logentry (id, at, kind, subject, facts, content_hash)"
        " OVERRIDING SYSTEM VALUE VALUES (1, now(), 'x', 'y', '{}', sha256('')),"
        " (0, now(), 'x', 'y', '{}', sha256(''))"
    )
    assert {"1_entries_were_inserted", "inserted_before_the_first"} <= set(found())


def test_swapped_entries_are_found(tamper: Tamper) -> None:
    one, two, _ = write(3)
    seal.seal_new()
    tamper(
        f"UPDATE core_logentry SET id = -id WHERE id IN ({one}, {two});"
        f"UPDATE core_logentry SET id = CASE id WHEN -{one} THEN {two} ELSE {one} END"
        f" WHERE id IN (-{one}, -{two})"
    )
    assert "altered" in found()


def test_a_cut_end_is_found_by_a_head_kept_elsewhere(tamper: Tamper) -> None:
    write(3)
    seal.seal_new()
    write(3)
    kept = seal.head(seal.seal_new()[-1])
    assert kept is not None
    assert verify([kept]).sound
    last = LogSeal.objects.order_by("-id")[0]
    tamper(
        f"DELETE FROM core_logseal WHERE id = {last.pk};"
        f"DELETE FROM core_logentry WHERE id >= {last.from_id}"
    )
    assert verify().sound
    assert [one.what for one in verify([kept]).findings] == ["exported_head_is_gone"]


def test_a_rewritten_end_is_found_by_a_head_kept_elsewhere(tamper: Tamper) -> None:
    write(3)
    kept = seal.head(seal.seal_new()[-1])
    assert kept is not None
    tamper("DELETE FROM core_logseal; DELETE FROM core_logentry")
    write(3)
    seal.seal_new()
    assert verify().sound
    assert [one.what for one in verify([kept]).findings] == ["exported_head_differs"]


def test_a_head_that_somebody_else_signed_is_refused(settings: Settings) -> None:
    write(1)
    kept = seal.head(seal.seal_new()[-1])
    assert kept is not None
    kept["signed"] = kept["signed"].replace('"seal-1",1', '"seal-1",2')
    assert [one.what for one in verify([kept]).findings] == ["exported_head_is_not_ours"]


def test_seals_by_a_key_we_do_not_trust_are_found(settings: Settings) -> None:
    write(1)
    seal.seal_new()
    former = seal.head()
    assert former is not None
    settings.LOG_SIGNING_KEY = "C" * 43 + "="
    assert found() == ["signed_by_an_unknown_key"]
    settings.LOG_FORMER_PUBLIC_KEYS = [former["public_key"]]
    assert verify().sound


def test_a_removed_seal_is_found(tamper: Tamper) -> None:
    for _ in range(3):
        write(1)
        seal.seal_new()
    tamper("DELETE FROM core_logseal WHERE id = 2")
    assert "does_not_follow_the_seal_before" in found()


def test_an_altered_entry_is_not_sealed(tamper: Tamper) -> None:
    ids = write(2)
    tamper(f"UPDATE core_logentry SET kind = 'other' WHERE id = {ids[0]}")
    with pytest.raises(LogAltered):
        seal.seal_new()


def test_the_sealer_waits_for_a_writer_that_took_its_id_first() -> None:
    """The late commit with the smaller id ends up under the same seal."""
    took_id, may_commit = threading.Event(), threading.Event()
    ids: list[int] = []

    def writer() -> None:
        with transaction.atomic():
            ids.append(log("test.slow", "thing:1", None))
            took_id.set()
            may_commit.wait(10)
        connection.close()

    thread = threading.Thread(target=writer)
    thread.start()
    took_id.wait(10)
    seals: list[LogSeal] = []

    def sealer() -> None:
        seals.extend(seal.seal_new())
        connection.close()

    sealing = threading.Thread(target=sealer)
    log("test.quick", "thing:2", None)
    sealing.start()
    sealing.join(0.3)
    assert sealing.is_alive()
    may_commit.set()
    thread.join(10)
    sealing.join(10)
    assert [one.entries for one in seals] == [2]
    assert verify().sound


def test_the_sealer_gives_way_to_a_writer_that_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """And while it tries, it holds nobody else up for long."""
    monkeypatch.setattr(seal, "LOCK_TRIES", 8)
    refused: list[LogBusy] = []

    def seal_in_vain() -> None:
        try:
            seal.seal_new()
        except LogBusy as error:
            refused.append(error)
        finally:
            connection.close()

    took_id, may_commit = threading.Event(), threading.Event()

    def writer() -> None:
        with transaction.atomic():
            log("test.slow", "thing:1", None)
            took_id.set()
            may_commit.wait(10)
        connection.close()

    thread = threading.Thread(target=writer)
    thread.start()
    took_id.wait(10)
    sealing = threading.Thread(target=seal_in_vain)
    sealing.start()
    try:
        written = 0
        while sealing.is_alive():
            written += len(write(1))
        assert written >= 5
    finally:
        sealing.join(10)
        may_commit.set()
        thread.join(10)
    assert len(refused) == 1


def test_many_sealers_and_writers_leave_one_unbroken_chain() -> None:
    failures: list[BaseException] = []

    def busy(work: Callable[[], object], times: int) -> None:
        try:
            for _ in range(times):
                work()
        except BaseException as error:
            failures.append(error)
        finally:
            connection.close()

    writers = [threading.Thread(target=busy, args=(lambda: write(1), 40)) for _ in range(4)]
    sealers = [threading.Thread(target=busy, args=(seal.seal_new, 8)) for _ in range(3)]
    for thread in writers + sealers:
        thread.start()
    for thread in writers + sealers:
        thread.join(60)
    seal.seal_new()
    verdict = verify()
    assert failures == []
    assert verdict.sound
    assert (verdict.sealed_entries, verdict.unsealed_entries) == (LogEntry.objects.count(), 0)


class Ledger:
    """A stream of rows that belong to another app."""

    name = "books"

    def __init__(self) -> None:
        self.rows = {1: b"a", 2: b"b", 4: b"d"}

    def last_id(self) -> int:
        return max(self.rows)

    def hashes(self, from_id: int, to_id: int) -> Iterator[tuple[int, bytes]]:
        return ((key, row) for key, row in self.rows.items() if from_id <= key <= to_id)


def test_another_apps_rows_come_under_the_same_seals(monkeypatch: pytest.MonkeyPatch) -> None:
    books = Ledger()
    monkeypatch.setitem(seal.STREAMS, "books", books)
    seal.seal_new()
    books.rows[5] = b"e"
    seal.seal_new()
    assert [entry.facts["to"] for entry in seal.stream_entries("books").order_by("id")] == [4, 5]
    assert verify().sound
    books.rows[2] = b"changed"
    assert found() == ["books_rows_1_to_4_differ_from_what_was_sealed"]


def test_the_commands_seal_export_and_verify(tmp_path: Path, tamper: Tamper) -> None:
    ids = write(2)
    head = tmp_path / "head.json"
    said = StringIO()
    call_command("seal_log", head=head, stdout=said)
    assert "2 entries sealed" in said.getvalue()
    assert json.loads(head.read_text())["format"] == "log-head-1"
    call_command("verify_log", head=[head], stdout=said)
    assert "the log is sound: 1 seals over 2 entries, 0 not sealed yet" in said.getvalue()
    tamper(f"DELETE FROM core_logentry WHERE id = {ids[0]}")
    with pytest.raises(CommandError, match="not sound"):
        call_command("verify_log", stdout=said, stderr=StringIO())


def test_a_head_that_cannot_be_written_leaves_the_one_of_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(1)
    head = tmp_path / "head.json"
    call_command("seal_log", head=head, stdout=StringIO())
    before = head.read_text()
    write(1)

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(os, "fsync", full)
        with pytest.raises(CommandError, match="No space left"):
            call_command("seal_log", head=head, stdout=StringIO())
    assert head.read_text() == before
    call_command("seal_log", head=head, stdout=StringIO())
    assert head.read_text() != before
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("seal_log", head=tmp_path / "nowhere" / "head.json", stdout=StringIO())


def test_a_log_that_cannot_be_sealed_is_told_in_one_line(settings: Settings) -> None:
    write(1)
    settings.LOG_SIGNING_KEY = "none"
    with pytest.raises(CommandError, match="LOG_SIGNING_KEY is not"):
        call_command("seal_log", stdout=StringIO())


def test_an_exported_log_can_be_checked_against_a_head_alone(tmp_path: Path) -> None:
    log("test.done", 'thing:"1"', None, {"ż": ["\x01\n\\", None, 1.50, {}]})
    write(6)
    kept = seal.head(seal.seal_new()[-1])
    assert kept is not None
    said = StringIO()
    call_command("export_log", tmp_path / "log", stdout=said)
    lines = (tmp_path / "log").read_bytes().splitlines()
    tree = MerkleStream()
    for line in lines:
        assert json.loads(line)[0] == "log-1"
        tree.add(sha256(line).digest())
    signed = json.loads(kept["signed"])
    assert (tree.count, tree.root().hex()) == (signed[4], signed[5])
    assert said.getvalue().startswith("7 entries, sha256 ")
