"""What corrects the books takes two persons; the database itself asks for them."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from casino.core.approvals import approval_approve
from casino.core.errors import ApprovalNotOpen, ApprovalSamePerson, RoleMissing
from casino.core.models import Approval, LogEntry, Role
from tests.wallets.conftest import Seated, Table, agreed, at_once, balance, seated, staff
from wallets import controlling, errors, ledger, services
from wallets.ledger import Leg
from wallets.models import ControlBand, Transfer

Raw = psycopg.Connection[Any]


@pytest.fixture
def anna(table: Table) -> Seated:
    return seated(table, cash=1_000, chips=500)


def ask(account: int, amount: int, role: Role = Role.CAGE) -> Approval:
    return controlling.adjustment_ask(
        account_id=account, amount_minor=amount, reason="goodwill", by=staff(role)
    )


def test_an_adjustment_has_two_sides_an_operator_and_a_reason(anna: Seated) -> None:
    asked = ask(anna.cash, 50)
    posted = controlling.adjust(approval_id=agreed(asked), by=None)
    assert posted.transfer_id is not None
    written = Transfer.objects.get(pk=posted.transfer_id)
    assert (written.actor_id, written.reason) == (asked.asked_by_id, "goodwill")
    assert written.approval_id == asked.pk
    assert sum(leg.amount_minor for leg in written.legs.all()) == 0
    assert balance(anna.cash) == 1_050
    assert LogEntry.objects.filter(kind="approval.executed").count() == 1


def test_one_person_alone_adjusts_nothing(anna: Seated) -> None:
    admin = staff(Role.ADMIN)
    asked = controlling.adjustment_ask(
        account_id=anna.cash, amount_minor=50, reason="mine", by=admin
    )
    with pytest.raises(ApprovalNotOpen):
        controlling.adjust(approval_id=asked.pk, by=admin)
    with pytest.raises(ApprovalSamePerson):
        approval_approve(approval_id=asked.pk, by=admin)
    with pytest.raises(RoleMissing):
        approval_approve(approval_id=asked.pk, by=staff(Role.SURVEILLANCE))
    assert balance(anna.cash) == 1_000


def test_it_is_done_once_also_when_many_try(anna: Seated) -> None:
    approval = agreed(ask(anna.cash, 50))

    def adjust() -> int | None:
        return controlling.adjust(approval_id=approval, by=None).transfer_id

    answers = at_once([adjust] * 8, threads=8)
    written = [answer for answer in answers if isinstance(answer, int)]
    assert len(set(written)) == 1
    assert all(isinstance(answer, int | ApprovalNotOpen) for answer in answers)
    assert adjust() == written[0]
    assert balance(anna.cash) == 1_050


def test_what_cannot_be_done_leaves_the_approval_open(anna: Seated) -> None:
    approval = agreed(ask(anna.cash, -1_200))
    with pytest.raises(errors.InsufficientFunds):
        controlling.adjust(approval_id=approval, by=None)
    services.deposit(
        player_id=anna.player, amount_minor=500, currency="EUR", key="d", actor_id=None
    )
    controlling.adjust(approval_id=approval, by=None)
    assert balance(anna.cash) == 300


def test_a_band_bounds_what_a_role_agrees_to(anna: Seated) -> None:
    ControlBand.objects.create(
        deed="adjustment", role=Role.FINANCE, currency_id="EUR", most_minor=100
    )
    small, large = ask(anna.cash, -100), ask(anna.cash, 101)
    controlling.adjust(approval_id=agreed(small, staff(Role.FINANCE)), by=None)
    with pytest.raises(errors.BandExceeded) as caught:
        controlling.adjust(approval_id=agreed(large, staff(Role.FINANCE)), by=None)
    assert (caught.value.role, caught.value.most_minor) == ("finance", 100)
    with pytest.raises(errors.BandExceeded):  # a role without a band where others have one
        controlling.adjust(approval_id=agreed(ask(anna.cash, 1), staff(Role.ADMIN)), by=None)
    assert balance(anna.cash) == 900


def test_a_band_bounds_reversals_too(table: Table, anna: Seated) -> None:
    other = seated(table, chips=500)
    services.stakes_hold(hand_id=1, seat_account_ids=[anna.seat, other.seat])
    services.hand_pay(hand_id=1, legs_by_account={anna.seat: 300, other.seat: -300}, currency="EUR")
    ControlBand.objects.create(
        deed="reversal", role=Role.PIT_MANAGER, currency_id="EUR", most_minor=299
    )
    asked = controlling.reversal_ask(hand_id=1, reason="misdeal", by=staff(Role.FLOOR))
    approval = agreed(asked, staff(Role.PIT_MANAGER))
    with pytest.raises(errors.BandExceeded):
        controlling.hand_reverse(approval_id=approval, by=None)
    ControlBand.objects.update(most_minor=300)
    controlling.hand_reverse(approval_id=approval, by=None)
    assert (balance(anna.seat), balance(other.cash)) == (500, 300)


@pytest.mark.parametrize(
    "change",
    ["no approval", "not used up", "another account", "another amount", "another kind"],
)
def test_w_08_the_database_refuses_an_adjustment_that_two_have_not_agreed_to(
    anna: Seated, change: str
) -> None:
    """Written past controlling.py, by the functions that the role `app` may call."""
    asked = ask(anna.cash, 50)
    approval: int | None = agreed(asked)
    if change == "no approval":
        approval = None
    elif change != "not used up":
        Approval.objects.filter(pk=asked.pk).update(status="executed")
    account = anna.seat if change == "another account" else anna.cash
    amount = 51 if change == "another amount" else 50
    adjustments = ledger.account_open(purpose="adjustments", currency="EUR")
    with pytest.raises(errors.ApprovalNeeded), ledger.ledger_errors():
        ledger.post(
            key=f"approval:{asked.pk}:adjustment",
            kind="reversal" if change == "another kind" else "adjustment",
            legs=[Leg(adjustments, -amount), Leg(account, amount)],
            reference={} if approval is None else {"approval": approval},
        )
    assert balance(anna.cash) == 1_000


def test_an_approval_is_good_for_one_transfer(anna: Seated) -> None:
    approval = agreed(ask(anna.cash, 50))
    controlling.adjust(approval_id=approval, by=None)
    adjustments = ledger.account_open(purpose="adjustments", currency="EUR")
    with pytest.raises(errors.ApprovalNeeded), ledger.ledger_errors():
        ledger.post(
            key="again",
            kind="adjustment",
            legs=[Leg(adjustments, -50), Leg(anna.cash, 50)],
            reference={"approval": approval},
        )


def test_every_deed_an_inbox_can_approve_is_carried_out_from_one_place(anna: Seated) -> None:
    approval = agreed(ask(anna.cash, 50))
    controlling.DEEDS["wallet.adjustment"](approval, None)
    assert balance(anna.cash) == 1_050


@pytest.mark.parametrize("amount", [0, 1.5, True, "5"])
def test_an_adjustment_is_a_whole_number(anna: Seated, amount: int) -> None:
    with pytest.raises(errors.InvalidAmount):
        ask(anna.cash, amount)
    with pytest.raises(errors.UnknownAccount):
        ask(0, 5)
