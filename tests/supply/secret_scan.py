"""Nothing that opens a door is written into the tree: keys, tokens, passwords in addresses.

python -m tests.supply.secret_scan --history      every line that was ever committed, too
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator

from tests.supply.pins import ROOT

KINDS = {
    "private key": r"-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----",
    "token of the house": r"\bck_[A-Za-z0-9_-]{43}\b",
    "webhook secret": r"\bwhsec_[A-Za-z0-9+/]{32,}={0,2}",
    "AWS key": r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
    "GitHub token": r"\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{60,})\b",
    "GitLab token": r"\bglpat-[A-Za-z0-9_-]{20}\b",
    "Slack token": r"\bxox[abprs]-[A-Za-z0-9-]{10,}",
    "Stripe key": r"\b[rs]k_live_[A-Za-z0-9]{20,}",
    "index token": r"\b(?:pypi-AgEI[A-Za-z0-9_-]{40,}|npm_[A-Za-z0-9]{36})\b",
    "JSON web token": r"\beyJ[A-Za-z0-9_-]{16,}\.eyJ[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",
    "password in an address": r"\b[a-z]{3,12}://[^\s/:@'\"{}$<>`]*:[^\s/:@'\"{}$<>`]{3,}@",
    "key of the house": (
        r"(?:SECRET_KEY|CARD_KEYS|LOG_SIGNING_KEY|METRICS_TOKEN)['\"]?\s*[:=]\s*"
        r"['\"]?(?:[\w-]+:)?(?!A{43}|B{43})[A-Za-z0-9+/_-]{40,}={0,2}"
    ),
}
ANY = re.compile("|".join(f"(?P<k{nth}>{rule})" for nth, rule in enumerate(KINDS.values())))
NAMES = tuple(KINDS)
# Minified by others, or generated: nobody writes a key there.
PASSED_OVER = ("locked/", "tables/web/static/vendor/", "tests/console/vendor/")


def found_in(text: str) -> Iterator[tuple[int, str]]:
    """Line, counted from one, and kind of what looks like a secret."""
    for hit in ANY.finditer(text):
        kind = NAMES[int(str(hit.lastgroup)[1:])]
        yield text.count("\n", 0, hit.start()) + 1, kind


def tracked() -> list[str]:
    """Files of the tree as it would be committed; all files where there is no repository."""
    done = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode == 0:
        return [name for name in done.stdout.split("\0") if name]
    hidden = re.compile(r"(^|/)(\.|var/|static-collected/|__pycache__)")
    files = (str(path.relative_to(ROOT)) for path in ROOT.rglob("*") if path.is_file())
    return [name for name in files if not hidden.search(name)]


def scan(names: Iterable[str]) -> list[str]:
    told = []
    for name in names:
        path = ROOT / name
        if name.startswith(PASSED_OVER) or not path.is_file():
            continue
        text = path.read_bytes().decode("utf-8", "replace")
        told += [f"{name}:{line}: {kind}" for line, kind in found_in(text)]
    return told


def history() -> list[str]:
    """The same of every line that any commit has added."""
    told = subprocess.run(
        ["git", "log", "--all", "-p", "--unified=0", "--no-color", "--format=commit %h", "--",
         ".", *(f":!{name}" for name in PASSED_OVER)],
        cwd=ROOT, capture_output=True, check=True,
    ).stdout.decode("utf-8", "replace")  # fmt: skip
    added = "\n".join(line for line in told.splitlines() if line[:1] in "+c")
    lines = added.splitlines()
    return [f"{lines[line - 1][:60]}: {kind}" for line, kind in found_in(added)]


def main() -> int:
    told = scan(tracked()) + (history() if "--history" in sys.argv else [])
    print("\n".join(told) or "secrets: none found")
    return bool(told)


if __name__ == "__main__":
    raise SystemExit(main())
