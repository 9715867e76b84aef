"""A player's own money: what he has, and every movement that made it."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.core.api.fields import StrictSerializer, WholeField, row_id
from casino.core.idempotency import idempotent, transfer_key
from casino.core.models import Scope
from casino.core.permissions import IsPlayer
from casino.core.throttling import ReadThrottle
from wallets import bonuses, services
from wallets.models import MOST_MINOR, BonusGrant
from wallets.selectors import STATEMENT_MOST, Purse, StatementLine, statement, wallet


class MoneySerializer(serializers.Serializer[Any]):
    amount_minor = serializers.IntegerField(help_text="In minor units, never rounded.")
    currency = serializers.CharField()


class WalletApi(APIView):
    permission_classes = [IsPlayer]
    throttle_classes = [ReadThrottle]

    class OutputSerializer(serializers.Serializer[Any]):
        class PurseSerializer(serializers.Serializer[Any]):
            class TableSerializer(serializers.Serializer[Any]):
                table = serializers.IntegerField()
                chips = MoneySerializer()

            currency = serializers.CharField()
            exponent = serializers.IntegerField(help_text="Decimal places of the major unit.")
            cash = MoneySerializer()
            bonus = MoneySerializer()
            pending = MoneySerializer(help_text="Set aside for withdrawals under way.")
            owed = MoneySerializer(help_text="What the player owes the house.")
            tables = TableSerializer(many=True)

        purses = PurseSerializer(many=True)

    @extend_schema(operation_id="wallet", responses=OutputSerializer)
    def get(self, request: Request) -> Response:
        purses = [_purse(purse) for purse in wallet(player_id=player_of(request))]
        return Response(self.OutputSerializer({"purses": purses}).data)


class BonusesApi(APIView):
    """A player's bonuses: what is still to be staked, and until when."""

    permission_classes = [IsPlayer]
    throttle_classes = [ReadThrottle]

    class OutputSerializer(serializers.Serializer[Any]):
        class BonusSerializer(serializers.Serializer[Any]):
            id = serializers.IntegerField()
            status = serializers.CharField()
            given = MoneySerializer()
            wager = MoneySerializer(help_text="To be staked before it is the player's own.")
            wagered = MoneySerializer()
            most_bet_minor = serializers.IntegerField(allow_null=True)
            funds = serializers.CharField(help_text="cash_first or bonus_first")
            expires_at = serializers.DateTimeField()

        bonuses = BonusSerializer(many=True)

    @extend_schema(operation_id="bonuses", responses=OutputSerializer)
    def get(self, request: Request) -> Response:
        grants = bonuses.grants_of(player_id=player_of(request))
        return Response(self.OutputSerializer({"bonuses": map(bonus_json, grants)}).data)


class BonusForfeitApi(APIView):
    """Give a bonus up, and play with one's own money alone."""

    permission_classes = [IsPlayer]
    scope = Scope.MONEY

    @extend_schema(
        operation_id="bonus_forfeit",
        parameters=[row_id("grant_id")],
        request=None,
        responses=BonusesApi.OutputSerializer.BonusSerializer,
    )
    @idempotent
    def post(self, request: Request, grant_id: int) -> Response:
        grant = bonuses.bonus_forfeit(player_id=player_of(request), grant_id=grant_id)
        return Response(BonusesApi.OutputSerializer.BonusSerializer(bonus_json(grant)).data)


class WithdrawalsApi(APIView):
    """Ask for money to be paid out. It is set aside at once; the house pays it."""

    permission_classes = [IsPlayer]
    scope = Scope.MONEY

    class InputSerializer(StrictSerializer):
        amount_minor = WholeField(min_value=1, max_value=MOST_MINOR)
        currency = serializers.CharField(max_length=3)

    class OutputSerializer(serializers.Serializer[Any]):
        transfer = serializers.IntegerField()
        pending = MoneySerializer()

    @extend_schema(
        operation_id="withdrawal_request",
        request=InputSerializer,
        responses={201: OutputSerializer},
    )
    @idempotent
    def post(self, request: Request) -> Response:
        form = self.InputSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        player = player_of(request)
        posted = services.withdrawal_request(
            player_id=player,
            key=transfer_key(request),
            actor_id=player,
            **form.validated_data,
        )
        asked = money(**form.validated_data)
        answer = {"transfer": posted.transfer_id, "pending": asked}
        return Response(self.OutputSerializer(answer).data, status=status.HTTP_201_CREATED)


