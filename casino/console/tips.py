"""Tips since the pool was last paid out: by dealer, with the hours that a fair share goes by."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Sum
from django.utils import timezone

from casino.console import people
from casino.console.figures import PLAYED
from casino.core.models import Approval, User
from tables.models import Table, TableHour
from wallets.models import PLAY_MONEY, Leg, Purpose, Transfer
from wallets.tips import PAYOUT, fair_shares

KINDS = ("tip", "tips_paid")


@dataclass(frozen=True)
class Share:
    """A dealer's part. hours: at a table, each table for itself. fair_minor: of the pool."""

    dealer: User
    hours: int
    given_minor: int
    fair_minor: int


def paid_last(currency: str) -> datetime | None:
    """When the pool of a currency was paid out last."""
    paid = Transfer.objects.filter(
        kind="tips_paid", legs__currency=currency, legs__account__purpose=Purpose.TIPS
    )
    return paid.order_by("-id").values_list("created_at", flat=True).first()


def _counted_to(currency: str) -> datetime | None:
    """When the payout that came last was asked for: hours that had ended then are paid."""
    paid = Approval.objects.filter(
        kind=PAYOUT, status=Approval.Status.EXECUTED, subject=f"tips:{currency}"
    )
    return paid.order_by("-id").values_list("asked_at", flat=True).first()


def shares_of(currency: str, pool_minor: int) -> list[Share]:
    """Who dealt at tables of the currency in hours that are not paid yet, most hours first.

    An hour counts as a whole, to the payout that is asked for after its end.
    """
    hour = timedelta(hours=1)
    rows = TableHour.objects.filter(
        table__in=Table.objects.filter(currency=currency),
        dealer__isnull=False,
        hour__lte=timezone.now() - hour,
    )
    if (since := _counted_to(currency)) is not None:
        day = since.date() - timedelta(days=1)
        rows = rows.filter(gaming_day__gte=day, hour__gt=since - hour)
    found = (
        rows.order_by()
        .values_list("dealer_id")
        .annotate(played=Count("id", filter=PLAYED), given=Sum("tips_minor"))
    )
    worked = {dealer: (hours, given) for dealer, hours, given in found}
    fair = fair_shares(pool_minor, {dealer: hours for dealer, (hours, _) in worked.items()})
    dealers = User.objects.in_bulk(worked)
    shares = [
        Share(dealers[dealer], hours, given, fair.get(dealer, 0))
        for dealer, (hours, given) in worked.items()
    ]
    return sorted(shares, key=lambda share: (-share.hours, share.dealer.display_name))


def last_moves(most: int) -> list[dict[str, Any]]:
    """The pools' last movements: what came in is positive."""
    legs = list(
        Leg.objects.filter(account__purpose=Purpose.TIPS, transfer__kind__in=KINDS)
        .exclude(currency=PLAY_MONEY)
        .select_related("transfer")
        .order_by("-id")[:most]
    )
    tables = Table.objects.in_bulk({leg.transfer.table_id for leg in legs if leg.transfer.table_id})
    names = people.names_of({leg.transfer.actor_id for leg in legs})
    return [
        {
            "at": leg.transfer.created_at,
            "kind": leg.transfer.kind,
            "table": tables.get(leg.transfer.table_id or 0),
            "minor": leg.amount_minor,
            "currency": leg.currency,
            "by": names.get(leg.transfer.actor_id or 0, ""),
            "reason": leg.transfer.reason,
        }
        for leg in legs
    ]
