"""Looking at games and tables; tickets for the WebSocket."""

from typing import Any

import orjson
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.core.api.fields import BIGGEST, StrictSerializer
from casino.core.bearers import TokenFacts
from casino.core.errors import ScopeMissing
from casino.core.models import Role, Scope, User
from casino.core.permissions import IsSignedIn
from casino.core.throttling import ReadThrottle
from casino.core.tickets import TICKET_S, ticket_issue
from tables import lobby, selectors
from tables.api.documents import FrameSerializer, PlacardSerializer, SnapshotSerializer
from tables.api.fields import TABLE_ID, PageSerializer
from tables.engine.poker.vocabulary import EVERY_LIMIT
from tables.models import Table

PLAYER, WATCHER = "player", "watcher"


class GamesApi(APIView):
    """The games this house can deal, each a table's `game`."""

    permission_classes = [IsSignedIn]
    throttle_classes = [ReadThrottle]

    class OutputSerializer(serializers.Serializer[Any]):
        class GameSerializer(serializers.Serializer[Any]):
            class SeatsSerializer(serializers.Serializer[Any]):
                least = serializers.IntegerField()
                most = serializers.IntegerField()

            id = serializers.CharField()
            name = serializers.CharField()
            family = serializers.ChoiceField(choices=lobby.FAMILIES)
            seats = SeatsSerializer()
            limits = serializers.ListField(
                child=serializers.CharField(), help_text="The usual one first."
            )

        games = GameSerializer(many=True)

    @extend_schema(operation_id="games", responses=OutputSerializer)
    def get(self, request: Request) -> Response:
        return Response(self.OutputSerializer({"games": lobby.games()}).data)


class TablesApi(APIView):
    """The lobby. Closed tables are listed only when `status` asks for them."""

    permission_classes = [IsSignedIn]
    throttle_classes = [ReadThrottle]

    class InputSerializer(PageSerializer):
        family = serializers.ChoiceField(choices=lobby.FAMILIES, required=False)
        game = serializers.CharField(max_length=60, required=False)
        status = serializers.ChoiceField(choices=Table.Status.values, required=False)
        currency = serializers.CharField(max_length=3, required=False)
        betting = serializers.ChoiceField(choices=EVERY_LIMIT, required=False)
        name = serializers.CharField(max_length=60, required=False, help_text="A part of it.")
        buy_in_minor = serializers.IntegerField(
            min_value=1, max_value=BIGGEST, required=False, help_text="Where one may bring so much."
        )
        free_seat = serializers.BooleanField(
            default=False, help_text="Only where one can sit down now."
        )

    class OutputSerializer(serializers.Serializer[Any]):
        class TableSerializer(PlacardSerializer):
            seats_taken = serializers.IntegerField()
            waiting = serializers.IntegerField(help_text="On the list of this kind of table.")

        tables = TableSerializer(many=True)
        next = serializers.IntegerField(allow_null=True, help_text="null on the last page")

    @extend_schema(operation_id="tables", parameters=[InputSerializer], responses=OutputSerializer)
    def get(self, request: Request) -> Response:
        form = self.InputSerializer(data=request.query_params)
        form.is_valid(raise_exception=True)
        filters = dict(form.validated_data)
        page = lobby.tables(
            after=filters.pop("cursor") or 0,
            most=filters.pop("limit"),
            viewer_id=request.user.pk,
            **filters,
        )
        return Response(self.OutputSerializer({"tables": page.rows, "next": page.next}).data)


class TableApi(APIView):
    """The whole table as you may see it: your own cards, and what lies open."""

    permission_classes = [IsSignedIn]
    throttle_classes = [ReadThrottle]

    @extend_schema(operation_id="table", parameters=[TABLE_ID], responses=SnapshotSerializer)
    def get(self, request: Request, table_id: int) -> Response:
        return Response(selectors.table_snapshot(table_id, request.user.pk))


class EventsApi(APIView):
    """The frames after `from_seq` as you may see them, for a client without a WebSocket.

    With `resync_required` there are too many to send: take the table's snapshot instead.
    """

    permission_classes = [IsSignedIn]
    throttle_classes = [ReadThrottle]

    class InputSerializer(StrictSerializer):
        from_seq = serializers.IntegerField(min_value=0, max_value=BIGGEST, default=0)

    class OutputSerializer(serializers.Serializer[Any]):
        seq = serializers.IntegerField(help_text="Ask for the frames after this one next.")
        frames = FrameSerializer(many=True)
        resync_required = serializers.BooleanField()

    @extend_schema(
        operation_id="table_events",
        parameters=[TABLE_ID, InputSerializer],
        responses=OutputSerializer,
    )
    def get(self, request: Request, table_id: int) -> Response:
        form = self.InputSerializer(data=request.query_params)
        form.is_valid(raise_exception=True)
        from_seq = form.validated_data["from_seq"]
        texts = selectors.frames_since(table_id, from_seq, request.user.pk)
        frames = [orjson.loads(text) for text in texts or ()]
        return Response(
            {
                "seq": frames[-1]["seq"] if frames else from_seq,
                "frames": frames,
                "resync_required": texts is None,
            }
        )


class TicketsApi(APIView):
    """A ticket opens one WebSocket to this table, once, within seconds.

    As `player` the socket shows your own cards and takes your actions; the newest one you open
    closes the older. As `watcher` it shows what everybody may see, on as many screens as you
    like; people who work here only watch.
    """

    permission_classes = [IsSignedIn]
    scope = Scope.READ  # to watch; playing asks for more below

    class InputSerializer(StrictSerializer):
        role = serializers.ChoiceField(choices=[PLAYER, WATCHER], default=PLAYER)

    class OutputSerializer(serializers.Serializer[Any]):
        ticket = serializers.CharField()
        role = serializers.ChoiceField(choices=[PLAYER, WATCHER])
        expires_in_s = serializers.IntegerField()
        socket_path = serializers.CharField(help_text="To be opened with ?ticket=.")

    @extend_schema(
        operation_id="table_tickets",
        parameters=[TABLE_ID],
        request=InputSerializer,
        responses={201: OutputSerializer},
    )
    def post(self, request: Request, table_id: int) -> Response:
        form = self.InputSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        user = request.user
        assert isinstance(user, User)  # IsSignedIn let nobody else in
        role = form.validated_data["role"] if user.role == Role.PLAYER else WATCHER
        if role == PLAYER and not may_play(request):
            raise ScopeMissing(Scope.PLAY)
        selectors.table_require(table_id)
        token_id = request.auth.token_id if isinstance(request.auth, TokenFacts) else None
        answer = {
            "ticket": ticket_issue(
                table_id=table_id, role=role, user_id=user.pk, token_id=token_id
            ),
            "role": role,
            "expires_in_s": TICKET_S,
            "socket_path": f"/ws/v1/tables/{table_id}",
        }
        return Response(self.OutputSerializer(answer).data, status=201)


def may_play(request: Request) -> bool:
    return not isinstance(request.auth, TokenFacts) or Scope.PLAY in request.auth.scopes
