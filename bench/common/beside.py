"""The same work on two databases, turn and turn about: whether one of them is slower for its size.

Each database has a process of its own, a script that opens what it needs and then does what it is
told line by line; so what else the machine does meets both.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from statistics import median, quantiles
from typing import Any

import psycopg

Work = Callable[[], object]


def answering(verbs: Mapping[str, Callable[[], Work]]) -> None:
    """Of the process: do what is asked for and tell how long each time took.

    verbs: make ready, which is not timed, and answer with the work.
    """
    print("ready", flush=True)
    for line in sys.stdin:
        verb, times = line.rsplit(maxsplit=1)
        spent = []
        for _ in range(int(times)):
            work = verbs[verb]()
            began = time.perf_counter()
            work()
            spent.append(round(1e6 * (time.perf_counter() - began)))
        print(json.dumps(spent), flush=True)


class Measured:
    """A process that answers for one database. command: its script with what makes it answer."""

    def __init__(self, command: Sequence[str], uses: Mapping[str, str]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *command], env={**os.environ, **uses}, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def told(self) -> str:
        """The next line it says; empty when it has ended."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def is_ready(self) -> None:
        if self.told() != "ready":
            raise SystemExit("a process did not make itself ready")

    def spent(self, verb: str, times: int) -> list[int]:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{verb} {times}\n")
        self.process.stdin.flush()
        found: list[int] = json.loads(self.told())
        return found

    def ended(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def side_by_side(
    measured: Mapping[str, Measured], urls: Sequence[str], asked: Mapping[str, int], turns: int
) -> dict[str, Any]:
    """Latencies by verb of both, "empty" and "grown", in microseconds.

    urls: a superuser's way into each database. asked: how often each verb in each turn.
    """
    for one in measured.values():
        one.is_ready()
    for url in urls:  # both planners know their tables
        with psycopg.connect(url, autocommit=True) as raw:
            raw.execute("VACUUM ANALYZE")
    spent: dict[str, dict[str, list[int]]] = {
        verb: {name: [] for name in measured} for verb in asked
    }
    for turn in range(turns + 1):
        order = list(measured.items())[:: 1 if turn % 2 else -1]
        for verb, times in asked.items():
            for name, one in order:
                found = one.spent(verb, times)
                if turn:  # the first one warms plans and pages up
                    spent[verb][name] += found
    for one in measured.values():
        one.ended()
    return {
        verb: {
            **{name: _of(found) for name, found in by_database.items()},
            "grown_of_empty": round(median(by_database["grown"]) / median(by_database["empty"]), 3),
        }
        for verb, by_database in spent.items()
    }


def _of(found: list[int]) -> dict[str, int]:
    return {
        "calls": len(found), "p50_us": round(median(found)),
        "p95_us": round(quantiles(found, n=20)[-1]),
    }  # fmt: skip
