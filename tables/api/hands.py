"""Hands that are over."""

from collections.abc import Iterable
from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.core.api.fields import StrictSerializer
from casino.core.permissions import IsPlayer, IsSignedIn
from casino.core.throttling import ExportThrottle, ReadThrottle
from tables import histories, lobby
from tables.api.documents import FrameSerializer, GameNameSerializer, ObjectField
from tables.api.fields import HAND_ID, PageSerializer, player_of
from tables.api.seats import NothingSerializer
from tables.engine.history.forms import FORMS
from tables.models import FloorCall, Hand
from tables.services import flagging, watching

NDJSON = "application/x-ndjson"


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


class FormatSerializer(StrictSerializer):
    format = serializers.ChoiceField(
        choices=histories.FORMATS, default=histories.NATIVE,
        help_text="`native`: frame by frame. Others: `formats` of the hand says which there are.",
    )  # fmt: skip


class ExportSerializer(FormatSerializer, PageSerializer):
    """A page of hands in one form."""


class AnyAccept(BaseContentNegotiation):
    """The form that is asked for decides what the answer is, not the Accept header."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser:
        return next(iter(parsers))

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        first = next(iter(renderers))
        return first, first.media_type or ""


class HandReportApi(APIView):
    """Report a hand that you were dealt into: somebody of the house will look at it."""

    permission_classes = [IsPlayer]

    class InputSerializer(StrictSerializer):
        reason = serializers.CharField(max_length=watching.REASON_MOST)

    class OutputSerializer(serializers.Serializer[Any]):
        hand = serializers.IntegerField(source="hand_id")
        at = serializers.DateTimeField(help_text="Of your first report of this hand.")

    @extend_schema(
        operation_id="hand_report",
        parameters=[HAND_ID],
        request=InputSerializer,
        responses={201: OutputSerializer},
    )
    def post(self, request: Request, hand_id: int) -> Response:
        form = self.InputSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        report = watching.hand_report(
            hand_id=hand_id, player=player_of(request), reason=form.validated_data["reason"]
        )
        return Response(self.OutputSerializer(report).data, status=status.HTTP_201_CREATED)


class HandFlagApi(APIView):
    """Flag a hand that you were dealt into for the floor; the hand goes on meanwhile."""

    permission_classes = [IsPlayer]

    class OutputSerializer(serializers.Serializer[Any]):
        hand = serializers.IntegerField(source="hand_id")
        at = serializers.DateTimeField(source="called_at", help_text="Of its first flag.")
        is_answered = serializers.SerializerMethodField(help_text="By the floor.")

        def get_is_answered(self, call: FloorCall) -> bool:
            return call.answered_at is not None

    @extend_schema(
        operation_id="hand_flag",
        parameters=[HAND_ID],
        request=NothingSerializer,
        responses={201: OutputSerializer},
    )
    def post(self, request: Request, hand_id: int) -> Response:
        NothingSerializer(data=request.data).is_valid(raise_exception=True)
        call = flagging.hand_flag(hand_id=hand_id, player=player_of(request))
        return Response(self.OutputSerializer(call).data, status=status.HTTP_201_CREATED)


class HandApi(APIView):
    """A hand that is over, as you may see it: frame by frame, or in a written form."""

    permission_classes = [IsSignedIn]
    throttle_classes = [ReadThrottle]
    content_negotiation_class = AnyAccept

    class OutputSerializer(serializers.Serializer[Any]):
        id = serializers.IntegerField()
        table = serializers.IntegerField()
        number = serializers.IntegerField()
        game = serializers.CharField()
        status = serializers.ChoiceField(choices=Hand.Status.values)
        started_at = serializers.DateTimeField()
        settled_at = serializers.DateTimeField(allow_null=True)
        result = ObjectField(allow_null=True)
        formats = serializers.ListField(
            child=serializers.ChoiceField(choices=histories.FORMATS),
            help_text="What `format` may ask for; any other is 406 with the reason.",
        )
        formats_refused = serializers.DictField(
            child=serializers.CharField(), help_text="Why the others are not there."
        )
        frames = FrameSerializer(many=True)

    @extend_schema(
        operation_id="hand",
        parameters=[HAND_ID, FormatSerializer],
        responses={
            (200, "application/json"): OutputSerializer,
            **{(200, form.media): OpenApiTypes.STR for form in FORMS.values()},
        },
    )
    def get(self, request: Request, hand_id: int) -> HttpResponseBase:
        form = FormatSerializer(data=request.query_params)
        form.is_valid(raise_exception=True)
        name = form.validated_data["format"]
        if name == histories.NATIVE:
            return Response(histories.history(hand_id, request.user.pk))
        text = histories.written(hand_id, request.user.pk, name)
        file = f"hand-{hand_id}.{FORMS[name].suffix}"
        return HttpResponse(
            text,
            content_type=f"{FORMS[name].media}; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="{file}"'},
        )


class ExportApi(APIView):
    """Your own hands in one form, newest first: a line of JSON each (NDJSON).

    The address of the next page is the `Link` header's `next`; without one this is the last page.
    """

    permission_classes = [IsPlayer]
    throttle_classes = [ExportThrottle]
    content_negotiation_class = AnyAccept

    @extend_schema(
        operation_id="hands_export",
        parameters=[ExportSerializer],
        responses={(200, NDJSON): OpenApiTypes.STR},
    )
    def get(self, request: Request) -> HttpResponse:
        form = ExportSerializer(data=request.query_params)
        form.is_valid(raise_exception=True)
        name, most = form.validated_data["format"], form.validated_data["limit"]
        lines, cursor = histories.export(
            player_of(request).pk, name, before=form.validated_data["cursor"], most=most
        )
        response = HttpResponse("".join(f"{line}\n" for line in lines), content_type=NDJSON)
        if cursor is not None:
            query = f"format={name}&limit={most}&cursor={cursor}"
            response["Link"] = f'<{request.path}?{query}>; rel="next"'
        return response
