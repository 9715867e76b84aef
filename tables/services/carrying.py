"""Pots that nobody has won: who plays for them, and who gets them when the game ends.

Who was dealt in to the hand that left them plays on for them; a newcomer waits until they are won,
a leaver gives up his share. Under the table's minimum they are shared equally by those dealt into
the last hand, odd chips from the lowest seat. Source: docs/rules/poker.md 10.1, 10.2 and 10.3.
"""

from collections.abc import Sequence

from tables.engine.protocol import Event
from tables.models import Hand, Seat, Table
from tables.services.writing import event
from wallets import services as wallets


def who_plays(table: Table, able: Sequence[Seat]) -> list[Seat]:
    """Those of the seats able to play who are dealt in to the next hand."""
    if table.carry is None:
        return list(able)
    return [seat for seat in able if seat.player_id in table.carry["players"]]


def carried_on(table: Table, hand: Hand) -> None:
    """Note what a settled hand leaves in the pot, and for whom."""
    carry = (hand.result or {}).get("carry")
    if carry is not None:
        players = carry.get("players") or [seat["player"] for seat in hand.seats.values()]
        carry = {**carry, "players": players}
    Table.objects.filter(pk=table.pk).update(carry=carry)
    table.carry = carry


def pot_shared(table: Table) -> list[Event]:
    """Give a carried pot back when it cannot be played for; nothing when there is none."""
    if table.carry is None:
        return []
    hand = table.hands.order_by("-number").first()
    assert hand is not None
    there = set(table.seats.values_list("player_id", flat=True))
    dealt = sorted((int(number), seat) for number, seat in hand.seats.items())
    facts = [(number, seat) for number, seat in dealt if seat["player"] in there] or dealt
    each, odd = divmod(table.carry["carry_minor"] // table.chip_minor, len(facts))
    shares = {
        number: (each + (nth < odd)) * table.chip_minor for nth, (number, _) in enumerate(facts)
    }
    wallets.carry_share(
        hand_id=hand.pk,
        table_id=table.pk,
        in_play_account_id=table.accounts["in_play"],
        shares={seat["account"]: shares[number] for number, seat in facts},
    )
    Table.objects.filter(pk=table.pk).update(carry=None)
    table.carry = None
    return [
        event("carried_pot_shared", shares_minor={str(n): share for n, share in shares.items()})
    ]
