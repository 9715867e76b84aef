"""How the OpenAPI document is made: names of its parts, and the answers that are no success."""

from __future__ import annotations

from typing import Any

from drf_spectacular.openapi import AutoSchema

PROBLEM = {
    "type": "object",
    "description": "RFC 9457. `code` is stable; the facts of the broken rule stand beside it.",
    "required": ["type", "title", "status", "code", "detail"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "code": {"type": "string"},
        "detail": {"type": "string"},
        "errors": {
            "type": "array",
            "description": "Each field at fault, with `code` invalid_request.",
            "items": {
                "type": "object",
                "required": ["pointer", "detail", "code"],
                "properties": {
                    "pointer": {"type": "string", "description": "A JSON pointer."},
                    "detail": {"type": "string"},
                    "code": {"type": "string"},
                },
            },
        },
    },
}
ANSWER = {
    "description": "A problem: the request changed nothing.",
    "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
}


class HouseSchema(AutoSchema):
    """Names a nested serializer after its view: `SeatsApi.InputSerializer` is SeatsInput."""

    def get_serializer_name(self, serializer: Any, direction: Any) -> str:
        words = type(serializer).__qualname__.split(".")
        return "".join(word.removesuffix("Api").removesuffix("Serializer") for word in words)


def add_problems(result: dict[str, Any], **context: Any) -> dict[str, Any]:
    """drf-spectacular's hook; the answer named `default` stands for every status not listed."""
    result.setdefault("components", {}).setdefault("schemas", {})["Problem"] = PROBLEM
    for path in result["paths"].values():
        for operation in path.values():
            operation["responses"].setdefault("default", ANSWER)
    return result
