"""A player's own limits, pauses and account; what he reads while he plays."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.core.api.fields import StrictSerializer, WholeField
from casino.core.models import Scope
from casino.core.permissions import IsPlayer
from casino.core.throttling import ReadThrottle
from wallets import limits
from wallets.api.views import MoneySerializer, money, player_of
from wallets.models import MOST_MINOR, Window
from wallets.selectors import LimitLine, limits_of, protection_of, session_of

KINDS = ("deposit", "loss", "stake", "time")


class SessionApi(APIView):
    """How long the player has played and what it cost; shown between rounds."""

    permission_classes = [IsPlayer]
    throttle_classes = [ReadThrottle]

    class OutputSerializer(serializers.Serializer[Any]):
        since = serializers.DateTimeField(allow_null=True)
        elapsed_s = serializers.IntegerField()
        net = MoneySerializer(many=True, help_text="Won in this session; a loss is negative.")
        barred = serializers.CharField(
            allow_null=True, help_text="Code of the rule that keeps the player from playing on."
        )

    @extend_schema(operation_id="wallet_session", responses=OutputSerializer)
    def get(self, request: Request) -> Response:
        return Response(session_json(player_of(request)))


class RealityCheckApi(APIView):
    """Play pauses this often until the player acknowledges time and result."""

    permission_classes = [IsPlayer]
    scope = Scope.ACCOUNT

    class InputSerializer(StrictSerializer):
        every_s = WholeField(
            min_value=limits.REALITY_CHECK_LEAST_S, max_value=86_400, allow_null=True
        )

    @extend_schema(
        operation_id="reality_check_set",
        request=InputSerializer,
        responses=SessionApi.OutputSerializer,
    )
    def put(self, request: Request) -> Response:
        form = self.InputSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        limits.reality_check_set(player_id=player_of(request), **form.validated_data)
        return Response(session_json(player_of(request)))


class RealityCheckAcknowledgeApi(APIView):
    permission_classes = [IsPlayer]

    @extend_schema(
        operation_id="reality_check_acknowledge",
        request=None,
        responses=SessionApi.OutputSerializer,
    )
    def post(self, request: Request) -> Response:
        limits.reality_check_acknowledge(player_id=player_of(request))
        return Response(session_json(player_of(request)))


class LimitsApi(APIView):
    """Tighter counts at once; looser, or none, after 24 hours, as `next_from` says."""

    permission_classes = [IsPlayer]
    throttle_classes = [ReadThrottle]
    scope = Scope.ACCOUNT

    class InputSerializer(StrictSerializer):
        kind = serializers.ChoiceField(choices=KINDS)
        currency = serializers.CharField(
            max_length=3, default="", allow_blank=True, help_text="Not for time."
        )
        window_days = serializers.ChoiceField(choices=Window.choices)
        most_minor = WholeField(
            min_value=0,
            max_value=MOST_MINOR,
            allow_null=True,
            required=False,
            help_text="For deposit, loss and stake; null: no limit any more.",
        )
        most_s = WholeField(
            min_value=0,
            max_value=limits.MOST_S,
            allow_null=True,
            required=False,
            help_text="For time, in its place.",
        )

        def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
            needed = "most_s" if attrs["kind"] == "time" else "most_minor"
            if needed not in attrs:
                raise serializers.ValidationError({needed: "This field is required."})
            return attrs

    class OutputSerializer(serializers.Serializer[Any]):
        class LimitSerializer(serializers.Serializer[Any]):
            kind = serializers.ChoiceField(choices=KINDS)
            currency = serializers.CharField(allow_null=True)
            window_days = serializers.IntegerField()
            most_minor = serializers.IntegerField(allow_null=True, help_text="null: ended")
            used_minor = serializers.IntegerField(allow_null=True)
            next_minor = serializers.IntegerField(allow_null=True)
            most_s = serializers.IntegerField(allow_null=True, help_text="of kind time alone")
            used_s = serializers.IntegerField(allow_null=True)
            next_s = serializers.IntegerField(allow_null=True)
            next_from = serializers.DateTimeField(allow_null=True)

        state = serializers.CharField()
        excluded_until = serializers.DateTimeField(allow_null=True)
        excluded_until_lifted = serializers.BooleanField()
        cool_off_until = serializers.DateTimeField(allow_null=True)
        reality_check_s = serializers.IntegerField(allow_null=True)
        limits = LimitSerializer(many=True)

    @extend_schema(operation_id="limits", responses=OutputSerializer)
    def get(self, request: Request) -> Response:
        return Response(limits_json(player_of(request)))

    @extend_schema(operation_id="limit_set", request=InputSerializer, responses=OutputSerializer)
    def put(self, request: Request) -> Response:
        form = self.InputSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        asked = form.validated_data
        player = player_of(request)
        kind, window = asked["kind"], int(asked["window_days"])
        if kind == "time":
            limits.time_limit_set(player_id=player, window_days=window, most_s=asked["most_s"])
        elif kind == "deposit":
            limits.deposit_limit_set(
                player_id=player,
                currency=asked["currency"],
                window_days=window,
                most_minor=asked["most_minor"],
            )
        else:
            limits.spend_limit_set(
                player_id=player,
                kind=kind,
                currency=asked["currency"],
                window_days=window,
                most_minor=asked["most_minor"],
            )
        return Response(limits_json(player))


class CoolOffApi(APIView):
    """A pause of a day to six weeks. It is never shortened; money can be taken out."""

    permission_classes = [IsPlayer]
    scope = Scope.ACCOUNT

    class InputSerializer(StrictSerializer):
        hours = WholeField(min_value=24, max_value=42 * 24)

    @extend_schema(
        operation_id="cool_off",
        request=InputSerializer,
        responses=LimitsApi.OutputSerializer,
    )
    def post(self, request: Request) -> Response:
        form = self.InputSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        until = timezone.now() + timedelta(hours=form.validated_data["hours"])
        limits.cool_off(player_id=player_of(request), until=until)
        return Response(limits_json(player_of(request)))


class ExclusionApi(APIView):
    """Self-exclusion, at once and for half a year or more; money can be taken out."""

    permission_classes = [IsPlayer]
    scope = Scope.ACCOUNT

    class InputSerializer(StrictSerializer):
        months = WholeField(
            min_value=6, max_value=120, allow_null=True, help_text="null: until the house lifts it"
        )

    @extend_schema(
        operation_id="self_exclusion",
        request=InputSerializer,
        responses=LimitsApi.OutputSerializer,
    )
    def post(self, request: Request) -> Response:
        form = self.InputSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        months = form.validated_data["months"]
        until = None if months is None else timezone.now() + timedelta(days=31 * months)
        limits.exclude_self(player_id=player_of(request), until=until)
        return Response(limits_json(player_of(request)))


class CloseApi(APIView):
    """Close one's account: no deposit and no bet any more; money can be taken out."""

    permission_classes = [IsPlayer]
    scope = Scope.ACCOUNT

    @extend_schema(operation_id="account_close", request=None, responses=LimitsApi.OutputSerializer)
    def post(self, request: Request) -> Response:
        limits.account_close(player_id=player_of(request))
        return Response(limits_json(player_of(request)))


def session_json(player_id: int) -> dict[str, Any]:
    session = session_of(player_id)
    net = [money(amount, currency) for currency, amount in session.net_minor.items()]
    return SessionApi.OutputSerializer(session._asdict() | {"net": net}).data


def limits_json(player_id: int) -> dict[str, Any]:
    kept = protection_of(player_id)
    facts = {
        "state": kept.state,
        "excluded_until": kept.excluded_until,
        "excluded_until_lifted": kept.self_excluded,
        "cool_off_until": kept.cool_off_until,
        "reality_check_s": kept.reality_check_s,
        "limits": [limit_json(line) for line in limits_of(player_id)],
    }
    return LimitsApi.OutputSerializer(facts).data


def limit_json(line: LimitLine) -> dict[str, Any]:
    money_or_time = "s" if line.kind == "time" else "minor"
    figures = {"most": line.most, "used": line.used, "next": line.next}
    return {
        "kind": line.kind,
        "currency": line.currency,
        "window_days": line.window_days,
        "next_from": line.next_from,
        **{
            f"{name}_{unit}": figure if unit == money_or_time else None
            for name, figure in figures.items()
            for unit in ("minor", "s")
        },
    }
