"""What one person alone must not do with money: asked by one, agreed to by another, then done.

The ledger itself refuses an adjustment or a reversal that does not carry such an approval, used
up in the same transaction, or does something else than it says.
"""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction

from casino.core.approvals import approval_ask, approval_execute, approval_get
from casino.core.models import Approval, User
from casino.core.services import role_require
from wallets import bonuses, errors, exchanging, ledger, limits, tips
from wallets.ledger import Leg, Posted, Reference
from wallets.models import Account, BonusGrant, ControlBand, Purpose, Transfer
from wallets.selectors import reversal_preview

ADJUSTMENT, REVERSAL, OVERRIDE = "wallet.adjustment", "hand.void", "limit.override"
Deed = ControlBand.Deed


def adjustment_ask(*, account_id: int, amount_minor: int, reason: str, by: User) -> Approval:
    """Ask for a correction of a balance by a signed amount. Raises UnknownAccount, InvalidAmount,
    and as approval_ask()."""
    if type(amount_minor) is not int or amount_minor == 0:
        raise errors.InvalidAmount(repr(amount_minor))
    account = Account.objects.filter(pk=account_id).first()
    if account is None:
        raise errors.UnknownAccount(account_id)
    return approval_ask(
        kind=ADJUSTMENT,
        subject=f"account:{account_id}",
        payload={
            "account": account_id,
            "amount_minor": amount_minor,
            "currency": account.currency_id,
        },
        reason=reason,
        by=by,
    )


def adjust(*, approval_id: int, by: User | None) -> Posted:
    """Correct a balance against the house's adjustments, as the approval says; once.

    Raises ApprovalMissing, ApprovalNotOpen, ApprovalExpired, BandExceeded, InsufficientFunds.
    """
    key = f"approval:{approval_id}:adjustment"
    if (posted := _posted_before(key, approval_id)) is not None:
        return posted
    with transaction.atomic():
        approval = approval_execute(approval_id=approval_id, kind=ADJUSTMENT, by=by)
        asked = approval.payload
        _band_require(approval, Deed.ADJUSTMENT, {asked["currency"]: abs(asked["amount_minor"])})
        adjustments = ledger.account_open(purpose=Purpose.ADJUSTMENTS, currency=asked["currency"])
        return ledger.post(
            key=key,
            kind="adjustment",
            legs=[
                Leg(adjustments, -asked["amount_minor"]),
                Leg(asked["account"], asked["amount_minor"]),
            ],
            reference={"approval": approval_id, "reason": approval.reason},
            actor=approval.asked_by_id,
        )


@transaction.atomic
def bonus_agreed(*, approval_id: int, by: User | None) -> BonusGrant:
    """Give the bonus that two persons agreed to, once.

    Raises ApprovalMissing, ApprovalNotOpen, ApprovalExpired, BandExceeded, RoleMissing (who asked
    gives none any more), BonusActive, PlayerExcluded.
    """
    approval = approval_execute(approval_id=approval_id, kind=bonuses.BONUS, by=by)
    asked = approval.payload
    _band_require(approval, Deed.ADJUSTMENT, {asked["currency"]: asked["terms"]["amount"]})
    role_require(approval.asked_by, bonuses.GRANTERS)
    return bonuses.granted(
        f"approval:{approval_id}:bonus",
        asked["player"],
        asked["currency"],
        asked["terms"],
        approval.asked_by,
    )


def reversal_ask(*, hand_id: int, reason: str, by: User) -> Approval:
    """Ask for a settled hand to be undone; selectors.reversal_preview() says what that moves."""
    return approval_ask(
        kind=REVERSAL, subject=_of_hand(hand_id), payload={"hand": hand_id}, reason=reason, by=by
    )


