"""Every read of the money."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Q
from django.db.models.functions import Now

from wallets.models import Account, Currency, PlayerLimits, Purpose

STATEMENT_MOST = 200


def balances_of(account_ids: Iterable[int]) -> dict[int, int]:
    """Balances in minor units by account id; an id that is no account is left out."""
    return dict(Account.objects.filter(pk__in=list(account_ids)).values_list("pk", "balance_minor"))


def excluded_of(player_ids: Iterable[int]) -> set[int]:
    """Those of the players who are excluded from play now."""
    return set(
        PlayerLimits.objects.filter(player_id__in=list(player_ids))
        .filter(Q(self_excluded=True) | Q(excluded_until__gt=Now()))
        .values_list("player_id", flat=True)
    )


def exponents() -> dict[str, int]:
    """Decimal places of every currency's major unit."""
    return dict(Currency.objects.values_list("code", "exponent"))


class Purse(NamedTuple):
    """What a player has in one currency, in minor units."""

    currency: str
    exponent: int
    cash_minor: int
    bonus_minor: int
    pending_minor: int
    owed_minor: int
    tables_minor: dict[int, int]


def wallet(player_id: int) -> list[Purse]:
    """A player's purses, by currency; owed_minor is what he owes the house, as a positive."""
    places = exponents()
    purses: dict[str, dict[str, int]] = {}
    tables: dict[str, dict[int, int]] = {}
    rows = Account.objects.filter(player_id=player_id).order_by("currency_id", "table_id")
    for account in rows:
        purse = purses.setdefault(account.currency_id, {})
        seats = tables.setdefault(account.currency_id, {})
        if account.purpose != Purpose.SEAT:
            purse[account.purpose] = account.balance_minor
        elif account.table_id is not None and account.balance_minor:
            seats[account.table_id] = account.balance_minor
    return [
        Purse(
            currency=currency,
            exponent=places[currency],
            cash_minor=purse.get(Purpose.CASH, 0),
            bonus_minor=purse.get(Purpose.BONUS, 0),
            pending_minor=purse.get(Purpose.PENDING, 0),
            owed_minor=-purse.get(Purpose.RECEIVABLE, 0),
            tables_minor=tables[currency],
        )
        for currency, purse in purses.items()
    ]


class StatementLine(NamedTuple):
    """One leg on a player's account and the balance it left there."""

    id: int
    at: datetime
    kind: str
    phase: str
    purpose: str
    table_id: int | None
    hand_id: int | None
    currency: str
    amount_minor: int
    balance_minor: int
    reason: str


def statement(
    player_id: int, *, before: int | None = None, most: int = STATEMENT_MOST
) -> list[StatementLine]:
    """A player's legs on all his accounts, newest first.

    before: the id of the last line of the page before; most: up to 200 lines.
    Each account is read backwards from its own index, so a page costs the same however long
    the history is.
    """
    most = max(1, min(most, STATEMENT_MOST))
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT l.id, t.created_at, t.kind, t.phase, l.purpose,
                    coalesce(l.table_id, t.table_id), t.hand_id, l.currency, l.amount_minor,
                    l.balance_after_minor, t.reason
                FROM (
                    SELECT leg.*, a.purpose, a.table_id
                        FROM wallets_account a
                        CROSS JOIN LATERAL (
                            SELECT * FROM wallets_leg
                                WHERE account_id = a.id
                                    AND (%(before)s::bigint IS NULL OR id < %(before)s::bigint)
                                ORDER BY id DESC LIMIT %(most)s
                        ) AS leg
                        WHERE a.player_id = %(player)s
                        ORDER BY leg.id DESC LIMIT %(most)s
                ) AS l
                JOIN wallets_transfer t ON t.id = l.transfer_id
                ORDER BY l.id DESC
            """,
            {"before": before, "most": most, "player": player_id},
        )
        return [StatementLine(*row) for row in cursor.fetchall()]


class ReversalLine(NamedTuple):
    """What undoing a hand would move on one account; a receivable is what would be owed."""

    purpose: str
    currency: str
    player_id: int | None
    table_id: int | None
    amount_minor: int


def reversal_preview(hand_id: int) -> list[ReversalLine]:
    """What reversing the hand would move if it were done now; sums to zero."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM ledger_reversal(%s)", [hand_id])
        return [ReversalLine(*row) for row in cursor.fetchall()]


