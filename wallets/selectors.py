"""Every read of the money."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from django.db import connection

from casino.core.seal import stream_entries
from casino.core.statements import all_rows, one_row
from wallets.models import Account, Currency, PlayerLimits, Purpose, Transfer
from wallets.sealing import TRANSFERS

STATEMENT_MOST = 200
BALANCES = "SELECT id, balance_minor FROM wallets_account WHERE id = ANY (%s::bigint[])"
BARRED = "SELECT * FROM ledger_barred(%s::bigint[])"
POSTED_AT = "SELECT created_at FROM wallets_transfer WHERE key = %s"
BARRED_BY = {
    "LG013": "player_excluded",
    "LG022": "account_not_active",
    "LG023": "limit_reached",
    "LG024": "play_time_reached",
    "LG025": "reality_check_due",
}


def balances_of(account_ids: Iterable[int]) -> dict[int, int]:
    """Balances in minor units by account id; an id that is no account is left out."""
    return dict(all_rows(BALANCES, [list(account_ids)]))


def barred_of(player_ids: Iterable[int]) -> dict[int, str]:
    """Those of the players who may not be dealt in now, with the code of the rule's error.

    Excluded, cooling off, an account that is not active, a loss, stake or time limit that is
    used up, a reality check not yet acknowledged.
    """
    found = all_rows(BARRED, [list(player_ids)])
    return {player: BARRED_BY[sqlstate] for player, sqlstate in found}


def excluded_of(player_ids: Iterable[int]) -> set[int]:
    """Those of the players who may not be dealt in now."""
    return set(barred_of(player_ids))


def exponents() -> dict[str, int]:
    """Decimal places of every currency's major unit."""
    return dict(Currency.objects.values_list("code", "exponent"))


@lru_cache(maxsize=256)
def exponent_of(currency: str) -> int | None:
    """Decimal places of a currency's major unit, which never change; None for none of ours."""
    return exponents().get(currency)


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


class Money(NamedTuple):
    """What a player has in one currency besides the chips before him, in minor units."""

    cash_minor: int
    bonus_minor: int


def money_of(player_id: int, currency: str) -> Money:
    found = dict(
        Account.objects.filter(
            player_id=player_id, currency_id=currency, purpose__in=(Purpose.CASH, Purpose.BONUS)
        ).values_list("purpose", "balance_minor")
    )
    return Money(found.get(Purpose.CASH, 0), found.get(Purpose.BONUS, 0))


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


def posted_at(key: str) -> datetime | None:
    """When the transfer of that key was posted; None when there is none."""
    found = one_row(POSTED_AT, [key])
    return None if found is None else found[0]


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


def jackpots_used() -> list[tuple[int, int]]:
    """Jackpot accounts that ever held anything, each with its table."""
    used = Account.objects.filter(purpose=Purpose.JACKPOT, last_leg_id__isnull=False)
    return [(account, table or 0) for account, table in used.values_list("pk", "table_id")]


def corrected_since(account_id: int, since: datetime | None) -> int:
    """What adjustments and reversals moved on an account since then; None: ever."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT coalesce(sum(l.amount_minor), 0)::bigint
                FROM wallets_leg l JOIN wallets_transfer t ON t.id = l.transfer_id
                WHERE l.account_id = %(account)s AND t.kind IN ('adjustment', 'reversal')
                    AND (%(since)s::timestamptz IS NULL OR t.created_at >= %(since)s)
            """,
            {"account": account_id, "since": since},
        )
        (moved,) = cursor.fetchone()
    return int(moved)


def transfers_after_seal() -> int:
    """How many transfers no seal covers yet."""
    last = stream_entries(TRANSFERS.name).order_by("-id").first()
    return Transfer.objects.filter(pk__gt=last.facts["to"] if last else 0).count()


class Session(NamedTuple):
    """The run of play that lasts: since when, how long, and what it won or lost by currency.

    barred: the code of the rule that keeps the player from the next round; None lets him play.
    """

    since: datetime | None
    elapsed_s: int
    net_minor: dict[str, int]
    barred: str | None


def session_of(player_id: int) -> Session:
    since, elapsed_s, barred = one_row("SELECT * FROM ledger_session(%s)", [player_id])
    net_minor = {} if since is None else net_since(player_id, since)
    return Session(since, elapsed_s, net_minor, BARRED_BY.get(barred))


class Standing(NamedTuple):
    """What a player has and how he plays, as of one moment; amounts in minor units.

    cash, bonus and net are in one currency, chips those of one seat; the rest is a Session's.
    """

    cash_minor: int
    bonus_minor: int
    chips_minor: int
    since: datetime | None
    elapsed_s: int
    net_minor: int
    barred: str | None

    @classmethod
    def of(cls, columns: Sequence[Any]) -> Standing:
        """What the function ledger_standing() tells."""
        *found, barred = columns
        return cls._make((*found, BARRED_BY.get(barred)))