def hand_reverse(*, approval_id: int, by: User | None, table_id: int | None = None) -> Posted:
    """Undo a settled hand or round, once, as `selectors.reversal_preview` says.

    Winnings are taken from the seat, then from cash, and the rest is owed; stakes go back to
    cash. Raises HandNotSettled, BandExceeded, KeyReused (undone before) and as adjust().
    """
    approval = approval_get(approval_id, kind=REVERSAL)
    hand_id = int(approval.payload["hand"])
    key = reverse_key(hand_id)
    if (posted := _posted_before(key, approval_id)) is not None:
        return posted
    with transaction.atomic():
        approval = approval_execute(approval_id=approval_id, kind=REVERSAL, by=by)
        moved: dict[str, int] = {}
        for line in reversal_preview(hand_id):
            moved[line.currency] = moved.get(line.currency, 0) + max(line.amount_minor, 0)
        _band_require(approval, Deed.REVERSAL, moved)
        reference: Reference = {
            "hand": hand_id, "approval": approval_id, "reason": approval.reason,
        }  # fmt: skip
        if table_id is not None:
            reference["table"] = table_id
        posted = ledger.reverse(key=key, reference=reference, actor=approval.asked_by_id)
        if posted.transfer_id is None and _is_undone(hand_id, but_for=approval_id):
            raise errors.KeyReused(key, "approval", None)
        return posted


def _is_undone(hand_id: int, *, but_for: int) -> bool:
    """Whether another approval undid the hand: where nothing moves no transfer's key tells it."""
    used = Approval.objects.filter(
        subject=_of_hand(hand_id), kind=REVERSAL, status=Approval.Status.EXECUTED
    )
    return used.exclude(pk=but_for).exists()


def _of_hand(hand_id: int) -> str:
    return f"hand:{hand_id}"


def reverse_key(hand_id: int) -> str:
    """The one key under which a settled hand or round is undone."""
    return f"hand:{hand_id}:reverse"


def limit_override_ask(
    *, player_id: int, kind: str, currency: str, window_days: int, reason: str, by: User
) -> Approval:
    """Ask that a looser limit which waits for its day counts at once."""
    payload = {
        "player": player_id, "kind": kind, "currency": currency, "window_days": window_days,
    }  # fmt: skip
    return approval_ask(
        kind=OVERRIDE, subject=f"user:{player_id}", payload=payload, reason=reason, by=by
    )


def unblock_ask(*, player_id: int, state: str, reason: str, by: User) -> Approval:
    """Ask that a suspended or closed account is opened again, as `state`."""
    payload = {"player": player_id, "state": state}
    return approval_ask(
        kind=limits.UNBLOCK, subject=f"user:{player_id}", payload=payload, reason=reason, by=by
    )


# What an inbox of approvals carries out once the second person has agreed.
DEEDS: dict[str, Callable[[int, User | None], object]] = {
    ADJUSTMENT: lambda approval, by: adjust(approval_id=approval, by=by),
    REVERSAL: lambda approval, by: hand_reverse(approval_id=approval, by=by),
    OVERRIDE: lambda approval, by: limits.limit_override(approval_id=approval, by=by),
    limits.UNBLOCK: lambda approval, by: limits.account_unblock(approval_id=approval, by=by),
    bonuses.BONUS: lambda approval, by: bonus_agreed(approval_id=approval, by=by),
    tips.PAYOUT: lambda approval, by: tips.paid_out(approval_id=approval, by=by),
    exchanging.RATE: lambda approval, by: exchanging.rate_set(approval_id=approval, by=by),
}


def _band_require(approval: Approval, deed: str, amounts_minor: dict[str, int]) -> None:
    """Raises BandExceeded unless the approver's role reaches that far in every currency."""
    assert approval.approved_by is not None
    role = approval.approved_by.role
    for currency, amount_minor in amounts_minor.items():
        bands = ControlBand.objects.filter(deed=deed, currency_id=currency)
        mine = bands.filter(role=role).values_list("most_minor", flat=True).first()
        most_minor = 0 if mine is None else mine
        if amount_minor > most_minor and bands.exists():
            raise errors.BandExceeded(role, deed, amount_minor, most_minor)


def _posted_before(key: str, approval_id: int) -> Posted | None:
    posted = Transfer.objects.filter(key=key, approval_id=approval_id)
    found = posted.values_list("pk", flat=True).first()
    return None if found is None else Posted(found, replayed=True)
