"""A payment provider's file held against the books. Nothing is moved by it: a person decides.

A payment of a provider is a deposit or a withdrawal whose transfer has the key that payment_key()
makes of the provider's reference; so it is booked once, and found again in his file.
"""

from __future__ import annotations

import csv
import io
import logging
import re
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from hashlib import sha256
from typing import Any, NamedTuple

from django.db import connection, transaction

from casino.core.log import log
from casino.core.models import Role, User
from casino.core.services import role_require
from wallets import errors
from wallets.gaming_day import day_begins
from wallets.models import MOST_MINOR, PaymentFile, PaymentLine
from wallets.selectors import exponents

logger = logging.getLogger(__name__)

IMPORTERS = (Role.FINANCE, Role.ADMIN)
COLUMNS = ("reference", "kind", "currency", "amount", "status")
KINDS = ("deposit", "withdrawal")
STATUSES = ("settled", "failed")
AMOUNT = re.compile(r"(\d{1,16})(?:\.(\d{1,4}))?", re.ASCII)
PROVIDER = re.compile(r"[a-z0-9-]{1,40}", re.ASCII)
Outcome = PaymentLine.Outcome


class Line(NamedTuple):
    number: int
    reference: str
    kind: str
    currency: str
    amount_minor: int
    has_failed: bool


class Booked(NamedTuple):
    """What the books hold for a reference: what went through the cage, nothing when voided."""

    transfer_id: int
    reference: str
    kind: str
    currency: str
    amount_minor: int
    waits: bool


def payment_key(provider: str, reference: str) -> str:
    """The key of a payment's transfer."""
    return f"pay:{provider}:{reference}"


@transaction.atomic
def file_compare(
    *, provider: str, name: str, content: bytes, from_day: date, to_day: date, by: User
) -> PaymentFile:
    """Compare a provider's file for these gaming days with the books, and keep what was found.

    content: CSV in UTF-8 with the columns reference, kind (deposit, withdrawal), currency, amount
    (in major units, as 12.50) and status (settled, failed). The same file for the same days is
    compared once. Raises RoleMissing, PaymentFileMalformed (the whole file is refused).
    """
    role_require(by, IMPORTERS)
    if not PROVIDER.fullmatch(provider):
        raise errors.PaymentFileMalformed(0, "a provider's name is of a-z, 0-9 and -")
    if from_day > to_day:
        raise errors.PaymentFileMalformed(0, "the first day is after the last")
    digest = sha256(content).hexdigest()
    days = {"from_day": from_day, "to_day": to_day}
    if kept := PaymentFile.objects.filter(provider=provider, digest=digest, **days).first():
        return kept
    lines = list(lines_of(content))
    books = booked(provider, [line.reference for line in lines], from_day, to_day)
    told = {line.reference for line in lines}
    missing = [
        {"transfer": held.transfer_id, "reference": held.reference, "kind": held.kind,
            "currency": held.currency, "minor": held.amount_minor}
        for held in books.values()
        if held.reference not in told and held.amount_minor
    ]  # fmt: skip
    outcomes = list(compared(lines, books))
    ok = not missing and all(outcome == Outcome.MATCHED for _, outcome in outcomes)
    file = PaymentFile.objects.create(
        provider=provider,
        name=name[:200],
        digest=digest,
        ok=ok,
        missing=missing,
        by_id=by.pk,
        **days,
    )
    PaymentLine.objects.bulk_create(
        PaymentLine(
            file=file, line=line.number, reference=line.reference, kind=line.kind,
            currency=line.currency, amount_minor=line.amount_minor, has_failed=line.has_failed,
            outcome=outcome, transfer_id=held.transfer_id if held else None,
            booked_minor=held.amount_minor if held else None,
        )
        for line, outcome in outcomes
        for held in (books.get(line.reference),)
    )  # fmt: skip
    counts = counted(file)
    kind = "payments.compared" if ok else "payments.difference"
    log(kind, f"payments:{file.pk}", by, counts)
    if not ok:
        logger.error("payments of %s, file %s: %s", provider, file.pk, counts)
    return file


def counted(file: PaymentFile) -> dict[str, int]:
    """Lines by outcome, and `missing`: payments in the books that the file does not name."""
    found = dict.fromkeys(Outcome.values, 0)
    for outcome in file.lines.values_list("outcome", flat=True):
        found[outcome] += 1
    return {name: count for name, count in found.items() if count} | {"missing": len(file.missing)}


