"""Versions of the paytables, for those who draft, approve and look at them."""

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.core.api.fields import StrictSerializer, WholeField
from casino.core.models import Scope, User
from casino.core.permissions import IsStaffRole
from casino.core.throttling import ReadThrottle
from tables.api.documents import ObjectField
from tables.api.fields import PageSerializer
from tables.engine.games.three_card_poker import STANDARD_PAYTABLES
from tables.models import Paytable
from tables.services import paytables, returns

PAYTABLE_ID = OpenApiParameter("paytable_id", OpenApiTypes.INT64, OpenApiParameter.PATH)
MOST_TABLES = 200


class PaytableSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    game = serializers.CharField()
    name = serializers.CharField()
    version = serializers.IntegerField(help_text="Counted by game and name.")
    status = serializers.ChoiceField(choices=Paytable.Status.values)
    content = ObjectField(help_text="Paytables, policy, qualifier, orders, maxima.")
    content_hash = serializers.CharField(help_text="SHA-256 of the canonical content.")
    prices = ObjectField(
        allow_null=True, help_text="Exact figures by wager; fractions as [numerator, denominator]."
    )
    author = serializers.IntegerField(allow_null=True, source="author_id")
    approved_by = serializers.IntegerField(allow_null=True, source="approved_by_id")
    approval = serializers.IntegerField(allow_null=True, source="approval_id")
    made_at = serializers.DateTimeField()
    priced_at = serializers.DateTimeField(allow_null=True)
    approved_at = serializers.DateTimeField(allow_null=True)
    tables = serializers.SerializerMethodField(help_text="Where it is in force.")

    def get_tables(self, paytable: Paytable) -> list[int]:
        return sorted(table.pk for table in paytable.tables.all())


class PaytableView(APIView):
    """What a step of a version answers: the version as it stands then."""

    permission_classes = [IsStaffRole()]
    scope = Scope.ACCOUNT

    def answer(self, paytable: Paytable, status: int = 200) -> Response:
        return Response(PaytableSerializer(known().get(pk=paytable.pk)).data, status=status)


def known() -> QuerySet[Paytable]:
    return Paytable.objects.prefetch_related("tables")


def staff_of(request: Request) -> User:
    assert isinstance(request.user, User)  # the view's permission let nobody else in
    return request.user


class DraftSerializer(StrictSerializer):
    content = ObjectField()


class NoteSerializer(StrictSerializer):
    note = serializers.CharField(max_length=500, default="", allow_blank=True)


class PaytablesApi(PaytableView):
    """Versions, newest first; a new one begins as a draft."""

    throttle_classes = [ReadThrottle]

    class QuerySerializer(PageSerializer):
        game = serializers.CharField(max_length=60, required=False)
        status = serializers.ChoiceField(choices=Paytable.Status.values, required=False)

    class InputSerializer(DraftSerializer):
        game = serializers.CharField(max_length=60)
        name = serializers.CharField(max_length=60)

    class OutputSerializer(serializers.Serializer[Any]):
        paytables = PaytableSerializer(many=True)
        next = serializers.IntegerField(allow_null=True, help_text="null on the last page")
        standard = ObjectField(help_text="Paytables in common use, by wager and name.")

    @extend_schema(
        operation_id="paytables", parameters=[QuerySerializer], responses=OutputSerializer
    )
    def get(self, request: Request) -> Response:
        form = self.QuerySerializer(data=request.query_params)
        form.is_valid(raise_exception=True)
        asked = dict(form.validated_data)
        before, most = asked.pop("cursor"), asked.pop("limit")
        found = known().filter(**asked).order_by("-pk")
        if before is not None:
            found = found.filter(pk__lt=before)
        rows = list(found[: most + 1])
        cursor = rows[most - 1].pk if len(rows) > most else None
        answer = {"paytables": rows[:most], "next": cursor, "standard": STANDARD_PAYTABLES}
        return Response(self.OutputSerializer(answer).data)

    @extend_schema(
        operation_id="paytable_draft",
        request=InputSerializer,
        responses={201: PaytableSerializer},
    )
    def post(self, request: Request) -> Response:
        form = self.InputSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        made = paytables.paytable_draft(by=staff_of(request), **form.validated_data)
        return self.answer(made, 201)


