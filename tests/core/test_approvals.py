"""ACC-02: two persons, the second with the role, in time, once, for exactly what was asked."""

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from casino.core.approvals import (
    APPROVERS,
    approval_approve,
    approval_ask,
    approval_execute,
    approval_reject,
    approvals_expire,
    may_approve,
)
from casino.core.errors import (
    ApprovalExpired,
    ApprovalKindUnknown,
    ApprovalMissing,
    ApprovalNotOpen,
    ApprovalReasonMissing,
    ApprovalSamePerson,
    RoleMissing,
)
from casino.core.models import Approval, LogEntry, Role, User
from tests.conftest import superuser
from tests.core.cast import person

KIND = "wallet.adjustment"
pytestmark = pytest.mark.django_db


def ask(by: User, **more: Any) -> Approval:
    payload = {"account": 5, "amount_minor": 1200}
    return approval_ask(
        **{"kind": KIND, "subject": "account:5", "payload": payload, "reason": "miscount"}
        | {"by": by}
        | more
    )


def make_late(approval: Approval) -> None:
    with superuser() as admin:
        admin.execute("SET session_replication_role = replica")
        admin.execute("UPDATE core_approval SET expires_at = now() - interval '1 minute'")


def sql(statement: str, *values: int | str) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, values)


def test_what_one_asks_another_approves_and_it_is_done_once(fiona: User, frank: User) -> None:
    approval = ask(fiona)
    approval_approve(approval_id=approval.pk, by=frank, note="counted again")
    with transaction.atomic():
        done = approval_execute(approval_id=approval.pk, kind=KIND, by=frank)
    assert done.payload == {"account": 5, "amount_minor": 1200}
    assert (done.status, done.approved_by, done.asked_by) == ("executed", frank, fiona)
    with pytest.raises(ApprovalNotOpen), transaction.atomic():
        approval_execute(approval_id=approval.pk, kind=KIND, by=frank)
    kinds = list(LogEntry.objects.order_by("id").values_list("kind", flat=True))
    assert kinds == ["approval.asked", "approval.approved", "approval.executed"]


def test_the_same_person_is_refused_by_code(fiona: User) -> None:
    approval = ask(fiona)
    assert not may_approve(fiona, approval)
    with pytest.raises(ApprovalSamePerson):
        approval_approve(approval_id=approval.pk, by=fiona)


def test_the_same_person_is_refused_by_the_database(fiona: User) -> None:
    approval = ask(fiona)
    with pytest.raises(IntegrityError, match="approval_by_another_person"):
        sql(
            "UPDATE core_approval SET status = 'approved', approved_by_id = asked_by_id"
            " WHERE id = %s",
            approval.pk,
        )


def test_an_approval_without_an_approver_is_refused_by_the_database(fiona: User) -> None:
    approval = ask(fiona)
    with pytest.raises(IntegrityError, match="approval_names_its_approver"):
        sql("UPDATE core_approval SET status = 'approved' WHERE id = %s", approval.pk)


def test_nobody_begins_with_an_approved_one(fiona: User, frank: User) -> None:
    with pytest.raises(DatabaseError, match="begins as asked"):
        sql(
            "INSERT INTO core_approval (kind, subject, payload, reason, asked_by_id, asked_at,"
            " expires_at, status, approved_by_id, decision_note) VALUES ('x', 'y', '{}', 'z', %s,"
            " now(), now() + interval '1 hour', 'approved', %s, '')",
            fiona.pk,
            frank.pk,
        )


@pytest.mark.parametrize(
    "change", ["payload = '{}'", "reason = 'x'", "asked_by_id = 1", "expires_at = 'infinity'"]
)
def test_app_has_no_right_to_change_what_was_asked(fiona: User, change: str) -> None:
    ask(fiona)
    with pytest.raises(DatabaseError, match="permission denied"):
        sql(f"UPDATE core_approval SET {change}")


@pytest.mark.parametrize("status", ["asked", "approved", "executed", "expired"])
def test_a_rejected_approval_goes_nowhere(fiona: User, frank: User, status: str) -> None:
    approval = ask(fiona)
    approval_reject(approval_id=approval.pk, by=frank)
    with pytest.raises(DatabaseError, match="does not go from rejected"):
        sql("UPDATE core_approval SET status = %s", status)
    with pytest.raises(ApprovalNotOpen):
        approval_approve(approval_id=approval.pk, by=frank)


def test_a_request_that_is_not_approved_cannot_be_executed(fiona: User) -> None:
    approval = ask(fiona)
    with pytest.raises(ApprovalNotOpen), transaction.atomic():
        approval_execute(approval_id=approval.pk, kind=KIND, by=fiona)


