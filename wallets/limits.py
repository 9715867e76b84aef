"""Players' protection: writing the limits. The ledger's SQL checks them, in the money's own
transaction; a stricter limit counts at once, a looser one a day later."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from wallets.errors import InvalidAmount, LimitStillBinding
from wallets.models import MOST_MINOR, DepositLimit, PlayerLimits

LOOSER_AFTER = timedelta(hours=24)


@transaction.atomic
def exclude(*, player_id: int, until: datetime | None) -> PlayerLimits:
    """Exclude a player from play now; `until` None: until the house lifts it.

    He keeps his money and can cash out. An exclusion that runs is only ever extended.
    """
    limits = _limits_lock(player_id)
    if until is None:
        limits.self_excluded = True
    elif limits.excluded_until is None or until > limits.excluded_until:
        limits.excluded_until = until
    limits.save()
    return limits


@transaction.atomic
def exclusion_lift(*, player_id: int) -> PlayerLimits:
    """End an exclusion without a date. Raises LimitStillBinding while one with a date runs."""
    limits = _limits_lock(player_id)
    if limits.excluded_until is not None and limits.excluded_until > timezone.now():
        raise LimitStillBinding(player_id, limits.excluded_until)
    limits.self_excluded = False
    limits.save()
    return limits


@transaction.atomic
def deposit_limit_set(
    *, player_id: int, currency: str, window_days: int, most_minor: int | None
) -> DepositLimit:
    """Set the most a player may pay in within 1, 7 or 30 days; None: no limit any more.

    A first or lower limit counts at once. A higher one, or none, counts after 24 hours; the
    answer's `next_from` says when.
    """
    if most_minor is not None and (type(most_minor) is not int or most_minor < 0):
        raise InvalidAmount(repr(most_minor))
    _limits_lock(player_id)
    now = timezone.now()
    limit, _ = DepositLimit.objects.get_or_create(
        player_id=player_id,
        currency_id=currency,
        window_days=window_days,
        defaults={"most_minor": MOST_MINOR, "next_from": now},
    )
    binding = limit_in_force(limit, now)
    if most_minor is not None and (binding is None or most_minor <= binding):
        limit.most_minor, limit.next_minor, limit.next_from = most_minor, None, None
    elif binding is not None:
        limit.most_minor = binding
        limit.next_minor, limit.next_from = most_minor, now + LOOSER_AFTER
    limit.save()
    return limit


def limit_in_force(limit: DepositLimit, now: datetime) -> int | None:
    """The figure that counts at that time; None when the limit has ended."""
    if limit.next_from is not None and limit.next_from <= now:
        return limit.next_minor
    return limit.most_minor


def _limits_lock(player_id: int) -> PlayerLimits:
    PlayerLimits.objects.get_or_create(player_id=player_id)
    return PlayerLimits.objects.select_for_update(no_key=True).get(player_id=player_id)
