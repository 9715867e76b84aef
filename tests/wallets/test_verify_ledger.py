"""With the triggers off anybody can write anything; the check finds it."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import psycopg
import pytest
from django.core.management import CommandError, call_command

from casino.core.seal import seal_new
from tests.wallets.conftest import Table, seated
from wallets.models import Transfer
from wallets.proving import ledger_check

Raw = psycopg.Connection[Any]


def verify() -> dict[str, Any]:
    out = StringIO()
    try:
        call_command("verify_ledger", stdout=out, stderr=StringIO())
    except CommandError:
        report: dict[str, Any] = json.loads(out.getvalue())
        assert not report["ok"]
    else:
        report = json.loads(out.getvalue())
        assert report["ok"]
    return report


@pytest.fixture(autouse=True)
def busy(table: Table) -> None:
    for _ in range(3):
        seated(table, cash=1_000, chips=500)


def test_honest_books_pass(table: Table) -> None:
    report = verify()
    assert report["currencies"] == {"EUR": 0}
    assert report["accounts_checked"] == 12
    assert report["transfers_checked"] == 6


FORGERIES = {
    "UPDATE wallets_account SET balance_minor = 9999 WHERE purpose = 'rake'": {
        "balance_is_not_the_sum_of_its_legs"
    },
    # Balanced, and the balances made to fit: only the hash and the running balances tell.
    """
    UPDATE wallets_leg SET amount_minor = amount_minor * 2
        WHERE transfer_id = (SELECT min(id) FROM wallets_transfer);
    UPDATE wallets_account a SET balance_minor = (
        SELECT coalesce(sum(amount_minor), 0) FROM wallets_leg l WHERE l.account_id = a.id
    )
    """: {"transfer_is_not_what_its_hash_says", "running_balance_broken_at_leg"},
    "DELETE FROM wallets_leg WHERE id = (SELECT max(id) FROM wallets_leg)": {
        "transfer_does_not_sum_to_zero",
        "transfer_misses_legs",
        "transfer_is_not_what_its_hash_says",
        "balance_is_not_the_sum_of_its_legs",
    },
    """
    INSERT INTO wallets_leg (transfer_id, position, account_id, currency, amount_minor,
            balance_after_minor)
        SELECT transfer_id, 9, account_id, currency, 1, balance_after_minor + 1
            FROM wallets_leg ORDER BY id DESC LIMIT 1
    """: {
        "transfer_does_not_sum_to_zero",
        "transfer_misses_legs",
        "transfer_is_not_what_its_hash_says",
        "balance_is_not_the_sum_of_its_legs",
    },
    "UPDATE wallets_transfer SET kind = 'gift' WHERE kind = 'buy_in'": {
        "transfer_is_not_what_its_hash_says",
        "leg_that_its_kind_does_not_move",
    },
    # Its hash made to fit as well: two persons have not agreed to it.
    """
    UPDATE wallets_transfer t SET kind = 'adjustment', content_hash = ledger_content(
            t.key, 'adjustment', t.phase, t.resolves_id, t.hand_id, t.table_id, t.approval_id,
            t.actor_id, t.reason, t.intent,
            (SELECT string_agg(account_id || ':' || amount_minor, ',' ORDER BY position)
                FROM wallets_leg WHERE transfer_id = t.id)
        ) WHERE kind = 'buy_in'
    """: {"correction_that_no_two_persons_agreed_to"},
    "UPDATE wallets_transfer SET actor_id = 1 WHERE actor_id IS NOT NULL": {
        "transfer_is_not_what_its_hash_says"
    },
    "DELETE FROM wallets_transfer WHERE kind = 'buy_in'": {"leg_of_no_transfer_or_account"},
    "UPDATE wallets_leg SET currency = 'USD'": {"leg_in_another_currency_than_its_account"},
    "UPDATE wallets_account SET purpose = 'bonus', currency_id = 'USD' WHERE purpose = 'cash'": {
        "leg_in_another_currency_than_its_account",
        "leg_that_its_kind_does_not_move",
    },
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forgery_with_the_triggers_off_is_found(superuser: Raw, forgery: str) -> None:
    superuser.execute(forgery)
    assert set(verify()["faults"]) == FORGERIES[forgery]


def test_the_rows_at_fault_are_named(superuser: Raw, table: Table) -> None:
    superuser.execute("UPDATE wallets_account SET balance_minor = 1 WHERE id = %s", (table.rake,))
    assert ledger_check().faults == {"balance_is_not_the_sum_of_its_legs": [table.rake]}


def test_progress_is_told_and_the_first_fault_named(superuser: Raw, table: Table) -> None:
    seal_new()
    superuser.execute("UPDATE wallets_transfer SET reason = 'x' WHERE kind = 'buy_in'")
    forged = Transfer.objects.filter(kind="buy_in").earliest("pk").pk
    said, out = StringIO(), StringIO()
    with pytest.raises(CommandError, match=f"transfer {forged}: transfer is not what its hash"):
        call_command("verify_ledger", stdout=out, stderr=said)
    assert "balance is not the sum of its legs" in said.getvalue()
    assert json.loads(out.getvalue())["first_fault"].startswith(f"transfer {forged}: ")


def test_transfers_not_sealed_yet_are_counted(table: Table) -> None:
    assert verify()["seals"]["unsealed_transfers"] == 6
    seal_new()
    assert verify()["seals"] | {"sealed_entries": 1, "seals": 1} == {
        "ok": True,
        "seals": 1,
        "sealed_entries": 1,
        "unsealed_entries": 0,
        "unsealed_transfers": 0,
        "heads": 0,
        "findings": [],
    }
