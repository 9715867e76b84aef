"""Hands that are written to an archive come back in another house, to the byte."""

import errno
import gzip
import json
from base64 import b64encode
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.utils import timezone

from casino.core.log import log
from casino.core.models import User
from casino.core.seal import seal_new, sign, signing_key
from casino.house import archives
from casino.house.errors import ArchiveRefused
from tables import beliefs
from tables.errors import StatusNotPossible
from tables.models import Event, Hand, HandArchive, Table
from tables.services import floor, packing
from tests.tables.dealing_cast import (
    dealt,
    played_out,
    player,
    run_out,
    seated,
    table,
    three_card_table,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """An archive of three hands of a house that is gone; the first of them was packed."""
    folder = tmp_path / "archive"
    house = transaction.savepoint()  # no block of its own: sealing commits by itself
    at = table()
    seated(at, player("ann"), player("bob"))
    for _ in range(3):
        dealt(at)
        played_out(at)
    dealt(at)  # runs on: no hand for an archive
    Hand.objects.filter(number=1).update(settled_at=timezone.now() - timedelta(days=40))
    log("test.passed", "house:1", None)
    seal_new()
    assert packing.hands_pack() == 1
    archives.export(folder)
    transaction.savepoint_rollback(house)
    beliefs.forget(at.pk)
    assert not Hand.objects.exists()
    return folder


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("hands-*")}


def facts(folder: Path) -> Any:
    return json.loads((folder / archives.MANIFEST).read_text())


def test_hands_come_back_to_the_byte_and_are_played_again(written: Path, tmp_path: Path) -> None:
    done = archives.bring_back(written, replays=10)
    assert done == (3, 0, 3)
    archives.export(tmp_path / "again")
    assert files(tmp_path / "again") == files(written)
    before, after = facts(written), facts(tmp_path / "again")
    assert {**before, "head": None} == {**after, "head": None}
    assert archives.bring_back(written, replays=0) == (0, 3, 0), "a second time adds nothing"
    archived = Table.objects.get()
    assert archived.status == Table.Status.CLOSED
    with pytest.raises(StatusNotPossible):
        floor.table_resume(table_id=archived.pk)
    assert not User.objects.filter(username__startswith="archived-", is_active=True).exists()
    newcomer = table(name="new")
    seated(newcomer, player("dan"), player("eve"))
    assert dealt(newcomer).pk > Hand.objects.filter(table__name="holdem").latest("pk").pk


def test_a_later_archive_of_a_house_that_played_on_follows_the_first(tmp_path: Path) -> None:
    house, parts = transaction.savepoint(), [tmp_path / "first", tmp_path / "second"]
    at, ann = table(), player("ann")
    seated(at, ann, player("bob"))
    after = 0
    for part in parts:
        dealt(at)
        after, before = played_out(at).pk, after
        archives.export(part, after=before)
        User.objects.filter(pk=ann.pk).update(display_name="Anna")
    transaction.savepoint_rollback(house)
    beliefs.forget(at.pk)
    for part in parts:
        assert archives.bring_back(part, replays=1) == (1, 0, 1)
    assert Table.objects.get().hand_number == 2
    archives.export(tmp_path / "both")
    assert b"".join(gzip.decompress(*files(part).values()) for part in parts) == gzip.decompress(
        *files(tmp_path / "both").values()
    )


def test_an_archive_ends_before_the_first_hand_in_play(tmp_path: Path) -> None:
    slow, quick = table(name="slow"), table(name="quick")
    for at, names in ((slow, ("ann", "bob")), (quick, ("cyd", "dan"))):
        seated(at, *map(player, names))
    first = dealt(slow)
    dealt(quick)
    second = played_out(quick)
    early = archives.export(tmp_path / "early")
    assert (early.last, early.hands) == (first.pk - 1, 0)
    played_out(slow)
    later = archives.export(tmp_path / "later", after=early.last)
    assert (later.last, later.hands) == (second.pk, 2)


