"""Tips: from the chips before a player, between hands, and what lay in a dealer's box.

Source: docs/rules/tips.md 1.
"""

from django.db import transaction

from casino.core.models import User
from tables.errors import HandInPlay, NotWholeChips
from tables.models import Seat, Table
from tables.selectors import seat_facts
from tables.services import counting
from tables.services.seating import seat_of, table_locked
from tables.services.writing import event
from wallets import cage
from wallets import services as wallets
from wallets.selectors import posted_at


def seat_tip(*, table_id: int, player: User, amount_minor: int, key: str) -> int:
    """Tip the dealers from the chips before the player; returns what he has left of them.

    Who gives his last chips sits out. Raises NotSeated, HandInPlay (he was dealt in to it),
    NotWholeChips, InvalidAmount, InsufficientFunds, KeyReused.
    """
    with table_locked(table_id) as locked:
        table = locked.table
        seat = seat_of(table, player)
        # A repeat of what was given before the deal is answered as it was then.
        if table.hand_id is not None and locked.in_hand(seat) and posted_at(key) is None:
            raise HandInPlay(table.hand_id)
        if amount_minor % table.chip_minor:
            raise NotWholeChips(amount_minor, table.chip_minor)
        posted = wallets.tip(
            table_id=table_id, seat_account_id=seat.account_id, amount_minor=amount_minor, key=key
        )
        left_minor = wallets.balances_of(account_ids=[seat.account_id])[seat.account_id]
        if not posted.replayed:
            counting.tipped(table_id, amount_minor, key)
            if not left_minor and seat.status == Seat.Status.PLAYING:
                seat.status = Seat.Status.SITTING_OUT
                seat.save(update_fields=["status"])
            locked.events.append(event("seat_changed", stack_minor=left_minor, **seat_facts(seat)))
    return left_minor


@transaction.atomic
def box_counted(
    *, table_id: int, dealer_id: int, amount_minor: int, key: str, by: User, reason: str = ""
) -> int:
    """Count a dealer's box into the pool at the cage, once a key; the transfer's id.

    Raises RoleMissing, InvalidAmount, KeyReused.
    """
    table = Table.objects.get(pk=table_id)
    posted = cage.tips_recorded(
        table_id=table_id, currency=table.currency, amount_minor=amount_minor, key=key, by=by,
        reason=reason,
    )  # fmt: skip
    if not posted.replayed:
        counting.tipped(table_id, amount_minor, key, dealer_id)
    assert posted.transfer_id is not None
    return posted.transfer_id
