"""Bonus money: given with a condition, won by playing against the house, or taken back in time."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from casino.core.approvals import approval_ask
from casino.core.log import log
from casino.core.models import Approval, LogEntry, Role, User
from casino.core.services import role_require
from casino.core.statements import all_rows, one_row
from wallets import errors, ledger
from wallets.models import MOST_MINOR, BonusGrant, ControlBand

GRANTERS = (Role.FINANCE, Role.ADMIN)
Status = BonusGrant.Status
WHOLE_BP = 10_000
BONUS = "wallet.bonus"
FUNDS = """
    SELECT g.player_id, a.id, a.balance_minor
        FROM wallets_bonusgrant g JOIN wallets_account a
            ON a.player_id = g.player_id AND a.currency_id = g.currency_id AND a.purpose = 'bonus'
        WHERE g.player_id = ANY (%s::bigint[]) AND g.currency_id = %s
            AND g.status = 'active' AND g.expires_at > %s
"""
WEIGHT = "SELECT weight_bp FROM wallets_bonusweight WHERE game = %s"


class Fund(NamedTuple):
    """The account of a player's bonus money, and what may be played of it now."""

    account_id: int
    balance_minor: int


def bonus_grant(
    *,
    player_id: int,
    currency: str,
    amount_minor: int,
    wager_minor: int,
    funds: str,
    expires_at: datetime,
    key: str,
    by: User,
    most_bet_minor: int | None = None,
    reason: str = "",
) -> BonusGrant:
    """Give a bonus, once per key; at most one is active per player and currency.

    wager_minor: what he has to stake before it is his. funds: whether his own money or the bonus
    is staked first. Raises RoleMissing, BonusNeedsAnother, BonusActive, PlayerExcluded,
    InvalidAmount, KeyReused, UnknownCurrency.
    """
    terms = _terms(amount_minor, wager_minor, most_bet_minor, funds, expires_at, reason, by)
    if not is_given_alone(
        by=by, currency=currency, amount_minor=amount_minor, wager_minor=wager_minor
    ):
        raise errors.BonusNeedsAnother(amount_minor, wager_minor)
    return granted(key, player_id, currency, terms, by)


def is_given_alone(*, by: User, currency: str, amount_minor: int, wager_minor: int) -> bool:
    """Whether nobody else has to agree: it is staked once at least before it is the player's, and
    the bands of the house, if it has any for that, let this role give as much."""
    bands = ControlBand.objects.filter(deed=ControlBand.Deed.BONUS, currency_id=currency)
    if wager_minor < amount_minor:
        return False
    return not bands.exists() or bands.filter(role=by.role, most_minor__gte=amount_minor).exists()


def bonus_ask(
    *,
    player_id: int,
    currency: str,
    amount_minor: int,
    wager_minor: int,
    funds: str,
    expires_at: datetime,
    by: User,
    most_bet_minor: int | None = None,
    reason: str = "",
) -> Approval:
    """Ask a second person to agree to a bonus. Raises RoleMissing, InvalidAmount, and as
    approval_ask()."""
    terms = _terms(amount_minor, wager_minor, most_bet_minor, funds, expires_at, reason, by)
    return approval_ask(
        kind=BONUS,
        subject=f"user:{player_id}",
        payload={"player": player_id, "currency": currency, "terms": terms},
        reason=reason,
        by=by,
    )


def _terms(
    amount_minor: int, wager_minor: int, most_bet_minor: int | None, funds: str,
    expires_at: datetime, reason: str, by: User,
) -> dict[str, Any]:  # fmt: skip
    role_require(by, GRANTERS)
    for amount in (amount_minor, wager_minor, most_bet_minor or 0):
        if type(amount) is not int or not 0 <= amount <= MOST_MINOR:
            raise errors.InvalidAmount(repr(amount))
    if not amount_minor:
        raise errors.InvalidAmount("0")
    return {
        "amount": amount_minor,
        "wager": wager_minor,
        "most_bet": most_bet_minor,
        "funds": BonusGrant.Funds(funds).value,
        "expires_at": expires_at.isoformat(),
        "reason": reason,
    }


