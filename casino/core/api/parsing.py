"""JSON from strangers: no deeper or stranger than any request of ours has to be."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import IO, Any, NoReturn

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

DEPTH_MOST = 20
# PostgreSQL keeps no NUL, and UTF-8 knows no lone half of a surrogate pair.
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class PlainJsonParser(JSONParser):
    """What can be stored and written back: UTF-8, finite numbers, text without half characters."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        raw = stream.read()
        try:
            data = json.loads(raw.decode(), parse_constant=refuse_constant)
        except (ValueError, RecursionError) as error:
            raise ParseError("the body is not JSON in UTF-8") from error
        if raw.count(b"[") + raw.count(b"{") > DEPTH_MOST or b"\\u" in raw:
            look_through(data)
        return data


def refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


def look_through(data: Any) -> None:
    """Raises ParseError for what is nested too deep, or holds text that could not be stored."""
    level = [data]
    for _ in range(DEPTH_MOST):
        if any(isinstance(value, str) and UNSTORABLE.search(value) for value in level):
            raise ParseError("the body has characters that no text may hold")
        level = [inner for value in level for inner in inside(value)]
        if not level:
            return
    raise ParseError(f"the body is nested deeper than {DEPTH_MOST} levels")


def inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [*value, *value.values()]
    return value if isinstance(value, list) else []
