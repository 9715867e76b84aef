"""The file of a house's keys and addresses."""

import os
from pathlib import Path

import pytest

from casino.env import read_file
from casino.house.errors import FolderUnusable
from casino.house.housefile import KEYS, write_house_file


def test_keys_are_made_once_and_stay_with_the_data(tmp_path: Path) -> None:
    write_house_file(tmp_path, "demo", {"DATABASE_URL": "first"})
    first = read_file(tmp_path / "house.env")
    write_house_file(tmp_path, "demo", {"DATABASE_URL": "second"})
    second = read_file(tmp_path / "house.env")
    assert {first[key] for key in KEYS} == {second[key] for key in KEYS}
    assert second["DATABASE_URL"] == "second"


def test_two_houses_have_different_keys(tmp_path: Path) -> None:
    files = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        write_house_file(tmp_path / name, "demo", {})
        files.append(read_file(tmp_path / name / "house.env"))
    assert all(files[0][key] != files[1][key] for key in KEYS)


def test_only_its_owner_reads_it(tmp_path: Path) -> None:
    write_house_file(tmp_path, "demo", {})
    assert (tmp_path / "house.env").stat().st_mode & 0o777 == 0o600


def test_keys_are_on_the_disk_before_anything_is_sealed_with_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushed: list[tuple[str, bool]] = []

    def seen(descriptor: int) -> None:
        name = os.readlink(f"/proc/self/fd/{descriptor}")
        flushed.append((name, (tmp_path / "house.env").exists()))

    monkeypatch.setattr(os, "fsync", seen)
    write_house_file(tmp_path, "demo", {})
    assert flushed == [(str(tmp_path / "house.new"), False), (str(tmp_path), True)]


def test_a_production_house_is_given_no_keys(tmp_path: Path) -> None:
    write_house_file(tmp_path, "production", {"PORT": "8000"})
    assert read_file(tmp_path / "house.env") == {"PORT": "8000"}


def test_production_does_not_take_over_a_demo_house(tmp_path: Path) -> None:
    write_house_file(tmp_path, "demo", {})
    with pytest.raises(FolderUnusable, match="demo house"):
        write_house_file(tmp_path, "production", {})