@transaction.atomic
def granted(key: str, player_id: int, currency: str, terms: dict[str, Any], by: User) -> BonusGrant:
    """Post a bonus that may be given: `bonus_grant`, or `controlling` when two have agreed."""
    (grant_id,) = ledger.call(
        "ledger_bonus_grant", key, player_id, currency, ledger.as_json(terms), by.pk
    )
    grant = BonusGrant.objects.get(pk=grant_id)
    kind, subject = "bonus.granted", f"user:{player_id}"
    if LogEntry.objects.filter(subject=subject, kind=kind, facts__grant=grant_id).exists():
        _same_require(key, grant, terms)
    else:
        log(kind, subject, by, {"grant": grant_id, "amount": terms["amount"]})
    return grant


def _same_require(key: str, grant: BonusGrant, terms: dict[str, Any]) -> None:
    """What the transfer of a bonus does not hold. Raises KeyReused."""
    asked = {
        "wager_minor": terms["wager"],
        "most_bet_minor": terms["most_bet"],
        "funds": terms["funds"],
        "expires_at": datetime.fromisoformat(terms["expires_at"]),
    }
    for field, value in asked.items():
        if getattr(grant, field) != value:
            raise errors.KeyReused(key, field, grant.transfer_id)


def bonus_forfeit(*, player_id: int, grant_id: int) -> BonusGrant:
    """A player gives his bonus up, and plays with his own money alone; one that he has won already,
    though it has not ended yet, is his. Raises BonusEnded."""
    if not BonusGrant.objects.filter(pk=grant_id, player_id=player_id).exists():
        raise errors.BonusEnded(grant_id)
    if not (
        bonus_end(grant_id, Status.WON) or bonus_end(grant_id, Status.FORFEITED, by_id=player_id)
    ):
        raise errors.BonusEnded(grant_id)
    return BonusGrant.objects.get(pk=grant_id)


def bonuses_due() -> int:
    """End what is won or expired; how many ended. Safe to repeat."""
    ended = 0
    for grant in BonusGrant.objects.filter(status=Status.ACTIVE).order_by("pk"):
        ended += bonus_end(grant.pk, Status.WON) or bonus_end(grant.pk, Status.EXPIRED)
    return ended


@transaction.atomic
def bonus_end(grant_id: int, outcome: str, *, by_id: int | None = None) -> bool:
    """End a grant if that outcome is due; whether it did."""
    (ended,) = ledger.call("ledger_bonus_end", grant_id, outcome, by_id)
    if ended:
        log("bonus.ended", f"grant:{grant_id}", by_id, {"outcome": outcome})
    return bool(ended)


def funds_of(*, player_ids: Iterable[int], currency: str) -> dict[int, Fund]:
    """By player, what a house-banked table may let him stake besides his chips.

    A player without an active bonus is left out. Pass `account_id` to stake_packed() with each of
    his bets.
    """
    found = all_rows(FUNDS, [list(player_ids), currency, timezone.now()])
    return {player: Fund(account, balance_minor) for player, account, balance_minor in found}


def fund_of(*, player_id: int, currency: str) -> Fund | None:
    """As funds_of(), for one player."""
    return funds_of(player_ids=[player_id], currency=currency).get(player_id)


def weight_of(game: str) -> int:
    """Basis points of a game's stakes that count towards a bonus."""
    found = one_row(WEIGHT, [game])
    return WHOLE_BP if found is None else int(found[0])


def wagered(grant: BonusGrant) -> int:
    """What has been counted towards the grant."""
    return int(grant.progress.aggregate(done=Coalesce(Sum("counted_minor"), 0))["done"])


def grants_of(*, player_id: int) -> list[BonusGrant]:
    """A player's bonuses, the newest first."""
    return list(BonusGrant.objects.filter(player_id=player_id).order_by("-pk")[:100])
