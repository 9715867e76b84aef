"""Every read of the money."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from django.db import connection
from django.db.models import Q
from django.db.models.functions import Now

from casino.core.seal import stream_entries
from wallets.models import Account, Currency, PlayerLimits, Purpose, Transfer
from wallets.sealing import TRANSFERS

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


def transfers_after_seal() -> int:
    """How many transfers no seal covers yet."""
    last = stream_entries(TRANSFERS.name).order_by("-id").first()
    return Transfer.objects.filter(pk__gt=last.facts["to"] if last else 0).count()