class StatementApi(APIView):
    """Newest first. `next` is the cursor of the page after; null on the last one."""

    permission_classes = [IsPlayer]
    throttle_classes = [ReadThrottle]

    class InputSerializer(serializers.Serializer[Any]):
        cursor = serializers.IntegerField(
            min_value=1, max_value=2**63 - 1, default=None, allow_null=True
        )
        limit = serializers.IntegerField(min_value=1, max_value=STATEMENT_MOST, default=50)

    class OutputSerializer(serializers.Serializer[Any]):
        class LineSerializer(serializers.Serializer[Any]):
            id = serializers.IntegerField()
            at = serializers.DateTimeField()
            kind = serializers.CharField()
            phase = serializers.CharField()
            account = serializers.CharField(help_text="cash, bonus, pending, receivable or seat")
            table = serializers.IntegerField(allow_null=True)
            hand = serializers.IntegerField(allow_null=True)
            amount = MoneySerializer(help_text="Negative: taken from the account.")
            balance = MoneySerializer(help_text="On this account after the movement.")
            reason = serializers.CharField(allow_blank=True)

        lines = LineSerializer(many=True)
        next = serializers.IntegerField(allow_null=True)

    @extend_schema(
        operation_id="wallet_statement",
        parameters=[InputSerializer],
        responses=OutputSerializer,
    )
    def get(self, request: Request) -> Response:
        form = self.InputSerializer(data=request.query_params)
        form.is_valid(raise_exception=True)
        most = form.validated_data["limit"]
        lines = statement(player_of(request), before=form.validated_data["cursor"], most=most)
        page = {
            "lines": [_line(line) for line in lines],
            "next": lines[-1].id if len(lines) == most else None,
        }
        return Response(self.OutputSerializer(page).data)


def player_of(request: Request) -> int:
    assert request.user.pk is not None  # IsPlayer let nobody else in
    return request.user.pk


def money(amount_minor: int, currency: str) -> dict[str, Any]:
    return {"amount_minor": amount_minor, "currency": currency}


def _purse(purse: Purse) -> dict[str, Any]:
    return {
        "currency": purse.currency,
        "exponent": purse.exponent,
        "cash": money(purse.cash_minor, purse.currency),
        "bonus": money(purse.bonus_minor, purse.currency),
        "pending": money(purse.pending_minor, purse.currency),
        "owed": money(purse.owed_minor, purse.currency),
        "tables": [
            {"table": table, "chips": money(chips, purse.currency)}
            for table, chips in purse.tables_minor.items()
        ],
    }


def _line(line: StatementLine) -> dict[str, Any]:
    return {
        "id": line.id,
        "at": line.at,
        "kind": line.kind,
        "phase": line.phase,
        "account": line.purpose,
        "table": line.table_id,
        "hand": line.hand_id,
        "amount": money(line.amount_minor, line.currency),
        "balance": money(line.balance_minor, line.currency),
        "reason": line.reason,
    }


def bonus_json(grant: BonusGrant) -> dict[str, Any]:
    return {
        "id": grant.pk,
        "status": grant.status,
        "given": money(grant.amount_minor, grant.currency_id),
        "wager": money(grant.wager_minor, grant.currency_id),
        "wagered": money(bonuses.wagered(grant), grant.currency_id),
        "most_bet_minor": grant.most_bet_minor,
        "funds": grant.funds,
        "expires_at": grant.expires_at,
    }
