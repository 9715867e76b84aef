"""`manage.py restore FOLDER`: a backup becomes a house again, and says what it lacks.

With --data the house is an embedded one in a new folder, with the keys of the old one; without it
the database that DATABASE_URL and DATABASE_OWNER_URL name. The books are proven before anybody
plays: a restore that ends with 0 can be opened.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from django.core.exceptions import ImproperlyConfigured

from casino.core.disk import sync
from casino.core.telling import Told, teller
from casino.env import read_file
from casino.house import backups
from casino.house.errors import FolderUnusable, HouseError, RestoreRefused
from casino.house.housefile import BEGUN, KEYS, NAME, refuse_begun, write_house_file
from casino.house.places import ROOT, place_for, prepare_house
from casino.house.servers import Postgres
from casino.house.supervisor import lock_house

TO_ID = 3  # of what a seal signs: casino.core.seal.seal_message


@dataclass(frozen=True)
class Target:
    """Where a backup goes: the addresses of both roles, and what commands there must know."""

    owner_url: str
    app_url: str
    environment: Mapping[str, str]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, help="what `manage.py backup` wrote")
    parser.add_argument("--data", type=Path, help="a new folder for an embedded house")
    parser.add_argument("--keys", type=Path, help="with --data: the old house's house.env")
    parser.add_argument(
        "--later-head", type=Path,
        help="a head exported after the backup: tells how much of the log is lost",
    )  # fmt: skip


def as_words(options: Mapping[str, Any]) -> list[str]:
    named = ("data", "keys", "later_head")
    return [
        str(options["folder"]),
        *(
            word
            for name in named
            if options[name] is not None
            for word in (f"--{name.replace('_', '-')}", str(options[name]))
        ),
    ]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="manage.py restore")
    add_arguments(parser)
    options = parser.parse_args(arguments)
    if options.keys and not options.data:
        parser.error("--keys goes with --data; a house of your own has its keys in its environment")
    os.umask(0o077)
    told = teller(lambda line: print(line, file=sys.stderr, flush=True))
    try:
        report = restored(options, told)
    except (HouseError, ImproperlyConfigured) as error:
        print(f"croupier: {error}", file=sys.stderr)
        return 1
    print(json.dumps(report, indent=2))
    return 0 if report["ok"] else 1


def restored(options: argparse.Namespace, told: Told) -> dict[str, Any]:
    """Load, prove and count. Raises RestoreRefused, and then the database is as empty as before."""
    began = time.monotonic()
    # Before anything is made: a folder that was begun is no empty one when it is tried again.
    known = migrations_here()
    later = later_head(options)
    backups.fitting(options.folder, known)
    with target(options, told) as where:
        # What is proven is read as `app`: it must not be some other house that is well.
        backups.require_empty(where.app_url)
        told("loading the dump")
        manifest = backups.bring_back(where.owner_url, options.folder, known)
        loaded_s = time.monotonic() - began
        told("proving the books")
        head = options.folder / backups.HEAD
        ledger = command(where, "verify_ledger", "--against", str(head))
        told("opening the secrets")
        doctor = command(where, "doctor", "--at-rest", "--json")
        entry_id = last_entry(where.app_url)
    told("done")
    report: dict[str, Any] = {
        "as_of": manifest.taken_at,
        "hands_in_play": manifest.hands_in_play,
        "last_ids": manifest.last_ids,
        "loaded_s": round(loaded_s, 1),
        "seconds": round(time.monotonic() - began, 1),
        "ledger": ledger,
        "doctor": doctor,
        "ok": bool(ledger["ok"]) and bool(doctor["ok"]) and entry_id is not None,
    }
    if later is not None:
        report["log_entries_lost"] = None if entry_id is None else max(0, later - entry_id)
    return report


@contextmanager
def target(options: argparse.Namespace, told: Told) -> Iterator[Target]:
    if options.data is None:
        owner, app = (os.environ.get(name) for name in ("DATABASE_OWNER_URL", "DATABASE_URL"))
        if not owner or not app:
            raise RestoreRefused("name a new folder with --data, or both addresses of a database")
        yield Target(owner, app, os.environ)
        return
    kept = old_keys(options.keys)
    refuse_used(options.data)
    house = prepare_house(options.data)
    lock = lock_house(house)
    if (house / NAME).exists():  # somebody else has opened one there since we looked
        raise FolderUnusable(house, "a backup is restored into an empty one")
    mark = house / BEGUN
    mark.touch()
    (house / NAME).write_text("".join(f"{name}={value}\n" for name, value in kept.items()))
    place = place_for(options.data)
    mark.write_text(f"{place.servers}\n", encoding="utf-8")
    if place.note:
        told(place.note)
    postgres = Postgres(place)
    told("starting PostgreSQL")
    postgres.start()
    try:
        urls = {"DATABASE_URL": postgres.url("app"), "DATABASE_OWNER_URL": postgres.url("owner")}
        write_house_file(house, "demo", urls)
        environment = {**os.environ, **kept, "CROUPIER_DATA": str(house), "CROUPIER_ENV": "demo"}
        yield Target(urls["DATABASE_OWNER_URL"], urls["DATABASE_URL"], environment | urls)
        mark.unlink()
        sync(house)
    finally:
        postgres.stop()
        lock.close()


def old_keys(file: Path | None) -> dict[str, str]:
    """The old house's keys from its house.env, or else from the environment."""
    found: dict[str, str] = {}
    if file is not None:
        try:
            if not file.exists():
                raise RestoreRefused(f"{file} is not there: --keys names the old house's {NAME}")
            found = read_file(file)
        except (OSError, ValueError) as error:
            raise RestoreRefused(f"{file} cannot be read as a {NAME}: {error}") from error
    kept = {name: found.get(name) or os.environ.get(name, "") for name in KEYS}
    if missing := [name for name, value in kept.items() if not value]:
        raise RestoreRefused(f"the keys of the old house are needed (--keys): {missing[0]}")
    return kept