def test_an_approval_of_one_kind_does_not_do_another(fiona: User, frank: User) -> None:
    approval = ask(fiona)
    approval_approve(approval_id=approval.pk, by=frank)
    with pytest.raises(ApprovalMissing), transaction.atomic():
        approval_execute(approval_id=approval.pk, kind="hand.void", by=frank)


@pytest.mark.parametrize("kind", sorted(APPROVERS))
def test_only_the_roles_of_the_kind_approve(kind: str) -> None:
    asker = person("Asker", Role.DEALER)
    for role in Role:
        approval = ask(asker, kind=kind)
        other = person(f"Other {role.value}", role)
        if role in APPROVERS[kind]:
            assert approval_approve(approval_id=approval.pk, by=other).status == "approved"
        else:
            with pytest.raises(RoleMissing):
                approval_approve(approval_id=approval.pk, by=other)


def test_a_house_player_or_a_closed_account_is_nobodys_second_person(fiona: User) -> None:
    approval = ask(fiona)
    for approver in (
        person("Robot", Role.FINANCE, is_house=True),
        person("Gone", Role.FINANCE, is_active=False),
    ):
        with pytest.raises(RoleMissing):
            approval_approve(approval_id=approval.pk, by=approver)


def test_a_role_taken_away_counts_at_once(fiona: User, frank: User) -> None:
    approval = ask(fiona)
    User.objects.filter(pk=frank.pk).update(role=Role.DEALER)
    with pytest.raises(RoleMissing):
        approval_approve(approval_id=approval.pk, by=frank)


def test_players_ask_for_nothing(ann: User) -> None:
    with pytest.raises(RoleMissing):
        ask(ann)


def test_a_request_needs_a_reason_and_a_known_kind(fiona: User) -> None:
    with pytest.raises(ApprovalReasonMissing):
        ask(fiona, reason=" ")
    with pytest.raises(ApprovalKindUnknown):
        ask(fiona, kind="anything")


def test_the_asker_may_take_it_back(fiona: User) -> None:
    approval = ask(fiona)
    assert approval_reject(approval_id=approval.pk, by=fiona).status == "rejected"


def test_an_approval_is_used_up_only_with_the_deed(fiona: User, frank: User) -> None:
    approval = ask(fiona)
    approval_approve(approval_id=approval.pk, by=frank)

    def deed_that_fails() -> None:
        with transaction.atomic():
            approval_execute(approval_id=approval.pk, kind=KIND, by=frank)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        deed_that_fails()
    approval.refresh_from_db()
    assert approval.status == "approved"


@pytest.mark.django_db(transaction=True)
def test_executing_outside_a_transaction_is_a_mistake(fiona: User) -> None:
    with pytest.raises(RuntimeError):
        approval_execute(approval_id=1, kind=KIND, by=fiona)


@pytest.mark.django_db(transaction=True)
def test_late_requests_expire(fiona: User, frank: User) -> None:
    asked, approved = ask(fiona), ask(fiona, open_for=timedelta(hours=1))
    approval_approve(approval_id=approved.pk, by=frank)
    make_late(asked)
    with pytest.raises(ApprovalExpired):
        approval_approve(approval_id=asked.pk, by=frank)
    with pytest.raises(ApprovalExpired), transaction.atomic():
        approval_execute(approval_id=approved.pk, kind=KIND, by=frank)
    with pytest.raises(DatabaseError, match="has expired"):
        sql("UPDATE core_approval SET status = 'executed' WHERE id = %s", approved.pk)
    assert approvals_expire() == 2
    assert set(Approval.objects.values_list("status", flat=True)) == {"expired"}


@pytest.mark.django_db(transaction=True)
def test_of_many_that_execute_at_once_one_does(fiona: User, frank: User) -> None:
    approval = ask(fiona)
    approval_approve(approval_id=approval.pk, by=frank)
    outcomes: list[str] = []

    def execute() -> None:
        try:
            with transaction.atomic():
                approval_execute(approval_id=approval.pk, kind=KIND, by=frank)
            outcomes.append("done")
        except ApprovalNotOpen:
            outcomes.append("refused")
        finally:
            connection.close()

    threads = [threading.Thread(target=execute) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(outcomes) == ["done"] + ["refused"] * 7


@pytest.mark.django_db(transaction=True)
def test_the_owner_cannot_change_or_remove_an_approval_either(fiona: User) -> None:
    ask(fiona)
    for statement in (
        "UPDATE core_approval SET payload = '{}'",
        "DELETE FROM core_approval",
        "TRUNCATE core_approval",
    ):
        with superuser() as admin, pytest.raises(Exception, match=r"cannot be changed|never"):
            admin.execute(statement)
