"""Versions of the paytables: draft, priced, asked for, approved by a second person, in force.

A version is a game's paytables with the house rules they are priced by; limits of stakes stay the
table's own. A round keeps the options it was opened with, so a version put in force during a round
reaches the next one.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models.functions import Now

from casino.core import approvals
from casino.core.errors import ApprovalExpired, ApprovalNotOpen, ApprovalSamePerson
from casino.core.log import log
from casino.core.models import Approval, Role, User
from casino.core.services import role_require
from casino.core.statements import quiet_for_long
from tables.engine.banked.options import RULES, read_options, read_rules
from tables.engine.banked.sheet import rules_hash, sheet
from tables.errors import PaytableNotFound, PaytableNotPossible, WrongGame
from tables.models import Paytable, Table
from tables.services.seating import table_locked
from tables.services.versions import (
    banked_game,
    next_version,
    paytable_facts,
    returns_check,
    version_facts,
)
from tables.services.writing import event

KIND = "paytable.activation"
AUTHORS = (Role.GAME_MATHS, Role.PIT_MANAGER, Role.ADMIN)
Status = Paytable.Status


@transaction.atomic
def paytable_draft(*, game: str, name: str, content: Mapping[str, Any], by: User) -> Paytable:
    """Begin the next version of a name. Raises RoleMissing, UnknownGame, BadOptions."""
    role_require(by, AUTHORS)
    read_rules(banked_game(game), content)
    made = Paytable.objects.create(
        game=game,
        name=name.strip(),
        version=next_version(game, name.strip()),
        content=dict(content),
        content_hash=rules_hash(content),
        author=by,
    )
    log("paytable.drafted", f"paytable:{made.pk}", by, version_facts(made))
    return made


@transaction.atomic
def paytable_change(*, paytable_id: int, content: Mapping[str, Any], by: User) -> Paytable:
    """Change a draft; a priced one becomes a draft again.

    Raises RoleMissing, PaytableNotFound, PaytableNotPossible, BadOptions.
    """
    role_require(by, AUTHORS)
    draft = _locked(paytable_id, (Status.DRAFT, Status.PRICED), "changed")
    read_rules(banked_game(draft.game), content)
    draft.content, draft.content_hash = dict(content), rules_hash(content)
    draft.status, draft.prices, draft.priced_at = Status.DRAFT, None, None
    draft.save(update_fields=["content", "content_hash", "status", "prices", "priced_at"])
    log("paytable.changed", f"paytable:{draft.pk}", by, version_facts(draft))
    return draft


@transaction.atomic
def paytable_price(*, paytable_id: int, by: User) -> Paytable:
    """Work out the exact figures and hold them against the operator's floor and ceiling.

    Raises RoleMissing, PaytableNotFound, PaytableNotPossible, ReturnOutOfBounds with the figure.
    """
    role_require(by, AUTHORS)
    draft = _locked(paytable_id, (Status.DRAFT, Status.PRICED), "priced")
    quiet_for_long()
    game = banked_game(draft.game)
    returns_check(game, draft.content)
    draft.prices = sheet(game, draft.content)
    draft.status = Status.PRICED
    draft.priced_at = Now()
    draft.save(update_fields=["prices", "status", "priced_at"])
    draft.refresh_from_db()
    log("paytable.priced", f"paytable:{draft.pk}", by, version_facts(draft))
    return draft


@transaction.atomic
def paytable_ask(
    *, paytable_id: int, tables: Sequence[int], reason: str, by: User
) -> tuple[Paytable, Approval]:
    """Ask a second person to agree that this version comes into force at these tables.

    An approved version may be asked for again, for further tables. Raises RoleMissing,
    PaytableNotFound, PaytableNotPossible, WrongGame, ApprovalReasonMissing.
    """
    role_require(by, AUTHORS)
    wanted = _locked(paytable_id, (Status.PRICED, Status.ASKED, Status.APPROVED), "asked for")
    if wanted.status == Status.ASKED and _is_open(wanted.approval_id):
        raise PaytableNotPossible(wanted.pk, wanted.status, "asked for")
    for table_id in tables:
        if not Table.objects.filter(pk=table_id, game=wanted.game).exists():
            raise WrongGame(table_id, wanted.game)
    approval = approvals.approval_ask(
        kind=KIND,
        subject=f"paytable:{wanted.pk}",
        payload={
            "paytable": wanted.pk,
            "content_hash": wanted.content_hash,
            "tables": sorted(set(tables)),
        },
        reason=reason,
        by=by,
    )
    wanted.approval_id = approval.pk
    if wanted.status == Status.PRICED:
        wanted.status = Status.ASKED
    wanted.save(update_fields=["approval_id", "status"])
    return wanted, approval


def paytable_approve(*, paytable_id: int, by: User, note: str = "") -> Paytable:
    """Agree, as another person than who drafted it or asked, and put the version in force.

    Raises PaytableNotFound, PaytableNotPossible, ApprovalSamePerson, RoleMissing,
    ApprovalNotOpen, ApprovalExpired.
    """
    with transaction.atomic():
        wanted = _asked(paytable_id)
        assert wanted.approval_id is not None
        approvals.approval_approve(approval_id=wanted.approval_id, by=by, note=note)
        return _put_in_force(wanted, by)


def paytable_put_in_force(*, paytable_id: int, by: User) -> Paytable:
    """Carry out what was agreed to elsewhere, in the inbox of approvals. Raises as approving."""
    with transaction.atomic():
        return _put_in_force(_asked(paytable_id), by)


@transaction.atomic
def paytable_refuse(*, paytable_id: int, by: User, note: str = "") -> Paytable:
    """Refuse what was asked for; a version that was never approved is closed for good."""
    wanted = _asked(paytable_id)
    assert wanted.approval_id is not None
    approvals.approval_reject(approval_id=wanted.approval_id, by=by, note=note)
    if wanted.status == Status.ASKED:
        wanted.status = Status.REFUSED
        wanted.save(update_fields=["status"])
    return wanted


def _put_in_force(wanted: Paytable, by: User) -> Paytable:
    """Use the approval up: what it says is done, not what anybody remembers."""
    assert wanted.approval_id is not None
    approval = approvals.approval_execute(approval_id=wanted.approval_id, kind=KIND, by=by)
    payload = approval.payload
    if (payload["paytable"], payload["content_hash"]) != (wanted.pk, wanted.content_hash):
        raise PaytableNotPossible(wanted.pk, wanted.status, "put in force")
    if wanted.status == Status.ASKED:
        if approval.approved_by_id == wanted.author_id:
            raise ApprovalSamePerson(approval.pk)
        wanted.status = Status.APPROVED
        wanted.approved_by = approval.approved_by
        wanted.approved_at = Now()
        wanted.save(update_fields=["status", "approved_by", "approved_at"])
        wanted.refresh_from_db()
    for table_id in payload["tables"]:
        _in_force_at(table_id, wanted, by)
    log("paytable.approved", f"paytable:{wanted.pk}", by, version_facts(wanted))
    return wanted


def _in_force_at(table_id: int, paytable: Paytable, by: User) -> None:
    """From the next round on: the one in play keeps what it was opened with.

    Raises BadOptions when the table's limits do not fit these rules.
    """
    with table_locked(table_id) as locked:
        table = locked.table
        own = {name: value for name, value in table.options.items() if name not in RULES}
        table.options = {**own, **paytable.content, "version": paytable.pk}
        read_options(banked_game(table.game), table.options)
        table.paytable = paytable
        table.save(update_fields=["options", "paytable"])
        locked.events.append(
            event(
                "table_changed",
                status=table.status,
                stakes=table.options,
                paytable=paytable_facts(paytable),
                from_hand=table.hand_number + 1,
            )
        )
        facts = {"table": table_id, "from_hand": table.hand_number + 1, **version_facts(paytable)}
        log("paytable.in_force", f"table:{table_id}", by, facts)


def paytable_get(paytable_id: int) -> Paytable:
    """Raises PaytableNotFound."""
    found = Paytable.objects.filter(pk=paytable_id).first()
    if found is None:
        raise PaytableNotFound(paytable_id)
    return found


def asked_held(approval_id: int) -> None:
    """Lock the version that was asked for, before its request: refusing it takes them so."""
    Paytable.objects.select_for_update().filter(approval_id=approval_id).first()


def _locked(paytable_id: int, possible: Sequence[str], step: str) -> Paytable:
    found = Paytable.objects.select_for_update().filter(pk=paytable_id).first()
    if found is None:
        raise PaytableNotFound(paytable_id)
    if found.status not in possible:
        raise PaytableNotPossible(paytable_id, found.status, step)
    return found


def _asked(paytable_id: int) -> Paytable:
    wanted = _locked(paytable_id, (Status.ASKED, Status.APPROVED), "decided")
    if wanted.approval_id is None:
        raise PaytableNotPossible(paytable_id, wanted.status, "decided")
    return wanted


def _is_open(approval_id: int | None) -> bool:
    if approval_id is None:
        return False
    try:
        approval = approvals.approval_get(approval_id)
    except (ApprovalNotOpen, ApprovalExpired):
        return False
    is_waiting = approval.status in (Approval.Status.ASKED, Approval.Status.APPROVED)
    return is_waiting and not isinstance(approvals.why_not(approval_id), ApprovalExpired)
