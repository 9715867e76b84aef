"""`python -m tests.simulation`: the house's services, in the order and with the faults of a seed.

Processes, their deaths, a broker and pushes that lose and repeat things, commits that fail, players
who keep silent and a house that does: all in one process on a PostgreSQL of its own, with a law
looked at after every step. What it finds comes again from its seed.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial, reduce
from pathlib import Path

from tests.simulation.results import report_of, summed
from tests.simulation.sharing import share


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation")
    parser.add_argument("--hands", type=int, default=2_000, help="how many to settle (2000)")
    parser.add_argument(
        "--seed", default="0", help="a run that broke a law comes again from its own"
    )
    parser.add_argument("--tables", type=int, default=8, help="of the floor (8)")
    parser.add_argument("--seconds", type=float, default=86_400.0, help="stop then")
    parser.add_argument("--bug", help="plant one, to see it found")
    parser.add_argument("--processes", type=int, default=1, help="each with its own database (1)")
    parser.add_argument("--results", type=Path, help="JSON to which each run is added")
    options = parser.parse_args(arguments)
    if os.environ.get("PYTHONHASHSEED") != "0":  # sets of words in one order, whatever the process
        command = [sys.executable, "-m", "tests.simulation", *arguments]
        os.execve(sys.executable, command, {**os.environ, "PYTHONHASHSEED": "0"})
    part = partial(share, options)
    if options.processes == 1:
        parts = [part(0)]
    else:
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(options.processes, mp_context=context) as pool:
            parts = list(pool.map(part, range(options.processes)))
    report = reduce(summed, [report_of(run) for part in parts for run in part])
    print(json.dumps(report, indent=2))
    return 0 if report["ok"] else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