@dataclass(frozen=True)
class LedgerCheck:
    """What was found wrong, by rule; nothing anywhere means ok."""

    currencies: dict[str, int]
    accounts_checked: int
    transfers_checked: int
    faults: dict[str, list[int]] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        return not any(self.currencies.values()) and not self.faults

    def as_json(self) -> dict[str, Any]:
        return {
            "ok": self.ok,
            "currencies": self.currencies,
            "accounts_checked": self.accounts_checked,
            "transfers_checked": self.transfers_checked,
            "faults": self.faults,
        }


# Each query answers the ids at fault. They read legs; a stored balance is only ever compared.
_FAULTS = {
    "balance_is_not_the_sum_of_its_legs": """
        SELECT a.id FROM wallets_account a
            LEFT JOIN (
                SELECT account_id, sum(amount_minor) AS total FROM wallets_leg GROUP BY account_id
            ) AS l ON l.account_id = a.id
            WHERE a.balance_minor <> coalesce(l.total, 0)
    """,
    "transfer_does_not_sum_to_zero": """
        SELECT DISTINCT transfer_id FROM wallets_leg
            GROUP BY transfer_id, currency HAVING sum(amount_minor) <> 0
    """,
    "transfer_misses_legs": """
        SELECT t.id FROM wallets_transfer t
            LEFT JOIN wallets_leg l ON l.transfer_id = t.id
            GROUP BY t.id HAVING count(l.id) <> t.leg_count
    """,
    "leg_in_another_currency_than_its_account": """
        SELECT l.id FROM wallets_leg l JOIN wallets_account a ON a.id = l.account_id
            WHERE l.currency <> a.currency_id
    """,
    "running_balance_broken_at_leg": """
        SELECT id FROM (
            SELECT id, balance_after_minor, sum(amount_minor)
                    OVER (PARTITION BY account_id ORDER BY id) AS running
                FROM wallets_leg
        ) AS l WHERE balance_after_minor <> running
    """,
    "transfer_is_not_what_its_hash_says": """
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
    "player_account_below_zero": """
        SELECT id FROM wallets_account WHERE balance_minor < 0 AND NOT may_go_negative
    """,
}


def ledger_check() -> LedgerCheck:
    """Prove the books from the legs: zero per currency, balances, hashes, running balances.

    One statement, hence one moment, while money keeps moving.
    """
    faults = " UNION ALL ".join(
        f"SELECT '{name}', id, 0::numeric FROM ({query}) AS faults (id)"  # noqa: S608
        for name, query in _FAULTS.items()
    )
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            SELECT 'accounts', count(*), 0::numeric FROM wallets_account
            UNION ALL SELECT 'transfers', count(*), 0 FROM wallets_transfer
            UNION ALL SELECT currency, 0, sum(amount_minor) FROM wallets_leg GROUP BY currency
            UNION ALL {faults}
            """  # noqa: S608
        )
        rows = cursor.fetchall()
    counts = {"accounts": 0, "transfers": 0}
    currencies: dict[str, int] = {}
    found: dict[str, list[int]] = {}
    for name, number, total in rows:
        if name in counts:
            counts[name] = number
        elif name in _FAULTS:
            found.setdefault(name, []).append(number)
        else:
            currencies[name] = int(total)
    return LedgerCheck(
        currencies=dict(sorted(currencies.items())),
        accounts_checked=counts["accounts"],
        transfers_checked=counts["transfers"],
        faults={name: sorted(ids) for name, ids in found.items()},
    )
