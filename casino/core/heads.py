"""Heads of the log that were exported and kept elsewhere, read back from their files."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError


def heads_of(paths: Iterable[Path]) -> list[dict[str, Any]]:
    """The heads in these files; one exported before anything was sealed is none.

    Raises CommandError for a file that cannot be read or holds no head.
    """
    heads = []
    for path in paths:
        try:
            head = json.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise CommandError(f"{path} cannot be read: {error.strerror}") from error
        except ValueError as error:
            raise CommandError(f"{path} holds no exported head: it is not JSON") from error
        if head is None:
            continue
        if not isinstance(head, dict):
            raise CommandError(f"{path} holds no exported head")
        heads.append(head)
    return heads
