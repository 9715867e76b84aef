"""Sitting down, topping up, tipping, sitting out, coming back, leaving."""

from contextlib import AbstractContextManager, nullcontext
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
from tables.models import Seat, Table
from tables.selectors import seat_choices
from tables.services import seating, tipping
from wallets import seamless


def bought(request: Request, table_id: int, amount_minor: int) -> AbstractContextManager[None]:
    """Chips are bought inside, with money that is fetched before where an operator keeps it."""
    currency = Table.objects.filter(pk=table_id).values_list("currency", flat=True).first()
    if currency is None or amount_minor < 1:
        return nullcontext()
    return seamless.brought(
        player_id=player_of(request).pk,
        currency=currency,
        amount_minor=amount_minor,
        key=transfer_key(request),
    )


class NothingSerializer(StrictSerializer):
    """A request without fields."""


class SeatsApi(APIView):
    """Take a seat with chips bought from your wallet; without `seat` the first free one."""

    permission_classes = [IsPlayer]

    class InputSerializer(StrictSerializer):
        seat = WholeField(max_value=2**31 - 1, default=None, allow_null=True)
        buy_in_minor = WholeField()
        posts = TruthField(
            default=False, help_text="at a running game: post a big blind rather than wait for it"
        )
        spots = WholeField(default=1, help_text="Beside each other, from `seat` up.")
        invitation = InvitationField()

    class OutputSerializer(serializers.Serializer[Any]):
        seat = serializers.IntegerField()
        spots = serializers.IntegerField()
        stack_minor = serializers.IntegerField()
        status = serializers.ChoiceField(choices=Seat.Status.values)

    @extend_schema(
        operation_id="seat_take",
        parameters=[TABLE_ID],
        request=InputSerializer,
        responses={201: OutputSerializer},
    )
    @idempotent
    def post(self, request: Request, table_id: int) -> Response:
        form = self.InputSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        with bought(request, table_id, form.validated_data["buy_in_minor"]):
            seat = seating.seat_take(
                table_id=table_id,
                player=player_of(request),
                key=transfer_key(request),
                **form.validated_data,
            )
        answer = {
            "seat": seat.number,
            "spots": seat.spots,
            "stack_minor": form.validated_data["buy_in_minor"],
            "status": seat.status,
        }
        return Response(self.OutputSerializer(answer).data, status=status.HTTP_201_CREATED)


class SpotsApi(APIView):
    """Play several spots beside each other, where the table allows it, from the next round on."""

    permission_classes = [IsPlayer]

    class InputSerializer(StrictSerializer):
        spots = WholeField(help_text="How many in all: your seat and those above it.")

    class OutputSerializer(serializers.Serializer[Any]):
        seat = serializers.IntegerField()
        spots = serializers.IntegerField()

    @extend_schema(
        operation_id="seat_spots",
        parameters=[TABLE_ID],
        request=InputSerializer,
        responses=OutputSerializer,
    )
    def post(self, request: Request, table_id: int) -> Response:
        form = self.InputSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        seat = seating.seat_spots(
            table_id=table_id, player=player_of(request), spots=form.validated_data["spots"]
        )
        return Response({"seat": seat.number, "spots": seat.spots})


class TopUpsApi(APIView):
    """Buy more chips. They play from the next hand on."""

    permission_classes = [IsPlayer]

    class InputSerializer(StrictSerializer):
        amount_minor = WholeField()

    class OutputSerializer(serializers.Serializer[Any]):
        stack_minor = serializers.IntegerField(help_text="All your chips at this table.")

    @extend_schema(
        operation_id="seat_top_up",
        parameters=[TABLE_ID],
        request=InputSerializer,
        responses=OutputSerializer,
    )
    @idempotent
    def post(self, request: Request, table_id: int) -> Response:
        form = self.InputSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        with bought(request, table_id, form.validated_data["amount_minor"]):
            stack_minor = seating.seat_top_up(
                table_id=table_id,
                player=player_of(request),
                key=transfer_key(request),
                **form.validated_data,
            )
        return Response(self.OutputSerializer({"stack_minor": stack_minor}).data)


class TipsApi(APIView):
    """Tip the dealers from the chips before you, between hands."""

    permission_classes = [IsPlayer]

    class InputSerializer(StrictSerializer):
        amount_minor = WholeField()

    class OutputSerializer(serializers.Serializer[Any]):
        stack_minor = serializers.IntegerField(help_text="What you have left at this table.")

    @extend_schema(
        operation_id="seat_tip",
        parameters=[TABLE_ID],
        request=InputSerializer,
        responses=OutputSerializer,
    )
    @idempotent
    def post(self, request: Request, table_id: int) -> Response:
        form = self.InputSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        stack_minor = tipping.seat_tip(
            table_id=table_id,
            player=player_of(request),
            key=transfer_key(request),
            **form.validated_data,
        )
        return Response(self.OutputSerializer({"stack_minor": stack_minor}).data)


