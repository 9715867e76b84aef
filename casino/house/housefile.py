"""`house.env` beside the data: the keys of a demo house, and where its servers listen.

Every `manage.py` command reads it, so that commands work on the house that runs. The keys are
made once and stay with the data, which hidden cards and the sealed log need.
"""

import os
import secrets
from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path

from casino.core.disk import sync
from casino.env import read_file
from casino.house.errors import FolderUnusable

NAME = "house.env"
KEYS = ("SECRET_KEY", "CARD_KEYS", "LOG_SIGNING_KEY")
# Names the servers' folder, for as long as a restore into the house's has not ended.
BEGUN = "restore.begun"


def write_house_file(house: Path, environment: str, addresses: Mapping[str, str]) -> None:
    """Write it anew with the keys it has; a production house brings its keys itself.

    Raises FolderUnusable for production on a folder with a demo house's keys, hence its data.
    """
    path = house / NAME
    found = read_file(path)
    keys = {name: found[name] for name in KEYS if name in found}
    if environment == "production" and keys:
        raise FolderUnusable(house, "it holds a demo house; give production a CROUPIER_DATA anew")
    if environment != "production":
        keys = new_keys() | keys
    lines = [f"{name}={value}" for name, value in {**keys, **addresses}.items()]
    aside = path.with_suffix(".new")
    aside.unlink(missing_ok=True)
    descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write("# Written when the house starts. The keys below stay with the data.\n")
        file.write("\n".join(lines) + "\n")
        file.flush()
        os.fsync(file.fileno())
    aside.replace(path)
    # On the disk before anything is sealed with them, which may lie on another one.
    sync(house)


def refuse_begun(house: Path) -> None:
    """Raises FolderUnusable for a folder whose restore was broken off; nobody must be at it now.

    What lies there is a part of a house: opened, it would be an empty one with the old one's keys.
    """
    mark = house / BEGUN
    try:
        servers = mark.read_text(encoding="utf-8").strip()
    except (FileNotFoundError, NotADirectoryError):
        return
    except (OSError, ValueError) as error:
        raise FolderUnusable(house, f"its {BEGUN} cannot be read: {error}") from error
    there = "it" if not servers or Path(servers).is_relative_to(house) else f"it and {servers}"
    raise FolderUnusable(
        house, f"a restore into it was broken off; remove {there} and restore anew"
    )


def new_keys() -> dict[str, str]:
    def key() -> str:
        return b64encode(secrets.token_bytes(32)).decode()

    return {
        "SECRET_KEY": secrets.token_urlsafe(50),
        "CARD_KEYS": f"demo:{key()}",
        "LOG_SIGNING_KEY": key(),
    }
