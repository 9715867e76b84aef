"""Asks the questions of this folder one after another and prints what they found as one table.

Each runs as a process of its own, with arguments that keep the whole under ten minutes; the JSON
of each is left in a folder. Exits 1 when one of them could not be measured; a bar that is missed
is a line of the table, as it says more of the machine and of the hour than of the code.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
CALM_LOAD = 0.5

Found = Mapping[str, Any]


class Line(NamedTuple):
    """A figure of the table; holds: None where no bar was set."""

    what: str
    figure: str
    bar: str = ""
    holds: bool | None = None


def at_most(what: str, figure: float, most: float, unit: str) -> Line:
    return Line(what, f"{figure:g} {unit}", f"under {most:g} {unit}", figure <= most)


def at_least(what: str, figure: float, least: float, unit: str) -> Line:
    return Line(what, f"{figure:g} {unit}", f"{least:g} {unit}", figure >= least)


def engine(found: Found) -> Iterator[Line]:
    for name, row in found["hands"].items():
        yield at_least(f"hands: {name}", row["ratio"], row["bar"], "times PokerKit")
    for name, row in found["server_turn"].items():
        yield at_most(f"server's turn: {name}", row["us"], row["bar_us"], "us")
    for name, row in found["evaluations"].items():
        yield at_least(f"evaluations: {name}", row["ratio"], row["bar"], "times phevaluator")
    for name, row in found["prices"].items():
        yield at_most(f"price: {name}", row["ms"], row["bar_ms"], "ms")


def actions(found: Found) -> Iterator[Line]:
    valid = "" if found["valid"] else " (not valid: pgbench differed)"
    share = 100 * found["share_of_pgbench"]
    told = at_least("actions a second, of pgbench's", round(share, 1), 20, "%")
    yield told._replace(figure=told.figure + f", {found['actions_per_s']}/s{valid}")
    yield at_most("action to own frame, p99", found["click_to_own_delta_ms"]["p99"], 15, "ms")
    for part, spent_ms in found["cpu_ms_an_action"].items():
        yield Line(f"an action's CPU time: {part}", f"{spent_ms:g} ms")


def rounds(found: Found) -> Iterator[Line]:
    p50 = found["last_decision_to_all_paid_ms"]["p50"]
    yield at_most("seven spots paid and told, p50", p50, found["bar_p50_ms"], "ms")


def watchers(found: Found) -> Iterator[Line]:
    who = f"{found['watchers']} watchers"
    yield at_most(f"{who}: frames missed", found["frames_missed"], 0, "frames")
    p99 = found["action_to_watcher_ms"]["p99"]
    yield at_most(f"{who}: action to frame, p99", p99, found["bar_p99_ms"], "ms")
    yield at_most("idle socket", found["kb_per_idle_socket"], found["bar_socket_kb"], "kB")
    yield at_most("idle table", found["kb_per_idle_table"], found["bar_table_kb"], "kB")


def crowded(found: Found) -> Iterator[Line]:
    where = f"{found['sockets']} sockets, {found['tables']} tables"
    yield at_most(
        f"{where}: action to display, p99", found["action_to_display_ms"]["p99"], 300, "ms"
    )
    yield Line(f"{where}: the house's cores", f"{sum(found['cores'].values()):.2f}")
    first, *later = found["web_mb_after_each_coming_back"]
    yield Line(f"{where}: web memory, and all come back", f"{first} MB, {later[-1]} MB")


def ledger(found: Found) -> Iterator[Line]:
    share = 100 * found["share_of_bare"]
    yield at_least("postings, of the bare SQL function's", round(share), 60, "%")
    faults = sum(found["storm"]["faults"].values())
    yield at_most("faults of fifty writers", faults, 0, "faults")


def growth(found: Found) -> Iterator[Line]:
    for name, row in found["latency"].items():
        yield at_most(f"grown ledger: {name}", row["grown_of_empty"], 1.2, "times empty")


def hands(found: Found) -> Iterator[Line]:
    for name, row in found["latency"].items():
        times = row["grown_of_empty"]
        yield at_most(f"many hands stored: {name}", times, found["bar"], "times few")


def console(found: Found) -> Iterator[Line]:
    slowest = max(found["pages"], key=lambda page: found["pages"][page]["p50_ms"])
    yield at_most(f"console's slowest: {slowest}", found["pages"][slowest]["p50_ms"], 500, "ms")


def fairness(found: Found) -> Iterator[Line]:
    p99 = found["house_together"]["server_p99_ms"]
    yield at_most("fair cards a hand, p99 of CPU time", p99, found["bar_ms"], "ms")


def display(found: Found) -> Iterator[Line]:
    yield at_most("display, of a core", round(100 * found["cpu_share"], 1), 30, "%")
    yield at_most("display, memory", found["renderer_mb"], 150, "MB")


class Question(NamedTuple):
    arguments: tuple[str, ...]
    lines: Callable[[Found], Iterator[Line]]


QUESTIONS = {
    "engine": Question((), engine),
    "actions": Question((), actions),
    "rounds": Question(("--seconds", "30"), rounds),
    "watchers": Question((), watchers),
    "crowded": Question(("--tables", "150", "--sockets", "1000", "--times", "1"), crowded),
    "ledger": Question(("--seconds", "20"), ledger),
    "fairness": Question(("--hands", "300"), fairness),
    "display": Question(("--seconds", "30"), display),
    "growth": Question(("--legs", "100000"), growth),
    "hands": Question(("--hands", "30000", "--turns", "5"), hands),
    "console": Question(("--hands", "5000", "--legs", "50000"), console),
}


def asked(name: str, folder: Path) -> list[Line]:
    """Ask one question; its JSON goes to the folder, what it says besides to the terminal."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "bench" / f"{name}.py"), *QUESTIONS[name].arguments],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, text=True,
        check=False,
    )  # fmt: skip
    if done.returncode:
        return [Line(name, f"ended with {done.returncode}", "", False)]
    found = json.loads(done.stdout.strip().splitlines()[-1])
    (folder / f"{name}.json").write_text(json.dumps(found, indent=1) + "\n")
    return list(QUESTIONS[name].lines(found))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("questions", nargs="*", metavar="QUESTION", help=", ".join(QUESTIONS))
    parser.add_argument("--folder", type=Path, default=ROOT / "var" / "bench")
    options = parser.parse_args()
    if unknown := set(options.questions) - set(QUESTIONS):
        parser.error(f"no such question: {', '.join(sorted(unknown))}")
    options.folder.mkdir(parents=True, exist_ok=True)
    load = os.getloadavg()[0]
    lines: list[Line] = []
    failed = False
    for name in options.questions or QUESTIONS:
        began = time.monotonic()
        print(f"{name} ...", end=" ", file=sys.stderr, flush=True)
        found = asked(name, options.folder)
        print(f"{time.monotonic() - began:.0f} s", file=sys.stderr)
        failed |= len(found) == 1 and found[0].figure.startswith("ended with")
        lines += found
    width = max(len(line.what) for line in lines)
    for line in lines:
        verdict = {None: "", True: "holds", False: "MISSED"}[line.holds]
        print(f"{line.what:{width}}  {line.figure:34}  {line.bar:24}  {verdict}".rstrip())
    busy = "" if load < CALM_LOAD else ": the machine was not at rest, read the figures with care"
    print(f"{os.cpu_count()} cores, a load of {load:.1f} as it began{busy}")
    print(f"the JSON of each is in {options.folder}")
    sys.exit(failed)


if __name__ == "__main__":
    main()
