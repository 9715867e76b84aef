"""Whether the house's files and settings are what they were when somebody accepted them.

Source: standards LOG-06. Checked on demand and once a day; the first look is what later ones are
held against. In production a difference stops further hands until somebody has looked.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from casino.console.access import PAGES
from casino.console.models import Scan
from casino.core.log import log
from casino.core.models import User
from casino.core.services import role_require
from tables.engine.banked.sheet import rules_hash
from tables.models import Paytable
from tables.services import opening

NAME, ALTERED, ACCEPTED = "files", "files.altered", "files.accepted"
EVERY = timedelta(hours=24)
FOLDERS = ("casino", "tables", "wallets")
KINDS = {".py", ".sql", ".html", ".js", ".css", ".json", ".po", ".mo", ".svg"}
SINGLE = ("manage.py", "requirements.txt", "locked/requirements.txt")
TOLD_MOST = 50
# Settings that differ from process to process, or are told by the machine.
OWN = {"PART", "AS_OWNER", "DATABASES", "STATICFILES_STORAGE_CLASS", "STORAGES",
       "WHITENOISE_USE_FINDERS"}  # fmt: skip


@dataclass(frozen=True)
class Verdict:
    """differing: paths, names of settings, paytables. digest: over all that was looked at."""

    digest: str
    differing: list[str]
    files: int


def manifest() -> dict[str, str]:
    """SHA-256 by path of every file of the house, and by name of every setting and paytable."""
    found = {str(path.relative_to(settings.BASE_DIR)): sha256(path.read_bytes()).hexdigest()
             for path in _files()}  # fmt: skip
    for name in dir(settings):
        if name.isupper() and name not in OWN:
            text = json.dumps(getattr(settings, name), sort_keys=True, default=str)
            found[f"setting {name}"] = sha256(text.encode()).hexdigest()
    return found


def _files() -> list[Path]:
    paths = [settings.BASE_DIR / name for name in SINGLE]
    for folder in FOLDERS:
        paths += [
            path
            for path in sorted((settings.BASE_DIR / folder).rglob("*"))
            if path.suffix in KINDS and "__pycache__" not in path.parts
        ]
    return [path for path in paths if path.is_file()]


def paytables_altered() -> list[str]:
    """Approved versions whose content is no longer what was approved."""
    return [
        f"paytable {version}"
        for version in Paytable.objects.filter(status=Paytable.Status.APPROVED)
        if rules_hash(version.content) != version.content_hash
    ]


def check() -> Verdict:
    """Look at everything, and tell the log of what differs from what was accepted."""
    found = manifest()
    digest = sha256(json.dumps(found, sort_keys=True).encode()).hexdigest()
    altered = paytables_altered()
    with transaction.atomic():
        scan, is_new = Scan.objects.select_for_update().get_or_create(name=NAME)
        known: dict[str, str] = scan.facts.get("manifest", {})
        if is_new or not known:
            known = found
        differing = [
            name
            for name in sorted(found.keys() | known.keys())
            if found.get(name) != known.get(name)
        ] + altered
        told = sha256(json.dumps([digest, altered]).encode()).hexdigest()
        if differing and scan.facts.get("told") != told:
            facts = {"names": differing[:TOLD_MOST], "count": len(differing), "sha256": digest}
            log(ALTERED, "house:files", None, facts)
            if settings.PRODUCTION:
                opening.house_stop(reason="files or settings are not what was accepted")
        scan.facts = {"manifest": known, "digest": digest, "differing": differing[:TOLD_MOST],
                      "files": len(found), "told": told if differing else ""}  # fmt: skip
        scan.at = timezone.now()
        scan.save()
    return Verdict(digest, differing, len(found))


def check_due() -> bool:
    """Check if the last look is a day old. Returns whether it was."""
    last = Scan.objects.filter(name=NAME, at__gt=timezone.now() - EVERY)
    if last.exists():
        return False
    check()
    return True


@transaction.atomic
def accept(*, by: User) -> None:
    """Take what stands now for what should stand. Raises RoleMissing."""
    role_require(by, PAGES["files.accept"])
    found = manifest()
    digest = sha256(json.dumps(found, sort_keys=True).encode()).hexdigest()
    Scan.objects.update_or_create(
        name=NAME,
        defaults={"at": timezone.now(), "facts": {
            "manifest": found, "digest": digest, "differing": paytables_altered(),
            "files": len(found), "told": "",
        }},
    )  # fmt: skip
    log(ACCEPTED, "house:files", by, {"sha256": digest, "files": len(found)})


def last() -> dict[str, Any]:
    scan = Scan.objects.filter(name=NAME).first()
    if scan is None:
        return {}
    return {**{k: v for k, v in scan.facts.items() if k != "manifest"}, "at": scan.at}
