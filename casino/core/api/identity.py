"""One's own account: its password, its second factor, and what the house keeps about it."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.core import second_factor
from casino.core.addresses import address_of
from casino.core.api.fields import StrictSerializer
from casino.core.api.views import TokenSerializer
from casino.core.models import LogEntry, Scope, User
from casino.core.permissions import IsSignedIn
from casino.core.services import user_password_set
from casino.core.signing_in import password_confirm
from casino.core.throttling import ExportThrottle, SignInThrottle

ENTRIES_MOST = 1_000


class OwnView(APIView):
    permission_classes = [IsSignedIn]
    throttle_classes = [SignInThrottle]
    scope = Scope.ACCOUNT

    def owner(self, request: Request) -> User:
        assert isinstance(request.user, User)
        return User.objects.get(pk=request.user.pk)


class SecretField(serializers.CharField):
    def __init__(self, **more: Any) -> None:
        super().__init__(max_length=1000, trim_whitespace=False, **more)


class PasswordApi(OwnView):
    class InputSerializer(StrictSerializer):
        current = SecretField()
        new = SecretField()

    @extend_schema(operation_id="password_set", request=InputSerializer, responses={204: None})
    def put(self, request: Request) -> Response:
        """A new password ends every token of the account: sign in again."""
        form = self.InputSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        owner = self.owner(request)
        given = form.validated_data
        password_confirm(user=owner, password=given["current"], address=address_of(request))
        user_password_set(user=owner, password=given["new"], by=owner)
        return Response(status=status.HTTP_204_NO_CONTENT)


class CodeSerializer(StrictSerializer):
    code = serializers.CharField(max_length=20)


class SecondFactorApi(OwnView):
    """An app's code beside the password (RFC 6238, six digits, 30 seconds)."""

    class StandingSerializer(serializers.Serializer[Any]):
        on = serializers.BooleanField()
        recovery_codes_left = serializers.IntegerField()

    class InputSerializer(StrictSerializer):
        password = SecretField()

    class BegunSerializer(serializers.Serializer[Any]):
        secret = serializers.CharField(help_text="Base 32, for the app.")
        address = serializers.CharField(help_text="otpauth://..., what the picture says.")
        picture = serializers.CharField(help_text="Its QR code, an SVG as a data: address.")

    class ConfirmedSerializer(serializers.Serializer[Any]):
        recovery_codes = serializers.ListField(
            child=serializers.CharField(), help_text="Each stands in for a code once; told once."
        )

    @extend_schema(operation_id="second_factor", responses=StandingSerializer)
    def get(self, request: Request) -> Response:
        owner = self.owner(request)
        return Response({
            "on": second_factor.is_on(owner),
            "recovery_codes_left": second_factor.recovery_codes_left(owner),
        })  # fmt: skip

    @extend_schema(
        operation_id="second_factor_begin", request=InputSerializer, responses=BegunSerializer
    )
    def post(self, request: Request) -> Response:
        """A secret for an app; it counts once a code of it is confirmed."""
        form = self.InputSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        owner = self.owner(request)
        password_confirm(
            user=owner, password=form.validated_data["password"], address=address_of(request)
        )
        secret = second_factor.factor_begin(user=owner)
        address = second_factor.address_of_secret(owner, secret)
        picture = second_factor.picture_of(address)
        return Response({"secret": secret, "address": address, "picture": picture})

    @extend_schema(
        operation_id="second_factor_confirm", request=CodeSerializer, responses=ConfirmedSerializer
    )
    def put(self, request: Request) -> Response:
        """Turn it on with a first code."""
        codes = second_factor.factor_confirm(
            user=self.owner(request), code=self.code(request), address=address_of(request)
        )
        return Response({"recovery_codes": codes})

    @extend_schema(
        operation_id="second_factor_drop", parameters=[CodeSerializer], responses={204: None}
    )
    def delete(self, request: Request) -> Response:
        """Turn it off with a code."""
        form = CodeSerializer(data=request.query_params)
        form.is_valid(raise_exception=True)
        owner = self.owner(request)
        second_factor.factor_check(
            user=owner, code=form.validated_data["code"], address=address_of(request)
        )
        second_factor.factor_drop(user=owner, by=owner)
        return Response(status=status.HTTP_204_NO_CONTENT)

    def code(self, request: Request) -> str:
        form = CodeSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        return str(form.validated_data["code"])


class DataApi(OwnView):
    """What is kept about you. Money and hands are told in full by the addresses of `elsewhere`."""

    throttle_classes = [ExportThrottle]
    ELSEWHERE = ("wallet/statement", "wallet/limits", "wallet/bonuses", "hands/export")

    class OutputSerializer(serializers.Serializer[Any]):
        class AccountSerializer(serializers.Serializer[User]):
            id = serializers.IntegerField()
            username = serializers.CharField()
            display_name = serializers.CharField()
            email = serializers.CharField(allow_blank=True)
            role = serializers.CharField()
            date_joined = serializers.DateTimeField()
            last_login = serializers.DateTimeField(allow_null=True)

        class EntrySerializer(serializers.Serializer[LogEntry]):
            at = serializers.DateTimeField()
            kind = serializers.CharField()

        account = AccountSerializer()
        second_factor = serializers.BooleanField()
        tokens = TokenSerializer(many=True)
        log = EntrySerializer(many=True, help_text="What was noted about you, newest first.")
        elsewhere = serializers.ListField(child=serializers.CharField())

    @extend_schema(operation_id="own_data", responses=OutputSerializer)
    def get(self, request: Request) -> Response:
        owner = self.owner(request)
        answer = {
            "account": owner,
            "second_factor": second_factor.is_on(owner),
            "tokens": owner.tokens.order_by("-pk"),
            "log": LogEntry.objects.filter(subject=f"user:{owner.pk}").order_by("-pk")[
                :ENTRIES_MOST
            ],
            "elsewhere": [f"/api/v1/{path}" for path in self.ELSEWHERE],
        }
        return Response(self.OutputSerializer(answer).data)
