"""Players' seeds, the cuts they made, and what anyone may check of a hand: docs/fairness.md."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.core.api.fields import StrictSerializer, WholeField
from casino.core.permissions import IsPlayer, IsSignedIn
from casino.core.throttling import ReadThrottle
from tables import proofs
from tables.api.documents import ObjectField
from tables.api.fields import HAND_ID, TABLE_ID, HashField, PageSerializer, player_of
from tables.models import Cut, Hand
from tables.services import seeds


class ReceiptSerializer(serializers.Serializer[Any]):
    cut = serializers.IntegerField()
    root = serializers.CharField(  # type: ignore[assignment]
        help_text="The cut's last root, which stands for all of them."
    )
    commitment = serializers.CharField()
    at_ms = serializers.IntegerField(help_text="Milliseconds since 1970, as signed.")
    signature = serializers.CharField(help_text="Ed25519, hexadecimal; docs/fairness.md 8.")


class SeedsApi(APIView):
    """Commit to a seed for a coming cut, by its SHA-256. A repeat gets the first receipt."""

    permission_classes = [IsPlayer]

    class InputSerializer(StrictSerializer):
        cut = WholeField(min_value=1)
        commitment = HashField()

    @extend_schema(
        operation_id="seed_commit",
        parameters=[TABLE_ID],
        request=InputSerializer,
        responses={201: ReceiptSerializer},
    )
    def post(self, request: Request, table_id: int) -> Response:
        form = self.InputSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        receipt = seeds.seed_commit(
            table_id=table_id, player_id=player_of(request).pk, **form.validated_data
        )
        return Response(ReceiptSerializer(receipt).data, status=status.HTTP_201_CREATED)


class OpenedSeedsApi(APIView):
    """Open the seed of a commitment that you found in the closed list."""

    permission_classes = [IsPlayer]

    class InputSerializer(StrictSerializer):
        cut = WholeField(min_value=1)
        seed = HashField()

    @extend_schema(
        operation_id="seed_open",
        parameters=[TABLE_ID],
        request=InputSerializer,
        responses=ReceiptSerializer,
    )
    def post(self, request: Request, table_id: int) -> Response:
        form = self.InputSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        receipt = seeds.seed_open(
            table_id=table_id,
            player_id=player_of(request).pk,
            cut=form.validated_data["cut"],
            seed=bytes.fromhex(form.validated_data["seed"]),
        )
        return Response(ReceiptSerializer(receipt).data)


class RootSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    root = serializers.CharField()  # type: ignore[assignment]
    previous = serializers.CharField()
    signature = serializers.CharField()


class CutSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    purpose = serializers.ChoiceField(choices=Cut.Purpose.values)
    mode = serializers.CharField(allow_blank=True, help_text="players, house, certified, scripted")
    kind = serializers.CharField(help_text="cards + dice")
    contents = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    roots = RootSerializer(many=True)
    list = ObjectField(allow_null=True)
    seeds = serializers.ListField(child=serializers.CharField(allow_null=True))
    opened_at = serializers.ListField(child=serializers.IntegerField(allow_null=True))
    end = ObjectField(allow_null=True)


class CutsApi(APIView):
    """Every cut of a table, newest first, and how often which kind of end came."""

    permission_classes = [IsSignedIn]
    throttle_classes = [ReadThrottle]

    class OutputSerializer(serializers.Serializer[Any]):
        class EndedSerializer(CutSerializer):
            hand = serializers.IntegerField(allow_null=True)

        cuts = EndedSerializer(many=True)
        ends = ObjectField(help_text="How many cuts ended so: dealt, or void by reason.")
        next = serializers.IntegerField(allow_null=True, help_text="null on the last page")

    @extend_schema(
        operation_id="table_cuts",
        parameters=[TABLE_ID, PageSerializer],
        responses=OutputSerializer,
    )
    def get(self, request: Request, table_id: int) -> Response:
        form = PageSerializer(data=request.query_params)
        form.is_valid(raise_exception=True)
        return Response(
            proofs.cuts_of(
                table_id,
                before=form.validated_data["cursor"],
                most=form.validated_data["limit"],
            )
        )


class ProofApi(APIView):
    """What you may check of a hand, while it is played and ever after: docs/fairness.md 8."""

    permission_classes = [IsSignedIn]
    throttle_classes = [ReadThrottle]

    class OutputSerializer(serializers.Serializer[Any]):
        class ProofCutSerializer(CutSerializer):
            full = serializers.ListField(child=ObjectField())

        format = serializers.CharField()
        table = serializers.IntegerField()
        hand = serializers.IntegerField()
        hand_number = serializers.IntegerField()
        family = serializers.CharField()
        status = serializers.ChoiceField(choices=Hand.Status.values)
        viewer = serializers.IntegerField(allow_null=True)
        seats = serializers.ListField(child=serializers.IntegerField())
        button = serializers.IntegerField(allow_null=True)
        public_key = serializers.CharField()
        reveal_ms = serializers.IntegerField()
        cuts = ProofCutSerializer(many=True)
        dealt = serializers.ListField(child=ObjectField())
        openings = serializers.ListField(child=ObjectField())
        receipts = serializers.ListField(child=ObjectField())

    @extend_schema(operation_id="hand_proof", parameters=[HAND_ID], responses=OutputSerializer)
    def get(self, request: Request, hand_id: int) -> Response:
        return Response(proofs.bundle(hand_id, request.user.pk))
