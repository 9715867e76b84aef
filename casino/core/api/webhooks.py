"""Webhooks: an address of yours that is told what happens, by signed messages."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.core.api.fields import BIGGEST, StrictSerializer, row_id
from casino.core.hooks import Webhook, WebhookMessage
from casino.core.models import Role, Scope, User
from casino.core.permissions import HasRole
from casino.core.throttling import ReadThrottle
from casino.core.webhooks import (
    OWN_MOST,
    message_again,
    webhook_add,
    webhook_of,
    webhook_secret_new,
    webhook_switch,
)

WEBHOOK_ID, MESSAGE_ID = row_id("webhook_id"), row_id("message_id")
PAGE_MOST = 100


class MayBeTold(HasRole):
    """Players of themselves, administrators of the house."""

    roles = (Role.PLAYER, Role.ADMIN)


class WebhookView(APIView):
    permission_classes = [MayBeTold]
    throttle_classes = [ReadThrottle]
    scope = Scope.ACCOUNT

    def owner(self, request: Request) -> User:
        assert isinstance(request.user, User)
        return request.user


class WebhookSerializer(serializers.Serializer[Webhook]):
    id = serializers.IntegerField()
    url = serializers.CharField()
    kinds = serializers.ListField(child=serializers.ChoiceField(choices=Webhook.Kind.values))
    is_house = serializers.BooleanField(help_text="Told of everybody's events.")
    is_on = serializers.BooleanField()
    made_at = serializers.DateTimeField()
    former_until = serializers.DateTimeField(
        allow_null=True, help_text="Until then the former secret signs too."
    )


class SecretSerializer(serializers.Serializer[Any]):
    secret = serializers.CharField(help_text="`whsec_...`. It is not shown again.")


class WebhooksApi(WebhookView):
    """Yours. A message carries `webhook-id`, `webhook-timestamp` and `webhook-signature`."""

    class InputSerializer(StrictSerializer):
        url = serializers.CharField(max_length=500, help_text="https, and no private address.")
        kinds = serializers.MultipleChoiceField(choices=Webhook.Kind.choices, allow_empty=False)

    class OutputSerializer(serializers.Serializer[Any]):
        webhooks = WebhookSerializer(many=True)

    class MadeSerializer(WebhookSerializer, SecretSerializer):
        pass

    @extend_schema(operation_id="webhooks_list", responses=OutputSerializer)
    def get(self, request: Request) -> Response:
        found = Webhook.objects.filter(owner=self.owner(request)).order_by("-is_on", "-pk")
        return Response(self.OutputSerializer({"webhooks": found[: 4 * OWN_MOST]}).data)

    @extend_schema(
        operation_id="webhooks_add", request=InputSerializer, responses={201: MadeSerializer}
    )
    def post(self, request: Request) -> Response:
        form = self.InputSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        made, secret = webhook_add(owner=self.owner(request), **form.validated_data)
        answer = {**WebhookSerializer(made).data, "secret": secret}
        return Response(answer, status=status.HTTP_201_CREATED)


class WebhookApi(WebhookView):
    @extend_schema(operation_id="webhooks_end", parameters=[WEBHOOK_ID], responses={204: None})
    def delete(self, request: Request, webhook_id: int) -> Response:
        """Nothing more is sent there."""
        owner = self.owner(request)
        webhook_switch(webhook=webhook_of(owner, webhook_id), is_on=False, by=owner)
        return Response(status=status.HTTP_204_NO_CONTENT)


class SecretApi(WebhookView):
    @extend_schema(
        operation_id="webhooks_secret", parameters=[WEBHOOK_ID], request=None,
        responses=SecretSerializer,
    )  # fmt: skip
    def post(self, request: Request, webhook_id: int) -> Response:
        """A new secret; the one before signs beside it for a day."""
        owner = self.owner(request)
        secret = webhook_secret_new(webhook=webhook_of(owner, webhook_id), by=owner)
        return Response({"secret": secret})


class MessageSerializer(serializers.Serializer[WebhookMessage]):
    id = serializers.IntegerField()
    sent_as = serializers.CharField(help_text="The `webhook-id` of every time it is sent.")
    kind = serializers.CharField()
    body = serializers.CharField(help_text="The JSON that is sent.")
    status = serializers.ChoiceField(choices=WebhookMessage.Status.values)
    attempts = serializers.IntegerField()
    problem = serializers.CharField(allow_blank=True, help_text="Of the last attempt.")
    made_at = serializers.DateTimeField()
    next_at = serializers.DateTimeField()
    sent_at = serializers.DateTimeField(allow_null=True)


class PageSerializer(StrictSerializer):
    cursor = serializers.IntegerField(
        min_value=1, max_value=BIGGEST, default=None, allow_null=True,
        help_text="`next` of the page before.",
    )  # fmt: skip
    limit = serializers.IntegerField(min_value=1, max_value=PAGE_MOST, default=50)


class MessagesApi(WebhookView):
    class OutputSerializer(serializers.Serializer[Any]):
        messages = MessageSerializer(many=True)
        next = serializers.IntegerField(allow_null=True, help_text="null on the last page")

    @extend_schema(
        operation_id="webhooks_messages",
        parameters=[WEBHOOK_ID, PageSerializer],
        responses=OutputSerializer,
    )
    def get(self, request: Request, webhook_id: int) -> Response:
        """What was sent and what waits, newest first; kept for thirty days."""
        form = PageSerializer(data=request.query_params)
        form.is_valid(raise_exception=True)
        found = webhook_of(self.owner(request), webhook_id).messages.order_by("-pk")
        if form.validated_data["cursor"] is not None:
            found = found.filter(pk__lt=form.validated_data["cursor"])
        most = form.validated_data["limit"]
        rows = list(found[: most + 1])
        following = rows[most - 1].pk if len(rows) > most else None
        page = {"messages": rows[:most], "next": following}
        return Response(self.OutputSerializer(page).data)


class ReplayApi(WebhookView):
    @extend_schema(
        operation_id="webhooks_replay", parameters=[WEBHOOK_ID, MESSAGE_ID], request=None,
        responses={202: MessageSerializer},
    )  # fmt: skip
    def post(self, request: Request, webhook_id: int, message_id: int) -> Response:
        """Send a message once more, under its own id."""
        owner = self.owner(request)
        again = message_again(
            webhook=webhook_of(owner, webhook_id), message_id=message_id, by=owner
        )
        return Response(MessageSerializer(again).data, status=status.HTTP_202_ACCEPTED)
