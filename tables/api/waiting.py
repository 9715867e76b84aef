"""Reserving a seat, waiting for one, changing it, being seated by chance."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.core.api.fields import StrictSerializer, TruthField, WholeField
from casino.core.idempotency import idempotent, transfer_key
from casino.core.permissions import IsPlayer
from tables.api.fields import TABLE_ID, InvitationField, player_of
from tables.frames import instant
from tables.selectors import seat_facts, stacks_of
from tables.services import moving, waiting
from wallets import seamless

SEAT_MOST = 2**31 - 1


class SeatSerializer(StrictSerializer):
    seat = WholeField(max_value=SEAT_MOST)


class PlacedSerializer(serializers.Serializer[Any]):
    table = serializers.IntegerField()
    seat = serializers.IntegerField()
    stack_minor = serializers.IntegerField()
    status = serializers.CharField()


def placed(seat: Any) -> dict[str, Any]:
    stack_minor = stacks_of(seat.table, [seat])[seat.number].stack_minor
    return {"table": seat.table_id, "stack_minor": stack_minor, **seat_facts(seat)}


class ReservationsApi(APIView):
    """Keep a free seat while you are about to buy in."""

    permission_classes = [IsPlayer]

    class InputSerializer(SeatSerializer):
        invitation = InvitationField()

    class OutputSerializer(serializers.Serializer[Any]):
        seat = serializers.IntegerField()
        until = serializers.DateTimeField()

    @extend_schema(
        operation_id="seat_reserve",
        parameters=[TABLE_ID],
        request=InputSerializer,
        responses=OutputSerializer,
    )
    def post(self, request: Request, table_id: int) -> Response:
        form = self.InputSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        until = waiting.seat_reserve(
            table_id=table_id, player=player_of(request), **form.validated_data
        )
        return Response({"seat": form.validated_data["seat"], "until": instant(until)})


class WaitingApi(APIView):
    """The waiting list of this kind of table: its game, limit, stakes and currency."""

    permission_classes = [IsPlayer]

    class InputSerializer(StrictSerializer):
        invitation = InvitationField()

    class OutputSerializer(serializers.Serializer[Any]):
        place = serializers.IntegerField(help_text="1 is next")

    @extend_schema(
        operation_id="list_join",
        parameters=[TABLE_ID],
        request=InputSerializer,
        responses=OutputSerializer,
    )
    def post(self, request: Request, table_id: int) -> Response:
        form = self.InputSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        place = waiting.list_join(
            table_id=table_id, player=player_of(request), **form.validated_data
        )
        return Response({"place": place})

    @extend_schema(operation_id="list_leave", parameters=[TABLE_ID], responses={204: None})
    def delete(self, request: Request, table_id: int) -> Response:
        waiting.list_leave(table_id=table_id, player=player_of(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class ListsApi(APIView):
    """The lists you stand on, and the seat that is kept for you when you are called."""

    permission_classes = [IsPlayer]

    class OutputSerializer(serializers.Serializer[Any]):
        class ListSerializer(serializers.Serializer[Any]):
            class CallSerializer(serializers.Serializer[Any]):
                table = serializers.IntegerField()
                seat = serializers.IntegerField(allow_null=True)
                until = serializers.DateTimeField()

            game = serializers.CharField()
            limit = serializers.CharField(allow_blank=True)
            stakes_minor = serializers.IntegerField(help_text="the big blind or small bet")
            currency = serializers.CharField()
            place = serializers.IntegerField(allow_null=True)
            called = CallSerializer(allow_null=True)

        lists = ListSerializer(many=True)

    @extend_schema(operation_id="lists", responses=OutputSerializer)
    def get(self, request: Request) -> Response:
        found = waiting.lists_of(player_of(request).pk)
        return Response(self.OutputSerializer({"lists": found}).data)


class SeatChangeApi(APIView):
    """Move to another free seat of the table: now, or when your hand is over."""

    permission_classes = [IsPlayer]

    class OutputSerializer(serializers.Serializer[Any]):
        seat = serializers.IntegerField(help_text="Where you sit now.")
        moves_to = serializers.IntegerField(allow_null=True, help_text="When this hand is over.")

    @extend_schema(
        operation_id="seat_change",
        parameters=[TABLE_ID],
        request=SeatSerializer,
        responses=OutputSerializer,
    )
    def post(self, request: Request, table_id: int) -> Response:
        form = SeatSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        seat = moving.seat_change(
            table_id=table_id, player=player_of(request), to=form.validated_data["seat"]
        )
        return Response({"seat": seat.number, "moves_to": seat.moves_to})


class TransferApi(APIView):
    """Move to another table with all your chips, between two hands."""

    permission_classes = [IsPlayer]

    class InputSerializer(StrictSerializer):
        to_table = WholeField(min_value=1)
        seat = WholeField(max_value=SEAT_MOST, default=None, allow_null=True)
        posts = TruthField(default=False)

    @extend_schema(
        operation_id="seat_transfer",
        parameters=[TABLE_ID],
        request=InputSerializer,
        responses=PlacedSerializer,
    )
    @idempotent
    def post(self, request: Request, table_id: int) -> Response:
        form = self.InputSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        said = form.validated_data
        seat = moving.seat_transfer(
            table_id=table_id,
            player=player_of(request),
            to_table=said["to_table"],
            to=said["seat"],
            posts=said["posts"],
        )
        return Response(PlacedSerializer(placed(seat)).data)


class RandomSeatApi(APIView):
    """Be seated by chance: every free seat at open tables of the game is as likely."""

    permission_classes = [IsPlayer]

    class InputSerializer(StrictSerializer):
        game = serializers.CharField(max_length=60)
        currency = serializers.CharField(max_length=3)
        buy_in_minor = WholeField()
        posts = TruthField(default=False)

    @extend_schema(
        operation_id="seat_at_random", request=InputSerializer, responses={201: PlacedSerializer}
    )
    @idempotent
    def post(self, request: Request) -> Response:
        form = self.InputSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        said, player, key = form.validated_data, player_of(request), transfer_key(request)
        with seamless.brought(
            player_id=player.pk,
            currency=said["currency"],
            amount_minor=said["buy_in_minor"],
            key=key,
        ):
            seat = moving.seat_at_random(player=player, key=key, **said)
        return Response(PlacedSerializer(placed(seat)).data, status=status.HTTP_201_CREATED)
