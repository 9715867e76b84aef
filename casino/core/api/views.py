"""Signing in and out, one's own account, one's tokens."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import logout
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.core.addresses import address_of
from casino.core.api.fields import StrictSerializer, WholeField, row_id
from casino.core.bearers import TokenFacts
from casino.core.errors import ScopeMissing
from casino.core.models import Scope, Token, User
from casino.core.permissions import IsSignedIn
from casino.core.second_factor import factor_asked
from casino.core.services import (
    token_issue,
    token_revoke,
    token_revoke_own,
    tokens_revoke_all,
    user_register,
)
from casino.core.signing_in import sign_in
from casino.core.throttling import ReadThrottle, RegistrationThrottle, SignInThrottle

TOKENS_SHOWN_MAX = 200


class PlayerSerializer(serializers.Serializer[User]):
    id = serializers.IntegerField()
    name = serializers.CharField(source="display_name")


class TokenSerializer(serializers.Serializer[Token]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    hint = serializers.CharField(help_text="The first characters of the secret.")
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=Scope.choices))
    created_at = serializers.DateTimeField()
    last_used_at = serializers.DateTimeField(allow_null=True, help_text="To the hour.")
    expires_at = serializers.DateTimeField(allow_null=True)


class SignInApi(APIView):
    """A password for a bearer token. Also told: when this account last signed in before."""

    authentication_classes = []
    permission_classes = [AllowAny]
    throttle_classes = [SignInThrottle]

    class InputSerializer(StrictSerializer):
        username = serializers.CharField(max_length=150)
        password = serializers.CharField(max_length=1000, trim_whitespace=False)
        code = serializers.CharField(
            max_length=20, default="", allow_blank=True,
            help_text="Of the second factor, or a recovery code; `factor_needed` asks for it.",
        )  # fmt: skip

    class OutputSerializer(serializers.Serializer[Any]):
        token = serializers.CharField()
        player = PlayerSerializer()
        last_sign_in = serializers.DateTimeField(allow_null=True)

    @extend_schema(operation_id="sign_in", request=InputSerializer, responses=OutputSerializer)
    def post(self, request: Request) -> Response:
        form = self.InputSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        given, address = form.validated_data, address_of(request)
        signed_in = sign_in(
            username=given["username"],
            password=given["password"],
            address=address,
            also=lambda user: factor_asked(user=user, code=given["code"], address=address),
        )
        _, raw = token_issue(user=signed_in.user, name="sign-in")
        answer = {"token": raw, "player": signed_in.user, "last_sign_in": signed_in.previous}
        return Response(self.OutputSerializer(answer).data)


class SignOutApi(APIView):
    """Ends the token, or the browser session, that the request came with."""

    permission_classes = [IsSignedIn]
    scope = Scope.READ  # a token that may do nothing else may still end itself

    @extend_schema(operation_id="sign_out", request=None, responses={204: None})
    def post(self, request: Request) -> Response:
        assert isinstance(request.user, User)
        if isinstance(request.auth, TokenFacts):
            token_revoke(token=Token.objects.get(pk=request.auth.token_id), by=request.user)
        else:
            logout(request._request)
        return Response(status=status.HTTP_204_NO_CONTENT)


class MeApi(APIView):
    permission_classes = [IsSignedIn]
    throttle_classes = [ReadThrottle]

    class OutputSerializer(serializers.Serializer[Any]):
        id = serializers.IntegerField()
        name = serializers.CharField()
        username = serializers.CharField()
        role = serializers.CharField()
        scopes = serializers.ListField(child=serializers.CharField())
        last_sign_in = serializers.DateTimeField(allow_null=True)

    @extend_schema(operation_id="me", responses=OutputSerializer)
    def get(self, request: Request) -> Response:
        user = request.user
        assert isinstance(user, User)
        scopes = request.auth.scopes if isinstance(request.auth, TokenFacts) else Scope.values
        answer = {
            "id": user.pk,
            "name": user.display_name,
            "username": user.username,
            "role": user.role,
            "scopes": sorted(scopes),
            "last_sign_in": user.previous_sign_in,
        }
        return Response(self.OutputSerializer(answer).data)


class RegistrationsApi(APIView):
    authentication_classes = []
    permission_classes = [AllowAny]
    throttle_classes = [RegistrationThrottle]

    class InputSerializer(StrictSerializer):
        username = serializers.CharField(max_length=150)
        password = serializers.CharField(max_length=1000, trim_whitespace=False)
        display_name = serializers.CharField(max_length=100)
        email = serializers.EmailField(max_length=254, required=False)

    @extend_schema(
        operation_id="register", request=InputSerializer, responses={201: PlayerSerializer}
    )
    def post(self, request: Request) -> Response:
        form = self.InputSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        user = user_register(**form.validated_data)
        return Response(PlayerSerializer(user).data, status=status.HTTP_201_CREATED)


class TokensApi(APIView):
    """Tokens for programs; a token can make others that may do what it may itself, no more."""

    permission_classes = [IsSignedIn]
    throttle_classes = [ReadThrottle]
    scope = Scope.ACCOUNT

    class InputSerializer(StrictSerializer):
        name = serializers.CharField(max_length=60)
        scopes = serializers.MultipleChoiceField(choices=Scope.choices, allow_empty=False)
        days = WholeField(min_value=1, max_value=366, default=30)

    class OutputSerializer(serializers.Serializer[Any]):
        tokens = TokenSerializer(many=True)

    class IssuedSerializer(TokenSerializer):
        token = serializers.CharField(help_text="The secret. It is not shown again.")

    @extend_schema(operation_id="tokens_list", responses=OutputSerializer)
    def get(self, request: Request) -> Response:
        assert isinstance(request.user, User)
        tokens = Token.objects.filter(user=request.user, revoked_at=None).order_by("-pk")
        return Response(self.OutputSerializer({"tokens": tokens[:TOKENS_SHOWN_MAX]}).data)

    @extend_schema(
        operation_id="tokens_issue", request=InputSerializer, responses={201: IssuedSerializer}
    )
    def post(self, request: Request) -> Response:
        form = self.InputSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        assert isinstance(request.user, User)
        if isinstance(request.auth, TokenFacts):
            beyond = set(form.validated_data["scopes"]) - request.auth.scopes
            if beyond:
                raise ScopeMissing(min(beyond))
        token, raw = token_issue(user=request.user, **form.validated_data)
        answer = {**TokenSerializer(token).data, "token": raw}
        return Response(answer, status=status.HTTP_201_CREATED)

    @extend_schema(operation_id="tokens_revoke_others", responses={204: None})
    def delete(self, request: Request) -> Response:
        """End every sign-in and program of this account but the one that asks."""
        assert isinstance(request.user, User)
        own = request.auth.token_id if isinstance(request.auth, TokenFacts) else None
        tokens_revoke_all(user=request.user, by=request.user, but=own)
        return Response(status=status.HTTP_204_NO_CONTENT)


class TokenApi(APIView):
    permission_classes = [IsSignedIn]
    scope = Scope.ACCOUNT

    @extend_schema(
        operation_id="tokens_revoke", parameters=[row_id("token_id")], responses={204: None}
    )
    def delete(self, request: Request, token_id: int) -> Response:
        assert isinstance(request.user, User)
        token_revoke_own(user=request.user, token_id=token_id)
        return Response(status=status.HTTP_204_NO_CONTENT)
