"""The trial of two versions: which program a part runs, and what is refused."""

import subprocess
from pathlib import Path

import pytest

from casino.house import rolling


def git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=test", "-c", "user.email=test@example.org")
    subprocess.run(["git", "-C", str(folder), *who, *words], check=True)


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program of two versions."""
    folder = tmp_path / "program"
    folder.mkdir()
    monkeypatch.setattr(rolling, "ROOT", folder)
    git(folder, "init", "-q")
    for version in ("older", "newer"):
        (folder / "version").write_text(version)
        git(folder, "add", "version")
        git(folder, "commit", "-q", "-m", version)
    return folder


def test_the_older_program_is_the_commits_and_goes_when_it_is_no_longer_wanted(
    program: Path,
) -> None:
    with rolling.program_of("HEAD~1") as old:
        assert (old / "version").read_text() == "older"
        assert not (old / ".git").exists()
    assert not old.exists()
    assert (program / "version").read_text() == "newer"


@pytest.mark.usefixtures("program")
def test_what_is_no_commit_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert rolling.main(["--old", "no-such"]) == 1
    assert "no-such is no commit of this program" in capsys.readouterr().err


def test_the_commands_words_are_those_it_is_run_anew_with() -> None:
    said = {"old": "v1", "seconds": 5.0, "tables": 4, "players": 9, "report": None}
    words = ["--old", "v1", "--seconds", "5.0", "--tables", "4", "--players", "9"]
    assert rolling.as_words(said) == words
