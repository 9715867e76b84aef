"""The sandbox: play money, tables of one's own, scripted hands and set clocks; docs/sandbox.md.

A house without a sandbox has none of these addresses, and a production house is never one.
"""

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.core import sandboxes
from casino.core.api.fields import StrictSerializer, WholeField
from casino.core.idempotency import idempotent, transfer_key
from casino.core.models import Scope
from casino.core.permissions import IsPlayer
from tables.api.documents import ObjectField
from tables.api.fields import TABLE_ID, GivenField, player_of
from tables.models import DeckScript
from tables.selectors import table_require
from tables.services import sandbox
from wallets import services as wallets
from wallets.models import PLAY_MONEY

GIVEN_MOST_MINOR = 100_000_000
SHOWN_MOST = 50
INT32 = 2**31 - 1


@extend_schema_field(
    {
        "type": "object",
        "properties": {
            "seats": {"type": "object", "additionalProperties": {"type": "object"}},
            "board": {"type": "array", "items": {"type": "string"}},
            "next": {"type": "array", "items": {"type": "string"}},
            "dealer": {"type": "object"},
            "die": {"type": "integer"},
        },
        "example": {"seats": {"1": {"hand": "a straight flush"}, "2": {"cards": ["Ah", "Ad"]}}},
    }
)
class ScriptField(GivenField):
    """What the next hand is to bring; the engine says what of it cannot be."""

    default_error_messages = {"not_an_object": "a script is an object"}


class DepositsApi(APIView):
    """Help yourself to play money. It is worth nothing and buys in at tables for it alone."""

    permission_classes = [IsPlayer]
    scope = Scope.MONEY

    class InputSerializer(StrictSerializer):
        amount_minor = WholeField(min_value=1, max_value=GIVEN_MOST_MINOR)

    class OutputSerializer(serializers.Serializer[Any]):
        transfer = serializers.IntegerField()
        amount_minor = serializers.IntegerField()
        currency = serializers.CharField()

    @extend_schema(
        operation_id="sandbox_deposit", request=InputSerializer, responses={201: OutputSerializer}
    )
    @idempotent
    def post(self, request: Request) -> Response:
        sandboxes.require()
        form = self.InputSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        amount_minor = form.validated_data["amount_minor"]
        posted = wallets.play_money(
            player_id=player_of(request).pk, amount_minor=amount_minor, key=transfer_key(request)
        )
        answer = {
            "transfer": posted.transfer_id,
            "amount_minor": amount_minor,
            "currency": PLAY_MONEY,
        }
        return Response(answer, status=status.HTTP_201_CREATED)


class SandboxTablesApi(APIView):
    """Open a private table of any game for play money; its invitation lets others sit down."""

    permission_classes = [IsPlayer]

    class InputSerializer(StrictSerializer):
        name = serializers.CharField(max_length=40)
        game = serializers.CharField(max_length=60, help_text="an id of `GET games`")
        options = serializers.DictField(default=dict, help_text="its stakes; Three Card Poker: {}")
        max_seats = WholeField(min_value=1, max_value=10, default=6)
        buy_in_least_minor = WholeField(min_value=1, max_value=INT32, default=100)
        buy_in_most_minor = WholeField(min_value=1, max_value=INT32, default=1_000_000)
        timing = serializers.DictField(
            child=serializers.FloatField(min_value=0, max_value=86_400),
            default=dict,
            help_text="seconds by window, as action_s, betting_s, decision_s",
        )

    class OutputSerializer(serializers.Serializer[Any]):
        table = serializers.IntegerField()
        invitation = serializers.CharField()

    @extend_schema(
        operation_id="sandbox_table_open",
        request=InputSerializer,
        responses={201: OutputSerializer},
    )
    @idempotent
    def post(self, request: Request) -> Response:
        sandboxes.require()
        form = self.InputSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        table = sandbox.table_open(player=player_of(request), **form.validated_data)
        answer = {"table": table.pk, "invitation": table.invitation}
        return Response(answer, status=status.HTTP_201_CREATED)


