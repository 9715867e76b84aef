"""A gaming day begins when the house says, not at midnight."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from casino.core.rows import row_of
from wallets.models import HousePolicy


def policy() -> HousePolicy:
    try:
        return row_of(HousePolicy, 1)
    except HousePolicy.DoesNotExist:
        return HousePolicy()


def gaming_day(at: datetime) -> date:
    """The day that `at` belongs to."""
    house = policy()
    local = at.astimezone(ZoneInfo(house.time_zone))
    today = local.date()
    return today if local.time() >= house.starts() else today - timedelta(days=1)


def day_begins(day: date) -> datetime:
    """Its first moment; the next day's first is its end. A day of a clock change is 23 or 25 h."""
    house = policy()
    return datetime.combine(day, house.starts(), ZoneInfo(house.time_zone))
