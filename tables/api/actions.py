"""A player's decision or bet. Never throttled: a refusal there could cost the hand."""

from contextlib import suppress
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.core.api.fields import StrictSerializer, WholeField
from casino.core.permissions import IsPlayer
from tables import selectors
from tables.api.fields import TABLE_ID, ActionField, player_of
from tables.engine.errors import RuleViolation
from tables.errors import TableError, TableNotFound
from tables.services import acting
from tables.shapes import action_checked
from wallets.errors import WalletError


class ActionsApi(APIView):
    """Act once per `action_id`; a repeat answers with the place where the first stands.

    `turn_id` is the decision the action is meant for: a late click cannot hit the next one. A
    refused action's problem also says what you may do now: `seq`, `turn_id`, `legal_actions`.
    """

    permission_classes = [IsPlayer]

    class InputSerializer(StrictSerializer):
        action_id = serializers.UUIDField(help_text="Of your own making, one per action.")
        turn_id = WholeField()
        action = ActionField(help_text="One of `legal_actions`, with its amounts.")

    class OutputSerializer(serializers.Serializer[Any]):
        seq = serializers.IntegerField(help_text="The frame that the action caused.")
        replayed = serializers.BooleanField()

    @extend_schema(
        operation_id="table_act",
        parameters=[TABLE_ID],
        request=InputSerializer,
        responses=OutputSerializer,
    )
    def post(self, request: Request, table_id: int) -> Response:
        form = self.InputSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        sent = form.validated_data
        acted = acting.act(
            table_id=table_id,
            player_id=player_of(request).pk,
            action_id=sent["action_id"],
            turn_id=sent["turn_id"],
            action=action_checked(sent["action"]),
        )
        return Response({"seq": acted.seq, "replayed": acted.replayed})

    def handle_exception(self, exc: Exception) -> Response:
        response = super().handle_exception(exc)
        if isinstance(exc, (RuleViolation, TableError, WalletError)):
            with suppress(TableNotFound):
                now = selectors.legal_actions(self.kwargs["table_id"], player_of(self.request).pk)
                response.data |= now
        return response