class SandboxTableApi(APIView):
    """Close a table for play money as soon as its hand is over."""

    permission_classes = [IsPlayer]

    @extend_schema(
        operation_id="sandbox_table_close",
        parameters=[TABLE_ID],
        request=None,
        responses={204: None},
    )
    def delete(self, request: Request, table_id: int) -> Response:
        sandboxes.require()
        sandbox.table_close(table_id=table_id, player=player_of(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class ScriptsApi(APIView):
    """Say what the next hand of a table brings, where you sit for play money.

    It replaces a script that waits. The hand's cut is of mode `scripted` for ever.
    """

    permission_classes = [IsPlayer]

    class InputSerializer(StrictSerializer):
        script = ScriptField()

    class ScriptSerializer(serializers.Serializer[Any]):
        id = serializers.IntegerField()
        status = serializers.ChoiceField(choices=DeckScript.Status.values)
        hand = serializers.IntegerField(allow_null=True)
        fault = serializers.CharField(allow_blank=True, help_text="why it could not be dealt")
        script = ObjectField()

    @extend_schema(
        operation_id="sandbox_script",
        parameters=[TABLE_ID],
        request=InputSerializer,
        responses={201: ScriptSerializer},
    )
    def post(self, request: Request, table_id: int) -> Response:
        sandboxes.require()
        form = self.InputSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        asked = sandbox.script_ask(
            table_id=table_id, player=player_of(request), script=form.validated_data["script"]
        )
        return Response(script_json(asked), status=status.HTTP_201_CREATED)

    @extend_schema(
        operation_id="sandbox_scripts",
        parameters=[TABLE_ID],
        responses=ScriptSerializer(many=True),
    )
    def get(self, request: Request, table_id: int) -> Response:
        sandboxes.require()
        table_require(table_id)
        mine = DeckScript.objects.filter(table_id=table_id, by=player_of(request))
        return Response([script_json(asked) for asked in mine[:SHOWN_MOST]])

    @extend_schema(
        operation_id="sandbox_script_withdraw",
        parameters=[TABLE_ID],
        request=None,
        responses={204: None},
    )
    def delete(self, request: Request, table_id: int) -> Response:
        sandboxes.require()
        sandbox.script_withdraw(table_id=table_id, player=player_of(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


def script_json(asked: DeckScript) -> dict[str, Any]:
    return {
        "id": asked.pk,
        "status": asked.status,
        "hand": asked.hand_id,
        "fault": asked.fault,
        "script": asked.script,
    }


class ClockApi(APIView):
    """Set the running decision's clock, where you sit for play money.

    `left_ms` 0 lets it end now, null freezes it, `advance_ms` brings its end nearer. A player's
    time bank begins as it always does.
    """

    permission_classes = [IsPlayer]

    class InputSerializer(StrictSerializer):
        left_ms = WholeField(max_value=86_400_000, allow_null=True, required=False)
        advance_ms = WholeField(min_value=1, max_value=86_400_000, required=False)

        def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
            if len(attrs) != 1:
                raise serializers.ValidationError("either left_ms or advance_ms", "one_of_two")
            return attrs

    class OutputSerializer(serializers.Serializer[Any]):
        left_ms = serializers.IntegerField(allow_null=True)

    @extend_schema(
        operation_id="sandbox_clock",
        parameters=[TABLE_ID],
        request=InputSerializer,
        responses=OutputSerializer,
    )
    def post(self, request: Request, table_id: int) -> Response:
        sandboxes.require()
        form = self.InputSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        left_ms = sandbox.clock_set(
            table_id=table_id,
            player=player_of(request),
            left_ms=form.validated_data.get("left_ms"),
            by_ms=form.validated_data.get("advance_ms", 0),
        )
        return Response({"left_ms": left_ms})
