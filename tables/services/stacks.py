"""Chips that come and go between hands: what a player must bring back, what he asked to buy.

Source: docs/rules/poker.md 4.6 and 4.7.
"""

from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction

from tables.engine.protocol import Event
from tables.models import Departure, Hand, Seat, Table
from tables.selectors import database_now, seat_facts
from tables.services import counting
from tables.services.clocks import option
from tables.services.writing import event
from wallets import services as wallets
from wallets.errors import WalletError


def gone(table: Table, player_id: int, chips_minor: int) -> None:
    """Note what a player leaves with, where the table asks for it back."""
    if option(table.timing, "rathole_s"):
        Departure.objects.update_or_create(
            table=table,
            player_id=player_id,
            defaults={"at": database_now(), "chips_minor": chips_minor},
        )


def buy_in_range(table: Table, player_id: int) -> tuple[int, int]:
    """The least and the most a player may sit down with.

    Who left with more than the least within the table's window brings all of that back, also when
    it is more than the most.
    """
    least, most = table.buy_in_least_minor, table.buy_in_most_minor
    back_minor = brought_back(table, player_id)
    return max(least, back_minor), max(most, back_minor)


def brought_back(table: Table, player_id: int) -> int:
    """What a player left with, more than the least and within the table's window; else 0."""
    window_s = option(table.timing, "rathole_s")
    since = database_now() - timedelta(seconds=window_s)
    left = Departure.objects.filter(table=table, player_id=player_id, at__gte=since).first()
    if not window_s or left is None or left.chips_minor <= table.buy_in_least_minor:
        return 0
    return left.chips_minor


def topped_up(table: Table, hand: Hand, seats: Iterable[Seat]) -> list[Event]:
    """Buy what players asked for during the hand that is settled; each wish counts once.

    A wish that the wallet cannot pay, or a limit refuses, falls. seats: the table's.
    """
    told = []
    for seat in seats:
        if seat.tops_up_to_minor is None:
            continue
        wanted = min(seat.tops_up_to_minor, table.buy_in_most_minor)
        seat.tops_up_to_minor = None
        seat.save(update_fields=["tops_up_to_minor"])
        held = wallets.balances_of(account_ids=[seat.account_id])[seat.account_id]
        lacking = wanted - held
        lacking -= lacking % table.chip_minor
        if lacking <= 0 or seat.status == Seat.Status.LEAVING:
            continue
        try:
            with transaction.atomic():
                wallets.buy_in(
                    player_id=seat.player_id,
                    seat_account_id=seat.account_id,
                    amount_minor=lacking,
                    key=f"hand:{hand.pk}:top-up:{seat.pk}",
                )
                counting.chips_bought(table.pk, lacking)
        except WalletError as error:
            told.append(event("top_up_refused", seat=seat.number, code=error.code))
            continue
        told.append(event("seat_changed", stack_minor=held + lacking, **seat_facts(seat)))
    return told
