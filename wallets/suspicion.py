"""What of a player's cash and chips the law wants looked at: sums kept just under the reporting
line, money that comes and goes with hardly any play, chips that go one way. A person decides.

None of it is ever shown to the player. Source: 31 CFR 1021.320 and casinos' guidance on it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from django.db import connection, transaction

from casino.core.log import log
from wallets.gaming_day import day_begins, gaming_day
from wallets.models import CashCase, CashThreshold
from wallets.reporting import CASH_STEPS

DUE_AFTER = timedelta(days=30)  # after it was found
WHOLE_BP = 10_000
TAKEN_BACK_BP = 8_000  # of what was paid in, at least: money that only passes through
PLAYED_BP = 2_000  # of what was paid in, at most
RETURNED_BP = 1_000  # of what chips went one way, at most comes the other
HANDS_LEAST = 5  # one lost pot is poker
Reason = CashCase.Reason
Way = CashCase.Way


class CashStep(NamedTuple):
    """One transfer across the counter, in minor units."""

    transfer_id: int
    player_id: int
    currency: str
    way: str
    minor: int
    at: datetime


class Suspicion(NamedTuple):
    player_id: int
    currency: str
    way: str
    reason: str
    total_minor: int
    facts: dict[str, Any]


def cash_steps(begins: datetime, ends: datetime, player_ids: Iterable[int] = ()) -> list[CashStep]:
    """What crossed the counter in that time, in order; of these players, or of all."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT id, player, currency, way, moved, at FROM ({CASH_STEPS}) AS s ORDER BY id",  # noqa: S608
            {"begins": begins, "ends": ends, "players": sorted(player_ids) or None},
        )
        return [CashStep(*row) for row in cursor.fetchall()]


