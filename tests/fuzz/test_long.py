"""A hundred thousand inputs, by `make fuzz`: no fault, no hang, memory flat. FUZZ_INPUTS: how many
in all; FUZZ_SEED: where the requests' seeds begin; FUZZ_REPORT: the file whose parts are written
anew, or added to by requests of further seeds."""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tables.models import Hand
from tables.threads import in_thread
from tests.fuzz import test_api, test_sockets
from tests.fuzz.api import MOST_S, Asking, cases
from tests.fuzz.parsers import PARSERS
from tests.fuzz.sockets import Talking, drawn
from tests.fuzz.test_parsers import tried
from wallets.proving import ledger_check

pytestmark = pytest.mark.slow
asking = test_api.asking
talking = test_sockets.talking

INPUTS = int(os.environ.get("FUZZ_INPUTS", "100000"))
REQUESTS, MESSAGES = INPUTS * 9 // 100, INPUTS * 6 // 100
SEED = int(os.environ.get("FUZZ_SEED", "0"))
REPORT = os.environ.get("FUZZ_REPORT")
# What a process may grow by in the last four fifths of its inputs.
GROWTH_MOST_KB = 65_536
ROUNDS = 5
# Of the requests to each group of the document, and of all, so many are to be carried out.
TAKEN_LEAST, OF_ALL = 0.1, 0.4
# After so many each operation has been.
ENOUGH = 5_000


def resident_kb() -> int:
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))


def told(part: str, began: float, sizes: list[int], **figures: Any) -> dict[str, Any]:
    """Fails where memory was not flat; writes one part of the report, and returns it."""
    grown = sizes[-1] - sizes[0]
    figures |= {
        "seconds": round(time.monotonic() - began), "resident_kb": sizes,
        "grown_kb_after_a_fifth": grown,
    }  # fmt: skip
    if REPORT:
        file = Path(REPORT)
        held = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        if SEED and part in held:
            figures = added(held[part], figures)
        held[part] = figures
        held["inputs"] = sum(held[name]["inputs"] for name in PARTS if name in held)
        file.write_text(json.dumps(held, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    assert grown < GROWTH_MOST_KB, f"{grown} kB more than after the first fifth"
    return figures


def added(held: Any, more: Any) -> Any:
    """The figures of two runs as those of one."""
    if isinstance(held, dict):
        names = sorted({*held, *more})
        return {
            name: max(held[name], more[name]) if name in GREATEST
            else added(held[name], more[name]) if name in held and name in more
            else held.get(name, more.get(name))
            for name in names
        }  # fmt: skip
    return held + more


GREATEST = ("longest_s", "longest_allowed_s", "operations", "grown_kb_after_a_fifth")
PARTS = ("parsers", "requests", "messages")


@pytest.mark.timeout(3600)
def test_parsers() -> None:
    each = (INPUTS - REQUESTS - MESSAGES) // len(PARSERS) // ROUNDS
    began, sizes = time.monotonic(), []
    given = dict.fromkeys(PARSERS, 0)
    refused, longest = dict(given), 0.0
    for _ in range(ROUNDS):
        for name, parser in PARSERS.items():
            count, said_no, took = tried(parser, each, derandomize=False)
            given[name] += count
            refused[name] += said_no
            longest = max(longest, took)
        sizes.append(resident_kb())
    told(
        "parsers", began, sizes, inputs=sum(given.values()), given=given, refused=refused,
        faults=0, longest_s=round(longest, 3), longest_allowed_s=MOST_S,
    )  # fmt: skip


@pytest.fixture
def only_errors_logged() -> Iterator[None]:
    """The runner keeps what is logged, and a refusal's record keeps its whole request."""
    logging.disable(logging.WARNING)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.django_db(transaction=True)
@pytest.mark.timeout(3600)
def test_requests(asking: Asking, only_errors_logged: None) -> None:
    began, sizes = time.monotonic(), []
    for nth in range(ROUNDS):
        part = REQUESTS // ROUNDS
        test_api.put(asking, cases(), part, seed=SEED + nth, derandomize=False)
        sizes.append(resident_kb())
    slowest, _ = asking.slowest
    books = ledger_check()
    assert books.faults == {}
    figures = told(
        "requests", began, sizes, inputs=asking.asked.total(), operations=len(asking.asked),
        players=asking.players, hands=Hand.objects.count(), transfers=books.transfers_checked,
        faults=0, undocumented=0, longest_s=round(slowest, 3), longest_allowed_s=MOST_S,
        statuses={
            group: {str(status): held[status] for status in sorted(held)}
            for group, held in sorted(asking.statuses.items())
        },
        taken={name: asking.taken[name] for name in sorted(asking.asked)},
    )  # fmt: skip
    for group, held in asking.statuses.items():
        successes = sum(times for status, times in held.items() if status < 300)
        assert successes >= TAKEN_LEAST * held.total(), f"{group}: {held}"
    assert asking.taken.total() >= OF_ALL * asking.asked.total()
    never = [name for name, times in figures["taken"].items() if not times]
    assert figures["inputs"] < ENOUGH or never == [], "refused each time"


@pytest.mark.timeout(3600)
async def test_messages(talking: Talking) -> None:
    began, sizes, count = time.monotonic(), [], 0
    messages = await in_thread(drawn, MESSAGES)
    fifth = len(messages) // ROUNDS
    for nth in range(ROUNDS):
        part = messages[nth * fifth : (nth + 1) * fifth]
        await test_sockets.spoken(talking, part)
        talking.socket = None
        count += len(part)
        sizes.append(resident_kb())
    told(
        "messages", began, sizes, inputs=count, faults=0, heard=dict(talking.heard),
        closed={str(code): times for code, times in talking.closed.items()},
    )  # fmt: skip
