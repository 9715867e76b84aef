"""A statement over a period: as figures, as CSV, as a page, or as a PDF."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.core.models import User
from casino.core.money import units_plain
from casino.core.permissions import IsPlayer
from casino.core.throttling import ReadThrottle
from wallets.api.views import player_of
from wallets.printing import Row, statement_pdf
from wallets.statements import Statement, rows_of, statement_for

TOTALS = {
    "opening_minor": "Opening balance",
    "paid_in_minor": "Paid in",
    "paid_out_minor": "Paid out",
    "staked_minor": "Staked against the house",
    "bonus_staked_minor": "of it bonus money",
    "net_minor": "Won less lost",
    "closing_minor": "Closing balance",
    "life_deposits_minor": "Paid in less paid out, ever",
}


class PeriodApi(APIView):
    """`begins` counts, `ends` does not. The lines themselves are in the CSV and on the page."""

    permission_classes = [IsPlayer]
    throttle_classes = [ReadThrottle]

    class InputSerializer(serializers.Serializer[Any]):
        currency = serializers.CharField(max_length=3)
        begins = serializers.DateTimeField()
        ends = serializers.DateTimeField()
        form = serializers.ChoiceField(choices=("json", "csv", "html", "pdf"), default="json")

    class OutputSerializer(serializers.Serializer[Any]):
        currency = serializers.CharField()
        exponent = serializers.IntegerField()
        begins = serializers.DateTimeField()
        ends = serializers.DateTimeField()
        opening_minor = serializers.IntegerField()
        closing_minor = serializers.IntegerField()
        paid_in_minor = serializers.IntegerField()
        paid_out_minor = serializers.IntegerField()
        staked_minor = serializers.IntegerField(help_text="Bets against the house.")
        bonus_staked_minor = serializers.IntegerField(help_text="Of it with bonus money.")
        net_minor = serializers.IntegerField(help_text="Won less lost by play.")
        life_deposits_minor = serializers.IntegerField(
            help_text="All paid in less all paid out, to the end of the period."
        )
        lines = serializers.IntegerField(help_text="How many movements there were.")
        digest = serializers.CharField(help_text="SHA-256 of the statement as CSV.")
        signature = serializers.CharField(
            help_text="Ed25519 of the house over `statement:` and the digest, in base64."
        )

    @extend_schema(
        operation_id="wallet_statement_period",
        parameters=[InputSerializer],
        responses={
            (200, "application/json"): OutputSerializer,
            (200, "text/csv"): OpenApiResponse(OpenApiTypes.STR, description="with form=csv"),
            (200, "text/html"): OpenApiResponse(OpenApiTypes.STR, description="with form=html"),
            (200, "application/pdf"): OpenApiResponse(
                OpenApiTypes.BINARY, description="with form=pdf"
            ),
        },
    )
    def get(self, request: Request) -> HttpResponseBase:
        form = self.InputSerializer(data=request.query_params)
        form.is_valid(raise_exception=True)
        asked = form.validated_data
        made = statement_for(
            player_id=player_of(request),
            currency=asked["currency"],
            begins=asked["begins"],
            ends=asked["ends"],
        )
        if asked["form"] == "csv":
            return as_csv(made)
        if asked["form"] == "html":
            return as_page(request, made)
        if asked["form"] == "pdf":
            return as_pdf(request, made)
        facts = {field.name: getattr(made, field.name) for field in fields(made)}
        return Response(self.OutputSerializer(facts | {"lines": len(made.lines)}).data)


def as_csv(made: Statement) -> StreamingHttpResponse:
    response = StreamingHttpResponse(rows_of(made), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = attachment(made, "csv")
    response["Digest"] = f"sha-256={made.digest}"
    return response


def as_page(request: Request, made: Statement) -> HttpResponse:
    context = {
        "statement": made, "name": name_of(request), "lines": lines_of(made),
        "totals": totals_of(made),
    }  # fmt: skip
    return render(request, "wallets/statement.html", context)


def as_pdf(request: Request, made: Statement) -> HttpResponse:
    paper = statement_pdf(made, name_of(request), totals_of(made), lines_of(made))
    response = HttpResponse(paper, content_type="application/pdf")
    response["Content-Disposition"] = attachment(made, "pdf")
    return response


def attachment(made: Statement, ending: str) -> str:
    name = f"statement-{made.begins:%Y%m%d}-{made.ends:%Y%m%d}-{made.currency}.{ending}"
    return f'attachment; filename="{name}"'


def name_of(request: Request) -> str:
    assert isinstance(request.user, User)
    return request.user.display_name


def totals_of(made: Statement) -> list[tuple[str, str]]:
    return [
        (words, units_plain(getattr(made, name), made.exponent)) for name, words in TOTALS.items()
    ]


def lines_of(made: Statement) -> list[Row]:
    return [
        (
            f"{line.at:%Y-%m-%d %H:%M:%S}",
            line.kind.replace("_", " "),
            line.account.replace("_", " "),
            str(line.table or ""),
            str(line.hand or ""),
            units_plain(line.amount_minor, made.exponent),
            units_plain(line.balance_minor, made.exponent),
            line.reason,
        )
        for line in made.lines
    ]