class PaytableApi(PaytableView):
    """One version; only what nobody was asked to approve yet can be changed."""

    throttle_classes = [ReadThrottle]

    @extend_schema(operation_id="paytable", parameters=[PAYTABLE_ID], responses=PaytableSerializer)
    def get(self, request: Request, paytable_id: int) -> Response:
        return self.answer(paytables.paytable_get(paytable_id))

    @extend_schema(
        operation_id="paytable_change",
        parameters=[PAYTABLE_ID],
        request=DraftSerializer,
        responses=PaytableSerializer,
    )
    def put(self, request: Request, paytable_id: int) -> Response:
        form = DraftSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        changed = paytables.paytable_change(
            paytable_id=paytable_id, by=staff_of(request), **form.validated_data
        )
        return self.answer(changed)


class ReturnsApi(PaytableView):
    """What each wager brought at each table under this version, beside what it should have."""

    throttle_classes = [ReadThrottle]

    class OutputSerializer(serializers.Serializer[Any]):
        class ReturnSerializer(serializers.Serializer[Any]):
            table = serializers.IntegerField()
            wager = serializers.CharField()
            spots = serializers.IntegerField()
            staked_minor = serializers.IntegerField()
            net_minor = serializers.IntegerField(help_text="Won by players.")
            actual_percent = serializers.FloatField()
            theoretical_percent = serializers.FloatField()
            band_percent = serializers.ListField(child=serializers.FloatField())
            standard_errors = serializers.FloatField()
            outside_since = serializers.DateTimeField(allow_null=True)

        returns = ReturnSerializer(many=True)

    @extend_schema(
        operation_id="paytable_returns", parameters=[PAYTABLE_ID], responses=OutputSerializer
    )
    def get(self, request: Request, paytable_id: int) -> Response:
        paytable = paytables.paytable_get(paytable_id)
        rows = [
            {
                "table": row.table_id,
                "wager": row.wager,
                "outside_since": row.outside_since,
                **returns.figures(row),
            }
            for row in paytable.returns.all()
        ]
        return Response(self.OutputSerializer({"returns": rows}).data)


class PriceApi(PaytableView):
    """Work out the exact figures; a return outside the operator's bounds is refused with it."""

    @extend_schema(
        operation_id="paytable_price",
        parameters=[PAYTABLE_ID],
        request=StrictSerializer,
        responses=PaytableSerializer,
    )
    def post(self, request: Request, paytable_id: int) -> Response:
        StrictSerializer(data=request.data).is_valid(raise_exception=True)
        return self.answer(paytables.paytable_price(paytable_id=paytable_id, by=staff_of(request)))


class AskApi(PaytableView):
    """Ask a second person to put this version in force at these tables."""

    class InputSerializer(StrictSerializer):
        tables = serializers.ListField(child=WholeField(), max_length=MOST_TABLES)
        reason = serializers.CharField(max_length=500)

    @extend_schema(
        operation_id="paytable_ask",
        parameters=[PAYTABLE_ID],
        request=InputSerializer,
        responses=PaytableSerializer,
    )
    def post(self, request: Request, paytable_id: int) -> Response:
        form = self.InputSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        asked, _ = paytables.paytable_ask(
            paytable_id=paytable_id, by=staff_of(request), **form.validated_data
        )
        return self.answer(asked)


class ApproveApi(PaytableView):
    """Agree, as another person: from the next round on the version is in force."""

    @extend_schema(
        operation_id="paytable_approve",
        parameters=[PAYTABLE_ID],
        request=NoteSerializer,
        responses=PaytableSerializer,
    )
    def post(self, request: Request, paytable_id: int) -> Response:
        form = NoteSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        approved = paytables.paytable_approve(
            paytable_id=paytable_id, by=staff_of(request), **form.validated_data
        )
        return self.answer(approved)


class RefuseApi(PaytableView):
    """Refuse what was asked for; whoever asked may take it back the same way."""

    @extend_schema(
        operation_id="paytable_refuse",
        parameters=[PAYTABLE_ID],
        request=NoteSerializer,
        responses=PaytableSerializer,
    )
    def post(self, request: Request, paytable_id: int) -> Response:
        form = NoteSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        refused = paytables.paytable_refuse(
            paytable_id=paytable_id, by=staff_of(request), **form.validated_data
        )
        return self.answer(refused)