def compared(lines: Iterable[Line], books: dict[str, Booked]) -> Iterator[tuple[Line, str]]:
    seen: set[str] = set()
    for line in lines:
        held = books.get(line.reference)
        yield line, Outcome.REPEATED if line.reference in seen else outcome_of(line, held)
        seen.add(line.reference)


def outcome_of(line: Line, held: Booked | None) -> str:
    if line.has_failed:
        return Outcome.FAILED if held and (held.amount_minor or held.waits) else Outcome.MATCHED
    if held is None:
        return Outcome.UNKNOWN
    if held.kind != line.kind:
        return Outcome.KIND
    if held.currency != line.currency:
        return Outcome.CURRENCY
    if held.waits:
        return Outcome.WAITING
    return Outcome.MATCHED if held.amount_minor == line.amount_minor else Outcome.AMOUNT


def lines_of(content: bytes) -> Iterator[Line]:
    """Raises PaymentFileMalformed with the first line at fault."""
    try:
        rows = csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline=""), strict=True)
        if missing := set(COLUMNS) - set(rows.fieldnames or ()):
            raise errors.PaymentFileMalformed(1, f"no column {', '.join(sorted(missing))}")
        places = exponents()
        for row in rows:
            yield line_of(rows.line_num, row, places)
    except (UnicodeDecodeError, csv.Error) as error:
        raise errors.PaymentFileMalformed(0, str(error)) from error


def line_of(number: int, row: dict[str, Any], places: dict[str, int]) -> Line:
    values = {name: (row[name] or "").strip() for name in COLUMNS}
    is_text = values["reference"].isprintable()
    if None in row or not is_text or not 0 < len(values["reference"]) <= 120:
        raise errors.PaymentFileMalformed(number, "not the columns of the heading")
    for name, allowed in (("kind", KINDS), ("status", STATUSES), ("currency", tuple(places))):
        if values[name] not in allowed:
            raise errors.PaymentFileMalformed(number, f"unknown {name} {values[name]!r}")
    exponent = places[values["currency"]]
    amount = AMOUNT.fullmatch(values["amount"])
    if amount is None or len(amount[2] or "") > exponent:
        raise errors.PaymentFileMalformed(number, f"no amount {values['amount']!r}")
    minor = int(amount[1] + (amount[2] or "").ljust(exponent, "0"))
    if not 0 < minor <= MOST_MINOR:
        raise errors.PaymentFileMalformed(number, f"no amount {values['amount']!r}")
    return Line(
        number, values["reference"], values["kind"], values["currency"], minor,
        values["status"] == "failed",
    )  # fmt: skip


def booked(provider: str, references: list[str], from_day: date, to_day: date) -> dict[str, Booked]:
    """By reference, the provider's payments of those days, and those of these references."""
    prefix = payment_key(provider, "")
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT t.id, substr(t.key, %(cut)s), t.kind, c.currency, abs(c.moved), r.id IS NULL
                    AND t.phase = 'pending'
                FROM wallets_transfer t
                LEFT JOIN wallets_transfer r ON r.resolves_id = t.id
                CROSS JOIN LATERAL (
                    SELECT min(l.currency) AS currency,
                            coalesce(sum(l.amount_minor) FILTER (WHERE a.purpose = 'cage'), 0)
                                ::bigint AS moved
                        FROM wallets_leg l JOIN wallets_account a ON a.id = l.account_id
                        WHERE l.transfer_id IN (t.id, r.id)
                ) AS c
                WHERE t.phase IN ('single', 'pending') AND t.kind IN ('deposit', 'withdrawal') AND (
                    t.key = ANY (%(keys)s)
                    OR starts_with(t.key, %(prefix)s) AND t.created_at >= %(begins)s
                        AND t.created_at < %(ends)s
                )
                ORDER BY t.id
            """,
            {
                "cut": len(prefix) + 1, "prefix": prefix,
                "keys": [payment_key(provider, reference) for reference in references],
                "begins": day_begins(from_day), "ends": day_begins(to_day + timedelta(days=1)),
            },
        )  # fmt: skip
        return {row[1]: Booked(*row) for row in cursor.fetchall()}
