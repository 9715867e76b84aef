"""A player's statement over any period: opening balance, every movement, closing balance, and what
he paid in, paid out, staked and won. Its digest is signed, so that a printed one can be held
against the books later."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Any, NamedTuple

from django.db import connection
from django.utils import timezone

from casino.core.seal import sign
from wallets import errors
from wallets.models import Currency
from wallets.proving import one_moment

PLAY = (
    "stake", "unstake", "settle", "void", "carry", "reversal", "time_collection", "jackpot_award",
)  # fmt: skip
COLUMNS = (
    "line", "at", "kind", "account", "table", "hand", "amount_minor", "account_balance_minor",
    "balance_minor", "reason",
)  # fmt: skip


class Line(NamedTuple):
    """One movement on one of the player's accounts; balance_minor is over all of them."""

    id: int
    at: datetime
    kind: str
    account: str
    table: int | None
    hand: int | None
    amount_minor: int
    account_balance_minor: int
    balance_minor: int
    reason: str


@dataclass(frozen=True)
class Statement:
    """`begins` counts, `ends` does not. Amounts are minor units of one currency.

    net_minor is what play gave him; a loss is negative. life_deposits_minor: all he ever paid in
    less all he ever took out, to the end of the period. digest: of the statement as CSV.
    """

    player_id: int
    currency: str
    exponent: int
    begins: datetime
    ends: datetime
    opening_minor: int
    closing_minor: int
    paid_in_minor: int
    paid_out_minor: int
    staked_minor: int
    bonus_staked_minor: int
    net_minor: int
    life_deposits_minor: int
    lines: list[Line]
    digest: str
    signature: str


def statement_for(*, player_id: int, currency: str, begins: datetime, ends: datetime) -> Statement:
    """The statement of that period, to now at the latest. Raises UnknownCurrency."""
    money = Currency.objects.filter(pk=currency).first()
    if money is None:
        raise errors.UnknownCurrency(currency)
    ends = min(ends, timezone.now())
    place: dict[str, Any] = {
        "player": player_id,
        "currency": currency,
        "begins": begins,
        "ends": ends,
    }
    with one_moment(), connection.cursor() as cursor:
        cursor.execute(TOTALS, place | {"play": list(PLAY)})
        totals = dict(zip(TOTAL_NAMES, (int(total) for total in cursor.fetchone()), strict=True))
        cursor.execute(LINES, place)
        balance, lines = totals["opening_minor"], []
        for *facts, reason in cursor.fetchall():
            line = Line._make([*facts, balance, reason])
            balance += line.amount_minor
            lines.append(line._replace(balance_minor=balance))
    unsigned = Statement(
        player_id=player_id,
        currency=currency,
        exponent=money.exponent,
        begins=begins,
        ends=ends,
        lines=lines,
        digest="",
        signature="",
        **totals,
    )
    digest = sha256("".join(rows_of(unsigned)).encode()).hexdigest()
    return replace(unsigned, digest=digest, signature=sign(f"statement:{digest}".encode()))


class Echo:
    """Lets csv.writer hand its text on."""

    def write(self, text: str) -> str:
        return text


def rows_of(statement: Statement) -> Iterator[str]:
    """The statement as CSV, row by row; what its digest covers."""
    writer = csv.writer(Echo())
    for name in (
        "player_id", "currency", "begins", "ends", "opening_minor", "closing_minor",
        "paid_in_minor", "paid_out_minor", "staked_minor", "bonus_staked_minor", "net_minor",
        "life_deposits_minor",
    ):  # fmt: skip
        yield _row(writer, ("#" + name, _text(getattr(statement, name))))
    yield _row(writer, COLUMNS)
    for line in statement.lines:
        yield _row(writer, tuple(_text(value) for value in line))


def _row(writer: Any, values: tuple[str, ...]) -> str:
    return str(writer.writerow(values))


def _text(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    text = "" if value is None else str(value)
    # A spreadsheet must not take a reason that somebody typed for a formula.
    return "'" + text if text[:1] in "=+@\t\r" and isinstance(value, str) else text


TOTAL_NAMES = (
    "opening_minor", "closing_minor", "paid_in_minor", "paid_out_minor", "staked_minor",
    "bonus_staked_minor", "net_minor", "life_deposits_minor",
)  # fmt: skip

MOVED = """
    SELECT l.id, t.created_at, t.kind, t.phase, a.purpose, coalesce(a.table_id, t.table_id) AS tbl,
            t.hand_id, l.amount_minor, l.balance_after_minor, t.reason
        FROM wallets_account a
        JOIN wallets_leg l ON l.account_id = a.id
        JOIN wallets_transfer t ON t.id = l.transfer_id
        WHERE a.player_id = %(player)s AND a.currency_id = %(currency)s
            AND t.created_at < %(ends)s
"""
# An account's legs are in order of id; time alone can differ by the wait for its lock.
LINES = f"""
    SELECT id, created_at, kind, purpose, tbl, hand_id, amount_minor, balance_after_minor, reason
        FROM ({MOVED}) AS m WHERE created_at >= %(begins)s ORDER BY id
"""  # noqa: S608
TOTALS = f"""
    SELECT coalesce(sum(amount_minor) FILTER (WHERE created_at < %(begins)s), 0),
            coalesce(sum(amount_minor), 0),
            coalesce(sum(amount_minor) FILTER (WHERE kind = 'deposit' AND within), 0),
            coalesce(-sum(amount_minor) FILTER (WHERE kind = 'withdrawal' AND within), 0),
            coalesce(-sum(amount_minor) FILTER (
                WHERE kind IN ('stake', 'unstake') AND within), 0),
            coalesce(-sum(amount_minor) FILTER (
                WHERE kind IN ('stake', 'unstake') AND within AND purpose = 'bonus'), 0),
            coalesce(sum(amount_minor) FILTER (WHERE kind = ANY (%(play)s) AND within), 0),
            coalesce(sum(amount_minor) FILTER (WHERE kind IN ('deposit', 'withdrawal')), 0)
        FROM (SELECT m.*, m.created_at >= %(begins)s AS within FROM ({MOVED}) AS m) AS m
"""  # noqa: S608
