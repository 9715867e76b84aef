"""The cage's counter: what a player brings and takes, recorded by a person who may."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.db import transaction

from casino.core.approvals import approval_ask
from casino.core.log import log
from casino.core.models import Approval, Role, User
from casino.core.services import STAFF, role_require
from wallets import services, tips
from wallets.errors import InsufficientFunds, InvalidAmount, NotPending
from wallets.ledger import Posted
from wallets.models import Account, Purpose
from wallets.selectors import withdrawal_asked

CASHIERS = (Role.CAGE, Role.ADMIN)
VERBS: dict[str, Callable[..., Posted]] = {
    "deposit": services.deposit,
    "withdraw": services.withdraw,
}


@transaction.atomic
def cash_recorded(
    *,
    verb: str,
    player_id: int,
    amount_minor: int,
    currency: str,
    key: str,
    by: User,
    reason: str = "",
) -> Posted:
    """Record a "deposit" or "withdraw" at the counter; the same key is carried out once.

    Raises RoleMissing, InvalidAmount, UnknownCurrency, KeyReused, and as the verb does.
    """
    role_require(by, CASHIERS)
    posted = VERBS[verb](
        player_id=player_id,
        amount_minor=amount_minor,
        currency=currency,
        key=key,
        actor_id=by.pk,
        reason=reason,
    )
    if not posted.replayed:
        facts = {"amount_minor": amount_minor, "currency": currency}
        log(f"cage.{verb}", f"user:{player_id}", by, facts)
    return posted


@transaction.atomic
def withdrawal_decided(*, transfer_id: int, is_paid: bool, key: str, by: User) -> Posted:
    """Pay out what a player asked for, or give it back to his wallet; once.

    Raises RoleMissing, NotPending (of no withdrawal), AlreadyResolved, PendingExpired.
    """
    role_require(by, CASHIERS)
    asked = withdrawal_asked(transfer_id)
    if asked is None:
        raise NotPending(transfer_id)
    posted = services.pending_resolve(
        transfer_id=transfer_id,
        outcome="post" if is_paid else "void",
        key=key,
        actor_id=by.pk,
    )
    if not posted.replayed:
        facts = {
            "amount_minor": asked.amount_minor,
            "currency": asked.currency,
            "transfer": transfer_id,
        }
        said = f"cage.request_{'paid' if is_paid else 'returned'}"
        log(said, f"user:{asked.player_id}", by, facts)
    return posted


@transaction.atomic
def tips_recorded(
    *, table_id: int, currency: str, amount_minor: int, key: str, by: User, reason: str = ""
) -> Posted:
    """Count what lay in a table's box for tips into the pool; the same key is carried out once.

    Raises RoleMissing, InvalidAmount, KeyReused.
    """
    role_require(by, CASHIERS)
    posted = services.tips_brought(
        table_id=table_id, currency=currency, amount_minor=amount_minor, key=key,
        actor_id=by.pk, reason=reason,
    )  # fmt: skip
    if not posted.replayed:
        facts = {"amount_minor": amount_minor, "currency": currency}
        log("tips.brought", f"table:{table_id}", by, facts)
    return posted


def tips_payout_ask(*, currency: str, shares: Mapping[int, int], reason: str, by: User) -> Approval:
    """Ask a second person to agree to what each dealer gets of the pool.

    shares: minor units by dealer. Raises RoleMissing (also of a share for who is no staff),
    User.DoesNotExist, InvalidAmount, InsufficientFunds, and as approval_ask().
    """
    role_require(by, CASHIERS)
    total_minor = sum(shares.values())
    for minor in (*shares.values(), total_minor):
        if type(minor) is not int or minor <= 0:
            raise InvalidAmount(repr(minor))
    for dealer_id in shares:
        role_require(User.objects.get(pk=dealer_id), STAFF)
    held_minor = tips.pools().get(currency, 0)
    if total_minor > held_minor:
        pool = Account.objects.filter(purpose=Purpose.TIPS, currency_id=currency).first()
        raise InsufficientFunds(pool.pk if pool else 0, held_minor, total_minor)
    return approval_ask(
        kind=tips.PAYOUT,
        subject=f"tips:{currency}",
        payload={
            "currency": currency,
            "amount_minor": total_minor,
            "shares": {str(dealer): minor for dealer, minor in shares.items()},
        },
        reason=reason,
        by=by,
    )
