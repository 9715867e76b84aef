"""What all views of all apps read alike: exact numbers, and no field they do not know."""

from __future__ import annotations

from typing import Any

from django.urls import register_converter
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

BIGGEST = 2**63 - 1


class StrictSerializer(serializers.Serializer[Any]):
    """Refuses fields it does not know: a misspelt amount must not pass for none at all."""

    def to_internal_value(self, data: Any) -> Any:
        values = super().to_internal_value(data)
        if unknown := sorted(str(name) for name in data if name not in self.fields):
            raise serializers.ValidationError(
                {name[:100]: [serializers.ErrorDetail("no such field", "unknown_field")]
                 for name in unknown[:10]}
            )  # fmt: skip
        return values


class TruthField(serializers.BooleanField):
    """JSON true or false: no text, no number."""

    def to_internal_value(self, data: Any) -> bool:
        if type(data) is not bool:
            self.fail("invalid", input=data)
        return data


class WholeField(serializers.IntegerField):
    """A JSON whole number: no text, no fraction, no true or false."""

    def __init__(self, *, min_value: int = 0, max_value: int = BIGGEST, **more: Any) -> None:
        super().__init__(min_value=min_value, max_value=max_value, **more)

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            self.fail("invalid")
        return data


class IdConverter:
    """A number in a path that can be a row's id; any other is a path that does not exist."""

    regex = "[0-9]{1,19}"

    def to_python(self, value: str) -> int:
        number = int(value)
        if number > BIGGEST:
            raise ValueError(value)
        return number

    def to_url(self, value: int) -> str:
        return str(value)


register_converter(IdConverter, "row")


def row_id(name: str) -> OpenApiParameter:
    """What the document says of such a number in a path."""
    return OpenApiParameter(name, OpenApiTypes.INT64, OpenApiParameter.PATH)