def refuse_used(folder: Path) -> None:
    """Raises FolderUnusable unless the folder is empty or not there yet, AlreadyOpen while another
    restore goes into it."""
    try:
        used = folder.exists() and any(folder.iterdir())
        if used and folder.joinpath(BEGUN).exists():
            with lock_house(folder.resolve()):
                refuse_begun(folder.resolve())
    except OSError as error:
        raise FolderUnusable(folder, (error.strerror or str(error)).lower()) from error
    if used:
        raise FolderUnusable(folder, "a backup is restored into an empty one")


def last_entry(url: str) -> int | None:
    """The last entry of the restored log as `app` reads it; None when it cannot be read."""
    try:
        with psycopg.connect(url) as connection:
            (last,) = connection.execute(
                "SELECT coalesce(max(id), 0) FROM core_logentry"
            ).fetchone() or (0,)
    except psycopg.Error:  # the doctor has said why
        return None
    return int(last)


def command(where: Target, *words: str) -> dict[str, Any]:
    """What a manage.py command on the restored database answers in JSON, whatever it ends with."""
    done = subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=ROOT, env={**where.environment, "DATABASE_URL": where.app_url},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    try:
        answer: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        return {"ok": False, "first_fault": lines[-1] if lines else "it said nothing"}
    return answer


def migrations_here() -> dict[str, set[str]]:
    """The migrations this version of the house has, by app."""
    import django
    from django.db.migrations.loader import MigrationLoader

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    django.setup()
    found: dict[str, set[str]] = {}
    for app, name in MigrationLoader(None).disk_migrations:
        found.setdefault(app, set()).add(name)
    return found


def later_head(options: argparse.Namespace) -> int | None:
    """The last entry of the log that an exported head speaks of, if this house has signed it.

    Raises RestoreRefused.
    """
    path = options.later_head
    if path is None:
        return None
    from django.conf import settings

    from casino.core.errors import SigningKeyUnusable
    from casino.core.seal import key_of, trusted_keys
    from casino.core.verifying import is_ours

    text = settings.LOG_SIGNING_KEY
    if options.data is not None:  # the settings loaded here may be another house's
        text = old_keys(options.keys)["LOG_SIGNING_KEY"]
    try:
        keys = trusted_keys(key_of(text))
    except (SigningKeyUnusable, ValueError) as error:
        raise RestoreRefused(f"no head can be held against the log's keys: {error}") from error
    try:
        head = json.loads(path.read_text(encoding="utf-8"))
        entry_id, is_signed = int(json.loads(head["signed"])[TO_ID]), is_ours(head, keys)
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise RestoreRefused(f"{path} is no exported head") from error
    if not is_signed:
        raise RestoreRefused(
            f"{path} is a head that no key of this house has signed"
            " (LOG_SIGNING_KEY, LOG_FORMER_PUBLIC_KEYS)"
        )
    return entry_id


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
