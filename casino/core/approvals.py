"""Two people for what one alone must not do: one asks, another with the role agrees, in time.

The database holds the same law without us: a CHECK that approver and asker differ, and a trigger
that lets an approval only move forward and never lets what was asked change.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import timedelta
from hashlib import sha256
from typing import Any, TypeGuard

from django.db import connection, transaction
from django.utils import timezone

from casino.core.errors import (
    ApprovalExpired,
    ApprovalKindUnknown,
    ApprovalMissing,
    ApprovalNotOpen,
    ApprovalReasonMissing,
    ApprovalSameBrowser,
    ApprovalSamePerson,
)
from casino.core.log import browser, log
from casino.core.models import Approval, Role, User
from casino.core.services import STAFF, role_require

OPEN_FOR = timedelta(hours=24)
Status = Approval.Status

# Which roles may agree to what. Asking is open to all staff; surveillance looks and never decides.
APPROVERS: Mapping[str, frozenset[Role]] = {
    "wallet.adjustment": frozenset({Role.FINANCE, Role.ADMIN}),
    "wallet.bonus": frozenset({Role.FINANCE, Role.ADMIN}),
    "wallet.unblock": frozenset({Role.COMPLIANCE, Role.ADMIN}),
    "limit.override": frozenset({Role.COMPLIANCE, Role.ADMIN}),
    "hand.void": frozenset({Role.PIT_MANAGER, Role.ADMIN}),
    "hand.secret_view": frozenset({Role.COMPLIANCE}),
    "paytable.activation": frozenset({Role.GAME_MATHS, Role.ADMIN}),
    "jackpot.award": frozenset({Role.PIT_MANAGER, Role.FINANCE, Role.ADMIN}),
    "exchange.rate": frozenset({Role.FINANCE, Role.ADMIN}),
    "tips.payout": frozenset({Role.PIT_MANAGER, Role.FINANCE, Role.ADMIN}),
    "jackpot.change": frozenset({Role.FINANCE, Role.ADMIN}),
    "user.role": frozenset({Role.COMPLIANCE, Role.ADMIN}),
}


def approvers_of(kind: str) -> frozenset[Role]:
    """Raises ApprovalKindUnknown."""
    try:
        return APPROVERS[kind]
    except KeyError as error:
        raise ApprovalKindUnknown(kind) from error


def may_approve(user: User, approval: Approval) -> bool:
    """Whether the button is worth showing; approving checks again."""
    return user.pk != approval.asked_by_id and user.role in approvers_of(approval.kind)


@transaction.atomic
def approval_ask(
    *,
    kind: str,
    subject: str,
    payload: Mapping[str, Any],
    reason: str,
    by: User,
    open_for: timedelta = OPEN_FOR,
) -> Approval:
    """Ask another person to agree to `kind` being done to `subject` with exactly this payload.

    Raises ApprovalKindUnknown, ApprovalReasonMissing, RoleMissing.
    """
    approvers_of(kind)
    if not reason.strip():
        raise ApprovalReasonMissing
    role_require(by, STAFF)
    approval = Approval.objects.create(
        kind=kind,
        subject=subject,
        payload=dict(payload),
        reason=reason.strip(),
        asked_by=by,
        expires_at=timezone.now() + open_for,
        asked_on=browser.get(),
    )
    log("approval.asked", f"approval:{approval.pk}", by, facts_of(approval))
    return approval


@transaction.atomic
def approval_approve(*, approval_id: int, by: User, note: str = "") -> Approval:
    """Agree; what was asked at a browser of the console at another one, and never by a program.

    Raises ApprovalMissing, ApprovalSamePerson, RoleMissing, ApprovalSameBrowser, ApprovalNotOpen,
    ApprovalExpired.
    """
    approval = approval_get(approval_id)
    if by.pk == approval.asked_by_id:
        raise ApprovalSamePerson(approval_id)
    role_require(by, approvers_of(approval.kind))
    if approval.asked_on and browser.get() in ("", approval.asked_on):
        raise ApprovalSameBrowser(approval_id)
    now = timezone.now()
    moved = Approval.objects.filter(pk=approval_id, status=Status.ASKED, expires_at__gt=now).update(
        status=Status.APPROVED,
        approved_by=by,
        decided_at=now,
        decision_note=note,
        decided_on=browser.get(),
    )
    if not moved:
        raise why_not(approval_id)
    log("approval.approved", f"approval:{approval_id}", by, facts_of(approval))
    return approval_get(approval_id)


@transaction.atomic
def approval_reject(*, approval_id: int, by: User, note: str = "") -> Approval:
    """Refuse; the asker may take the request back the same way. Raises as approving does."""
    approval = approval_get(approval_id)
    if by.pk != approval.asked_by_id:
        role_require(by, approvers_of(approval.kind))
    moved = Approval.objects.filter(pk=approval_id, status=Status.ASKED).update(
        status=Status.REJECTED, rejected_by=by, decided_at=timezone.now(), decision_note=note
    )
    if not moved:
        raise why_not(approval_id)
    log("approval.rejected", f"approval:{approval_id}", by, facts_of(approval))
    return approval_get(approval_id)


@transaction.atomic
def approval_void(*, approval_id: int, by: User | None, note: str) -> None:
    """What was asked about is not there any more, so nobody can agree to it; twice is once."""
    moved = Approval.objects.filter(pk=approval_id, status=Status.ASKED).update(
        status=Status.REJECTED, rejected_by=by, decided_at=timezone.now(), decision_note=note
    )
    if moved:
        log("approval.rejected", f"approval:{approval_id}", by, facts_of(approval_get(approval_id)))


def approval_execute(*, approval_id: int, kind: str, by: User | None) -> Approval:
    """Use an approval up, inside the transaction that does what was agreed to.

    Only one caller ever gets it; if that transaction fails, the approval is open again. The deed
    must follow `payload` of the approval returned, not what the caller remembers.
    Raises ApprovalMissing, ApprovalNotOpen, ApprovalExpired.
    """
    if not connection.in_atomic_block:
        raise RuntimeError("an approval is used up in the transaction of the deed")
    approval = approval_get(approval_id, kind=kind)
    now = timezone.now()
    moved = Approval.objects.filter(
        pk=approval_id, status=Status.APPROVED, expires_at__gt=now
    ).update(status=Status.EXECUTED, executed_at=now)
    if not moved:
        raise why_not(approval_id)
    log("approval.executed", f"approval:{approval_id}", by, facts_of(approval))
    return approval_get(approval_id)


@transaction.atomic
def approvals_expire() -> int:
    """Close what nobody agreed to, or nobody did, in time; returns how many."""
    late = list(
        Approval.objects.select_for_update(skip_locked=True)
        .filter(status__in=[Status.ASKED, Status.APPROVED], expires_at__lte=timezone.now())
        .order_by("pk")
    )
    for approval in late:
        Approval.objects.filter(pk=approval.pk).update(status=Status.EXPIRED)
        log("approval.expired", f"approval:{approval.pk}", None, facts_of(approval))
    return len(late)


def approval_get(approval_id: int, kind: str | None = None) -> Approval:
    approval = Approval.objects.filter(pk=approval_id).first()
    if approval is None or kind not in (None, approval.kind):
        raise ApprovalMissing(approval_id)
    return approval


def is_open(approval_id: int | None) -> TypeGuard[int]:
    """Whether a request may still be agreed to or carried out; False for none."""
    return (
        approval_id is not None
        and Approval.objects.filter(
            pk=approval_id,
            status__in=[Status.ASKED, Status.APPROVED],
            expires_at__gt=timezone.now(),
        ).exists()
    )


def why_not(approval_id: int) -> ApprovalNotOpen | ApprovalExpired:
    """What stood in the way of a move that changed no row."""
    approval = approval_get(approval_id)
    is_late = approval.expires_at <= timezone.now()
    if is_late and approval.status in (Status.ASKED, Status.APPROVED):
        return ApprovalExpired(approval_id, approval.expires_at)
    return ApprovalNotOpen(approval_id, approval.status)


def facts_of(approval: Approval) -> dict[str, Any]:
    """For the log: ids and a digest, because reason and payload may hold a person's data."""
    asked = json.dumps([approval.payload, approval.reason], sort_keys=True).encode()
    return {
        "kind": approval.kind,
        "subject": approval.subject,
        "asked_by": approval.asked_by_id,
        "asked_sha256": sha256(asked).hexdigest(),
    }
