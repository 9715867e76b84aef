"""A player's own exchange of currencies, at a rate that two persons of the house have agreed to."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.core.api.fields import StrictSerializer, WholeField
from casino.core.idempotency import idempotent, transfer_key
from casino.core.models import Scope
from casino.core.permissions import IsPlayer
from casino.core.throttling import ReadThrottle
from wallets import exchanging
from wallets.api.views import MoneySerializer, money, player_of
from wallets.errors import RateMissing
from wallets.models import MOST_MINOR, ExchangeRate


class ExchangeApi(APIView):
    """What an amount brings now, and to exchange it at the rate that was told."""

    permission_classes = [IsPlayer]
    throttle_classes = [ReadThrottle]
    scope = Scope.MONEY

    class QuerySerializer(StrictSerializer):
        gives = serializers.CharField(max_length=3)
        gets = serializers.CharField(max_length=3)
        given_minor = serializers.IntegerField(min_value=1, max_value=MOST_MINOR)

    class QuoteSerializer(serializers.Serializer[Any]):
        rate = serializers.IntegerField(help_text="Its number, for the exchange itself.")
        gives = MoneySerializer()
        gets = MoneySerializer()
        spread = MoneySerializer(help_text="What the house keeps of it.")
        source = serializers.CharField(  # type: ignore[assignment]
            help_text="Whose market, and which fixing of it."
        )
        until = serializers.DateTimeField()

    class InputSerializer(StrictSerializer):
        rate = WholeField(min_value=1)
        given_minor = WholeField(min_value=1, max_value=MOST_MINOR)

    class OutputSerializer(QuoteSerializer):
        transfer = serializers.IntegerField()

    @extend_schema(
        operation_id="exchange_quote", parameters=[QuerySerializer], responses=QuoteSerializer
    )
    def get(self, request: Request) -> Response:
        form = self.QuerySerializer(data=request.query_params)
        form.is_valid(raise_exception=True)
        said = form.validated_data
        rate = exchanging.rate_now(gives=said["gives"], gets=said["gets"])
        if rate is None or not exchanging.by_players() or not exchanging.is_for_players(rate):
            raise RateMissing(said["gives"], said["gets"])
        return Response(self.QuoteSerializer(_quote(rate, said["given_minor"])).data)

    @extend_schema(
        operation_id="exchange_do", request=InputSerializer, responses={201: OutputSerializer}
    )
    @idempotent
    def post(self, request: Request) -> Response:
        form = self.InputSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        said = form.validated_data
        posted = exchanging.exchange_own(
            player_id=player_of(request),
            rate_id=said["rate"],
            given_minor=said["given_minor"],
            key=transfer_key(request),
        )
        rate = ExchangeRate.objects.get(pk=said["rate"])
        answer = {**_quote(rate, said["given_minor"]), "transfer": posted.transfer_id}
        return Response(self.OutputSerializer(answer).data, status=status.HTTP_201_CREATED)


def _quote(rate: ExchangeRate, given_minor: int) -> dict[str, Any]:
    quoted = exchanging.quote(rate=rate, given_minor=given_minor)
    return {
        "rate": rate.pk,
        "gives": money(given_minor, rate.gives_id),
        "gets": money(quoted.gets_minor, rate.gets_id),
        "spread": money(quoted.spread_minor, rate.gets_id),
        "source": rate.source,
        "until": rate.until_at,
    }
