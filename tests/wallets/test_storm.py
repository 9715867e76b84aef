"""The bench's trial of fifty writers, for a moment: no fault, and books that prove sound."""

from __future__ import annotations

import time
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import psycopg
import pytest

BENCH = Path(__file__).resolve().parents[2] / "bench" / "ledger.py"


def bench() -> Any:
    spec = spec_from_file_location("bench_ledger", BENCH)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def room(owner: psycopg.Connection[Any]) -> Iterator[None]:
    """Connections that were closed are gone from the server, before and afterwards."""

    def wait() -> None:
        others = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'app'"
        for _ in range(200):
            found = owner.execute(others).fetchone()
            if found is not None and found[0] <= 5:
                return
            time.sleep(0.05)

    wait()
    yield
    wait()


@pytest.mark.usefixtures("room")
@pytest.mark.django_db(transaction=True)
def test_w_11_fifty_writers_with_duplicates_and_late_repeats_find_no_fault() -> None:
    told = bench().storm(writers=50, players=20, seconds=2)
    assert told["faults"] == {}
    assert told["ledger"] == {"ok": True, "first_fault": None}
    assert told["calls_per_s"] > 0
