"""The processes' own log as one JSON object a line, each with what it belongs to.

A request's id comes from the request or is made for it; tables and hands are named by the task or
request at work. A hidden card never gets here: messages name ids and figures, and no formatter
writes the values of variables.
"""

from __future__ import annotations

import json
import logging
import os
import re
import traceback
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

ID = re.compile(r"[A-Za-z0-9._-]{8,64}")

belongs: ContextVar[dict[str, Any] | None] = ContextVar("belongs", default=None)
"""What is being worked on: request, table, hand, task."""


def request_id(asked: str) -> str:
    """The id a request brings, if it is one that can stand in a log; else a new one."""
    return asked if ID.fullmatch(asked) else uuid4().hex


def belong(**facts: Any) -> None:
    """Say what the work at hand belongs to, for every line from here on."""
    belongs.set({**(belongs.get() or {}), **facts})


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "part": os.environ.get("CROUPIER_PART", "command"),
            "pid": record.process,
            "message": record.getMessage(),
            **(belongs.get() or {}),
        }
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
            line["trace"] = "".join(traceback.format_exception(*record.exc_info))[-8_000:]
        return json.dumps(line, ensure_ascii=False, default=str)
