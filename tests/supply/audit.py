"""Known weaknesses of the locked packages, by pip-audit, and one clear line where it cannot know.

    python -m tests.supply.audit [--must-reach]

Exit 0: none is known, or nobody could be asked; 1: there are some; 2, with --must-reach: nobody
could be asked.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass

from tests.supply.pins import LOCKED, ROOT

UNREACHED = "audit: the data about weaknesses cannot be reached from here; NOTHING was audited"


@dataclass(frozen=True)
class Verdict:
    code: int
    words: str


def judge(report: str, must_reach: bool) -> Verdict:
    """report: pip-audit's JSON; an empty one is that of a run that reached nobody."""
    packages = json.loads(report)["dependencies"] if report.strip() else []
    asked = [package for package in packages if "skip_reason" not in package]
    weak = [
        f"{package['name']} {package['version']}: {found['id']}, "
        f"mended in {', '.join(found['fix_versions']) or 'no version yet'}"
        for package in asked
        for found in package["vulns"]
    ]
    if weak:
        return Verdict(1, "\n".join(weak))
    if not asked:
        return Verdict(2 if must_reach else 0, UNREACHED)
    words = f"audit: {len(asked)} packages asked about, no known weakness"
    if left := len(packages) - len(asked):
        words += f"; {left} could NOT be asked about"
        return Verdict(2 if must_reach else 0, words)
    return Verdict(0, words)


def main() -> int:
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pip_audit", "--require-hashes", "--disable-pip",
             "--requirement", str(LOCKED / "requirements-dev.txt"), "--format", "json",
             "--progress-spinner", "off", "--timeout", "10"],
            cwd=ROOT, capture_output=True, text=True, check=False, timeout=180,
        )  # fmt: skip
        report = done.stdout
    except subprocess.TimeoutExpired:
        report = ""
    verdict = judge(report, "--must-reach" in sys.argv)
    print(verdict.words)
    return verdict.code


if __name__ == "__main__":
    raise SystemExit(main())
