"""The services under the orders and faults of a seed: no law is broken, and planted bugs are found.

More of it, and from other seeds on: `make services`.
"""

from __future__ import annotations

from functools import partial
from random import Random

import pytest
from django.db import connection, transaction

from tests.conftest import NAME, superuser
from tests.plugin import servers
from tests.simulation import planted, runs
from tests.simulation.stage import BLOCKED, Faults, Job, Stage

pytestmark = pytest.mark.django_db(transaction=True)

run = partial(
    runs.run,
    superuser_url=servers.postgres.superuser_url(NAME),
    owner_url=servers.postgres.url("owner", NAME),
)


def test_whatever_fails_in_whatever_order_no_law_is_broken() -> None:
    report = run("suite", hands=20)
    assert report["ok"], report["violation"]
    assert report["hands"] >= 20
    assert all(report[name] for name in ("deaths", "failures", "waits"))


def test_a_run_comes_again_from_its_seed_whatever_the_database_counts_meanwhile() -> None:
    with superuser() as admin:
        first = run("again", hands=8, tables=3, told=lambda hands: admin.execute("ANALYZE"))
    assert run("again", hands=8, tables=3)["digest"] == first["digest"]


FIRST, SECOND, BOTH_WANT_IT = (f"pg_advisory_xact_lock({number})" for number in (1, 2, 3))


def test_of_two_given_their_locks_at_once_the_first_does_his_statement_before_the_second() -> None:
    ended = []

    def holds() -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"SELECT {FIRST}, {SECOND}")
            while len(stage.of(BLOCKED)) < len(waiting):
                cursor.execute("SELECT 1")

    def waits(name: str, statement: str) -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"SELECT {statement}")
        ended.append(name)

    waiting = {
        "slow": f"{FIRST}, pg_sleep(0.05), {BOTH_WANT_IT}",
        "fast": f"{SECOND}, {BOTH_WANT_IT}",
    }
    with superuser() as watcher:
        stage = Stage(Random(0), watcher, ("holds", *waiting))
        stage.faults = Faults(0, 0, 0, 0, 0)
        holder, *others = stage.processes
        with stage.open():
            stage.begin(holder, Job("holds", holds))
            while not holder.is_within:
                stage.turn()
            for process in others:
                do = partial(waits, process.name, waiting[process.name])
                stage.begin(process, Job(process.name, do))
    assert ended == ["slow", "fast"]


@pytest.mark.slow
@pytest.mark.parametrize("bug", planted.BUGS)
def test_a_planted_bug_is_found_within_a_minute(bug: str) -> None:
    report = run(f"planted {bug}", hands=10**6, tables=4, seconds_most=60.0, bug=bug)
    assert not report["ok"]
