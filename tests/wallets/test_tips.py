"""The dealers' pool: what fills it, who empties it, and that two persons stand behind that."""

from collections.abc import Mapping

import pytest
from django.db import DatabaseError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from casino.core.approvals import approval_approve
from casino.core.errors import RoleMissing
from casino.core.models import Approval, LogEntry, Role, User
from tests.wallets.conftest import Seated, Table, balance, new_player, seated, staff
from wallets import cage, controlling, ledger, proving, services, tips
from wallets.errors import (
    AccountHeld,
    ApprovalNeeded,
    InsufficientFunds,
    InvalidAmount,
    KindNotForThat,
    WalletError,
)
from wallets.ledger import Leg

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def anna(table: Table) -> Seated:
    return seated(table, cash=1_000, chips=500)


def pool() -> int:
    return ledger.account_open(purpose="tips", currency="EUR")


def tipped(table: Table, who: Seated, minor: int, key: str = "tip") -> ledger.Posted:
    return services.tip(table_id=table.id, seat_account_id=who.seat, amount_minor=minor, key=key)


def asked(shares: Mapping[int, int]) -> tuple[Approval, User]:
    cora = staff("cage")
    approval = cage.tips_payout_ask(currency="EUR", shares=shares, reason="the week", by=cora)
    return approval, cora


def test_a_tip_goes_from_the_stack_to_the_pool_once(table: Table, anna: Seated) -> None:
    tipped(table, anna, 30)
    assert tipped(table, anna, 30).replayed
    assert (balance(anna.seat), balance(pool()), tips.pools()) == (470, 30, {"EUR": 30})
    with pytest.raises(InsufficientFunds):
        tipped(table, anna, 471, "more")
    with pytest.raises(InvalidAmount):
        tipped(table, anna, 0, "none")


def test_chips_that_a_hand_holds_are_not_tipped(table: Table, anna: Seated) -> None:
    services.stakes_hold(hand_id=5, seat_account_ids=[anna.seat])
    with pytest.raises(AccountHeld):
        tipped(table, anna, 30)


def test_the_pool_is_paid_out_as_two_persons_agreed_and_once(table: Table, anna: Seated) -> None:
    tipped(table, anna, 100)
    dora, dan = staff("dealer"), staff("dealer")
    approval, cora = asked({dora.pk: 60, dan.pk: 40})
    finn = staff("finance")
    approval_approve(approval_id=approval.pk, by=finn)
    controlling.DEEDS[approval.kind](approval.pk, finn)
    assert balance(pool()) == 0
    paid = LogEntry.objects.filter(kind="tips.paid").order_by("id")
    assert [(entry.subject, entry.facts["amount_minor"]) for entry in paid] == [
        (f"user:{dora.pk}", 60), (f"user:{dan.pk}", 40),
    ]  # fmt: skip
    with pytest.raises(Exception, match="executed"):
        controlling.DEEDS[approval.kind](approval.pk, finn)
    assert not proving.ledger_check().faults
    assert cora.role == Role.CAGE


@pytest.mark.parametrize("shares", [(101,), (0,), (-1, 5), ()])
def test_no_more_than_the_pool_holds_and_nothing_below_nothing_is_asked_for(
    table: Table, anna: Seated, shares: tuple[int, ...]
) -> None:
    tipped(table, anna, 100)
    dealers = [staff("dealer").pk for _ in shares]
    with pytest.raises((InvalidAmount, InsufficientFunds)):
        asked(dict(zip(dealers, shares, strict=True)))
    assert not Approval.objects.exists()


def test_who_is_no_staff_gets_no_share_and_who_is_no_cashier_asks_for_none(
    table: Table, anna: Seated
) -> None:
    tipped(table, anna, 100)
    with pytest.raises(RoleMissing):
        asked({anna.player: 50})
    with pytest.raises(User.DoesNotExist):
        asked({2**40: 50})
    dora = staff("dealer")
    with pytest.raises(RoleMissing):
        cage.tips_payout_ask(currency="EUR", shares={dora.pk: 50}, reason="mine", by=dora)


def attempt(key: str, kind: str, minor: int, target: int, approval: int | None = None) -> None:
    reference: ledger.Reference = {} if approval is None else {"approval": approval}
    ledger.post(
        key=key, kind=kind, legs=[Leg(pool(), -minor), Leg(target, minor)], reference=reference
    )


def test_nothing_else_empties_the_pool(table: Table, anna: Seated) -> None:
    tipped(table, anna, 100)
    counter, dora = services.cage_account(currency="EUR"), staff("dealer")
    cash = services.player_account(player_id=new_player(), currency="EUR")
    for kind in ("sweep", "withdrawal", "float", "cash_out", "tip"):
        with pytest.raises((KindNotForThat, DatabaseError, WalletError)):
            attempt(f"k{kind}", kind, 10, counter)
    with pytest.raises(KindNotForThat):
        attempt("to cash", "tips_paid", 10, cash)
    with pytest.raises(ApprovalNeeded):
        attempt("alone", "tips_paid", 10, counter)
    approval, _ = asked({dora.pk: 60})
    with pytest.raises(ApprovalNeeded):  # asked for, and nobody has agreed
        attempt(f"approval:{approval.pk}:tips", "tips_paid", 60, counter, approval.pk)
    assert balance(pool()) == 100


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(
    total=st.integers(0, 10**9),
    hours=st.dictionaries(st.integers(1, 50), st.integers(1, 300), min_size=1, max_size=8),
)
def test_a_pool_by_hours_is_shared_out_to_the_last_unit(total: int, hours: dict[int, int]) -> None:
    shares = tips.fair_shares(total, hours)
    assert sum(shares.values()) == total
    for dealer, mine in hours.items():
        assert abs(shares[dealer] * sum(hours.values()) - total * mine) < sum(hours.values())


def test_play_money_is_paid_out_to_nobody() -> None:
    services.tips_brought(table_id=1, currency="XTS", amount_minor=100, key="box", actor_id=None)
    assert tips.pools() == {}
    with pytest.raises(InsufficientFunds):
        cage.tips_payout_ask(
            currency="XTS", shares={staff("dealer").pk: 50}, reason="fun", by=staff("cage")
        )


def test_without_hours_nothing_is_proposed() -> None:
    assert tips.fair_shares(100, {}) == {}
