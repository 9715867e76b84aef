"""How often hands come to nothing, and whether that went anybody's way."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.core.permissions import IsSignedIn
from casino.core.throttling import ReadThrottle
from tables import voids
from tables.api.documents import ObjectField


class VoidsApi(APIView):
    """Counts of void hands and cuts, and the chance that who gained by them gained by chance.

    The page /voids/ shows the same to everybody. Worked out every ten minutes.
    """

    permission_classes = [IsSignedIn]
    throttle_classes = [ReadThrottle]

    class OutputSerializer(serializers.Serializer[Any]):
        class QuestionSerializer(serializers.Serializer[Any]):
            name = serializers.ChoiceField(
                choices=["redealt_rounds", "withholders", "voided_rounds"]
            )
            group = serializers.CharField(help_text="Whose results `won` and `lost` are.")
            won = serializers.IntegerField()
            lost = serializers.IntegerField()
            others_won = serializers.IntegerField(help_text="What these are compared with.")
            others_lost = serializers.IntegerField()
            p = serializers.FloatField(
                allow_null=True, help_text="Of chance alone; null while there are too few to say."
            )

        hands = ObjectField(help_text="Settled and voided hands.")
        cuts = ObjectField(help_text="Dealt and void cuts.")
        void_cuts = ObjectField(help_text="Void cuts by their reason.")
        withheld_seeds = serializers.IntegerField()
        questions = QuestionSerializer(many=True)

    @extend_schema(operation_id="voids", responses=OutputSerializer)
    def get(self, request: Request) -> Response:
        return Response(voids.figures())
