"""Holds an answer against what docs/openapi.json says about its operation."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "openapi.json"


@cache
def document() -> dict[str, Any]:
    text: dict[str, Any] = json.loads(DOCUMENT.read_text())
    return text


@cache
def operations() -> list[tuple[re.Pattern[str], dict[str, Any]]]:
    return [
        (re.compile(re.sub(r"\{\w+\}", r"\\d+", path)), facts)
        for path, facts in document()["paths"].items()
    ]


def check(method: str, path: str, status: int, kind: str, body: bytes) -> None:
    """Fails unless the document promises this answer of a documented path."""
    facts = next((facts for form, facts in operations() if form.fullmatch(path)), None)
    if facts is None or method.lower() not in facts:
        return
    answers = facts[method.lower()]["responses"]
    answer = answers.get(str(status))
    if answer is not None and "$ref" in answer:
        answer = document()["components"]["responses"][answer["$ref"].rpartition("/")[2]]
    assert answer is not None, f"{method} {path} may not answer {status}"
    if "content" not in answer:
        assert not body
        return
    assert kind in answer["content"], f"{method} {path} may not answer with {kind}"
    if kind not in ("application/json", "application/problem+json"):
        return  # a form that its own specification describes
    schema = {**answer["content"][kind]["schema"], "components": document()["components"]}
    Draft202012Validator(schema).validate(json.loads(body))