def structuring(day: date, line: CashThreshold) -> Iterator[Suspicion]:
    """Players who kept sums just under the line often enough, the last one on that gaming day.

    A sum is one step across the counter, or, of a day without such a step, the day's total: to
    bring it in small notes is the same deed. Just under: from `near_bp` of the line up to it.
    """
    near = -(-line.report_over_minor * line.near_bp // WHOLE_BP)
    begins, ends = window(day, line)
    players = {step.player_id for step in cash_steps(day_begins(day), ends)}
    by_day: dict[tuple[int, str], dict[date, list[CashStep]]] = defaultdict(dict)
    for step in cash_steps(begins, ends, players) if players else ():
        if step.currency == line.currency_id:
            days = by_day[step.player_id, step.way]
            days.setdefault(gaming_day(step.at), []).append(step)
    for (player, way), days in by_day.items():
        sums = {on: list(sums_under(steps, near, line)) for on, steps in days.items()}
        count = sum(map(len, sums.values()))
        if sums.get(day) and count >= line.near_count:
            yield Suspicion(
                player, line.currency_id, way, Reason.STRUCTURING,
                sum(minor for found in sums.values() for minor in found),
                {str(on): found for on, found in sums.items() if found},
            )  # fmt: skip


def sums_under(steps: list[CashStep], near: int, line: CashThreshold) -> Iterator[int]:
    alone = [step.minor for step in steps if near <= step.minor <= line.report_over_minor]
    total = sum(step.minor for step in steps)
    if alone:
        yield from alone
    elif near <= total <= line.report_over_minor:
        yield total


def minimal_play(day: date, line: CashThreshold) -> Iterator[Suspicion]:
    """Players who took most of what they brought away again that day, and hardly played."""
    begins, ends = window(day, line)
    leaving = {step.player_id for step in cash_steps(day_begins(day), ends) if step.way == Way.OUT}
    moved: dict[int, dict[str, int]] = defaultdict(lambda: {Way.IN: 0, Way.OUT: 0})
    for step in cash_steps(begins, ends, leaving) if leaving else ():
        if step.currency == line.currency_id:
            moved[step.player_id][step.way] += step.minor
    for player, sums in moved.items():
        brought, taken = sums[Way.IN], sums[Way.OUT]
        if brought < line.suspicious_from() or taken * WHOLE_BP < brought * TAKEN_BACK_BP:
            continue
        staked = staked_since(player, line.currency_id, begins)
        if staked * WHOLE_BP <= brought * PLAYED_BP:
            yield Suspicion(
                player, line.currency_id, Way.OUT, Reason.MINIMAL_PLAY, taken,
                {"brought": brought, "taken": taken, "staked": staked},
            )  # fmt: skip


def staked_since(player_id: int, currency: str, since: datetime) -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT staked FROM ledger_spent(%s, %s, %s)", [player_id, currency, since])
        (staked,) = cursor.fetchone()
    return int(staked)


def chip_passing(day: date, line: CashThreshold) -> Iterator[Suspicion]:
    """Players whose chips went to one other in hand after hand, and next to nothing came back.

    What a loser of a hand lost is shared out among its winners as they won it.
    """
    begins, ends = window(day, line)
    with connection.cursor() as cursor:
        cursor.execute(
            FLOWS,
            {
                "begins": begins, "ends": ends, "day": day_begins(day),
                "currency": line.currency_id, "least": line.suspicious_from(),
                "hands": HANDS_LEAST, "returned_bp": RETURNED_BP,
            },
        )  # fmt: skip
        flows = cursor.fetchall()
    by_loser: dict[int, list[dict[str, int]]] = defaultdict(list)
    for loser, winner, minor, hands in flows:
        by_loser[loser].append({"to": winner, "minor": minor, "hands": hands})
    for loser, to in by_loser.items():
        total = sum(flow["minor"] for flow in to)
        yield Suspicion(
            loser, line.currency_id, Way.TABLE, Reason.CHIP_PASSING, total, {"flows": to}
        )


# A loss of a hand among players is a leg below zero of its settlement; a banked round has none.
FLOWS = """
    WITH nets AS (
        SELECT t.hand_id AS hand, t.created_at AS at, a.player_id AS player,
                l.amount_minor AS net, sum(l.amount_minor) FILTER (WHERE l.amount_minor > 0)
                    OVER (PARTITION BY t.id) AS won
            FROM wallets_transfer t
            JOIN wallets_leg l ON l.transfer_id = t.id
            JOIN wallets_account a ON a.id = l.account_id AND a.purpose = 'seat'
            WHERE t.created_at >= %(begins)s AND t.created_at < %(ends)s AND t.kind = 'settle'
                AND l.currency = %(currency)s
    ), flows AS (
        SELECT l.player AS loser, w.player AS winner, count(*) AS hands, max(l.at) AS at,
                floor(sum(-l.net::numeric * w.net / w.won))::bigint AS minor
            FROM nets l JOIN nets w ON w.hand = l.hand AND w.net > 0
            WHERE l.net < 0 GROUP BY 1, 2
    )
    SELECT f.loser, f.winner, f.minor, f.hands
        FROM flows f LEFT JOIN flows b ON b.loser = f.winner AND b.winner = f.loser
        WHERE f.minor >= %(least)s AND f.hands >= %(hands)s AND f.at >= %(day)s
            AND coalesce(b.minor, 0)::numeric * 10000 <= f.minor::numeric * %(returned_bp)s
        ORDER BY f.loser, f.winner
"""

Watch = Callable[[date, CashThreshold], Iterator[Suspicion]]
WATCHES: tuple[Watch, ...] = (structuring, minimal_play, chip_passing)


def window(day: date, line: CashThreshold) -> tuple[datetime, datetime]:
    """The gaming days that are looked at together, the given one the last."""
    first = day - timedelta(days=line.window_days - 1)
    return day_begins(first), day_begins(day + timedelta(days=1))


@transaction.atomic
def suspicions_open(day: date) -> int:
    """Open a case for whatever the gaming day shows; how many were opened. Safe to repeat.

    While a case of the same kind is open and within the window, it follows what is found instead.
    """
    opened = 0
    for line in CashThreshold.objects.order_by("currency_id"):
        for watch in WATCHES:
            opened += sum(case_opened(day, found, line) for found in watch(day, line))
    return opened


def case_opened(day: date, found: Suspicion, line: CashThreshold) -> bool:
    same = CashCase.objects.filter(
        player_id=found.player_id, currency_id=found.currency, way=found.way, reason=found.reason
    )
    if same.filter(gaming_day=day).exists():
        return False
    running = same.filter(
        status=CashCase.Status.OPEN, gaming_day__gt=day - timedelta(days=line.window_days)
    )
    if running.update(total_minor=found.total_minor, facts=found.facts):
        return False
    CashCase.objects.create(
        player_id=found.player_id, gaming_day=day, currency_id=found.currency, way=found.way,
        reason=found.reason, total_minor=found.total_minor, facts=found.facts,
        due_on=day + DUE_AFTER,
    )  # fmt: skip
    facts = {"reason": found.reason, "currency": found.currency, "total": found.total_minor}
    log("cash.case", f"user:{found.player_id}", None, facts)
    return True
