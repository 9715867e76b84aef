"""A statement over a period: as figures, as CSV, or as a page to print."""

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
from casino.core.permissions import IsPlayer
from casino.core.throttling import ReadThrottle
from wallets.api.views import player_of
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
        form = serializers.ChoiceField(choices=("json", "csv", "html"), default="json")

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
        facts = {field.name: getattr(made, field.name) for field in fields(made)}
        return Response(self.OutputSerializer(facts | {"lines": len(made.lines)}).data)


def as_csv(made: Statement) -> StreamingHttpResponse:
    response = StreamingHttpResponse(rows_of(made), content_type="text/csv; charset=utf-8")
    name = f"statement-{made.begins:%Y%m%d}-{made.ends:%Y%m%d}-{made.currency}.csv"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Digest"] = f"sha-256={made.digest}"
    return response


def as_page(request: Request, made: Statement) -> HttpResponse:
    assert isinstance(request.user, User)

    def major(amount_minor: int) -> str:
        sign, digits = "-" if amount_minor < 0 else "", str(abs(amount_minor))
        if not made.exponent:
            return sign + digits
        digits = digits.zfill(made.exponent + 1)
        return f"{sign}{digits[: -made.exponent]}.{digits[-made.exponent :]}"

    lines = [
        {
            "at": f"{line.at:%Y-%m-%d %H:%M:%S}",
            "kind": line.kind.replace("_", " "),
            "account": line.account.replace("_", " "),
            "table": line.table or "",
            "hand": line.hand or "",
            "amount": major(line.amount_minor),
            "balance": major(line.balance_minor),
            "reason": line.reason,
        }
        for line in made.lines
    ]
    totals = [(words, major(getattr(made, name))) for name, words in TOTALS.items()]
    context = {
        "statement": made, "name": request.user.display_name, "lines": lines, "totals": totals,
    }  # fmt: skip
    return render(request, "wallets/statement.html", context)
