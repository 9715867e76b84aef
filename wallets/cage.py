"""The cage's counter: what a player brings and takes, recorded by a person who may."""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction

from casino.core.log import log
from casino.core.models import Role, User
from casino.core.services import role_require
from wallets import services
from wallets.errors import NotPending
from wallets.ledger import Posted
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
