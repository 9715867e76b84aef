"""Money of one currency for money of another, at a rate that two persons agreed to before.

A rate is two whole numbers of minor units, so nothing is rounded but the amount: a part of a
unit stays with the house. Each currency balances by itself through an exchange account of the
house, whose balances are what the house owes its bank in one currency and has there in another.
"""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction
from typing import NamedTuple

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from casino.core.approvals import approval_ask, approval_execute
from casino.core.log import log
from casino.core.models import Approval, Role, User
from casino.core.services import role_require
from wallets import errors, ledger
from wallets.ledger import Posted
from wallets.models import MOST_MINOR, PLAY_MONEY, Currency, ExchangeRate, Transfer

RATE = "exchange.rate"
EXCHANGERS = (Role.CAGE, Role.FINANCE, Role.ADMIN)
LONGEST = timedelta(days=7)


class Quote(NamedTuple):
    """What an amount brings at a rate, in minor units of the other currency."""

    rate_id: int
    given_minor: int
    gets_minor: int
    spread_minor: int

    @property
    def middle_minor(self) -> int:
        return self.gets_minor + self.spread_minor


def rate_ask(
    *, gives: str, gets: str, gives_minor: int, gets_minor: int, middle_minor: int, source: str,
    valid_for: timedelta, reason: str, by: User,
) -> Approval:  # fmt: skip
    """Ask a second person to agree to a rate; it is in force from when he does.

    For gives_minor of one currency a player gets gets_minor of the other; at the market of
    `source` it is worth middle_minor, not less. Raises UnknownCurrency, PlayMoneyApart,
    InvalidAmount, and as approval_ask().
    """
    if PLAY_MONEY in (gives, gets):
        raise errors.PlayMoneyApart(PLAY_MONEY)
    for currency in (gives, gets):
        if not Currency.objects.filter(pk=currency).exists():
            raise errors.UnknownCurrency(currency)
    for amount in (gives_minor, gets_minor, middle_minor):
        if type(amount) is not int or not 1 <= amount <= MOST_MINOR:
            raise errors.InvalidAmount(repr(amount))
    if gives == gets or middle_minor < gets_minor:
        raise errors.InvalidAmount(repr(gets_minor))
    if not timedelta() < valid_for <= LONGEST:
        raise errors.InvalidAmount(repr(valid_for))
    payload = {
        "gives": gives, "gets": gets, "gives_minor": gives_minor, "gets_minor": gets_minor,
        "middle_minor": middle_minor, "source": source,
        "valid_for_s": int(valid_for.total_seconds()),
    }  # fmt: skip
    return approval_ask(
        kind=RATE, subject=f"rate:{gives}-{gets}", payload=payload, reason=reason, by=by
    )


@transaction.atomic
def rate_set(*, approval_id: int, by: User | None) -> ExchangeRate:
    """Put an agreed rate in force, once. Raises ApprovalMissing, ApprovalNotOpen."""
    asked = approval_execute(approval_id=approval_id, kind=RATE, by=by).payload
    now = timezone.now()
    return ExchangeRate.objects.create(
        gives_id=asked["gives"], gets_id=asked["gets"], gives_minor=asked["gives_minor"],
        gets_minor=asked["gets_minor"], middle_minor=asked["middle_minor"],
        source=asked["source"], approval_id=approval_id, from_at=now,
        until_at=now + timedelta(seconds=asked["valid_for_s"]),
    )  # fmt: skip


def rate_now(*, gives: str, gets: str) -> ExchangeRate | None:
    """The rate in force, the last agreed of several; None: these are not exchanged now."""
    now = timezone.now()
    rates = ExchangeRate.objects.filter(
        gives_id=gives, gets_id=gets, from_at__lte=now, until_at__gt=now
    )
    return rates.order_by("-pk").first()


def quote(*, rate: ExchangeRate, given_minor: int) -> Quote:
    """What the player is shown before he agrees; ledger_exchange_legs() reckons the same."""
    gets = given_minor * rate.gets_minor // rate.gives_minor
    middle = given_minor * rate.middle_minor // rate.gives_minor
    return Quote(rate.pk, given_minor, gets, middle - gets)


@transaction.atomic
def exchange(*, player_id: int, rate_id: int, given_minor: int, key: str, by: User) -> Posted:
    """Exchange a player's cash at the rate that he was shown, once per key.

    Raises RoleMissing, RateNotInForce, InsufficientFunds, PlayerExcluded, AccountNotActive,
    LimitWouldEnd (a loss or stake limit in the one currency and none in the other),
    MalformedTransfer (too little to bring a unit of the other), KeyReused.
    """
    role_require(by, EXCHANGERS)
    return _exchanged(player_id, rate_id, given_minor, key, by.pk, "cage.exchange")


@transaction.atomic
def exchange_own(*, player_id: int, rate_id: int, given_minor: int, key: str) -> Posted:
    """A player exchanges by himself, where the house lets him. Raises as `exchange`, RateNotInForce
    for a house that exchanges at the counter alone, and for a rate that is not his."""
    if not by_players():
        raise errors.RateNotInForce(rate_id)
    rate = ExchangeRate.objects.filter(pk=rate_id).first()
    is_repeat = Transfer.objects.filter(key=key).exists()
    if rate is not None and not is_repeat and not is_for_players(rate):
        raise errors.RateNotInForce(rate_id)
    return _exchanged(player_id, rate_id, given_minor, key, player_id, "player.exchange")


def by_players() -> bool:
    """Whether players exchange by themselves, at the rates that two persons have agreed to."""
    return bool(settings.PLAYERS_EXCHANGE)


def is_for_players(rate: ExchangeRate) -> bool:
    """Whether players may exchange at a rate by themselves.

    It is the last agreed of its pair: one before it, though its time is not over, is of a market
    that has moved, and would be chosen for that. And nobody who goes on exchanging at the rates in
    force comes back to what he gave with more of it.
    """
    now = timezone.now()
    in_force = ExchangeRate.objects.filter(from_at__lte=now, until_at__gt=now).order_by("pk")
    last = {(one.gives_id, one.gets_id): one for one in in_force}
    if last.get((rate.gives_id, rate.gets_id)) != rate:
        return False
    most = {rate.gets_id: Fraction(rate.gets_minor, rate.gives_minor)}
    for _ in last:
        for (gives, gets), one in last.items():
            if gives in most:
                brings = most[gives] * Fraction(one.gets_minor, one.gives_minor)
                most[gets] = max(brings, most.get(gets, brings))
        if most.get(rate.gives_id, 0) > 1:
            return False
    return True


def _exchanged(
    player_id: int, rate_id: int, given_minor: int, key: str, by: int, told: str
) -> Posted:
    if type(given_minor) is not int or not 1 <= given_minor <= MOST_MINOR:
        raise errors.InvalidAmount(repr(given_minor))
    rate = ExchangeRate.objects.filter(pk=rate_id).first()
    if rate is not None and quote(rate=rate, given_minor=given_minor).middle_minor > MOST_MINOR:
        raise errors.InvalidAmount(repr(given_minor))
    posted = ledger.exchange(
        key=key, player_id=player_id, rate_id=rate_id, given_minor=given_minor, actor=by
    )
    if not posted.replayed:
        actor = User.objects.get(pk=by)
        log(told, f"user:{player_id}", actor, {"rate": rate_id, "given": given_minor})
    return posted
