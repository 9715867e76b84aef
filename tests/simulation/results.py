"""What runs of the simulation told, added up; of those that broke a law, where it shows."""

from __future__ import annotations

import fcntl
import json
from pathlib import Path
from typing import Any

ADDED = (
    "hands", "voided", "seconds", "simulated_seconds", "time_outs", "decisions", "pushed",
    "silences", "deaths", "failures", "deadlocks", "waits", "turns",
)  # fmt: skip
COUNTED = ("families", "games", "tasks", "refused")


def report_of(run: dict[str, Any]) -> dict[str, Any]:
    """One run as a report, to be added to others."""
    broken = {name: run[name] for name in ("seed", "violation", "hands")}
    return {
        "ok": run["ok"],
        "runs": 1,
        "hands_a_minute_of_one_process": run["hands_a_minute"],
        **{name: run[name] for name in (*ADDED, *COUNTED)},
        "digests": {run["seed"]: run["digest"][:12]},
        "violations": [] if run["ok"] else [broken],
    }


def summed(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    report: dict[str, Any] = {name: round(one[name] + other[name], 1) for name in ADDED}
    for name in COUNTED:
        names = sorted(one[name].keys() | other[name].keys())
        report[name] = {what: one[name].get(what, 0) + other[name].get(what, 0) for what in names}
    return {
        "ok": one["ok"] and other["ok"],
        "runs": one["runs"] + other["runs"],
        "hands_a_minute_of_one_process": round(60 * report["hands"] / max(report["seconds"], 0.1)),
        **report,
        "digests": one["digests"] | other["digests"],
        "violations": one["violations"] + other["violations"],
    }


def add(path: Path, run: dict[str, Any]) -> None:
    """Add a run to what is told in a file, whoever else adds to it meanwhile."""
    with path.open("a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        told, report = file.read(), report_of(run)
        if told:
            report = summed(json.loads(told), report)
        file.seek(0)
        file.truncate()
        file.write(json.dumps(report, indent=2) + "\n")