def net_since(player_id: int, since: datetime) -> dict[str, int]:
    """What play gave the player since then, by currency; a loss is negative."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT c.currency_id, -(ledger_spent(%(player)s, c.currency_id, %(since)s)).lost
                FROM (
                    SELECT DISTINCT currency_id FROM wallets_account
                        WHERE player_id = %(player)s AND purpose = 'seat'
                ) AS c
                ORDER BY 1
            """,
            {"player": player_id, "since": since},
        )
        return dict(cursor.fetchall())


class LimitLine(NamedTuple):
    """One limit: what counts now, what has been used of it, and what begins to count when.

    The unit of the figures is the currency's minor unit, or seconds where there is no currency.
    """

    kind: str
    currency: str | None
    window_days: int
    most: int | None
    used: int
    next: int | None
    next_from: datetime | None


def limits_of(player_id: int) -> list[LimitLine]:
    """All limits of a player, and how far each is used up."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT l.kind, l.currency, l.window_days,
                    CASE WHEN l.next_from <= now() THEN l.next ELSE l.most END,
                    CASE l.kind
                        WHEN 'time' THEN ledger_played_s(%(player)s, l.since)
                        WHEN 'loss' THEN (ledger_spent(%(player)s, l.currency, l.since)).lost
                        WHEN 'stake' THEN (ledger_spent(%(player)s, l.currency, l.since)).staked
                        ELSE ledger_paid_in(%(player)s, l.currency, l.since)
                    END,
                    CASE WHEN l.next_from > now() THEN l.next END,
                    CASE WHEN l.next_from > now() THEN l.next_from END
                FROM (
                    SELECT f.*, now() - make_interval(days => f.window_days) AS since
                        FROM (
                            SELECT 'deposit' AS kind, currency_id AS currency, window_days,
                                    most_minor AS most, next_minor AS next, next_from
                                FROM wallets_depositlimit WHERE player_id = %(player)s
                            UNION ALL
                            SELECT kind, currency_id, window_days, most_minor, next_minor, next_from
                                FROM wallets_spendlimit WHERE player_id = %(player)s
                            UNION ALL
                            SELECT 'time', NULL, window_days, most_s, next_s, next_from
                                FROM wallets_timelimit WHERE player_id = %(player)s
                        ) AS f
                ) AS l
                ORDER BY l.kind, l.currency, l.window_days
            """,
            {"player": player_id},
        )
        return [LimitLine(*row) for row in cursor.fetchall()]


def protection_of(player_id: int) -> PlayerLimits:
    """The player's row of protection; of one without money yet, as it will be."""
    found = PlayerLimits.objects.filter(player_id=player_id).first()
    return found or PlayerLimits(player_id=player_id)


# Transfers that nobody has resolved, found by the accounts that still hold their money: an index
# for it would cost every posting.
UNRESOLVED = """
    FROM wallets_account a
        JOIN wallets_leg l ON l.account_id = a.id
        JOIN wallets_transfer t ON t.id = l.transfer_id
    WHERE a.purpose = 'pending' AND a.balance_minor > 0 AND t.phase = 'pending'
        AND NOT EXISTS (SELECT FROM wallets_transfer r WHERE r.resolves_id = t.id)
"""
EXPIRED = f"""SELECT DISTINCT t.id {UNRESOLVED}
    AND ledger_expires_at(t) < clock_timestamp() ORDER BY t.id"""
ASKED_FOR = f"""SELECT t.id, a.player_id, a.currency_id, l.amount_minor, t.created_at, t.reason
    {UNRESOLVED} AND t.kind = 'withdrawal' AND l.amount_minor > 0 ORDER BY t.id"""
ONE_ASKED_FOR = """SELECT t.id, a.player_id, a.currency_id, l.amount_minor, t.created_at, t.reason
    FROM wallets_transfer t
        JOIN wallets_leg l ON l.transfer_id = t.id
        JOIN wallets_account a ON a.id = l.account_id
    WHERE t.id = %s AND t.kind = 'withdrawal' AND t.phase = 'pending'
        AND a.purpose = 'pending' AND l.amount_minor > 0
"""


def expired_transfers() -> list[int]:
    """Pending transfers whose time is over and that nobody has resolved."""
    with connection.cursor() as cursor:
        cursor.execute(EXPIRED)
        return [transfer for (transfer,) in cursor.fetchall()]


class AskedFor(NamedTuple):
    """A withdrawal that a player asked for; its money is set aside until it is resolved."""

    transfer_id: int
    player_id: int
    currency: str
    amount_minor: int
    at: datetime
    reason: str


def withdrawals_asked() -> list[AskedFor]:
    """Those that wait, the longest first."""
    with connection.cursor() as cursor:
        cursor.execute(ASKED_FOR)
        return [AskedFor(*row) for row in cursor.fetchall()]


def withdrawal_asked(transfer_id: int) -> AskedFor | None:
    """One of them, whatever has become of it since; None when there is none of that id."""
    found = one_row(ONE_ASKED_FOR, [transfer_id])
    return None if found is None else AskedFor(*found)
