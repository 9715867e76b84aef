"""Proving the books from their legs: a stored balance is only ever compared, never believed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db import connection, transaction

from casino.core.statements import quiet_for_long
from casino.core.telling import Told, nobody

MOST_NAMED = 100


class Rule(NamedTuple):
    """`query` answers the ids at fault among the rows `of`."""

    of: str
    query: str


RULES = {
    "balance_is_not_the_sum_of_its_legs": Rule(
        "account",
        """
        SELECT a.id FROM wallets_account a
            LEFT JOIN (
                SELECT account_id, sum(amount_minor) AS total FROM wallets_leg GROUP BY account_id
            ) AS l ON l.account_id = a.id
            WHERE a.balance_minor <> coalesce(l.total, 0)
        """,
    ),
    "transfer_does_not_sum_to_zero": Rule(
        "transfer",
        """
        SELECT DISTINCT transfer_id FROM wallets_leg
            GROUP BY transfer_id, currency HAVING sum(amount_minor) <> 0
        """,
    ),
    "transfer_misses_legs": Rule(
        "transfer",
        """
        SELECT t.id FROM wallets_transfer t
            LEFT JOIN wallets_leg l ON l.transfer_id = t.id
            GROUP BY t.id HAVING count(l.id) <> t.leg_count
        """,
    ),
    "leg_of_no_transfer_or_account": Rule(
        "leg",
        """
        SELECT l.id FROM wallets_leg l
            LEFT JOIN wallets_transfer t ON t.id = l.transfer_id
            LEFT JOIN wallets_account a ON a.id = l.account_id
            WHERE t.id IS NULL OR a.id IS NULL
        """,
    ),
    "leg_in_another_currency_than_its_account": Rule(
        "leg",
        """
        SELECT l.id FROM wallets_leg l JOIN wallets_account a ON a.id = l.account_id
            WHERE l.currency <> a.currency_id
        """,
    ),
    "running_balance_broken_at_leg": Rule(
        "leg",
        """
        SELECT id FROM (
            SELECT id, balance_after_minor, sum(amount_minor)
                    OVER (PARTITION BY account_id ORDER BY id) AS running
                FROM wallets_leg
        ) AS l WHERE balance_after_minor <> running
        """,
    ),
    "transfer_is_not_what_its_hash_says": Rule(
        "transfer",
        """
        SELECT t.id FROM wallets_transfer t
            LEFT JOIN (
                SELECT transfer_id,
                        string_agg(account_id || ':' || amount_minor, ',' ORDER BY position) AS legs
                    FROM wallets_leg GROUP BY transfer_id
            ) AS l ON l.transfer_id = t.id
            WHERE t.content_hash <> ledger_content(
                t.key, t.kind, t.phase, t.resolves_id, t.hand_id, t.table_id, t.approval_id,
                t.actor_id, t.reason, t.intent, l.legs
            )
        """,
    ),
    "leg_that_its_kind_does_not_move": Rule(
        "leg",
        """
        SELECT l.id FROM wallets_leg l
            JOIN wallets_transfer t ON t.id = l.transfer_id
            JOIN wallets_account a ON a.id = l.account_id
            WHERE NOT ledger_kind_moves(
                t.kind, t.phase, t.hand_id IS NOT NULL, a.purpose, l.amount_minor > 0
            )
        """,
    ),
    "correction_that_no_two_persons_agreed_to": Rule(
        "transfer",
        """
        SELECT t.id FROM wallets_transfer t
            LEFT JOIN core_approval a ON a.id = t.approval_id AND a.status = 'executed'
                AND a.approved_by_id <> a.asked_by_id
                AND (t.kind, a.kind) IN (
                    ('reversal', 'hand.void'), ('adjustment', 'wallet.adjustment'),
                    ('tips_paid', 'tips.payout')
                )
            WHERE t.kind IN ('adjustment', 'reversal', 'tips_paid') AND a.id IS NULL
        """,
    ),
    "bonus_leg_that_no_grant_explains": Rule(
        "transfer",
        """
        SELECT id FROM (
            SELECT t.id, a.player_id, a.currency_id, sum(l.amount_minor) AS moved
                FROM wallets_account a
                JOIN wallets_leg l ON l.account_id = a.id
                JOIN wallets_transfer t ON t.id = l.transfer_id
                WHERE a.purpose = 'bonus'
                    AND t.kind IN ('stake', 'unstake', 'settle', 'void', 'reversal')
                GROUP BY 1, 2, 3
        ) AS l FULL JOIN (
            SELECT b.transfer_id AS id, g.player_id, g.currency_id, sum(b.amount_minor) AS moved
                FROM wallets_bonuspart b JOIN wallets_bonusgrant g ON g.id = b.grant_id
                GROUP BY 1, 2, 3
        ) AS p USING (id, player_id, currency_id)
            WHERE l.moved IS DISTINCT FROM p.moved
        """,
    ),
    "exchange_at_no_rate": Rule(
        "transfer",
        """
        SELECT t.id FROM wallets_transfer t
            WHERE t.kind = 'exchange' AND NOT ledger_is_at_rate(t)
        """,
    ),
    "player_account_below_zero": Rule(
        "account", "SELECT id FROM wallets_account WHERE balance_minor < 0 AND NOT may_go_negative"
    ),
}


@dataclass(frozen=True)
class LedgerCheck:
    """What was found wrong, by rule, the first hundred ids of each; nothing anywhere means ok."""

    currencies: dict[str, int]
    accounts_checked: int
    transfers_checked: int
    faults: dict[str, list[int]] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        return not any(self.currencies.values()) and not self.faults

    @property
    def first_fault(self) -> str | None:
        """In words, by the order in which the rules are checked."""
        for name, ids in self.faults.items():
            return f"{RULES[name].of} {ids[0]}: {name.replace('_', ' ')}"
        for currency, total in self.currencies.items():
            if total:
                return f"currency {currency}: the legs sum to {total}"
        return None

    def as_json(self) -> dict[str, Any]:
        return {
            "ok": self.ok,
            "first_fault": self.first_fault,
            "currencies": self.currencies,
            "accounts_checked": self.accounts_checked,
            "transfers_checked": self.transfers_checked,
            "faults": self.faults,
        }


@contextmanager
def one_moment() -> Iterator[None]:
    """Every query in the block sees the books of one moment, while money keeps moving."""
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        quiet_for_long()
        yield


def ledger_check(told: Told = nobody) -> LedgerCheck:
    """Prove the books from the legs: zero per currency, balances, hashes, running balances.

    told: hears of each rule before it is checked. Sees one moment, which inside the caller's
    transaction is for the caller to choose.
    """
    with nullcontext() if connection.in_atomic_block else one_moment():
        told("currencies")
        currencies = dict(
            rows("SELECT currency, sum(amount_minor) FROM wallets_leg GROUP BY 1 ORDER BY 1")
        )
        ((accounts, transfers),) = rows(
            "SELECT (SELECT count(*) FROM wallets_account), (SELECT count(*) FROM wallets_transfer)"
        )
        faults = {}
        for nth, (name, rule) in enumerate(RULES.items(), 1):
            told(f"{nth} of {len(RULES)}: {name}")
            first = f"SELECT * FROM ({rule.query}) AS f (id) ORDER BY id LIMIT {MOST_NAMED}"  # noqa: S608
            if found := rows(first):
                faults[name] = [number for (number,) in found]
    return LedgerCheck(
        currencies={currency: int(total) for currency, total in currencies.items()},
        accounts_checked=accounts,
        transfers_checked=transfers,
        faults=faults,
    )


def rows(query: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found
