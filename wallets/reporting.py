"""Cash over the counter per player and gaming day, each way by itself, and the cases that the
law asks for. None of it is ever shown to the player."""

from __future__ import annotations

from datetime import date, timedelta
from typing import NamedTuple

from django.db import connection, transaction
from django.utils import timezone

from casino.core.log import log
from casino.core.models import Role, User
from casino.core.services import role_require
from wallets import errors
from wallets.gaming_day import day_begins, gaming_day
from wallets.models import CashCase, CashThreshold

DUE_AFTER = timedelta(days=15)
REPORTERS = (Role.COMPLIANCE, Role.ADMIN)
Status = CashCase.Status

# What crossed the counter: each transfer with its player, currency, way and sum.
CASH_STEPS = """
    SELECT t.id, max(a.player_id) AS player, l.currency,
            CASE WHEN t.kind = 'deposit' THEN 'in' ELSE 'out' END AS way,
            abs(sum(l.amount_minor))::bigint AS moved, t.created_at AS at
        FROM wallets_transfer t
        JOIN wallets_leg l ON l.transfer_id = t.id
        JOIN wallets_account a ON a.id = l.account_id
        WHERE t.created_at >= %(begins)s AND t.created_at < %(ends)s
            AND (
                t.kind = 'deposit' AND t.phase IN ('single', 'pending')
                OR t.kind = 'withdrawal' AND t.phase IN ('single', 'post')
            )
            AND a.player_id IS NOT NULL
            AND (%(players)s::bigint[] IS NULL OR a.player_id = ANY (%(players)s::bigint[]))
        GROUP BY t.id, l.currency
"""


class CashTotal(NamedTuple):
    """What a player brought (`in`) or took (`out`) in a gaming day; steps: of how many parts."""

    player_id: int
    currency: str
    way: str
    total_minor: int
    steps: int
    most_minor: int


def cash_totals(day: date) -> list[CashTotal]:
    """Deposits and withdrawals of the gaming day by player, currency and way.

    Of two-phase ones what crosses the counter: a deposit when it is brought, a withdrawal when,
    and as far as, it is paid out. Its player's accounts together lose what the cage gives.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            SELECT s.player, s.currency, s.way, sum(s.moved)::bigint, count(*), max(s.moved)::bigint
                FROM ({CASH_STEPS}) AS s GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
            """,  # noqa: S608
            {
                "begins": day_begins(day), "ends": day_begins(day + timedelta(days=1)),
                "players": None,
            },
        )  # fmt: skip
        return [CashTotal(*row) for row in cursor.fetchall()]


@transaction.atomic
def cases_open(day: date | None = None) -> int:
    """Open a case for every total of the gaming day that passes its threshold.

    An open case follows the total as it grows. Returns how many were opened. Safe to repeat.
    """
    day = day or gaming_day(timezone.now())
    over = dict(CashThreshold.objects.values_list("currency_id", "report_over_minor"))
    opened = 0
    for total in cash_totals(day):
        if total.total_minor <= over.get(total.currency, total.total_minor):
            continue
        case, is_new = CashCase.objects.get_or_create(
            player_id=total.player_id,
            gaming_day=day,
            currency_id=total.currency,
            way=total.way,
            reason=CashCase.Reason.OVER,
            defaults={"total_minor": total.total_minor, "due_on": day + DUE_AFTER},
        )
        if is_new:
            opened += 1
            facts = {"way": total.way, "currency": total.currency, "total": total.total_minor}
            log("cash.case", f"user:{total.player_id}", None, facts)
        elif case.total_minor != total.total_minor:
            CashCase.objects.filter(pk=case.pk).update(total_minor=total.total_minor)
    return opened


@transaction.atomic
def case_close(*, case_id: int, status: str, note: str, by: User) -> CashCase:
    """Note that a case was reported, or why it needs no report, once.

    Raises RoleMissing, CaseNotOpen.
    """
    role_require(by, REPORTERS)
    closed = CashCase.objects.filter(pk=case_id, status=Status.OPEN).update(
        status=Status(status), note=note, closed_by_id=by.pk, closed_at=timezone.now()
    )
    if not closed:
        raise errors.CaseNotOpen(case_id)
    log("cash.case_closed", f"case:{case_id}", by, {"status": status})
    return CashCase.objects.get(pk=case_id)
