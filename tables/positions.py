"""What the tables' money should be now: the daily reconciliation holds the books against it."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from tables import beliefs
from tables.models import Hand, JackpotMeter, Table
from wallets.reconciling import Floor
from wallets.selectors import corrected_since, jackpots_used


def positions(since: datetime) -> Floor:
    """Seats and stakes of hands that run, pots carried over, and what was settled since then.

    One moment only inside a transaction that sees one.
    """
    held: dict[int, int] = {}
    in_play: dict[int, int] = {}
    for table, hand in tables_in_play():
        account = table.accounts.get("in_play")
        if hand is None:
            carried = table.carry
        else:
            carried = hand.carry
            if is_banked(hand):
                in_play[account] = in_play.get(account, 0) + staked(table, hand)
            else:
                held |= {seat["account"]: hand.pk for seat in hand.seats.values()}
        if carried:
            in_play[account] = in_play.get(account, 0) + carried["carry_minor"]
    settled = Hand.objects.filter(status=Hand.Status.SETTLED, settled_at__gte=since)
    return Floor(
        held=held,
        in_play_minor=in_play,
        meters_minor=meters(),
        settled={hand.pk: paid(hand) for hand in settled.iterator()},
    )


def meters() -> dict[int, int]:
    """What the last round with a progressive left on each meter, by its table's jackpot account.

    What two persons have corrected there since it began belongs to it; anything else is a
    difference. A jackpot that drops fill has what was counted with each drop, seed and award.
    """
    kept: dict[int, int] = {}
    fed = {meter.account_id: meter for meter in JackpotMeter.objects.all()}
    for account, table_id in jackpots_used():
        if (meter := fed.get(account)) is not None:
            moved = meter.dropped_minor + meter.seeded_minor - meter.paid_minor
            kept[account] = moved + corrected_since(account, None)
            continue
        last = Hand.objects.filter(
            table_id=table_id, status=Hand.Status.SETTLED, result__has_key="meter"
        ).first()
        left = 0 if last is None or last.result is None else last.result["meter"]["after_minor"]
        kept[account] = left + corrected_since(account, None if last is None else last.started_at)
    return kept


def tables_in_play() -> Iterator[tuple[Table, Hand | None]]:
    """Tables with a hand that is not settled, or with a carried pot, and that hand."""
    waiting = (Hand.Status.OPEN, Hand.Status.FINISHED)
    hands = {hand.table_id: hand for hand in Hand.objects.filter(status__in=waiting)}
    for table in Table.objects.all():
        hand = hands.get(table.pk)
        if hand is not None or table.carry:
            yield table, hand


def is_banked(hand: Hand) -> bool:
    return bool(hand.definition["family"] == "banked")


def staked(table: Table, hand: Hand) -> int:
    """What a round has staked: told by its result, or while it runs by its state."""
    if hand.result is not None:
        return sum(hand.result["staked_minor"].values())
    belief = beliefs.read(table.pk)
    if not belief.state:
        return 0
    play: Any = belief.hand()
    return sum(play.committed(int(seat)) for seat in hand.seats)


def paid(hand: Hand) -> dict[int, int]:
    """What its settlement moved on each seat's account."""
    result = hand.result or {}
    moved = result.get("returned_minor" if is_banked(hand) else "nets_minor", {})
    by_account: dict[int, int] = {}
    for seat, amount in moved.items():
        account = hand.seats[seat]["account"]
        by_account[account] = by_account.get(account, 0) + amount
    return {account: amount for account, amount in by_account.items() if amount}
