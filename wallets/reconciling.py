"""The daily reconciliation: the books against themselves, and against what the tables say.

The wallets know no tables: whoever stands above them registers a provider, which says what
their money should be, and is asked within the same moment of the database.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from casino.core.log import log
from casino.core.telling import Told, nobody
from wallets.gaming_day import day_begins, gaming_day
from wallets.models import Account, Purpose, Reconciliation, Transfer
from wallets.proving import ledger_check, one_moment

logger = logging.getLogger(__name__)

NAMED_MOST = 100
ONE_DAY = timedelta(days=1)
Differences = list[dict[str, Any]]


@dataclass(frozen=True)
class Floor:
    """What the tables say. All by ledger account.

    held: seats dealt in to a hand that runs, and that hand. in_play_minor: stakes of rounds that
    run and pots carried over. meters_minor: jackpots as the last rounds left them; None when
    nobody keeps any. settled: what each hand settled since then should have moved on seats, bonus
    money of a seat's player included.
    """

    held: Mapping[int, int] = field(default_factory=dict)
    in_play_minor: Mapping[int, int] = field(default_factory=dict)
    meters_minor: Mapping[int, int] | None = None
    settled: Mapping[int, Mapping[int, int]] = field(default_factory=dict)


Provider = Callable[[datetime], Floor]
PROVIDERS: dict[str, Provider] = {}


def provider_add(name: str, provider: Provider) -> None:
    """Let the reconciliation ask `provider(since)`; called once, when the app is ready."""
    PROVIDERS[name] = provider


def reconcile(
    *, day: date | None = None, from_day: date | None = None, told: Told = nobody
) -> Reconciliation:
    """Reconcile now, and keep the result with the gaming day; a difference raises an alert.

    day: with which it is kept; the one that runs if not given. Hands settled since it began, or
    since `from_day`, are compared. told: hears how far it is.
    """
    day = day or gaming_day(timezone.now())
    with one_moment():
        check = ledger_check(told)
        told("the tables")
        balances = trial_balance()
        checks: dict[str, Differences] = {
            "trial balance is zero": [
                {"currency": currency, "off_by_minor": total}
                for currency, total in check.currencies.items()
                if total
            ],
            "accounts equal their legs": [
                {"rule": rule, "ids": ids} for rule, ids in check.faults.items()
            ],
        }
        since = day_begins(from_day or day)
        floors = {name: provider(since) for name, provider in PROVIDERS.items()}
        checks |= floor_checks(merged(floors.values()), since) if floors else {}
    differing = sorted(name for name, differences in checks.items() if differences)
    with transaction.atomic():
        kept = Reconciliation.objects.create(
            gaming_day=day,
            ok=not differing,
            providers=sorted(floors),
            balances=balances,
            checks={name: differences[:NAMED_MOST] for name, differences in checks.items()},
        )
        if differing:
            counts = {name: len(checks[name]) for name in differing}
            log("reconciliation.difference", f"reconciliation:{kept.pk}", None, counts)
    if differing:
        logger.error("reconciliation %s of %s found differences: %s", kept.pk, day, differing)
    return kept


def reconcile_daily() -> Reconciliation | None:
    """Reconcile the gaming day that has ended, unless that was done already. Safe to repeat.

    Days on which the house was closed are made up for.
    """
    days = days_due()
    return reconcile(day=days[-1], from_day=days[0]) if days else None


def days_due() -> list[date]:
    """Gaming days that have ended and were not reconciled, in order; of a new house the last."""
    today = gaming_day(timezone.now())
    done = Reconciliation.objects.filter(gaming_day__lt=today).order_by("-gaming_day").first()
    first = today - ONE_DAY if done is None else done.gaming_day + ONE_DAY
    return [first + ONE_DAY * n for n in range((today - first).days)]


def merged(floors: Iterable[Floor]) -> Floor:
    held: dict[int, int] = {}
    in_play: dict[int, int] = {}
    meters: dict[int, int] | None = None
    settled: dict[int, Mapping[int, int]] = {}
    for floor in floors:
        held |= floor.held
        in_play |= floor.in_play_minor
        settled |= floor.settled
        if floor.meters_minor is not None:
            meters = (meters or {}) | dict(floor.meters_minor)
    return Floor(held, in_play, meters, settled)


def floor_checks(floor: Floor, since: datetime) -> dict[str, Differences]:
    in_a_hand = Account.objects.filter(held_by__isnull=False)
    held = {account.pk: account.held_by or 0 for account in in_a_hand}
    found = {
        "held seats are those of open hands": differences(held, floor.held, "hand"),
        "in play are open rounds and carried pots": differences(
            balances_by(Purpose.IN_PLAY), floor.in_play_minor, "minor"
        ),
        "every settled hand moved what it says": settled_otherwise(floor.settled),
        "every settlement is of a settled hand": settlements_of_none(floor.settled, since),
    }
    if floor.meters_minor is not None:
        found["jackpots equal their meters"] = differences(
            balances_by(Purpose.JACKPOT), floor.meters_minor, "minor"
        )
    return found


def differences(books: Mapping[int, int], floor: Mapping[int, int], unit: str) -> Differences:
    """Accounts on which the two do not agree; an account that one does not name is at zero."""
    return [
        {"account": account, f"books_{unit}": books.get(account), f"floor_{unit}": said}
        for account in sorted(books.keys() | floor.keys())
        if (said := floor.get(account)) != books.get(account)
        and (said or 0) != (books.get(account) or 0)
    ]


def balances_by(purpose: Purpose) -> dict[int, int]:
    moved = Account.objects.filter(purpose=purpose).exclude(balance_minor=0)
    return dict(moved.values_list("pk", "balance_minor"))


def settled_otherwise(settled: Mapping[int, Mapping[int, int]]) -> Differences:
    """Hands whose one settlement did not move on the seats what their result says."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT t.hand_id, coalesce(s.id, a.id), l.amount_minor
                FROM wallets_transfer t
                JOIN wallets_leg l ON l.transfer_id = t.id
                JOIN wallets_account a ON a.id = l.account_id
                LEFT JOIN wallets_account s ON a.purpose = 'bonus' AND s.purpose = 'seat'
                    AND s.player_id = a.player_id AND s.table_id = t.table_id
                    AND s.currency_id = a.currency_id
                WHERE t.kind = 'settle' AND t.hand_id = ANY (%s::bigint[])
                    AND a.purpose IN ('seat', 'bonus')
                ORDER BY t.hand_id, l.account_id
            """,
            [sorted(settled)],
        )
        moved: dict[int, dict[int, int]] = {}
        for hand, account, amount in cursor.fetchall():
            legs = moved.setdefault(hand, {})
            legs[account] = legs.get(account, 0) + amount
    return [
        {"hand": hand, "account": account, "books_minor": was, "floor_minor": said}
        for hand, says in settled.items()
        for account in sorted(says.keys() | moved.get(hand, {}).keys())
        if (said := says.get(account, 0)) != (was := moved.get(hand, {}).get(account, 0))
    ]


def settlements_of_none(settled: Mapping[int, Mapping[int, int]], since: datetime) -> Differences:
    """Settlements of the day whose hand the floor does not know as settled.

    A hand is settled a moment before its transfer is written: those of the day's first minute may
    belong to the day before.
    """
    paid = Transfer.objects.filter(
        kind="settle", hand_id__isnull=False, created_at__gte=since + timedelta(minutes=1)
    )
    return [
        {"hand": hand, "transfer": transfer}
        for hand, transfer in paid.order_by("pk").values_list("hand_id", "pk")
        if hand not in settled
    ]


def trial_balance() -> list[dict[str, Any]]:
    """What stands on the accounts of each purpose and currency; a currency sums to zero."""
    with connection.cursor() as cursor:
        cursor.execute("""
            SELECT currency_id, purpose, count(*), sum(balance_minor)::bigint
                FROM wallets_account GROUP BY 1, 2 ORDER BY 1, 2
        """)
        return [
            {"currency": currency, "purpose": purpose, "accounts": accounts, "minor": minor}
            for currency, purpose, accounts, minor in cursor.fetchall()
        ]