class LeaveApi(APIView):
    """Stand up with all your chips; in a hand, as soon as it is settled."""

    permission_classes = [IsPlayer]

    class OutputSerializer(serializers.Serializer[Any]):
        left = serializers.BooleanField(help_text="false: you leave when the hand is settled")
        paid_out_minor = serializers.IntegerField(allow_null=True)

    @extend_schema(
        operation_id="seat_leave",
        parameters=[TABLE_ID],
        request=NothingSerializer,
        responses=OutputSerializer,
    )
    @idempotent
    def post(self, request: Request, table_id: int) -> Response:
        NothingSerializer(data=request.data).is_valid(raise_exception=True)
        paid_out_minor = seating.seat_leave(table_id=table_id, player=player_of(request))
        answer = {"left": paid_out_minor is not None, "paid_out_minor": paid_out_minor}
        return Response(self.OutputSerializer(answer).data)


class SeatStatusSerializer(serializers.Serializer[Any]):
    status = serializers.ChoiceField(choices=Seat.Status.values)


class SitOutApi(APIView):
    """Keep the seat, but be dealt no further hands; in this one your turns pass at once.

    With `at` you play on until this hand is over, or until the big blind reaches you.
    """

    permission_classes = [IsPlayer]

    class InputSerializer(StrictSerializer):
        at = serializers.ChoiceField(
            choices=[Seat.SitsOut.HAND.value, Seat.SitsOut.BIG_BLIND.value],
            required=False,
            help_text="left out: now",
        )

    @extend_schema(
        operation_id="seat_sit_out",
        parameters=[TABLE_ID],
        request=InputSerializer,
        responses=SeatStatusSerializer,
    )
    def post(self, request: Request, table_id: int) -> Response:
        form = self.InputSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        status = seating.seat_sit_out(
            table_id=table_id, player=player_of(request), **form.validated_data
        )
        return Response({"status": status})


class ChoicesApi(APIView):
    """What you choose for yourself at your seat; only what you name changes."""

    permission_classes = [IsPlayer]

    class InputSerializer(StrictSerializer):
        posts = TruthField(
            required=False, help_text="post what you owe rather than wait for the big blind"
        )
        auto_post = TruthField(
            required=False, help_text="your blinds are put in without asking you"
        )
        agrees_to_blind = TruthField(
            required=False, help_text="without auto_post: put in the next blind that reaches you"
        )
        straddles = TruthField(
            required=False, help_text="put in twice the big blind whenever the table lets you"
        )
        wants_bomb_pot = TruthField(
            required=False, help_text="the next hand is a bomb pot as soon as all who play ask"
        )
        tops_up_to_minor = WholeField(
            required=False, allow_null=True,
            help_text="when this hand is over, once: buy chips up to so many; null: do not",
        )  # fmt: skip

    class OutputSerializer(serializers.Serializer[Any]):
        posts = serializers.BooleanField()
        auto_post = serializers.BooleanField()
        agrees_to_blind = serializers.BooleanField()
        straddles = serializers.BooleanField()
        wants_bomb_pot = serializers.BooleanField()
        sits_out_at = serializers.CharField(allow_null=True, help_text="hand, big_blind or null")
        tops_up_to_minor = serializers.IntegerField(allow_null=True)

    @extend_schema(
        operation_id="seat_choose",
        parameters=[TABLE_ID],
        request=InputSerializer,
        responses=OutputSerializer,
    )
    def patch(self, request: Request, table_id: int) -> Response:
        form = self.InputSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        seat = seating.seat_choose(
            table_id=table_id, player=player_of(request), **form.validated_data
        )
        return Response(self.OutputSerializer(seat_choices(seat)).data)


class ReturnApi(APIView):
    """Be dealt in again, from the next hand on."""

    permission_classes = [IsPlayer]

    @extend_schema(
        operation_id="seat_return",
        parameters=[TABLE_ID],
        request=NothingSerializer,
        responses=SeatStatusSerializer,
    )
    def post(self, request: Request, table_id: int) -> Response:
        NothingSerializer(data=request.data).is_valid(raise_exception=True)
        seating.seat_return(table_id=table_id, player=player_of(request))
        return Response({"status": Seat.Status.PLAYING})
