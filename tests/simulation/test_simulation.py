"""The services under the orders and faults of a seed: no law is broken, and planted bugs are found.

More of it, and from other seeds on: `make services`.
"""

from __future__ import annotations

from functools import partial

import pytest

from tests.conftest import NAME, superuser
from tests.plugin import servers
from tests.simulation import planted, runs

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


@pytest.mark.slow
@pytest.mark.parametrize("bug", planted.BUGS)
def test_a_planted_bug_is_found_within_a_minute(bug: str) -> None:
    report = run(f"planted {bug}", hands=10**6, tables=4, seconds_most=60.0, bug=bug)
    assert not report["ok"]
