"""Fields of the console's forms."""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.forms.fields import InvalidJSONInput
from rest_framework.exceptions import ParseError

from casino.core.api.parsing import look_through, refuse_constant


class PlainJsonField(forms.JSONField):
    """JSON as the API takes it; what cannot be read or stored is an error of the form."""

    def to_python(self, value: Any) -> Any:
        if self.disabled or value in self.empty_values or not isinstance(value, str):
            return super().to_python(value)
        try:
            return plain_json(value)
        except ValueError as error:
            raise forms.ValidationError(
                self.error_messages["invalid"], code="invalid", params={"value": value[:100]}
            ) from error

    def bound_data(self, data: Any, initial: Any) -> Any:
        """What is shown again: as it was typed, where it is no plain JSON."""
        if self.disabled or not isinstance(data, str):
            return super().bound_data(data, initial)
        try:
            return plain_json(data)
        except ValueError:
            return InvalidJSONInput(data)


def plain_json(text: str) -> Any:
    """Raises ValueError."""
    try:
        data = json.loads(text, parse_constant=refuse_constant)
        look_through(data)
    except (RecursionError, ParseError) as error:
        raise ValueError(str(error)) from error
    return data