def test_a_house_deals_on_though_an_archive_was_read_in_part(
    written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks_off(path: Path) -> Iterator[list[str]]:
        yield next(batches(path))
        raise KeyboardInterrupt

    batches = archives._batches
    monkeypatch.setattr(archives, "AT_ONCE", 1)
    monkeypatch.setattr(archives, "_batches", breaks_off)
    with pytest.raises(KeyboardInterrupt):
        archives.bring_back(written, replays=0)
    newcomer = table(name="new")
    seated(newcomer, player("dan"), player("eve"))
    assert dealt(newcomer).pk > Hand.objects.filter(table__name="holdem").get().pk


def test_what_was_brought_back_is_packed_like_any_other(written: Path, tmp_path: Path) -> None:
    archives.bring_back(written, replays=0)
    Hand.objects.update(settled_at=timezone.now() - timedelta(days=40))
    archives.export(tmp_path / "before")
    log("test.passed", "house:1", None)
    seal_new()
    assert packing.hands_pack() == 3  # the hand that ran on is the newest of the table
    assert not Event.objects.exclude(hand_id=None).exists()
    assert HandArchive.objects.count() == 3
    archives.export(tmp_path / "after")
    assert files(tmp_path / "before") == files(tmp_path / "after")


def test_a_round_against_the_house_comes_back_too(tmp_path: Path) -> None:
    with transaction.atomic():
        at = three_card_table()
        seated(at, player("cyd"))
        dealt(at)
        hand = run_out(at)
        Hand.objects.filter(pk=hand.pk).update(status="voided", settled_at=timezone.now())
        archives.export(tmp_path / "round")
        transaction.set_rollback(True)
    beliefs.forget(at.pk)
    assert archives.bring_back(tmp_path / "round", replays=1) == (1, 0, 0)
    archives.export(tmp_path / "again")
    assert files(tmp_path / "again") == files(tmp_path / "round")


def test_hidden_cards_stay_encrypted_in_an_archive(written: Path) -> None:
    (text,) = (gzip.decompress(data).decode() for data in files(written).values())
    lines = [json.loads(line) for line in text.splitlines()]
    assert all(line["secrets"] and line["decks"] for line in lines)
    for line in lines:
        for row in line["events"]:
            assert row["private"] is None or row["private"].startswith("\\x")
            assert all("private" not in one for one in json.loads(row["events"]))


def test_what_was_altered_or_is_nobodys_is_refused_whole(written: Path, settings: Any) -> None:
    (name, data), *_ = files(written).items()
    (written / name).write_bytes(data[:-1] + b"x")
    with pytest.raises(ArchiveRefused, match="not as it was written"):
        archives.bring_back(written, replays=0)
    (written / name).write_bytes(data)
    key = b64encode(signing_key().public_key().public_bytes_raw()).decode()
    settings.LOG_SIGNING_KEY = b64encode(bytes(range(32))).decode()
    with pytest.raises(CommandError, match="signed"):
        call_command("archive_import", written)
    for wrong in ("not base64", "AAAA"):
        with pytest.raises(CommandError):
            call_command("archive_import", written, "--key", wrong)
    assert not Hand.objects.exists()
    call_command("archive_import", written, "--key", key, "--replays", "1")
    assert Hand.objects.count() == 3


def test_another_hand_or_person_under_the_same_number_is_refused(written: Path) -> None:
    archives.bring_back(written, replays=0)
    Hand.objects.filter(number=2).update(result={})
    with pytest.raises(ArchiveRefused, match=r"hand .* is another one here"):
        archives.bring_back(written, replays=0)
    who = User.objects.filter(username__startswith="archived-").earliest("pk")
    User.objects.filter(pk=who.pk).update(date_joined=timezone.now())
    with pytest.raises(ArchiveRefused, match=r"core_user .* is another one here"):
        archives.bring_back(written, replays=0)


def test_a_file_of_another_folder_is_not_read(written: Path) -> None:
    (name, data), *_ = files(written).items()
    (written.parent / name).write_bytes(data)
    text = (written / archives.MANIFEST).read_text().replace(name, f"../{name}").encode()
    (written / archives.MANIFEST).write_bytes(text)
    (written / archives.SIGNATURE).write_text(sign(text))
    with pytest.raises(ArchiveRefused, match="another folder"):
        archives.bring_back(written, replays=0)


def test_a_disk_that_is_full_refuses_an_archive_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*arguments: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(archives, "_written", full)
    with pytest.raises(CommandError, match="no space left"):
        call_command("archive_export", str(tmp_path / "archive"))
    with pytest.raises(ArchiveRefused, match="cannot be read"):
        archives.bring_back(tmp_path / "archive", replays=0)


def test_an_export_is_for_its_own_user_alone_and_overwrites_nothing(written: Path) -> None:
    assert written.stat().st_mode & 0o077 == 0
    with pytest.raises(ArchiveRefused):
        archives.export(written)
