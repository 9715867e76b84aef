"""Pots that nobody has won: who plays for them, and who gets them when the game ends.

Who was dealt in to the hand that left them plays on for them; a newcomer waits until they are won,
a leaver gives up his share. Under the table's minimum they are shared equally by those dealt into
the last hand, odd chips from the lowest seat. A killed deal goes to the same seats again, those
without chips included, and its pots are theirs alone. Source: docs/rules/poker.md 10.1, 10.2 and
10.3, docs/rules/home.md 7.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tables.engine.bluff.vocabulary import BluffGame
from tables.engine.games import GAMES
from tables.engine.games.mixed import MIXES
from tables.engine.poker.pots import split
from tables.engine.protocol import Event
from tables.models import Hand, Seat, Table
from tables.services import rotating
from tables.services.writing import event
from wallets import services as wallets


def who_plays(table: Table, here: Mapping[Seat, int]) -> dict[Seat, int]:
    """Those of the seats that are dealt in to the next hand, with their chips.

    Who is all-in in a deal that a card has killed plays on for the pots he is in.
    """
    if is_dealt_again(table):
        # By player too: who has taken a leaver's seat since has no claim.
        whose = claimants(table)
        return {
            seat: chips for seat, chips in here.items() if whose.get(seat.number) == seat.player_id
        }
    carry = table.carry
    least_minor = least_stack_minor(table)
    return {
        seat: chips
        for seat, chips in here.items()
        if chips >= least_minor and (carry is None or seat.player_id in carry["players"])
    }


def least_stack_minor(table: Table) -> int:
    """What a seat must have to be dealt in: one chip, or the ante where nobody is all-in for less.

    Source: docs/rules/bluff.md 1.7.
    """
    if isinstance(GAMES.get(table.game), BluffGame):
        return int(table.options["ante_minor"])
    return table.chip_minor


def who_begins(table: Table, numbers: Sequence[int]) -> int | None:
    """The seat that begins at liar's dice: the loser of the last challenge, else the next seat."""
    first = table.next_first
    if first is None:
        return None
    return min(numbers, key=lambda number: (number - first) % (table.max_seats + 1))


def is_dealt_again(table: Table) -> bool:
    """Whether the last deal was killed: the same seats get a new one, nobody else."""
    return table.carry is not None and "seats" in table.carry


def claimants(table: Table) -> dict[int, int]:
    """Players by seat who have a claim on the pots of the deal that was killed."""
    assert table.carry is not None
    hand = _left_by(table)
    return {seat: hand.seats[str(seat)]["player"] for seat in table.carry["seats"]}


def least_players(table: Table) -> int:
    """How many the next hand needs: the table's own minimum, or that of a mix's game if larger."""
    if is_dealt_again(table):
        return 2
    game = rotating.coming(table) if table.game in MIXES else None
    return table.min_players if game is None else max(table.min_players, game.seats[0])


def carried_on(table: Table, hand: Hand) -> None:
    """Note what a settled hand leaves in the pot, and for whom."""
    carry = (hand.result or {}).get("carry")
    if carry is not None:
        players = carry.get("players") or [seat["player"] for seat in hand.seats.values()]
        carry = {**carry, "players": players}
    if carry is not None and "seats" in carry:
        playing = table.seats.filter(status=Seat.Status.PLAYING).values_list("number", flat=True)
        carry = claimed(carry, playing)
    if carry != table.carry:
        Table.objects.filter(pk=table.pk).update(carry=carry)
        table.carry = carry


def claimed(carry: Mapping[str, Any], here: Iterable[int]) -> dict[str, Any]:
    """A killed deal's pots with the claims of those seats alone that are here for the next one.

    Who leaves or sits out gives up his; chips that nobody claims any more are everybody's.
    """
    here = set(here)
    pots = [[amount, [seat for seat in seats if seat in here]] for amount, seats in carry["pots"]]
    return {
        **carry,
        "seats": [seat for seat in carry["seats"] if seat in here],
        "pots": [pot for pot in pots if pot[1]],
    }


def dealt_for(table: Table, seats: Iterable[int]) -> dict[str, Any] | None:
    """What the next hand, dealt to these seats, is played for besides what they put in."""
    carry: dict[str, Any] | None = table.carry
    return claimed(carry, seats) if carry is not None and is_dealt_again(table) else carry


def pot_shared(table: Table) -> list[Event]:
    """Give a carried pot back when it cannot be played for; nothing when there is none.

    A killed deal's pots go to those with a claim on them. If all who left it have gone, their
    shares go to their wallets.
    """
    if table.carry is None:
        return []
    hand = _left_by(table)
    there = set(table.seats.values_list("player_id", flat=True))
    dealt = {int(number): seat for number, seat in hand.seats.items()}
    shares: dict[int, int] = {}
    for amount_minor, numbers in _shared_among(
        table.carry, {number: seat["player"] for number, seat in dealt.items()}, there
    ):
        parts = split(amount_minor, len(numbers), table.chip_minor)
        for number, part in zip(numbers, parts, strict=True):
            shares[number] = shares.get(number, 0) + part
    wallets.carry_share(
        hand_id=hand.pk,
        table_id=table.pk,
        in_play_account_id=table.accounts["in_play"],
        shares={dealt[number]["account"]: share for number, share in shares.items()},
    )
    for number in shares:
        seat = dealt[number]
        if seat["player"] not in there:
            wallets.cash_out(
                player_id=seat["player"],
                seat_account_id=seat["account"],
                key=f"hand:{hand.pk}:carry:{seat['account']}",
            )
    Table.objects.filter(pk=table.pk).update(carry=None)
    table.carry = None
    told = {str(number): share for number, share in sorted(shares.items())}
    return [event("carried_pot_shared", shares_minor=told)]


def _left_by(table: Table) -> Hand:
    """The hand that left the carried pot: one that was voided since counts as not dealt."""
    hand = table.hands.filter(status=Hand.Status.SETTLED).order_by("-number").first()
    assert hand is not None
    return hand


def _shared_among(
    carry: Mapping[str, Any], players: Mapping[int, int], there: set[int]
) -> list[tuple[int, list[int]]]:
    """Amounts, each with the seats that share it.

    players: by seat, those dealt in. there: the players who are still at the table; if none of
    them has a claim, those who have gone share.
    """
    claiming = carry.get("seats") or sorted(players)
    here = [seat for seat in claiming if players[seat] in there] or claiming
    pots = claimed(carry, here)["pots"] if carry.get("seats") else []
    rest_minor = carry["carry_minor"] - sum(amount for amount, _ in pots)
    return [(rest_minor, here), *((amount, seats) for amount, seats in pots)]
