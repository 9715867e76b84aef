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
# What any operation may answer, and has changed nothing then; further ones where a body, a key or
# a written form is asked for.
REASONS = {
    400: "The request has fields, or a value, that cannot be used.",
    401: "Nobody is signed in, or the name, password, token or code is wrong.",
    403: "Whoever is signed in may not do this.",
    404: "There is nothing here, or nothing you may see.",
    409: "The state of the house is against it: `code` says which rule.",
    429: "Too many requests, or too many wrong passwords; `Retry-After` says how long to wait.",
    503: "The house is busy or cannot reach its books; the request may be sent again.",
}
WITH_BODY = {
    413: "The body is too large.",
    415: "The body is not JSON.",
    422: "The idempotency key was used for another request.",
}
WITH_FORM = {406: "This hand has no such written form; `detail` says why."}


def problems_of(operation: dict[str, Any]) -> dict[int, str]:
    """The answers of an operation that are no success: why, by status."""
    is_sent = "requestBody" in operation or any(
        given["in"] == "header" for given in operation.get("parameters", ())
    )
    in_forms = any(given["name"] == "format" for given in operation.get("parameters", ()))
    return REASONS | (WITH_BODY if is_sent else {}) | (WITH_FORM if in_forms else {})


def answer_of(words: str) -> dict[str, Any]:
    problem = {"schema": {"$ref": "#/components/schemas/Problem"}}
    return {"description": words, "content": {"application/problem+json": problem}}


class HouseSchema(AutoSchema):
    """Names a nested serializer after its view: `SeatsApi.InputSerializer` is SeatsInput."""

    def get_serializer_name(self, serializer: Any, direction: Any) -> str:
        words = type(serializer).__qualname__.split(".")
        return "".join(word.removesuffix("Api").removesuffix("Serializer") for word in words)


def add_problems(result: dict[str, Any], **context: Any) -> dict[str, Any]:
    """drf-spectacular's hook: every status that an operation may answer is listed."""
    parts = result.setdefault("components", {})
    parts.setdefault("schemas", {})["Problem"] = PROBLEM
    parts["responses"] = {
        f"Problem{status}": answer_of(words)
        for status, words in sorted((REASONS | WITH_BODY | WITH_FORM).items())
    }
    for path in result["paths"].values():
        for operation in path.values():
            if operation.get("security") == [{}]:
                operation["security"] = []  # the same, in the words that generators understand
            for status in sorted(problems_of(operation)):
                answer = {"$ref": f"#/components/responses/Problem{status}"}
                operation["responses"].setdefault(str(status), answer)
    return result
