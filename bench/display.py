"""What one dealer display costs the machine it runs on: CPU time and memory of its renderer.

`python -m bench.display`: a headless Chromium draws hands of every family, 1,000 events a minute,
told as a house tells them. Prints one JSON object.
"""

import argparse
import json
import time
from datetime import UTC, datetime
from itertools import cycle
from os import sysconf
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from playwright.sync_api import sync_playwright

from tests.web.gallery import played
from tests.web.stage import CHROMIUM, Stage, moved, stamp

GAMES = ("holdem", "omaha8", "stud8", "badugi", "anaconda", "courchevel")
TICKS_S = sysconf("SC_CLK_TCK")
# As a kiosk is started (docs/operations.md): what frames leave behind is collected early, where
# Chromium would let tens of megabytes of it gather first.
SMALL_HEAP = "--js-flags=--optimize-for-size --max-semi-space-size=1"


def processes(browser_pid: int) -> dict[int, str]:
    """The browser's processes below the given one, each with its kind."""
    parents: dict[int, int] = {}
    kinds: dict[int, str] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            command = (entry / "cmdline").read_bytes()
            parents[int(entry.name)] = int(
                (entry / "stat").read_text().rpartition(")")[2].split()[1]
            )
        except (FileNotFoundError, ProcessLookupError):
            continue
        kinds[int(entry.name)] = "renderer" if b"--type=renderer" in command else "other"
    found, grown = {browser_pid}, True
    while grown:
        more = {pid for pid, parent in parents.items() if parent in found} - found
        found, grown = found | more, bool(more)
    return {pid: kinds[pid] for pid in found if pid in kinds}


def cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_S


def own_mb(pid: int) -> float:
    """The memory that is this process's alone or its share of what several use."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    return 0.0


def told(stage: Stage, records: list[dict[str, Any]], seconds: float, per_minute: int) -> int:
    """Tell hand after hand at the rate asked for; how many events that were."""
    begun, events, seq = time.monotonic(), 0, stage.seq
    for record in cycle(records):
        first = datetime.fromisoformat(record["snapshot"]["server_time"])
        now = moved(record, datetime.now(UTC) - first)
        state = {**now["snapshot"], "seq": seq, "server_time": stamp(datetime.now(UTC))}
        stage.tell({"type": "snapshot", "seq": seq, "state": state})
        for frame in now["frames"]:
            if time.monotonic() - begun > seconds:
                return events
            seq += 1
            stage.tell({**frame, "seq": seq, "prev": seq - 1, "at": stamp(datetime.now(UTC))})
            stage.seq = seq
            stage.beat()
            events += len(frame["events"])
            ahead_s = events * 60 / per_minute - (time.monotonic() - begun)
            stage.page.wait_for_timeout(max(1, ahead_s * 1000))
    return events


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--events", type=int, default=1_000, help="per minute")
    asked = parser.parse_args()
    settings.configure()
    django.setup()
    records = [played(game) for game in GAMES]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            **{**CHROMIUM, "args": [*CHROMIUM["args"], SMALL_HEAP]}
        )
        me = Path("/proc/self").resolve().name
        stage = Stage(browser, "", record=records[0])
        stage.page.wait_for_timeout(2_000)
        pids = {pid: kind for pid, kind in processes(int(me)).items() if kind == "renderer"}
        before = {pid: cpu_s(pid) for pid in pids}
        begun = time.monotonic()
        events = told(stage, records, asked.seconds, asked.events)
        spent = time.monotonic() - begun
        used = sum(cpu_s(pid) - before[pid] for pid in pids)
        memory = max(own_mb(pid) for pid in pids)
        heap = stage.page.evaluate("performance.memory.usedJSHeapSize") / 2**20
        errors = stage.errors
        browser.close()
    print(json.dumps({
        "seconds": round(spent, 1), "events": events,
        "events_per_minute": round(events * 60 / spent), "cpu_share": round(used / spent, 3),
        "renderer_mb": round(memory), "heap_mb": round(heap, 1), "errors": errors[:3],
    }))  # fmt: skip


if __name__ == "__main__":
    main()
