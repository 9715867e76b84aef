"""What the mishaps do, and what is asked after them, of tables whose story is known."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from django.db import OperationalError

from casino.house import chaos, mishaps
from casino.house.accounting import rows, scalar
from tables.models import Hand, Table
from tests.conftest import superuser
from tests.tables.dealing_cast import dealt, played_out, player, run_out, seated, table

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def at() -> Table:
    made = table()
    seated(made, player("ann"), player("bob"))
    return made


def standing() -> list[str]:
    return [step for _, _, _, step in rows(chaos.STANDING)]


def broken() -> list[str]:
    return [law for law, query in chaos.LAWS.items() if scalar(query)]


def test_a_table_is_found_at_every_step_of_its_hand(at: Table) -> None:
    assert standing() == []  # it has not shown its family yet
    dealt(at)
    assert standing() == ["decision"]
    run_out(at)
    assert standing() == ["settlement"]
    Table.objects.filter(pk=at.pk).update(finished=False)
    assert standing() == ["seeds"]  # nobody is asked anything


def test_a_cell_that_is_met_now_comes_before_others(at: Table) -> None:
    run = chaos.Chaos.__new__(chaos.Chaos)
    seeds, decision = (chaos.Cell("web killed", "poker", step) for step in ("seeds", "decision"))
    dealt(at)
    with ExitStack() as stack:
        cell, (stood,), is_met = run.met([seeds, decision], stack)
    assert (cell, stood.step, is_met) == (decision, "decision", True)


def test_one_that_pays_is_held_at_it_by_workers_that_stand_still(
    at: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, still = chaos.Chaos.__new__(chaos.Chaos), []

    class Workers:
        @staticmethod
        @contextmanager
        def standing_still(part: str) -> Iterator[None]:
            still.append(part)
            yield
            still.remove(part)

    monkeypatch.setattr(run, "mishaps", Workers, raising=False)
    paying = chaos.Cell("web killed", "poker", "settlement")
    dealt(at)
    run_out(at)
    with ExitStack() as stack:
        assert run.met([paying], stack)[0] == paying
        assert still == ["worker"]
    assert still == []
    Table.objects.filter(pk=at.pk).update(finished=False)
    monkeypatch.setattr(chaos, "LOOKED_FOR_S", 0)
    with ExitStack() as stack:
        assert run.met([paying], stack)[2] is False


def test_a_table_that_is_never_dealt_again_is_named(
    at: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chaos, "ENDS_WITHIN_S", 0)
    assert chaos.Chaos.never_dealt() == []  # it has some seconds for its deal
    with superuser() as admin:
        admin.execute("UPDATE tables_table SET next_deal_at = now() - interval '1 min'")
    assert chaos.Chaos.never_dealt() == [at.pk]
    dealt(at)
    assert chaos.Chaos.never_dealt() == []


def test_every_step_that_is_looked_for_can_be_met() -> None:
    named = {step for steps in chaos.STEPS.values() for step in steps}
    assert named == {name for name in named if f"'{name}'" in chaos.STANDING}


def test_laws_hold_after_a_hand_and_a_breach_is_named(at: Table) -> None:
    dealt(at)
    hand = played_out(at)
    assert broken() == []
    with superuser() as admin:
        admin.execute("SET session_replication_role = replica")
        admin.execute("UPDATE wallets_account SET balance_minor = balance_minor + 1")
        admin.execute("UPDATE tables_table SET seq = seq + 1")
        admin.execute("UPDATE tables_cut SET status = 'open' WHERE hand_id = %s", [hand.pk])
        admin.execute("UPDATE tables_hand SET status = 'voided'")
    assert broken() == [law for law in chaos.LAWS if law != "paid twice"]


def test_a_commit_that_fails_undoes_the_whole_work(at: Table) -> None:
    with (
        superuser() as admin,
        mishaps.commits_failing(admin, 1.1),
        pytest.raises(OperationalError, match="this commit fails"),
    ):
        dealt(at)
    assert not Hand.objects.exists()
    dealt(at)


def test_tasks_that_are_sent_again_are_of_this_house(at: Table) -> None:
    dealt(at)
    with superuser() as admin:
        names = {name for name, _, _ in admin.execute(mishaps.KNOWN_TASKS)}
    from tables import clock

    assert names <= {task for task, _ in clock.WORK.values()}
    assert "tables.expire_turn" in names


def test_why_a_disk_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    refused = CompletedProcess([], 32, "", "mount: permission denied\n")
    monkeypatch.setattr(mishaps.subprocess, "run", lambda *words, **more: refused)
    folder = tmp_path / "house"
    folder.mkdir()
    with mishaps.Disk(folder) as disk:
        assert disk.cannot == {
            "disk full": "a small disk cannot be mounted: mount: permission denied",
            "disk slow": "mount: permission denied",
            "disk still": "mount: permission denied",
        }
    assert list(tmp_path.iterdir()) == [folder]


def test_cells_that_no_run_has_met_are_named_with_their_reason() -> None:
    cells = [
        ("web killed", family, step) for family, steps in chaos.STEPS.items() for step in steps
    ]
    rows = [
        {"name": name, "family": family, "step": step, "verdict": "settled"}
        for name, family, step in cells[1:]
    ]
    names, why = ["disk slow", "web killed"], {"disk slow": "no disk of its own"}
    found = chaos.not_tried(chaos.table_of(rows, {}), names, why)
    assert set(found["disk slow"].values()) == {"no disk of its own"}
    assert len(found["disk slow"]) == len(cells)
    assert list(found["web killed"]) == ["banked: between hands"]


def test_the_last_byte_of_a_disk_is_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Full:
        left, taken = 3 << 20 | 5, 0

        def __enter__(self) -> Any:
            return self

        def __exit__(self, *error: object) -> None:
            pass

        def write(self, piece: bytes) -> None:
            if len(piece) > self.left:
                raise OSError("no space left on device")
            self.left -= len(piece)

    full = Full()
    monkeypatch.setattr(Path, "open", lambda *words, **more: full)
    mishaps.fill(tmp_path / "filler")
    assert full.left == 0


def state_of(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().split()[2]


def test_all_that_a_process_has_started_stands_still_with_it() -> None:
    shell = subprocess.Popen(["/bin/sh", "-c", "sleep 30 & wait"], start_new_session=True)
    try:
        while len(whole := mishaps.family_of(shell.pid)) < 2:
            pass
        mishaps.signal_all(whole, signal.SIGSTOP)
        end = time.monotonic() + 10
        while {state_of(pid) for pid in whole} != {"T"}:
            assert time.monotonic() < end
    finally:
        os.killpg(shell.pid, signal.SIGKILL)
        shell.wait()


def test_runs_add_up() -> None:
    rows = [
        {"name": "web killed", "family": "poker", "step": "seeds", "verdict": "settled"},
        {"name": "web killed", "family": "poker", "step": "seeds", "verdict": "settled",
         "broken": ["paid twice"]},
    ]  # fmt: skip
    once = chaos.table_of(rows, {})
    assert once == {"web killed": {"poker: seeds": {"settled": 1, "broken": 1}}}
    assert chaos.table_of(rows[:1], once)["web killed"]["poker: seeds"]["settled"] == 2


def test_the_commands_words_are_those_it_is_run_anew_with() -> None:
    said = {"seconds": 5.0, "seed": 3, "only": "", "tables": 4, "players": 9, "results": None}
    words = ["--seconds", "5.0", "--seed", "3", "--tables", "4", "--players", "9"]
    assert chaos.as_words(said) == words


def test_a_clock_that_is_ahead_is_told_by_a_file_that_its_server_may_read() -> None:
    from tests.plugin import servers

    postgres = mishaps.JumpingPostgres(servers.postgres.place)
    assert postgres.command()[0] != "/usr/bin/env"  # without the library it is as ever
    postgres.library = "/lib/libfaketime.so.1"
    postgres.jump(20)
    assert postgres.ahead.read_text() == "+20\n"
    assert f"FAKETIME_TIMESTAMP_FILE={postgres.ahead}" in postgres.command()
    assert postgres.ahead.stat().st_mode & 0o004
