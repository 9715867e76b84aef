"""What the mishaps do, and what is asked after them, of tables whose story is known."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from pathlib import Path
from random import Random
from subprocess import CompletedProcess
from threading import Thread
from typing import Any, ClassVar

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from casino.house import chaos, mishaps
from casino.house.accounting import rows, scalar
from tables.models import ClocksHeld, Cut, Hand, Seat, SeedCommitment, Table
from tests.conftest import NAME, superuser
from tests.plugin import servers
from tests.tables.dealing_cast import dealt, played_out, player, run_out, seated, table
from wallets.models import Transfer

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


class OfTests(mishaps.Mishaps):
    superuser_url = servers.postgres.superuser_url(NAME)


def chaos_among(**given: Any) -> chaos.Chaos:
    """One without a house."""
    run = chaos.Chaos.__new__(chaos.Chaos)
    run.chance = Random(1)
    run.mishaps = OfTests(None, run.chance)  # type: ignore[arg-type]
    run.hits, run.before, run.only, run.seconds_of_play = [], {}, "", 0.2
    for name, value in given.items():
        setattr(run, name, value)
    return run


def test_a_mishap_waits_for_a_table_at_its_step_but_not_for_ever(
    at: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = chaos_among()
    seeds, decision = (chaos.Cell("web killed", "poker", step) for step in ("seeds", "decision"))
    dealt(at)
    with ExitStack() as stack:
        (stood,) = run.met(decision, stack)
    assert stood.step == "decision"
    monkeypatch.setattr(chaos, "LOOKED_FOR_S", 0.2)
    began = time.monotonic()
    with ExitStack() as stack:
        assert not seeds.is_met(run.met(seeds, stack))
    assert time.monotonic() - began >= 0.2


def test_a_payment_is_met_in_the_middle_and_goes_on_when_it_is_let_go(
    at: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = chaos_among()
    monkeypatch.setattr(chaos, "HELD_S", (0.5, 0.5))
    hand = dealt(at)
    payer = Thread(target=played_out_and_closed, args=[at])
    with ExitStack() as stack:
        held = run.mishaps.payments_held
        asked: list[mishaps.Payments] = []

        @contextmanager
        def payments_held() -> Iterator[mishaps.Payments]:
            with held() as payments:
                asked.append(payments)
                payments.hold({hand.pk})
                payer.start()
                yield payments

        monkeypatch.setattr(run.mishaps, "payments_held", payments_held)
        (stood,) = run.met(chaos.Cell("web killed", "poker", "settlement"), stack)
        assert (stood.step, stood.hand) == ("settlement", hand.pk)
        assert not Transfer.objects.filter(kind="settle").exists()
        payer.join(10)  # while the mishap goes on
        assert asked[0].connection.closed
    assert [one.hand_id for one in Transfer.objects.filter(kind="settle")] == [hand.pk]
    assert Hand.objects.get().status == Hand.Status.SETTLED


def played_out_and_closed(at: Table) -> None:
    played_out(at)
    connection.close()


def test_what_was_tried_least_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    class One:
        untried: ClassVar[dict[str, str]] = {}
        commits_may_fail = staticmethod(lambda: None)
        all = staticmethod(lambda: {"web killed": lambda seconds: None})

    cells = [
        chaos.Cell("web killed", family, step)
        for family, steps in chaos.STEPS.items()
        for step in steps
    ]
    lacking, never_met = cells[3], cells[7]
    before = {"web killed": {one.where: {"settled": 9} for one in cells if one != lacking}}
    before["web killed"].pop(never_met.where)
    run = chaos_among(mishaps=One, before=before, data=Path())
    monkeypatch.setattr(chaos, "Search", lambda data: None)
    tried: list[chaos.Cell] = []

    def tried_now(cell: chaos.Cell, way: Any) -> list[chaos.Standing]:
        tried.append(cell)
        time.sleep(0.01)
        return [] if cell == never_met else [chaos.Standing(1, 1, cell.family, cell.step, 1)]

    monkeypatch.setattr(run, "tried", tried_now)
    run.play(lambda: 0, lambda: 0)
    assert set(tried[:2]) == {lacking, never_met}
    assert tried.count(never_met) == tried.count(lacking)  # it has its turn, and no more than that


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
    cut = Cut.objects.filter(hand_id=hand.pk).get()
    withheld = {"cut": cut, "player": Seat.objects.all()[0].player, "withheld_at": timezone.now()}
    SeedCommitment.objects.create(commitment="00", at_ms=0, signature="", **withheld)
    assert broken() == []  # no silence was near
    now = timezone.now()
    jump = ClocksHeld.objects.create(
        kind="web", began=now - timedelta(seconds=20), ended=now, tables=0
    )
    assert broken() == []
    ClocksHeld.objects.filter(pk=jump.pk).update(began=now - timedelta(seconds=10))
    with superuser() as admin:
        admin.execute("SET session_replication_role = replica")
        admin.execute("UPDATE tables_cut SET listed_ms = ended_ms - 100")
        admin.execute("UPDATE wallets_account SET balance_minor = balance_minor + 1")
        admin.execute("UPDATE tables_table SET seq = seq + 1")
        admin.execute("UPDATE tables_cut SET status = 'open' WHERE hand_id = %s", [hand.pk])
        admin.execute("UPDATE tables_hand SET status = 'voided'")
    assert broken() == [law for law in chaos.LAWS if law != "paid twice"]


def test_a_commit_that_fails_undoes_the_whole_work(at: Table) -> None:
    OfTests(None, Random(1)).commits_may_fail()  # type: ignore[arg-type]
    with superuser() as admin:
        try:
            with (
                mishaps.commits_failing(admin, 1.1),
                pytest.raises(OperationalError, match="this commit fails"),
            ):
                dealt(at)
            assert not Hand.objects.exists()
            dealt(at)
        finally:
            admin.execute("DROP FUNCTION chaos_fails CASCADE")


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
    postgres = mishaps.JumpingPostgres(servers.postgres.place)
    assert postgres.command()[0] != "/usr/bin/env"  # without the library it is as ever
    postgres.library = "/lib/libfaketime.so.1"
    postgres.jump(20)
    assert postgres.ahead.read_text() == "+20\n"
    assert f"FAKETIME_TIMESTAMP_FILE={postgres.ahead}" in postgres.command()
    assert postgres.ahead.stat().st_mode & 0o004
