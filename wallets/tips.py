"""Tips: the pool that they go to, what each dealer gets of it, and its paying out.

It is money of the house's dealers, neither the house's win nor a player's. Source: standards
REP-06; docs/rules/tips.md 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from casino.core.approvals import approval_execute
from casino.core.log import log
from casino.core.models import User
from wallets import ledger
from wallets.ledger import Leg, Posted
from wallets.models import PLAY_MONEY, Account, Purpose

PAYOUT = "tips.payout"


def pools() -> dict[str, int]:
    """What waits in each currency's pool, in minor units; a pool that was never used is none.

    Nobody is paid out of that of play money. Source: docs/rules/tips.md 2.3.
    """
    used = Account.objects.filter(purpose=Purpose.TIPS, last_leg_id__isnull=False)
    used = used.exclude(currency_id=PLAY_MONEY)
    return dict(used.order_by("currency_id").values_list("currency_id", "balance_minor"))


@transaction.atomic
def paid_out(*, approval_id: int, by: User | None) -> Posted:
    """Pay the pool out over the counter as two persons agreed; once.

    Raises ApprovalMissing, ApprovalNotOpen, ApprovalExpired, InsufficientFunds.
    """
    approval = approval_execute(approval_id=approval_id, kind=PAYOUT, by=by)
    asked: dict[str, Any] = approval.payload
    currency, total_minor = asked["currency"], asked["amount_minor"]
    posted = ledger.post(
        key=f"approval:{approval_id}:tips",
        kind="tips_paid",
        legs=[
            Leg(ledger.account_open(purpose=Purpose.TIPS, currency=currency), -total_minor),
            Leg(ledger.account_open(purpose=Purpose.CAGE, currency=currency), total_minor),
        ],
        reference={"approval": approval_id, "reason": approval.reason},
        actor=approval.asked_by_id,
    )
    for dealer, minor in asked["shares"].items():
        facts = {"amount_minor": minor, "currency": currency, "approval": approval_id}
        log("tips.paid", f"user:{dealer}", by, facts)
    return posted


def fair_shares(total_minor: int, hours: Mapping[int, int]) -> dict[int, int]:
    """A pool by the hours that each dealer dealt, to the last minor unit.

    hours: by dealer. The largest remainders get the rest. Source: docs/rules/tips.md 3.2.
    """
    worked = sum(hours.values())
    if not worked:
        return {}
    shares = {dealer: total_minor * mine // worked for dealer, mine in hours.items()}
    first = sorted(hours, key=lambda dealer: (-(total_minor * hours[dealer] % worked), dealer))
    for dealer in first[: total_minor - sum(shares.values())]:
        shares[dealer] += 1
    return shares
