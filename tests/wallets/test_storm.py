"""The bench's trial of fifty writers, for a moment: no fault, and books that prove sound."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

BENCH = Path(__file__).resolve().parents[2] / "bench" / "ledger.py"


def bench() -> Any:
    spec = spec_from_file_location("bench_ledger", BENCH)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.django_db(transaction=True)
def test_fifty_writers_with_duplicates_and_late_repeats_find_no_fault() -> None:
    told = bench().storm(writers=50, players=20, seconds=2)
    assert told["faults"] == {}
    assert told["ledger"] == {"ok": True, "first_fault": None}
    assert told["calls_per_s"] > 0
