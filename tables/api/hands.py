"""Hands that are over."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.core.permissions import IsPlayer, IsSignedIn
from casino.core.throttling import ReadThrottle
from tables import lobby, selectors
from tables.api.documents import FrameSerializer, GameNameSerializer, ObjectField
from tables.api.fields import HAND_ID, PageSerializer, player_of
from tables.models import Hand


class HandsApi(APIView):
    """Your own hands, newest first."""

    permission_classes = [IsPlayer]
    throttle_classes = [ReadThrottle]

    class OutputSerializer(serializers.Serializer[Any]):
        class HandSerializer(serializers.Serializer[Any]):
            class TableSerializer(serializers.Serializer[Any]):
                id = serializers.IntegerField()
                name = serializers.CharField()

            id = serializers.IntegerField()
            number = serializers.IntegerField(help_text="At its table.")
            table = TableSerializer()
            game = GameNameSerializer()
            status = serializers.ChoiceField(choices=Hand.Status.values)
            started_at = serializers.DateTimeField()
            settled_at = serializers.DateTimeField(allow_null=True)
            seat = serializers.IntegerField()
            currency = serializers.CharField()
            net_minor = serializers.IntegerField(help_text="What you won; negative: lost.")
            rake_minor = serializers.IntegerField(help_text="Of the whole hand.")
            drop_minor = serializers.IntegerField(help_text="Of the whole hand, to jackpots.")

        hands = HandSerializer(many=True)
        next = serializers.IntegerField(allow_null=True, help_text="null on the last page")

    @extend_schema(operation_id="hands", parameters=[PageSerializer], responses=OutputSerializer)
    def get(self, request: Request) -> Response:
        form = PageSerializer(data=request.query_params)
        form.is_valid(raise_exception=True)
        page = lobby.hands_of(
            player_of(request).pk,
            before=form.validated_data["cursor"],
            most=form.validated_data["limit"],
        )
        return Response(self.OutputSerializer({"hands": page.rows, "next": page.next}).data)


class HandApi(APIView):
    """A hand that is over, frame by frame, as you may see it."""

    permission_classes = [IsSignedIn]
    throttle_classes = [ReadThrottle]

    class OutputSerializer(serializers.Serializer[Any]):
        id = serializers.IntegerField()
        table = serializers.IntegerField()
        number = serializers.IntegerField()
        game = serializers.CharField()
        status = serializers.ChoiceField(choices=Hand.Status.values)
        started_at = serializers.DateTimeField()
        settled_at = serializers.DateTimeField(allow_null=True)
        result = ObjectField(allow_null=True)
        frames = FrameSerializer(many=True)

    @extend_schema(operation_id="hand", parameters=[HAND_ID], responses=OutputSerializer)
    def get(self, request: Request, hand_id: int) -> Response:
        return Response(selectors.hand_history(hand_id, request.user.pk))
