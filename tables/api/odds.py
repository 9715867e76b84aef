"""The odds of a table, for everybody and before any stake."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.core.permissions import IsSignedIn
from casino.core.throttling import ReadThrottle
from tables import odds
from tables.api.documents import ObjectField
from tables.api.fields import TABLE_ID


class PartField(serializers.ListField):
    """A fraction in lowest terms: [numerator, denominator]."""

    child = serializers.IntegerField()


class OddsApi(APIView):
    """What each wager of a game against the house pays, how likely each line is, what the house
    keeps, and the best strategy: exact, from the version of the paytables in force.
    """

    permission_classes = [IsSignedIn]
    throttle_classes = [ReadThrottle]

    class OutputSerializer(serializers.Serializer[Any]):
        class VersionSerializer(serializers.Serializer[Any]):
            id = serializers.IntegerField()
            name = serializers.CharField()
            version = serializers.IntegerField()

        class NameSerializer(serializers.Serializer[Any]):
            id = serializers.CharField()
            name = serializers.CharField()

        class WagerSerializer(serializers.Serializer[Any]):
            class LineSerializer(serializers.Serializer[Any]):
                line = serializers.CharField()
                words = serializers.CharField()
                pays = serializers.IntegerField(help_text='To 1; of a progressive "for 1".')
                chance = PartField()
                hands = serializers.IntegerField(help_text="Of equally likely deals.")

            id = serializers.CharField()
            name = serializers.CharField()
            limits = ObjectField()
            on_fold = serializers.ChoiceField(
                choices=["forfeit", "live"], allow_null=True, help_text="null: it is the ante"
            )
            house_edge = PartField(help_text="Expected loss per unit of the wager.")
            element_of_risk = PartField(help_text="Expected loss per unit of all that is staked.")
            hit_frequency = PartField()
            variance = PartField()
            standard_deviation = serializers.CharField()
            played = PartField(help_text="Share of hands that the best strategy plays.")
            worst_case_units = serializers.IntegerField()
            lines = LineSerializer(many=True)
            strategy = ObjectField(required=False)
            meter = ObjectField(required=False)
            without_ante = ObjectField(
                required=False, help_text="The figures where there is no ante to fold."
            )
            percent = ObjectField(help_text="The fractions in percent.")

            def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
                return {**super().get_fields(), "return": PartField()}

        table = serializers.IntegerField()
        name = serializers.CharField()
        game = NameSerializer()
        paytable = VersionSerializer(allow_null=True)
        in_play = VersionSerializer(
            allow_null=True, help_text="The version of the round in play, if any."
        )
        currency = serializers.CharField()
        exponent = serializers.IntegerField(help_text="Decimal places of the major unit.")
        spots_per_player = serializers.IntegerField()
        qualifier = serializers.CharField()
        policy = ObjectField()
        most_spot_minor = serializers.IntegerField(allow_null=True)
        most_round_minor = serializers.IntegerField(allow_null=True)
        meter_minor = serializers.IntegerField(allow_null=True)
        wagers = WagerSerializer(many=True)

    @extend_schema(operation_id="table_odds", parameters=[TABLE_ID], responses=OutputSerializer)
    def get(self, request: Request, table_id: int) -> Response:
        return Response(odds.table_odds(table_id))
