"""The shapes of a table, a hand and a frame as viewers get them.

The selectors make these; the serializers here only say so in the OpenAPI document, and a test
holds the answers against it.
"""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tables.lobby import FAMILIES
from tables.models import Cut, FloorCall, Seat, Table

Serializer = serializers.Serializer[Any]


@extend_schema_field({"type": "object", "additionalProperties": True})
class ObjectField(serializers.DictField):
    """An object whose fields depend on the game; docs/protocol.md lists them."""


class GameNameSerializer(Serializer):
    id = serializers.CharField()
    name = serializers.CharField()
    limit = serializers.CharField(
        allow_blank=True, help_text="no_limit, pot, half_pot, fixed, spread; empty at banked games"
    )


class BuyInSerializer(Serializer):
    least_minor = serializers.IntegerField()
    most_minor = serializers.IntegerField()
    least_big_blinds = serializers.IntegerField(required=False)
    most_big_blinds = serializers.IntegerField(required=False)


class TimeCollectionSerializer(Serializer):
    amount_minor = serializers.IntegerField()
    every_s = serializers.IntegerField()
    next_at = serializers.DateTimeField(allow_null=True, help_text="null before the first hand")


class PlacardSerializer(Serializer):
    """What a table is, whoever looks."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    family = serializers.ChoiceField(choices=FAMILIES)
    game = GameNameSerializer()
    currency = serializers.CharField()
    exponent = serializers.IntegerField(help_text="Decimal places of the major unit.")
    chip_minor = serializers.IntegerField(help_text="All amounts are multiples of it.")
    stakes = ObjectField(help_text="The game's options: blinds and limits.")
    buy_in = BuyInSerializer()
    time_collection = TimeCollectionSerializer(
        allow_null=True, help_text="What every seat pays by the clock; null: nothing."
    )
    jackpot = ObjectField(
        allow_null=True, help_text="What its drop goes to: name, meter_minor, terms, what leads."
    )
    status = serializers.ChoiceField(choices=Table.Status.values)
    max_seats = serializers.IntegerField()
    min_players = serializers.IntegerField()


class SnapshotSerializer(Serializer):
    class PlaceSerializer(PlacardSerializer):
        timing = ObjectField(help_text="Seconds per kind of decision; the players' own clocks.")
        version = serializers.IntegerField(help_text="Of the table's rules and stakes.")
        feeds = ObjectField(
            allow_null=True, help_text="The main table its players must move to: id, name."
        )
        stopped = serializers.BooleanField(help_text="The house deals no further hand.")
        paytables = ObjectField(required=False, help_text="Odds to 1 by wager and hand.")

    class SeatSerializer(Serializer):
        seat = serializers.IntegerField()
        player = serializers.CharField()
        stack_minor = serializers.IntegerField()
        status = serializers.ChoiceField(choices=Seat.Status.values)
        spots = serializers.IntegerField(help_text="Theirs: the seat and those above it.")
        time_bank_ms = serializers.IntegerField(help_text="Left of the time bank.")
        owes = serializers.ListField(
            child=serializers.CharField(),
            help_text="Missed blinds, big and small: not dealt in before one of them is put in.",
        )

    class HandSerializer(Serializer):
        class DealtSerializer(Serializer):
            seat = serializers.IntegerField()
            player = serializers.CharField()
            stack_minor = serializers.IntegerField(help_text="When the hand began.")
            player_seat = serializers.IntegerField(
                required=False, help_text="At a player's further spot: where he sits."
            )

        class NameSerializer(Serializer):
            id = serializers.CharField()
            name = serializers.CharField()

        id = serializers.IntegerField()
        number = serializers.IntegerField()
        game = NameSerializer()
        button = serializers.IntegerField(allow_null=True)
        root = serializers.CharField(  # type: ignore[assignment]
            allow_null=True, help_text="Commitment to the deck; null before it is cut."
        )
        cut = ObjectField(allow_null=True, help_text="cut, mode, decks, seeds: how it was cut.")
        seats = DealtSerializer(many=True)
        turn = ObjectField(allow_null=True, help_text="turn_id, window, seats, deadline.")
        view = ObjectField(help_text="The hand as this viewer may see it.")

    class ChoiceSerializer(Serializer):
        class ListedSerializer(GameNameSerializer):
            nth = serializers.IntegerField(help_text="Its place in the list, from 0.")

        seat = serializers.IntegerField(help_text="Whose choice it is.")
        window = serializers.CharField(
            allow_blank=True, help_text="name_game or agree; empty once all have agreed."
        )
        waiting = serializers.ListField(child=serializers.IntegerField())
        declined = serializers.ListField(child=serializers.IntegerField())
        games = ListedSerializer(many=True)
        game = GameNameSerializer(allow_null=True)
        turn = ObjectField(allow_null=True, help_text="turn_id, window, seats, deadline.")

    class LastHandSerializer(Serializer):
        id = serializers.IntegerField()
        number = serializers.IntegerField()
        view = ObjectField(allow_null=True)
        result = ObjectField(allow_null=True)

    class DealerSerializer(Serializer):
        name = serializers.CharField()
        since = serializers.DateTimeField()
        break_since = serializers.DateTimeField(allow_null=True)
        confirmed_hand = serializers.IntegerField(
            allow_null=True, help_text="The last hand he has confirmed as paid."
        )

    class FloorCallSerializer(Serializer):
        call = serializers.IntegerField()
        why = serializers.ChoiceField(choices=FloorCall.Why.values)
        hand_id = serializers.IntegerField(allow_null=True)
        since = serializers.DateTimeField()

    class RootSerializer(Serializer):
        number = serializers.IntegerField()
        root = serializers.CharField()  # type: ignore[assignment]

    class CutSerializer(Serializer):
        """A cut that takes or awaits players' seeds: docs/fairness.md 1."""

        cut = serializers.IntegerField()
        purpose = serializers.ChoiceField(choices=Cut.Purpose.values)
        kind = serializers.CharField(help_text="cards + dice")
        takes_seeds = serializers.BooleanField()
        roots = serializers.ListField(child=ObjectField())
        deadline = serializers.DateTimeField(allow_null=True)
        status = serializers.ChoiceField(choices=["open", "listed"])
        list = ObjectField(allow_null=True, help_text="The closed list, once it is.")
        asks_you = serializers.BooleanField()
        yours = ObjectField(allow_null=True, help_text="commitment, is_opened")

    class YouSerializer(Serializer):
        seat = serializers.IntegerField(allow_null=True, help_text="Where you sit.")
        dealt_as = serializers.IntegerField(required=False, help_text="Your seat in this hand.")
        legal_actions = serializers.ListField(child=ObjectField())
        money = ObjectField(
            help_text="cash_minor in your wallet, and bonus_minor, in the table's currency."
        )
        choices = ObjectField(
            required=False,
            help_text="At your seat: posts, auto_post, agrees_to_blind, straddles, wants_bomb_pot,"
            " sits_out_at, tops_up_to_minor.",
        )
        seeds_barred_until = serializers.DateTimeField(
            allow_null=True,
            help_text="You left a listed seed unopened: until then none of yours is taken.",
        )

    table = PlaceSerializer()
    seq = serializers.IntegerField(help_text="The snapshot is the table after this frame.")
    server_time = serializers.DateTimeField()
    seats = SeatSerializer(many=True)
    specials = ObjectField(
        allow_null=True,
        help_text="What may come next instead of a usual hand: bomb_pot, in_hands, asked, leg,"
        " kills.",
    )
    hand = HandSerializer(allow_null=True)
    choice = ChoiceSerializer(
        allow_null=True, help_text="Dealer's choice: the next game is being named."
    )
    last_hand = LastHandSerializer(allow_null=True)
    dealer = DealerSerializer(
        allow_null=True, help_text="Who is signed on at the dealer's console."
    )
    floor_calls = FloorCallSerializer(many=True, help_text="Calls nobody has answered yet.")
    next_root = RootSerializer(allow_null=True, help_text="Commitment to the next hand's deck.")
    cuts = CutSerializer(many=True)
    you = YouSerializer(allow_null=True)


class FrameSerializer(Serializer):
    class EventSerializer(Serializer):
        type = serializers.CharField()
        public = ObjectField()
        private = ObjectField(required=False, help_text="For you alone.")

    type = serializers.ChoiceField(choices=["events"])
    table = serializers.IntegerField()
    seq = serializers.IntegerField()
    prev = serializers.IntegerField()
    at = serializers.DateTimeField()
    events = EventSerializer(many=True)
