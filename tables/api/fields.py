"""What all views of the tables read and write alike."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

from casino.core.api.fields import BIGGEST, StrictSerializer
from casino.core.models import User

PAGE_MOST = 200

TABLE_ID = OpenApiParameter("table_id", OpenApiTypes.INT64, OpenApiParameter.PATH)
HAND_ID = OpenApiParameter("hand_id", OpenApiTypes.INT64, OpenApiParameter.PATH)


class GivenField(serializers.Field[Any, Any, Any, Any]):
    """A JSON object that is taken as it is; the rules of a game say what of it cannot be."""

    default_error_messages = {"not_an_object": "an object is expected"}

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, dict):
            self.fail("not_an_object")
        return data

    def to_representation(self, value: Any) -> Any:
        return value


@extend_schema_field(
    {
        "type": "object",
        "required": ["name"],
        "properties": {"name": {"type": "string"}},
        "additionalProperties": True,
        "example": {"name": "raise", "to_minor": 600},
    }
)
class ActionField(GivenField):
    """An action of any game; what it may be is listed in `legal_actions`."""

    default_error_messages = {"not_an_object": "an action is an object with a name"}


class HashField(serializers.RegexField):
    """32 bytes in lower-case hexadecimal."""

    def __init__(self, **more: Any) -> None:
        super().__init__("^[0-9a-f]{64}$", **more)


class InvitationField(serializers.CharField):
    def __init__(self, **more: Any) -> None:
        more = {"help_text": "the code of a private table", **more}
        super().__init__(max_length=20, default="", allow_blank=True, **more)


class PageSerializer(StrictSerializer):
    cursor = serializers.IntegerField(
        min_value=1, max_value=BIGGEST, default=None, allow_null=True,
        help_text="`next` of the page before.",
    )  # fmt: skip
    limit = serializers.IntegerField(min_value=1, max_value=PAGE_MOST, default=50)


def player_of(request: Request) -> User:
    assert isinstance(request.user, User)  # the view's permission let nobody else in
    return request.user
